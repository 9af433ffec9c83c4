"""How well Asana's task search can say each condition, and why no better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from translators.query import IdKind, Kind, Prefix
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, datable, provided, refused, wider

if TYPE_CHECKING:
    from datetime import date, datetime

    from translators.capabilities import Verdict
    from translators.query import Container, Identifier, Person

GID = re.compile(r"[0-9]{1,20}", re.ASCII)
# Only what is usual in an address, above all no comma: it would begin another value.
EMAIL = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9.-]{1,190}", re.ASCII)
# A task by itself: as long as Asana's numbers have been since long, so that no year or count is taken for one.
NUMBER = re.compile(r"([0-9]{12,20})", re.ASCII)
HOST = r"https?://app\.asana\.com"
TAIL = r"/?(?:[?#][^\s]*)?"
# https://app.asana.com/1/<workspace>/project/<project>/task/<task>, and with other steps before the task or a comment behind.
PRESENT = re.compile(
    rf"{HOST}/1/[0-9]+(?:/[a-z_-]+/[0-9]+){{0,3}}/task/([0-9]{{1,20}})(?:/comment/[0-9]+)?{TAIL}",
    re.ASCII | re.IGNORECASE,
)
# https://app.asana.com/0/<project>/<task>, perhaps with /f, or from a list such as /0/search/<list>/<task>; a project by
# itself has its number twice.
FORMER = re.compile(
    rf"{HOST}/0/(?:[a-z_]+/)?(?P<place>[0-9]+)/(?!(?P=place)\b)([0-9]{{1,20}})(?:/f)?{TAIL}", re.ASCII | re.IGNORECASE
)
SHAPES = {
    IdKind.TICKET: (NUMBER,),
    IdKind.PERMALINK: (PRESENT, FORMER),
    IdKind.URL: (PRESENT, FORMER),
}

NO_BEGINNINGS = Said("Asana does not say that it finds words by their beginning")
NOBODY = Said("Asana finds people by number or mail address, and neither is known")
NO_PROJECT = Said("Asana finds projects by number, and none is known")
NO_KIND = Said("Asana can be asked for milestones, and not for all tasks but milestones")
ONLY_TASKS = Said("Asana's search returns tasks and milestones only")
NO_TASK = Said("this is neither the address nor the number of a task")
NO_DATE = Said("it is too far away in time for Asana to know the date for certain")
DAYS = Said("asked up to two days wider: Asana does not say whether bounds are within, nor in which zone a day is")
BOUNDS = Said("asked up to two seconds wider: Asana does not say whether bounds are within")


class AsanaVerdicts(Verdicts):
    """People, projects and tasks go by numbers."""

    lacks: ClassVar = {Prefix: NO_BEGINNINGS}
    kinds: ClassVar = {Kind.MILESTONE: EXACT, Kind.ISSUE: refused(NO_KIND)}
    no_kind = ONLY_TASKS

    def person(self, who: Person) -> Verdict:
        return provided(user(who), NOBODY)

    def container(self, where: Container) -> Verdict:
        return provided(project(where), NO_PROJECT)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(task(thing), NO_TASK)

    def instant(self, instant: datetime) -> Verdict:
        return wider(BOUNDS) if datable(instant) else refused(NO_DATE)

    def day(self, day: date) -> Verdict:
        return wider(DAYS) if datable(day) else refused(NO_DATE)


def user(who: Person) -> str:
    """Somebody as Asana takes them: ``me``, a number or a mail address; nothing where none is known."""
    if who.me:
        return "me"
    if who.native_id and GID.fullmatch(who.native_id):
        return who.native_id
    return who.email if who.email and EMAIL.fullmatch(who.email) else ""


def project(where: Container) -> str:
    """The number of a project, or nothing where none is known."""
    return where.native_id if where.native_id and GID.fullmatch(where.native_id) else ""


def task(thing: Identifier) -> str:
    """The number of the task that ``thing`` names by itself or by an address; nothing where it names none."""
    found = next((hit for shape in SHAPES.get(thing.kind, ()) if (hit := shape.fullmatch(thing.text))), None)
    return found[found.lastindex or 1] if found else ""


judge = AsanaVerdicts()
