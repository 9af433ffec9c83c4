"""What holds for the pure half of every source: total, pure, light to import."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import HitPage
from connectors.errors import SourceError
from connectors.http import HttpSource, Page, Reply
from connectors.manifest import Powers
from connectors.registry import load_source, source_kinds
from connectors.testing.exemplar import filed_exemplars
from tests.examples import fewer
from translators.capabilities import Fidelity
from translators.query import EVERYTHING, Phrase, Query
from translators.registry import load_dialect
from translators.translator import LossKind, NativeQuery

KINDS = tuple(kind for kind in source_kinds() if issubclass(load_source(kind), HttpSource))
VENDORS = {"slack_sdk", "notion_client", "httpx", "googleapiclient", "google.auth", "httplib2", "aiohttp", "graphql"}

TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)


def source(kind: str) -> HttpSource:
    made: Any = load_source(kind)
    connector = made(kind, made.settings_type.model_validate({"kind": kind, "token": "t0ken-t0ken"}))
    assert isinstance(connector, HttpSource)
    return connector


@cache
def bodies(kind: str) -> list[Any]:
    """Bodies of the exemplars, to be spoiled in one place."""
    exemplars = [filed.exemplar for filed in filed_exemplars(load_source(kind))]
    replies = [part.reply for each in exemplars for exchange in each.exchanges for part in (exchange, *exchange.parts)]
    return [reply.body for reply in replies if reply.body is not None]


@st.composite
def spoiled(draw: st.DrawFn, kind: str) -> Any:
    """A documented body with one value anywhere in it replaced by any JSON at all, or removed."""
    body = json.loads(json.dumps(draw(st.sampled_from(bodies(kind)))))
    holder: Any = None
    key: Any = None
    place = body
    while isinstance(place, dict | list) and place and (holder is None or draw(st.integers(0, 3))):
        holder, key = place, draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        place = place[key]
    if holder is None:
        return draw(JSON)
    if draw(st.booleans()):
        holder[key] = draw(JSON)
    else:
        del holder[key]
    return body


@pytest.mark.parametrize("kind", KINDS)
def test_reading_any_reply_gives_hits_or_an_error_of_ours(kind: str) -> None:
    """No reply whatever makes a source raise anything else: neither in the list, nor in the details."""
    connector = source(kind)

    @fewer(100)
    @given(
        st.sampled_from([200, 200, 200, 400, 403, 429, 500]),
        spoiled(kind) | JSON,
        st.dictionaries(TEXT, TEXT, max_size=2),
    )
    def read(status: int, data: Any, headers: dict[str, str]) -> None:
        reply = Reply(status, data, headers)
        problem = connector.error(reply)
        assert problem is None or problem.message
        with suppress(SourceError):
            page = connector.parse(reply)
            assert isinstance(page, HitPage)
            connector.enrich(page, [reply for _ in connector.details(page)])

    read()


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXT, limit=st.integers(1, 50), cursor=st.none() | TEXT)
def test_building_a_request_changes_nothing_and_depends_on_nothing(
    kind: str, text: str, limit: int, cursor: str | None
) -> None:
    """The same twice, whatever a person typed."""
    connector, native = source(kind), NativeQuery(kind, text)
    assert connector.request(native, Page(limit, cursor)) == connector.request(native, Page(limit, cursor))


def test_importing_a_source_does_not_import_the_vendors_client() -> None:
    """Whoever does not ask Slack does not wait for Slack's client to load. All in one process: the first that loads any is told."""
    code = f"import sys\nfor kind in {KINDS}:\n    __import__('connectors.' + kind); print(kind, *({VENDORS} & sys.modules.keys()))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert loaded == list(KINDS)


def _asked(kind: str, where: Any, can: Any = None) -> Any:
    manifest = load_source(kind).manifest
    dialect = load_dialect(manifest.dialect)
    return dialect.translate(Query("?", where), can or (manifest.can.capabilities if manifest.can else dialect.can))


@pytest.mark.parametrize("kind", source_kinds())
@pytest.mark.parametrize("text", ["connection pool", "커넥션 풀"])
def test_a_quoted_phrase_reaches_every_source(kind: str, text: str) -> None:
    """As a phrase or as its words: none is left unasked, and so none is said to hold nothing."""
    asked = _asked(kind, Phrase(text))
    assert asked.native != _asked(kind, EVERYTHING).native
    sent = str(asked.native.args) + asked.native.text
    assert any(word in sent for word in text.split())


@pytest.mark.parametrize("kind", ["json_api", "mcp_client"])
@pytest.mark.parametrize("term", ["exact", "wider", "approximate"])
def test_a_source_that_declares_words_alone_is_sent_those_of_a_phrase_which_is_checked_here(
    kind: str, term: str
) -> None:
    can = Powers.model_validate({"term": term}).capabilities
    asked = _asked(kind, Phrase("커넥션 풀"), can)
    assert asked.native.text == "커넥션 풀"
    assert asked.residual == Phrase("커넥션 풀")
    assert [loss.kind for loss in asked.losses] == [LossKind.CHECKED]
    assert Powers().capabilities.phrase is Fidelity.NONE
