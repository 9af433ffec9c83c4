"""How well Linear's search can say each condition, and why no better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_container_name, judge_text, name_parts
from translators.query import Compare, Container, Identifier, IdKind, Kind, Person, Phrase, Prefix, Term
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf

# A team's key and a number, by itself or in an address such as https://linear.app/acme/issue/ENG-123/the-title.
KEY = r"([A-Z][A-Z0-9]{0,9}-[1-9][0-9]{0,8})"
ADDRESS = re.compile(rf"https?://linear\.app/[^/?#\s]+/issue/{KEY}(?:[/?#]\S*)?", re.IGNORECASE | re.ASCII)
SHAPES = {IdKind.TICKET: re.compile(KEY, re.IGNORECASE | re.ASCII), IdKind.PERMALINK: ADDRESS, IdKind.URL: ADDRESS}


def judge(leaf: Leaf) -> Verdict:
    """How well Linear can say one leaf."""
    match leaf:
        case Term() | Phrase() | Prefix():
            return judge_text(leaf)
        case Compare(_, _, Person() as who):
            return _judge_person(who)
        case Compare(_, _, Container() as where):
            return Verdict() if where.native_id else judge_container_name(where)
        case Compare(_, _, Kind() as kind):
            return (
                Verdict()
                if kind is Kind.ISSUE
                else Verdict(
                    Fidelity.NONE, Said("Linear's search returns issues only", "Linear 검색은 이슈만 돌려줍니다")
                )
            )
        case Compare(_, _, Identifier() as thing):
            return (
                Verdict()
                if issue_key(thing)
                else Verdict(
                    Fidelity.NONE, Said("this is no key or address of an issue", "이슈의 번호도 주소도 아닙니다")
                )
            )
        case Compare():
            return Verdict()
        case _:
            assert_never(leaf)


def _judge_person(who: Person) -> Verdict:
    if who.me or who.native_id or who.email:
        return Verdict()
    if name_parts(who.name):
        return Verdict(
            Fidelity.WIDER,
            Said(
                "asked by parts of the name, for want of the member's id", "구성원 ID를 몰라 이름의 일부로 물었습니다"
            ),
        )
    return Verdict(
        Fidelity.NONE,
        Said("nobody can be found by a name without letters", "글자가 없는 이름으로는 사람을 찾을 수 없습니다"),
    )


def issue_key(thing: Identifier) -> str:
    """The key of the issue that ``thing`` names, as Linear spells it; empty where it names none."""
    shape = SHAPES.get(thing.kind)
    found = shape.fullmatch(thing.text) if shape else None
    return found[1].upper() if found else ""
