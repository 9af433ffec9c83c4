"""The JSON objects: every key of the reference page, nothing that JSON cannot hold."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import is_typeddict

import orchestrator.documents
from orchestrator.documents.answer import answer_document
from orchestrator.documents.plan import plan_document
from orchestrator.documents.question import query_document
from orchestrator.surfaces.cli.documents import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from orchestrator.model import Answer

REFERENCE = Path(__file__).resolve().parents[5] / "docs" / "reference" / "cli.md"
FREE = {"variants", "factors", "facts", "args"}  # objects whose keys are data


def keys(value: Any) -> Iterator[str]:
    """Every key of a document, at any depth, but those that are data."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key not in FREE:
                yield from keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


def test_an_answer_as_json(answer: Callable[..., Answer]) -> None:
    document = json.loads(json_text(answer_document(answer("ko"))))
    assert document["question"]["type"] == "decision"
    assert document["citations"][0] == {
        "number": 1,
        "source": "slack",
        "id": "m1",
        "url": "https://acme.slack.example/p1",
        "quote": "New pricing takes effect 1 January 2027.",
    }
    assert document["results"][0]["container"] == "결제-개발"
    assert document["results"][0]["created"] == "2026-11-03T23:30:00+00:00"
    linear, slack, gmail = document["sources"]
    message = "지금 응답하지 못합니다 — HTTP 500; try again later"
    assert linear["problem"] == {"code": "unavailable", "message": message, "retry_after": None}
    assert slack["sent"][0]["args"] == {"filter": {"team": {"name": {"eq": "결제"}}}}
    assert slack["left_out"] == [{"reason": "before 2026-10-01", "count": 2}]
    assert gmail["status"] == "not connected"


def test_a_plan_as_json(answer: Callable[..., Answer]) -> None:
    document = json.loads(json_text(plan_document(answer().plan)))
    assert [step["source"] for step in document["steps"]] == ["linear", "slack"]
    assert document["steps"][0]["rungs"][1]["given_up"] == ["pricing"]
    assert document["skipped"][0]["reason"] == "no token; get one"


@pytest.mark.parametrize(
    "make", [answer_document, lambda whole: plan_document(whole.plan), lambda whole: query_document(whole.query)]
)
def test_every_key_is_in_the_reference(answer: Callable[..., Answer], make: Callable[[Answer], dict[str, Any]]) -> None:
    """A key that nobody documents is a key nobody can rely on."""
    documented = set(re.findall(r"`([a-z_]+)`", REFERENCE.read_text("utf-8")))
    assert sorted(set(keys(make(answer()))) - documented) == []


@pytest.mark.parametrize("module", [each.name for each in pkgutil.iter_modules(orchestrator.documents.__path__)])
def test_every_key_of_every_document_is_in_the_reference(module: str) -> None:
    """Also of documents that no example fills: what the web finds, how the sources do."""
    documented = set(re.findall(r"`([a-z_]+)`", REFERENCE.read_text("utf-8")))
    made = vars(importlib.import_module(f"orchestrator.documents.{module}")).values()
    declared = {key for each in made if is_typeddict(each) for key in each.__annotations__}
    assert sorted(declared - documented) == []
