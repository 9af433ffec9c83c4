"""Who may see what a source returned (permissions). Whatever is not known to be allowed is not shown."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from orchestrator.surfaces.bot.platform import PlaceKind
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Hit, HitKey
    from orchestrator.surfaces.bot.platform import Attendance, Member, Platform, Readers

MOST_PLACES = 30  # that are looked up for one question; results in any further one are not shown


class Right(StrEnum):
    """What a source's results say of who may see them."""

    PUBLIC = "public"  # the public web
    OPEN = "open"  # whoever runs the bot says that every full member may read all of it
    PLATFORM = "platform"  # it stands in a place of the platform, which says who reads there
    OWN = "own"  # each person is asked about by their own rights
    CLOSED = "closed"  # one sign-in for everybody: nobody knows who may see what it finds


@record
class Audience:
    """Who reads an answer. ``people``: platform ids, ``None`` for every full member; ``guests``: some see less than that.

    ``unknown``: outsiders may read it, or nobody knows who does. ``others``: the principals besides the asker whose own
    rights count, where they can all be asked.
    """

    people: frozenset[str] | None
    place: str = ""
    guests: bool = False
    unknown: bool = False
    others: tuple[str, ...] = ()


NOBODY = "bot:everybody"  # a principal that no person has and nothing can be granted: what it may see everybody may


def alone(member: Member) -> Audience:
    """One person, reading by themselves."""
    return Audience(frozenset({member.id}), guests=member.guest, unknown=member.outsider)


def audience_of(place: str, asker: Member, attendance: Attendance, most: int) -> Audience:
    """All who read in a place. Above ``most`` people nobody is asked for their own rights: only what all may see counts."""
    if attendance.kind is PlaceKind.DIRECT:
        return alone(asker)
    members = attendance.members
    if members is None:
        return Audience(None, place, guests=True, unknown=True, others=(NOBODY,))
    everybody = {each.id: each for each in (*members, asker)}.values()
    guests = any(each.guest for each in everybody)
    unknown = any(each.outsider for each in everybody)
    if attendance.kind is PlaceKind.OPEN:  # whoever joins tomorrow reads what was said today
        return Audience(None, place, guests, unknown, (NOBODY,))
    people = frozenset(each.id for each in everybody)
    if len(people) > most:
        return Audience(people, place, guests, unknown, (NOBODY,))
    others = tuple(sorted({each.principal.id for each in everybody if each.id != asker.id}))
    return Audience(people, place, guests, unknown, others)


class Doorkeeper:
    """Decides for one question; what it learns of the platform's places is forgotten with it.

    ``rights``: by source, whatever is not in it is closed. ``found``: what each of the others was shown by the sources
    that go by people's own rights; until it is known, nothing of those is let through.
    """

    def __init__(self, rights: Mapping[str, Right], platform: Platform) -> None:
        self._rights = rights
        self._platform = platform
        self._places: dict[str, Readers] = {}

    def right(self, source: str) -> Right:
        """What a source's results say of who may see them."""
        return self._rights.get(source, Right.CLOSED)

    async def allows(self, hit: Hit, audience: Audience, found: frozenset[HitKey] | None) -> bool:
        """Whether everybody in the audience may see a hit."""
        right = self.right(hit.source)
        if right is Right.PUBLIC:
            return True
        if audience.unknown or right is Right.CLOSED:
            return False
        if right is Right.OPEN:
            return not audience.guests
        if right is Right.OWN:
            return not audience.others or (found is not None and (hit.source, hit.id) in found)
        return await self._reads(hit, audience)

    async def _reads(self, hit: Hit, audience: Audience) -> bool:
        place = hit.container.native_id if hit.container else None
        if not place:
            return False
        if place == audience.place:
            return True
        if place not in self._places:
            if len(self._places) >= MOST_PLACES:
                return False
            self._places[place] = await self._platform.readers(place)
        readers = self._places[place]
        if readers.everyone and not audience.guests:
            return True
        return audience.people is not None and audience.people <= readers.members
