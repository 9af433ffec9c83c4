"""Discourse's search: words, phrases and ``key:value`` filters in one line.

Manual: https://docs.discourse.org/#tag/Search ; what it does not say was read in lib/search.rb of
https://github.com/discourse/discourse (2025) and is marked "source". Forums run any version of it.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Capabilities, Fidelity
from translators.emit import NO_CHECK, as_typed, judge_text, utc
from translators.generate import Dialect, TextGenerator
from translators.query import Clause, Container, Field, Kind, Op, Person, Sort
from translators.said import Said
from translators.translator import NativeQuery
from translators.verdicts import EXACT, Verdicts, refused, wider

if TYPE_CHECKING:
    from translators.capabilities import Verdict
    from translators.query import Phrase, Prefix, Term

# Source: quotes are taken away before filters are looked for, so that "in:likes" in quotes is a filter still.
SYNTAX = frozenset(":@#")
ONE_LETTER = re.compile(r"[\W_]*[a-z0-9][\W_]*", re.ASCII | re.IGNORECASE)  # f, l and t are filters and orders
USERNAME = re.compile(r"\w[\w.-]*")
NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
# Source: a day is midnight by the server's clock, which nobody tells; after: leaves out that very moment. Two days more
# hold by every clock, and also if after: were to mean the end of its day.
SLACK = timedelta(days=2)
FIRST_YEAR, LAST_YEAR = 1001, 2998  # source: years are read from 1000 to 2999

FILTER = Said("Discourse would take it for a filter, even in quotes")
COMMAND = Said("Discourse takes single letters for commands")
ASKER = Said("not every Discourse knows who asks")
NOBODY = Said("Discourse finds people by user name, and none is known")
SUBCATEGORIES = Said("subcategories are searched as well")
NO_CATEGORY = Said("Discourse finds categories by number, and none is known")
ONLY_TOPICS = Said("a forum holds topics only")
DAYS = Said("asked by days, with two to spare for the clock of the forum")
NO_YEAR = Said("Discourse knows no such year")


class DiscourseVerdicts(Verdicts):
    """Some text would be syntax however it is quoted, and is not sent."""

    lacks: ClassVar = dict.fromkeys((Field.STATE, Field.ID), NO_CHECK)
    kinds: ClassVar = {Kind.MESSAGE: EXACT, Kind.THREAD: EXACT}
    no_kind = ONLY_TOPICS

    def words(self, leaf: Term | Phrase | Prefix) -> Verdict:
        text = unicodedata.normalize("NFKC", as_typed(leaf.text))
        if SYNTAX & set(text):
            return refused(FILTER)
        return refused(COMMAND) if ONE_LETTER.fullmatch(text) else judge_text(leaf)

    prefix = words

    def person(self, who: Person) -> Verdict:
        if who.me:  # source: @me is understood by younger forums only, and elsewhere finds nothing
            return refused(ASKER)
        return EXACT if USERNAME.fullmatch(who.native_id or "") else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        return wider(SUBCATEGORIES) if NUMBER.fullmatch(where.native_id or "") else refused(NO_CATEGORY)

    def instant(self, instant: datetime) -> Verdict:
        return wider(DAYS) if FIRST_YEAR <= utc(instant).year <= LAST_YEAR else refused(NO_YEAR)


class Discourse(Dialect, TextGenerator):
    """Queries for ``q`` of ``GET /search.json``; there are no ``args``."""

    name = "discourse"
    can = Capabilities(
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
        note=Said("Discourse reads words by the forum's language, and phrases with their markup"),
    )
    verdicts = DiscourseVerdicts()

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        latest = "order:latest" if order is Sort.NEWEST else self.nothing
        return NativeQuery(self.name, self.both.join(filter(None, (self.write(pushed), latest))))

    def person(self, _field: Field, who: Person) -> str:
        return f"@{who.native_id}"

    def container(self, where: Container) -> str:
        return f"category:{where.native_id}"

    def instant(self, _field: Field, op: Op, instant: datetime) -> str:
        moment = utc(instant)
        return f"after:{(moment - SLACK).date()}" if op is Op.GE else f"before:{(moment + SLACK).date()}"


TRANSLATOR = Discourse
