"""A language that nobody has thought of is one file more: an answer, its receipt, the page, a digest and the bot are told in it, and nothing in English."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from lxml import html
from rich.console import Console
from starlette.datastructures import QueryParams

from orchestrator.assembly.searching import build_engine
from orchestrator.codec import encode
from orchestrator.digests.content import Coverage, Digest, DigestEntry, DigestSection, Group, Origin, SectionKind, Why
from orchestrator.digests.message import message_of
from orchestrator.documents.answer import answer_document
from orchestrator.model import Answer, Ask
from orchestrator.sandbox import Sandbox, default_corpus, parse_fault
from orchestrator.settings import load_settings
from orchestrator.surfaces.bot import telling
from orchestrator.surfaces.bot.actions import Carried
from orchestrator.surfaces.cli.answer_view import answer_view, receipt_view
from orchestrator.surfaces.page.answer_view import AnswerView, Teller
from orchestrator.surfaces.page.asked import asked_of
from orchestrator.surfaces.page.words import words
from orchestrator.understand import understanding
from tests.catalogue import messages, written
from tests.e2e.patience import ENOUGH
from translators import said
from translators.said import LANGUAGES, Language, Said, said_in

if TYPE_CHECKING:
    from collections.abc import Iterator

TURNED = "qx"
NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
QUESTION = "API 마이그레이션 일정에 대해 무엇을 결정했나요? after:2026-01-01 type:wiki"
WORD = re.compile(r"[A-Za-z]{3,}")
# Of no language: what is typed, names, units.
NOBODYS = frozenset("fedsearch jira type http https utc".split())


def turned(text: str) -> str:
    """English as nobody writes it: every letter outside of blanks is a Greek one, so that it is seen where one is left."""
    letters = str.maketrans({chr(ord("a") + place): chr(ord("α") + place % 24) for place in range(26)})
    return "".join(
        part if part.startswith("{") else part.lower().translate(letters) for part in re.split(r"(\{[^{}]*\})", text)
    )


@pytest.fixture(scope="module")
def another_language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One file, one entry; and every question is taken to be in it."""
    folder = tmp_path_factory.mktemp("catalogue")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LANGUAGES, TURNED, Language("Turned", "τμρνεδ"))
        known = {(context, english): turned(english) for _, context, english in messages()}
        written(TURNED, known, folder)
        patch.setattr(said, "_BROUGHT", [folder])
        patch.setattr(understanding, "_language", lambda *_: TURNED)
        said.catalogue.cache_clear()
        yield
    said.catalogue.cache_clear()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def answer(another_language: None) -> Answer:
    """Of sources that do well, sources that do not, and one that is not connected."""
    broken = dict(map(parse_fault, ("linear=status:500", "gmail=status:401")))
    async with Sandbox(default_corpus(), faults=broken) as sandbox:
        sources = {
            name: {"kind": name, "base_url": end.base_url, "token": end.token}
            for name, end in sandbox.endpoints.items()
        }
        settings = load_settings({"sources": {**sources, "jira": {"kind": "jira"}}}, {})
        async with build_engine(settings) as engine:
            return await engine.search(Ask(QUESTION, NOW, budget=ENOUGH))


def foreign(shown: str, answer: Answer | None = None) -> set[str]:
    """Words in Latin letters that stand neither in what was found and sent nor in a name."""
    there = (
        json.dumps([encode(each) for each in (answer.results, answer.outcomes, answer.plan.steps)]) if answer else ""
    )
    there = there.encode().decode("unicode_escape", "replace") if there else ""
    known = {each.casefold() for each in WORD.findall(there + QUESTION)} | NOBODYS
    cut = {each.casefold() for each in re.findall(r"([A-Za-z]{3,})…", shown)}
    known |= {each for each in cut if any(whole.startswith(each) for whole in known)}
    return {each for each in WORD.findall(shown) if each.casefold() not in known}


def test_the_test_would_see_english() -> None:
    assert foreign("결과: Nothing was found.") == {"Nothing", "was", "found"}
    assert not foreign(turned("{count} hits in {took}").format(count=3, took="1 s"))


@pytest.mark.asyncio(loop_scope="module")
async def test_an_answer_and_its_receipt(answer: Answer) -> None:
    shown = Console(file=io.StringIO(), width=200)
    for each in (*answer_view(answer, UTC), *receipt_view(answer)):
        shown.print(each)
    text = shown.file.getvalue()
    assert answer.query.language == TURNED
    assert turned("What was asked, and what came back") in text
    assert foreign(text, answer) == set()


@pytest.mark.asyncio(loop_scope="module")
async def test_the_page(answer: Answer) -> None:
    view = AnswerView(asked_of(QueryParams("question=v1")), words(TURNED), TURNED, NOW)
    told = Teller(view, "token", "/", "r1").told("answer", answer_document(answer))["html"]
    text = html.fragment_fromstring(told, create_parent=True).text_content()
    assert turned("What was asked, and what came back") in text
    assert foreign(text, answer) == set()


@pytest.mark.asyncio(loop_scope="module")
async def test_the_bot(answer: Answer) -> None:
    carried = Carried(QUESTION, language=TURNED)
    told = (
        telling.answered(answer, carried, zone=UTC),
        telling.reasons(answer, carried),
        telling.receipts(answer, carried, ()),
    )
    assert turned("Why these results stand where they do") in str(told[1])
    assert foreign(" ".join(text for each in told for text in _texts(each)), answer) == set()


def _texts(message: Any) -> Iterator[str]:
    for part in message.parts:
        yield getattr(part, "text", "")
        yield from (run.text for line in getattr(part, "lines", ()) for run in line)
        yield from (button.label for button in getattr(part, "buttons", ()))


def test_a_digest(another_language: None) -> None:
    origin = Origin("chat", "1", "결정", "https://a.example/1", "이하늘", "팀", NOW)
    entry = DigestEntry("결정", origin, (origin,), Why.REQUEST, NOW.date(), 3, 1.0, quoted=True, said="결정")
    sections = (DigestSection(SectionKind.ACTIONS, (Group("", (entry,), 2),)),)
    gaps = (Coverage("mail", "메일", NOW, NOW, NOW, 0, "끊김", asked=False),)
    digest = Digest("팀", "", TURNED, "UTC", "daily", NOW, NOW, sections, gaps, 1, 1)
    told = message_of(digest)
    assert turned("Daily digest") in told.plain
    assert foreign(told.plain.replace("a.example", "")) == set()


def test_every_message_of_every_table_is_told_in_it(another_language: None) -> None:
    """What no question of this test happens to need."""
    known = said.catalogue(TURNED)
    assert len(known) > 1200
    assert all(not foreign(re.sub(r"\{[^{}]*\}", "", text)) for text in known.values())
    assert said_in(Said("as asked"), TURNED) == turned("as asked")
