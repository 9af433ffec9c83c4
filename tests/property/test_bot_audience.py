"""Law 7 in a channel: whatever is let through, each reader may see; by an oracle that asks person by person."""

import asyncio
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Hit
from orchestrator.model import Principal
from orchestrator.surfaces.bot.platform import Attendance, Member, PlaceKind, Readers
from orchestrator.surfaces.bot.rights import NOBODY, Doorkeeper, Right, alone, audience_of
from tests.examples import nightly
from translators.query import Container, Kind

PEOPLE = "ABCDEG"
PLACES = ("C0", "C1", "C2", "C3")
SOURCES = {"web": Right.PUBLIC, "wiki": Right.OPEN, "chat": Right.PLATFORM, "mine": Right.OWN, "old": Right.CLOSED}


@dataclass(frozen=True)
class World:
    """Who is who, who is where, and who finds what by themselves. ``C0`` is where it is asked."""

    guests: frozenset
    outsiders: frozenset
    public: frozenset
    inside: dict
    silent: frozenset
    owns: dict
    asker: str
    most: int

    def member(self, name):
        return Member(name, Principal(f"{name}@x"), guest=name in self.guests, outsider=name in self.outsiders)

    async def readers(self, place):
        """As the platform answers; of some places it says nothing."""
        if place in self.silent or place not in self.inside:
            return Readers()
        return Readers(everyone=True) if place in self.public else Readers(members=self.inside[place])

    def may_see(self, person, hit):
        """The truth about one person."""
        full = person not in self.guests and person not in self.outsiders
        place = hit.container.native_id if hit.container else None
        match SOURCES.get(hit.source):
            case Right.PUBLIC:
                return True
            case Right.OPEN:
                return full
            case Right.PLATFORM:
                return place in self.inside and (person in self.inside[place] or (place in self.public and full))
            case Right.OWN:
                return hit.id in self.owns[NOBODY] | self.owns[person]
        return False

    def readers_of(self, kind):
        """Everybody who reads what is said in ``C0``, tomorrow included."""
        present = self.inside["C0"] | {self.asker}
        return present | (set(PEOPLE) - self.guests - self.outsiders if kind is PlaceKind.OPEN else set())


some = st.frozensets(st.sampled_from(PEOPLE))
ids = st.frozensets(st.sampled_from(["1", "2", "3"]))
worlds = st.builds(
    World,
    guests=some,
    outsiders=st.frozensets(st.sampled_from(PEOPLE), max_size=1),
    public=st.frozensets(st.sampled_from(PLACES)),
    inside=st.fixed_dictionaries(dict.fromkeys(PLACES, some)),
    silent=st.frozensets(st.sampled_from(PLACES), max_size=1),
    owns=st.fixed_dictionaries(dict.fromkeys((*PEOPLE, NOBODY), ids)),
    asker=st.sampled_from(PEOPLE),
    most=st.integers(0, 4),
)
hits = st.builds(
    lambda source, name, place: Hit(source, name, Kind.MESSAGE, container=Container("x", place) if place else None),
    st.sampled_from([*SOURCES, "new"]),
    st.sampled_from(["1", "2", "3"]),
    st.sampled_from([*PLACES, "C9", None]),
)


def let_through(world, hit, audience):
    """Whether the bot shows it: people's own rights are asked for as the bot does."""
    found = frozenset.intersection(
        *(frozenset(("mine", name) for name in _found(world, other)) for other in audience.others or (NOBODY,))
    )
    door = Doorkeeper(SOURCES, world)
    return asyncio.run(door.allows(hit, audience, found if audience.others else None))


def _found(world, principal):
    return world.owns[NOBODY] | (world.owns[principal.partition("@")[0]] if principal != NOBODY else set())


@nightly(1500)
@given(worlds, hits, st.sampled_from([PlaceKind.OPEN, PlaceKind.CLOSED]))
def test_each_reader_may_see_what_all_are_shown(world, hit, kind):
    if hit.source == "mine" and hit.id not in _found(world, f"{world.asker}@x"):
        return  # the asker would not have found it
    if (kind is PlaceKind.OPEN) is not ("C0" in world.public):
        return
    present = tuple(world.member(each) for each in world.inside["C0"])
    audience = audience_of("C0", world.member(world.asker), Attendance(kind, present), world.most)
    if let_through(world, hit, audience):
        said_here = hit.source == "chat" and hit.container is not None and hit.container.native_id == "C0"
        assert said_here or all(world.may_see(each, hit) for each in world.readers_of(kind))


@given(worlds, hits)
def test_alone_everybody_sees_their_own_at_most(world, hit):
    if hit.source == "mine" and hit.id not in _found(world, f"{world.asker}@x"):
        return
    if let_through(world, hit, alone(world.member(world.asker))):
        assert world.may_see(world.asker, hit)


@given(worlds, hits)
def test_where_it_is_not_known_who_reads_only_the_web_is_shown(world, hit):
    audience = audience_of("C0", world.member(world.asker), Attendance(PlaceKind.CLOSED, None), world.most)
    assert let_through(world, hit, audience) is (hit.source == "web")
