"""Small inline corpora and a way to ask an emulator without sockets."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest

from orchestrator.sandbox.server import emulator
from orchestrator.sandbox.wire import Emulator, Situation, WireReply, WireRequest
from tests.corpora import corpus_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from orchestrator.sandbox import Corpus

NOW = datetime(2026, 3, 20, 3, 0, tzinfo=UTC)

PEOPLE = [
    {"id": "U01HANEUL", "name": "이하늘", "name_alt": "Haneul Lee", "handle": "haneul", "email": "haneul@acme.example"},
    {"id": "U02SARAH", "name": "Sarah Kim", "handle": "sarah", "email": "sarah@acme.example", "title": "PM"},
    {"id": "U03BORA", "name": "최보라", "handle": "bora", "email": "bora@acme.example"},
]


class Asker:
    """One emulator, asked directly."""

    def __init__(self, served: Emulator) -> None:
        self.served = served

    def __call__(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, Any] | Sequence[tuple[str, Any]] = (),
        token: str | None = "",
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        **more: Any,
    ) -> WireReply:
        """The reply; the token is the emulator's own unless given, and None sends none."""
        sent = {name.lower(): value for name, value in (headers or {}).items()}
        if token is not None:
            sent.setdefault("authorization", f"Bearer {token or self.served.tokens[0]}")
        return self.served.answer(WireRequest(method, path, urlencode(query), sent, body, **more))

    def json(self, *arguments: Any, **named: Any) -> Any:
        """The reply's JSON."""
        return json.loads(self(*arguments, **named).body)


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Corpus]:
    """Make a corpus of rows; `source` fills in what rows leave out."""

    def make(rows: Iterable[Mapping[str, Any]], people: Iterable[Mapping[str, Any]] = PEOPLE, **options: Any) -> Corpus:
        lines = [{"id": f"row{n}", "kind": "item", "text": "", **row} for n, row in enumerate(rows)]
        return corpus_of(tmp_path, lines, people, **options)

    return make


@pytest.fixture
def ask(corpus: Callable[..., Corpus]) -> Callable[..., Asker]:
    """Make an emulator over rows; `zone` is the owner's, the time is always the same."""

    def make(
        source: str, rows: Iterable[Mapping[str, Any]], *, zone: str = "Asia/Seoul", token: str | None = None
    ) -> Asker:
        made = corpus({"source": source, **row} for row in rows)
        owner = made.people.find("haneul")
        assert owner is not None
        return Asker(emulator(source, Situation(made, owner, lambda: NOW, ZoneInfo(zone)), token))

    return make
