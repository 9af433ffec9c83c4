"""What sources can put before us, each part of which is the input of a process that thinks: texts, names and moments that are made to hurt.

A process may use two seconds of its processor for a call, as shipped: whatever takes more fails here.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from connectors.contract import Hit
from connectors.web_search import page_hit
from orchestrator.answer.text import quotable_line
from orchestrator.model import HitList, Outcome, Plan, Status, Step
from orchestrator.signals import NOTHING
from orchestrator.thinking import GatheredHits, SharedNursery, Workers, answered, open_mind, understood
from orchestrator.understand import Directory, DirectoryPerson, DirectoryProject
from tests.security.runaway import RANKING
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from orchestrator.model import Answer
    from orchestrator.thinking import Mind

NOW = datetime(2026, 3, 4, 9, tzinfo=ZoneInfo("Asia/Seoul"))
SECONDS = 2.0
LONG = 15_000  # characters, as long as a source's texts may be
LONGEST = 2_000  # characters of a question
MOST_MEMORY = 400 << 20  # bytes by which all of it may let a process grow

QUESTIONS = ("When is the release plan due?", "배 몇 척이야?", "누가 release plan 담당자야?")
TEXTS = {
    "one sentence": "the release plan ", "no blank": "release", "dots": "release plan. ", "lines": "\n", "lines of a letter": "a\n",
    "days": "10/22 ", "days in Korean": "10월 22일 ", "days of a month": "10~22일 ", "moves": "10/22 → 10/23 ", "days of the week": "Monday 10 May ",
    "days of the week behind": "22일(금) ", "days with years": "2026-10-22 ", "tomorrow": "tomorrow ", "yesterday": "어제 ",
    "numbers": "1,234,567.89 ", "shares": "99.9% → 99.8% ", "money": "3만 5천원 ", "a long number": "9", "names": "Minsu Kim ",
    "names in Korean": "김민수님이 ", "quotes": '"release plan" ', "quotes that do not end": "“", "struck out": "~~release plan~~ ", "a list": "- release plan\n",
    "a table": "| release | plan |\n", "headings": "# release plan\n", "links": "https://a.example/release ", "mentions": "@kim ",
    "mailboxes": "a@b.example ", "no": "not ", "no in Korean": "말고 ", "not this but that": "16:40이 아니라 17:40 ", "brackets": "(", "square brackets": "[",
    "accents apart": "e\u0301", "letters in parts": "\u1112\u1161\u11ab", "pictures": "👨‍👩‍👧", "turned round": "\u202e\u2066", "nil": "\0",
    "half letters": "\ud800", "full width": "Ｒｅｌｅａｓｅ ", "one syllable": "배 ", "one syllable without a blank": "배", "one syllable and a particle": "배가 ",
    "one syllable between others": "배터리 배포 나룻배 ", "one syllable in brackets": "(배)", "one syllable and signs": "배·배/배,배;", "one syllable and letters": "배A배1배_",
    "one syllable apart": "\u1107\u1162 ", "one syllable and nothing": "배\u200b배\u00ad", "one syllable counted": "배 3척 ", "a log": "2026-03-04 09:00:00 ERROR release\n",
    "JSON": '{"release":"plan"},', "code": "def release(plan):\n    return plan\n", "decisions": "We decided on the release plan. ", "owners": "The owner is Minsu. ",
    "yes and no": "Yes. No. ", "questions": "What is the release plan? ", "points": "…", "semicolons": ";", "arrows": "→", "dashes": "-",
    "months": "March ", "hours": "am pm ", "until": "until by before after ",
}  # fmt: skip

ASKED_OF_PEOPLE = (
    "민수님이 쓴 배포 계획", "컬루하우스 회의록", "Haesol 이 뭐라고 했어?", "톰이 말한 거", "what did Minsu say in curlew house", "김민수 " * 400,
    "가나다라마바사 " * 250, "minsua minsub minsuc " * 90,
)  # fmt: skip


def people(*names: str) -> Directory:
    """A directory in which somebody is called each of these; nobody twice."""
    return Directory(people=tuple(DirectoryPerson(name, ids=(str(number),)) for number, name in enumerate(names)))


DIRECTORIES = {
    "thousands of one name": people(*["Minsu Kim"] * 10_000),
    "thousands that sound alike": people(*(f"Minsu{'u' * (each % 7)} Kim{each}" for each in range(10_000))),
    "names of many readings": people(*(f"chaschoughea Chas{chr(97 + each % 26)}" for each in range(3_000))),
    "a name without an end": people("ch" * 100_000, "김민수" * 30_000, " ".join(["chan"] * 20_000)),
    "places that sound alike": Directory(channels=tuple(f"curlew-house-{each}" for each in range(10_000))),
    "a place of many words": Directory(channels=("curlew-" * 50_000, *("-".join(["cha"] * 40) + str(each) for each in range(2_000)))),
    "projects that sound alike": Directory(projects=tuple(DirectoryProject(f"Curlew House {each}") for each in range(3_000))),
    "names that are none": replace(people("", " ", "\u200b", "."), channels=("", "#", "-"), projects=(DirectoryProject(""),)),
    "names that are no text": replace(people("\x00\x1b[2J", "\u202eKim", "\ud800"), channels=("\ud800", "\n")),
    "names that are patterns": replace(people("(a+)+$", "[", "\\", "(?i)"), channels=("(", "*")),
    "every family": people(*(f"{chr(0xAC00 + each * 7 % 11172)}민수" for each in range(10_000))),
    "handles": Directory(people=tuple(DirectoryPerson(f"x{each}", handles=(f"minsu.kim{each}",)) for each in range(5_000))),
}  # fmt: skip

ZONES = ("Pacific/Kiritimati", "Etc/GMT+12", "Asia/Seoul", "America/St_Johns")
MOMENTS = {
    "none": None,
    "the first that sources may say": datetime(1970, 1, 1, tzinfo=UTC),
    "the last": datetime(9000, 12, 31, 23, 59, 59, tzinfo=UTC),
    "before the index keeps any": datetime(2, 1, 1, tzinfo=UTC),
    "after": datetime(9998, 12, 31, tzinfo=UTC),
    "now": NOW,
    "a leap day at midnight": datetime(2024, 2, 29, tzinfo=UTC),
    "the end of a year elsewhere": datetime(2025, 12, 31, 23, 59, 59, tzinfo=ZoneInfo("Etc/GMT+12")),
    "an hour that comes twice": datetime(2025, 11, 2, 1, 30, fold=1, tzinfo=ZoneInfo("America/New_York")),
    "an hour that there is not": datetime(2025, 3, 9, 2, 30, tzinfo=ZoneInfo("America/New_York")),
}
DATED = (
    "The release plan is due tomorrow, was yesterday. 어제 release plan 내일",
    "release plan on 29 February, 31 December, 1 January next year; 12월 31일 내년 1월 1일 (월)",
    "Monday 10 May to 11 June last year. release plan moved from 10/22 to 10/23, 22~23일(금)",
    "release plan done 12/31 → 1/1, 9999-12-31, 0001-01-01, 10000-01-01, 2026년 2월 30일, 0월 0일, 99/99",
    "release plan 29 February last year, 2월 29일 작년, ſep 31, ２０２６-０１-０１, ٣/٤",
)
SCORES = (math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1e308, 5e-324, None)
TRIED = {
    "questions": TEXTS,
    "order of answers": (*TEXTS, *SCORES),
    "words of one syllable": [(what, each) for what in TEXTS if what.startswith("one syllable") for each in QUESTIONS],
    "names by sound": [(what, asked) for what in DIRECTORIES for asked in ASKED_OF_PEOPLE],
    "days of the asker": [(zone, when, text) for zone in ZONES for when in MOMENTS for text in DATED],
}


@pytest.fixture(scope="module")
def first() -> Iterator[SharedNursery]:
    """A process that has loaded everything, with the numbers of an installation."""
    shared = SharedNursery(partial(open_mind, "factors", RANKING), SECONDS)
    yield shared
    shared.close()


@pytest.fixture
async def thinker(first: SharedNursery) -> AsyncIterator[Workers]:
    """One that thinks."""
    pool = Workers(partial(open_mind, "factors", RANKING), SECONDS, 1, first.branch())
    yield pool
    await pool.aclose()


def memory(_: Mind) -> int:
    """The most that this process has had, in bytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def hits(text: str, count: int = 8) -> Iterator[Hit]:
    """Results that are not each other's copies, each full of it and of what is asked for."""
    words = random.Random(24)
    for number in range(count):
        own = " ".join("".join(words.choices("abcdefghijklmnop", k=6)) for _ in range(4))
        body = " release plan due 배 ".join([text * 4] * (LONG // (4 * len(text)) + 1))
        yield Hit(
            "wiki",
            str(number),
            Kind.PAGE,
            own,
            f"https://w.example/{number}",
            f"{own}. {body}"[:LONG],
            updated=NOW,
            rank=number + 1,
        )


async def answer(thinker: Workers, question: str, found: Iterator[Hit] | list[Hit], now: datetime = NOW) -> Answer:
    """The answer to it from a wiki that has returned these."""
    query = await thinker.run(understood, question, now)
    plan = Plan(query, (Step("wiki", "Wiki", Category.WIKI, ()),))
    lists = (HitList(Translation(NativeQuery("test", "x")), tuple(found)),)
    outcomes = (Outcome("wiki", "Wiki", Category.WIKI, Status.OK, lists),)
    return await thinker.run(answered, GatheredHits(outcomes, plan, now, NOTHING), {})


def check(told: Answer, what: object) -> None:
    """Each result once, in an order of numbers that are numbers; and what is quoted stands there."""
    assert len({each.hit.id for each in told.results}) == len(told.results), what
    assert all(math.isfinite(value) for each in told.results for value in (each.score, *each.factors.values())), what
    for each in told.citations:
        assert each.quote in quotable_line(f"{each.result.hit.title}\n{each.result.hit.snippet}"), what


async def test_questions_made_to_hurt_are_read_in_time(thinker: Workers) -> None:
    for what, text in TEXTS.items():
        for question in (text * 2_000, f"release plan {text * 2_000}", f"{text}? " * 1_000):
            assert (await thinker.run(understood, question[:LONGEST], NOW)).text is not None, what


async def test_texts_made_to_hurt_are_ranked_read_and_put_in_order_in_time(thinker: Workers) -> None:
    check(await answer(thinker, QUESTIONS[0], hits("We decided on the release plan. ")), "first")
    before = await thinker.run(memory)
    for what, text in TEXTS.items():
        for question in QUESTIONS:
            check(await answer(thinker, question, hits(text)), (what, question))
    assert await thinker.run(memory) - before < MOST_MEMORY


async def test_scores_that_are_no_numbers_put_nothing_out_of_order(thinker: Workers) -> None:
    found = [replace(hit, score=score) for hit, score in zip(hits("release plan. ", len(SCORES)), SCORES, strict=True)]
    for at in range(len(found)):
        check(await answer(thinker, QUESTIONS[0], [*found[at:], *found[:at]]), at)


async def test_names_that_are_made_to_sound_alike_are_heard_in_time(thinker: Workers) -> None:
    for what, directory in DIRECTORIES.items():
        for asked in ASKED_OF_PEOPLE:
            query = await thinker.run(understood, asked[:LONGEST], NOW, directory, about=directory)
            assert query.text, (what, asked)


async def test_no_moment_that_a_source_may_say_leaves_the_calendar_in_any_zone(thinker: Workers) -> None:
    for zone in ZONES:
        now = NOW.astimezone(ZoneInfo(zone))
        for what, when in MOMENTS.items():
            for text in DATED:
                found = [Hit("wiki", "1", Kind.PAGE, "Plan", "", text, created=when, updated=when, rank=1)]
                for question in QUESTIONS[::2]:
                    check(await answer(thinker, question, found, now), (zone, what, text))


def test_a_page_of_the_web_has_no_day_from_which_nothing_can_be_reckoned() -> None:
    for when in (
        datetime.max.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=UTC),
        datetime(9999, 12, 31, tzinfo=UTC),
    ):
        assert page_hit("https://a.example/", "a", "due tomorrow", when=when).updated is None
    assert page_hit("https://a.example/", "a", "due tomorrow", when=NOW).updated == NOW
