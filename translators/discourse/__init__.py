"""Discourse's search: words, phrases and ``key:value`` filters in one line.

Manual: https://docs.discourse.org/#tag/Search ; what it does not say was read in lib/search.rb of
https://github.com/discourse/discourse (2025) and is marked "source". Forums run any version of it.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import judge_text, literals, plain, quoted, settle, spelled, utc
from translators.query import (
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
)
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from translators.query import Leaf

# Source: quotes are taken away before filters are looked for, so that "in:likes" in quotes is a filter still.
SYNTAX = frozenset(":@#")
ONE_LETTER = re.compile(r"[\W_]*[a-z0-9][\W_]*", re.ASCII | re.IGNORECASE)  # f, l and t are filters and orders
USERNAME = re.compile(r"\w[\w.-]*")
NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
# Source: a day is midnight by the server's clock, which nobody tells; after: leaves out that very moment. Two days more
# hold by every clock, and also if after: were to mean the end of its day.
SLACK = timedelta(days=2)
FIRST_YEAR, LAST_YEAR = 1001, 2998  # source: years are read from 1000 to 2999


class Discourse:
    """Queries for ``q`` of ``GET /search.json``; there are no ``args``."""

    name: ClassVar[str] = "discourse"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.APPROXIMATE,
        prefix=Fidelity.APPROXIMATE,
        fields={
            Field.AUTHOR: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.WIDER,
            Field.KIND: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        # Source: order:oldest is younger than many forums.
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
        note=Said(
            "Discourse reads words by the forum's language, and phrases with their markup",
            "Discourse는 낱말을 포럼의 언어에 맞춰 읽고, 구절은 서식 기호까지 비교합니다",
        ),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as one line."""
        can = self.can.meet(can)
        settled = settle(query, can, judge)
        parts = [written for leaf, _ in literals(settled.pushed) if (written := _written(leaf))]
        if query.sort is Sort.NEWEST and query.sort in can.sorts:
            parts.append("order:latest")
        return Translation(NativeQuery(self.name, " ".join(parts)), settled.residual, settled.losses)


def judge(leaf: Leaf) -> Verdict:  # noqa: PLR0911 — one line a kind of leaf
    """How well Discourse can say one leaf."""
    match leaf:
        case Term() | Phrase() | Prefix():
            return _judge_text(leaf)
        case Compare(_, _, Person() as who):
            return _judge_person(who)
        case Compare(_, _, Container() as where):
            if NUMBER.fullmatch(where.native_id or ""):
                return Verdict(
                    Fidelity.WIDER, Said("subcategories are searched as well", "하위 카테고리도 함께 검색합니다")
                )
            return Verdict(
                Fidelity.NONE,
                Said(
                    "Discourse finds categories by number, and none is known",
                    "Discourse는 카테고리를 번호로 찾는데 번호를 모릅니다",
                ),
            )
        case Compare(_, _, Kind() as kind):
            holds = kind in (Kind.MESSAGE, Kind.THREAD)
            return (
                Verdict()
                if holds
                else Verdict(Fidelity.NONE, Said("a forum holds topics only", "포럼에는 토픽만 있습니다"))
            )
        case Compare(_, _, datetime() as instant):
            if FIRST_YEAR <= utc(instant).year <= LAST_YEAR:
                return Verdict(
                    Fidelity.WIDER,
                    Said(
                        "asked by days, with two to spare for the clock of the forum",
                        "포럼의 시간대를 몰라 날짜 단위로, 이틀 여유를 두고 물었습니다",
                    ),
                )
            return Verdict(Fidelity.NONE, Said("Discourse knows no such year", "Discourse가 다루지 않는 연도입니다"))
        case Compare():
            return Verdict(
                Fidelity.NONE, Said("the source cannot be asked for this", "이 소스에는 이 조건을 물을 수 없습니다")
            )
        case _:
            assert_never(leaf)


def _judge_text(leaf: Term | Phrase | Prefix) -> Verdict:
    text = unicodedata.normalize("NFKC", plain(leaf.text))
    if SYNTAX & set(text):
        return Verdict(
            Fidelity.NONE,
            Said("Discourse would take it for a filter, even in quotes", "따옴표로 묶어도 Discourse가 필터로 읽습니다"),
        )
    if ONE_LETTER.fullmatch(text):
        return Verdict(
            Fidelity.NONE,
            Said("Discourse takes single letters for commands", "Discourse는 글자 하나를 명령으로 읽습니다"),
        )
    return judge_text(leaf)


def _judge_person(who: Person) -> Verdict:
    if who.me:  # source: @me is understood by younger forums only, and elsewhere finds nothing
        return Verdict(
            Fidelity.NONE,
            Said("not every Discourse knows who asks", "묻는 사람이 누구인지 모르는 Discourse도 있습니다"),
        )
    if USERNAME.fullmatch(who.native_id or ""):
        return Verdict()
    return Verdict(
        Fidelity.NONE,
        Said(
            "Discourse finds people by user name, and none is known",
            "Discourse는 사람을 사용자 이름으로 찾는데 사용자 이름을 모릅니다",
        ),
    )


def _written(leaf: Leaf) -> str:
    match leaf:
        case Phrase(text):
            return quoted(text)
        case Term(text) | Prefix(text):
            return spelled(text)
        case Compare():
            return _filter(leaf)
        case _:
            assert_never(leaf)


def _filter(leaf: Compare) -> str:
    match leaf.value:
        case Person(_, username):
            return f"@{username}"
        case Container(_, number):
            return f"category:{number}"
        case datetime() as instant:
            moment = utc(instant)
            return f"after:{(moment - SLACK).date()}" if leaf.op is Op.GE else f"before:{(moment + SLACK).date()}"
        case Kind() | State() | Identifier():  # every hit is of the kind; the others are not pushed
            return ""
        case _:
            assert_never(leaf.value)


TRANSLATOR = Discourse
