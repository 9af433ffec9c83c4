"""Facts that everybody knows, held against one part of answering at a time: what kind of answer a question asks for, which sentence says such a value, yes and no, what holds of two statements, which of several things are asked for, and which of several messages answers.

Each list was written before the part was looked at. A kind has a floor: a part is judged by what it does with all of a kind, never by an item.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.answer.choosing import choose_quotes
from orchestrator.answer.conflicts import find_conflicts
from orchestrator.answer.ledger import former_of
from orchestrator.answer.polar import verdict
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.replaced import replaced_by
from orchestrator.answer.revoked import standing
from orchestrator.answer.rows import asked_state
from orchestrator.answer.sentence_features import weighed
from orchestrator.answer.sentences import Sentence
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.sound import sound_of
from orchestrator.model import Part
from orchestrator.understand import understand
from translators.query import Container, QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from translators.query import Query

FACTS = Path(__file__).parents[3] / "data" / "known_facts"
NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
# Which kinds of answer are right for what is asked, and a sentence in each language that says one: a measure is known by what it hears.
KINDS: dict[str, tuple[set[AnswerKind], tuple[str, ...]]] = {
    "clock": ({AnswerKind.MEASURE, AnswerKind.DAY}, ("It opens at 14:30.", "오후 2시에 엽니다.")),
    "day": ({AnswerKind.DAY}, ()),
    "span": ({AnswerKind.SPAN}, ("It takes 3 weeks.", "3주 걸립니다.")),
    "age": ({AnswerKind.MEASURE}, ("It is 12 years old.", "만 7세입니다.")),
    "count": ({AnswerKind.COUNT}, ("There are 24 beds.", "24개입니다.")),
    "amount": ({AnswerKind.AMOUNT}, ("It is 500 euros.", "5만원입니다.")),
    "share": ({AnswerKind.MEASURE, AnswerKind.AMOUNT}, ("It is 10 percent.", "10%입니다.")),
    "length": ({AnswerKind.MEASURE}, ("It is 13.6 m.", "3미터입니다.")),
    "area": ({AnswerKind.MEASURE}, ("It is 450 m².", "35평입니다.")),
    "volume": ({AnswerKind.MEASURE}, ("It holds 60 litres.", "6.5L입니다.")),
    "weight": ({AnswerKind.MEASURE}, ("It weighs 630 kg.", "2.5톤입니다.")),
    "warmth": ({AnswerKind.MEASURE}, ("It is 4 °C.", "4도입니다.")),
    "speed": ({AnswerKind.MEASURE}, ("It runs at 20 km/h.", "시속 20km입니다.")),
    "version": ({AnswerKind.MEASURE, AnswerKind.FACT, AnswerKind.STATE}, ()),
    "place": ({AnswerKind.PLACE}, ("It is in room B-204.", "3층입니다.")),
    "phone": ({AnswerKind.MEASURE}, ("Call 02-555-0199.", "02-555-0199입니다.")),
    "mail": ({AnswerKind.MEASURE}, ("Write to ap@x.example.", "ap@x.example 입니다.")),
    "url": ({AnswerKind.MEASURE, AnswerKind.DOCUMENT}, ()),
    "person": ({AnswerKind.PERSON}, ()),
    "reason": ({AnswerKind.REASON}, ()),
    "steps": ({AnswerKind.STEPS}, ()),
    "yesno": ({AnswerKind.YES_NO}, ()),
    "state": ({AnswerKind.STATE, AnswerKind.LIST}, ()),
    "document": ({AnswerKind.DOCUMENT}, ()),
}
AGE = re.compile(r"\[(\d+)d\]\s*")
PAGE = re.compile(r"\[page: ([^\]]+)\]\s*")
WAS = re.compile(r"^was |까지는 ")
FLOORS: dict[str, dict[str, int]] = {  # what was measured, less one
    "asked": {
        "clock": 31,
        "day": 29,
        "span": 28,
        "age": 14,
        "count": 26,
        "amount": 30,
        "share": 25,
        "length": 26,
        "area": 15,
        "volume": 14,
        "weight": 16,
        "warmth": 14,
        "speed": 13,
        "version": 6,
        "place": 31,
        "phone": 13,
        "mail": 6,
        "url": 7,
        "person": 15,
        "reason": 13,
        "steps": 14,
        "yesno": 15,
        "state": 8,
        "document": 7,
    },
    "heard": {
        "clock": 17,
        "day": 16,
        "span": 24,
        "age": 7,
        "count": 17,
        "amount": 19,
        "share": 12,
        "length": 12,
        "area": 9,
        "volume": 11,
        "weight": 8,
        "warmth": 10,
        "speed": 4,
        "version": 2,
        "place": 16,
        "phone": 9,
        "mail": 3,
        "url": 0,
        "person": 1,
        "reason": 10,
        "steps": 3,
    },
    "first": {
        "clock": 17,
        "day": 18,
        "span": 24,
        "age": 9,
        "count": 18,
        "amount": 21,
        "share": 13,
        "length": 13,
        "area": 7,
        "volume": 11,
        "weight": 8,
        "warmth": 10,
        "speed": 5,
        "version": 1,
        "place": 18,
        "phone": 8,
        "mail": 3,
        "url": 0,
        "person": 8,
        "reason": 14,
        "steps": 2,
    },
    "holds": {"replaces": 65, "contradicts": 17, "neither": 34},
    "told": {"replaces": 48, "contradicts": 13, "neither": 54},
    "chosen": {
        "who": 45,
        "howto": 22,
        "reached": 18,
        "added": 15,
        "why": 22,
        "outcome": 11,
        "decided": 11,
        "list": 22,
    },
    "corrected": {"corrected": 22, "kept": 7},
    "several": {"open": 34, "done": 7, "none": 11},
    "polar": {
        "plain": 26,
        "denied": 27,
        "longer": 9,
        "forbid": 25,
        "must": 32,
        "cond": 28,
        "doubt": 13,
        "beside": 13,
        "else": 21,
    },
}


def facts(name: str) -> list[list[str]]:
    """The rows of a list."""
    lines = (FACTS / f"{name}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


@cache
def read(question: str) -> Query:
    return understand(question, NOW)


def is_read(kind: str, question: str) -> bool:
    right, told = KINDS[kind]
    query = read(question)
    sound = sound_of(query)
    return kind_of(query) in right and (
        not told or kind_of(query) is AnswerKind.DAY or any(sound.heard(Sentence(each)) for each in told)
    )


def of_several(question: str) -> str:
    """Which things of several it asks for; of what is a document it asks nothing such."""
    query = read(question)
    return str(asked_state(query) or "none") if query.type is not QueryType.DOCUMENT else "a document"


def chosen(desk: Any, question: str, *said: str) -> tuple[tuple[Quote, ...], tuple[Quote, ...]]:
    """What is quoted of messages of one day, and all that could be."""
    query = read(question)
    results = tuple(desk.result(f"slack:{at}", each, age=3.0) for at, each in enumerate(said))
    quotes = read_quotes(results, query, NOW)
    known = weighed(standing(quotes, NOW), results, query)
    return choose_quotes(known, query, NOW) if known else (), quotes


def is_first(desk: Any, question: str, right: str, *others: str) -> bool:
    """Wherever it stands among the others."""
    orders = ((right, *others), (*others, right), (others[0], right, *others[1:]))
    firsts = [chosen(desk, question, *order)[0][:1] for order in orders]
    return all(first and first[0].words in right for first in firsts)


def says(desk: Any, question: str, sentence: str) -> str:
    query = read(question)
    quotes, readable = chosen(desk, question, sentence)
    found = verdict(quotes, readable, query, NOW) if kind_of(query) is AnswerKind.YES_NO else None
    return "none" if found is None else "yes" if found.yes else "no"


def told(desk: Any, question: str, older: str, newer: str) -> tuple[str, str]:
    """What stands first, and what is told of the two: that one replaces the other, that they contradict each other, or neither."""
    query = read(question)
    results = (desk.result("slack:0", older, age=40.0), desk.result("slack:1", newer, age=10.0))
    quotes = read_quotes(results, query, NOW)
    holding = standing(quotes, NOW)
    first = choose_quotes(weighed(holding, results, query), query, NOW)[:1]
    conflicts = find_conflicts(quotes, holding, query, NOW)
    amount = kind_of(query) is AnswerKind.AMOUNT
    replaces = (
        former_of(first, quotes, query, NOW) is not None
        or (bool(first) and first[0].signal and replaced_by(first[0], query, NOW, amount=amount) is not None)
        or older not in {each.words for each in holding}
        or any(each.replaced for each in conflicts)
    )
    contradicts = any(not each.replaced for each in conflicts)
    return first[0].words if first else "", "contradicts" if contradicts else "replaces" if replaces else "neither"


def said_so(desk: Any, at: int, text: str) -> Result:
    """A message or a page as the list writes it."""
    age = AGE.match(text)
    text = text[age.end() :] if age else text
    page = PAGE.match(text)
    text = text[page.end() :] if page else text
    name, title = ("notion", page[1]) if page else ("slack", "")
    days = float(age[1]) if age else 3.0
    return desk.result(f"{name}:{at}", text.replace("\\n", "\n"), age=days, title=title)


def shows_first(desk: Any, question: str, pieces: str, right: str, *others: str) -> bool:
    """Whether what is quoted first shows all of it, wherever the message stands among the others."""
    query = read(question)
    for order in ((right, *others), (*others, right), (others[0], right, *others[1:])):
        results = tuple(said_so(desk, at, each) for at, each in enumerate(order))
        quotes = read_quotes(results, query, NOW)
        known = weighed(standing(quotes, NOW), results, query)
        shown = choose_quotes(known, query, NOW)[0].shown.casefold() if known else ""
        if not all(piece.casefold() in shown for piece in pieces.split("~")):
            return False
    return True


def corrected(desk: Any, question: str, new: str, old: str, statement: str, following: str) -> bool:
    """Whether the right value is told first, and behind it what it replaced, in whichever order the two were found."""
    asked = replace(desk, query=read(question), now=NOW)
    thread = {"facts": {"thread": "t"}, "container": Container("general"), "author": "Dana Fox"}
    found = [
        asked.result("slack:0", statement, age=3.0, **thread),
        asked.result("slack:1", following, age=2.99, **thread),
    ]
    for results in (found, found[::-1]):
        claims = [each.text for each in asked.answer(*results).statements if each.part is Part.CLAIM]
        was = [WAS.split(each)[1] for each in claims if len(WAS.split(each)) > 1]
        if not claims or new not in claims[0] or (any(old in each for each in was) if old != "-" else not was) is False:
            return False
    return True


def outcomes(desk: Any, part: str) -> Iterator[tuple[str, bool]]:
    """Of each row its kind, and whether the part was right."""
    if part == "asked":
        yield from ((kind, is_read(kind, question)) for kind, question in facts("questions"))
    for kind, question, right, *others in facts("sentences"):
        if part == "heard":
            yield kind, sound_of(read(question)).heard(Sentence(right))
        elif part == "first":
            yield kind, is_first(desk, question, right, *others)
    for kind, question, older, newer in facts("replaced"):
        if part == "told":
            yield kind, told(desk, question, older, newer)[1] == kind
        elif part == "holds":
            yield kind, told(desk, question, older, newer)[0] in (older if kind == "neither" else newer)
    if part == "chosen":
        yield from ((kind, shows_first(desk, *row)) for kind, *row in facts("chosen"))
    if part == "corrected":
        yield from (("kept" if row[2] == "-" else "corrected", corrected(desk, *row)) for row in facts("corrected"))
    if part == "several":
        yield from ((kind, of_several(question) == kind) for kind, question in facts("of_several"))
    if part == "polar":
        yield from ((kind, says(desk, *row) == right) for kind, *row, right in facts("polar"))


@pytest.mark.parametrize("part", FLOORS)
def test_known_facts_by_kind(desk: Any, part: str) -> None:
    right: Counter[str] = Counter()
    for kind, is_right in outcomes(desk, part):
        right[kind] += is_right
    floors = FLOORS[part]
    assert right.keys() == floors.keys()
    assert {kind: count for kind, count in right.items() if count < floors[kind]} == {}, dict(right)


def test_no_sentence_is_taken_for_the_opposite(desk: Any) -> None:
    """What cannot be read says neither; to say the other is worse."""
    told = [
        (question, sentence, right, says(desk, question, sentence)) for _, question, sentence, right in facts("polar")
    ]
    assert [row for row in told if {row[2], row[3]} == {"yes", "no"}] == []
