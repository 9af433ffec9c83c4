"""How well Linear's search can say each condition, and why no better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from translators.emit import judge_container_name, name_parts
from translators.query import IdKind, Kind
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, datable, provided, refused, wider

if TYPE_CHECKING:
    from datetime import date

    from translators.capabilities import Verdict
    from translators.query import Container, Identifier, Person

# A team's key and a number, by itself or in an address such as https://linear.app/acme/issue/ENG-123/the-title.
KEY = r"([A-Z][A-Z0-9]{0,9}-[1-9][0-9]{0,8})"
ADDRESS = re.compile(rf"https?://linear\.app/[^/?#\s]+/issue/{KEY}(?:[/?#]\S*)?", re.IGNORECASE | re.ASCII)
SHAPES = {IdKind.TICKET: re.compile(KEY, re.IGNORECASE | re.ASCII), IdKind.PERMALINK: ADDRESS, IdKind.URL: ADDRESS}


ONLY_ISSUES = Said("Linear's search returns issues only")
NO_KEY = Said("this is no key or address of an issue")
BY_NAME = Said("asked by parts of the name, for want of the member's id")
NO_DATE = Said("it is too far away in time for Linear to know the date for certain")
NOBODY = Said("nobody can be found by a name without letters")


class LinearVerdicts(Verdicts):
    """Words and dates are carried whole; people and places go by name where no id is known."""

    kinds: ClassVar = {Kind.ISSUE: EXACT}
    no_kind = ONLY_ISSUES

    def person(self, who: Person) -> Verdict:
        if who.me or who.native_id or who.email:
            return EXACT
        return wider(BY_NAME) if name_parts(who.name) else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        return EXACT if where.native_id else judge_container_name(where)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(issue_key(thing), NO_KEY)

    def day(self, day: date) -> Verdict:
        return provided(datable(day), NO_DATE)


def issue_key(thing: Identifier) -> str:
    """The key of the issue that ``thing`` names, as Linear spells it; empty where it names none."""
    shape = SHAPES.get(thing.kind)
    found = shape.fullmatch(thing.text) if shape else None
    return found[1].upper() if found else ""


judge = LinearVerdicts()
