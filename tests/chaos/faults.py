"""What befalls the world, by a seed: which part, how, and for how long."""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tests.chaos.world import APIS, VENDORS, WORKERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.chaos.world import World

PROCESSES = (*APIS, *WORKERS, "postgres", "valkey", "sandbox")
DOORS = ("postgres", "valkey", "hook", *VENDORS)
TARGETS = {
    "killed": (*PROCESSES, "thinking"),
    "frozen": PROCESSES,
    "shut": DOORS,
    "cut": DOORS,
    "silent": DOORS,
    "slow": DOORS,
    "full": ("postgres", "api"),
    "clock": (*APIS, *WORKERS),
}
SHARES = {"killed": 4, "frozen": 3, "shut": 2, "cut": 2, "silent": 2, "slow": 2, "full": 2, "clock": 1}
SECONDS = {"killed": (0.5, 5.0), "frozen": (2.0, 12.0), "cut": (0.1, 0.2)}
USUAL = (3.0, 15.0)
AT_ONCE = (1, 1, 2)  # how many strike together
CLOCKS = (-120, -45, 45, 120)  # seconds
SLOW = (0.3, 1.2)  # seconds by which every reply is late


@dataclass(frozen=True)
class Strike:
    """``more``: seconds that a clock is wrong by, or replies are late by."""

    kind: str
    target: str
    seconds: float
    more: float = 0.0


FOUND = (
    # Each question under way doubled the rest of the index: minutes after a moment.
    (Strike("cut", "postgres", 0.2),),
    # Each server took the whole of the vendors' rates meanwhile, and again afterwards.
    (Strike("killed", "valkey", 4.0),),
    # Its guardian took the server for ended, and ended it.
    (Strike("frozen", "postgres", 3.0),),
    # Questions failed, or hung until what reads them was loaded again.
    (Strike("killed", "thinking", 2.0), Strike("silent", "slack", 13.0)),
)
"""What once broke a law, with what it did: the first rounds of every run."""


def drawn(seed: int, without: frozenset[str] = frozenset()) -> Iterator[tuple[Strike, ...]]:
    """Rounds of strikes without end, those that once broke something first, the same for the same seed. ``without``: kinds that this machine cannot do."""
    rng = random.Random(seed)
    kinds = [kind for kind in SHARES if kind not in without]
    yield from FOUND
    while True:
        count = rng.choice(AT_ONCE)
        yield tuple(_strike(rng, kind) for kind in rng.choices(kinds, [SHARES[kind] for kind in kinds], k=count))


def _strike(rng: random.Random, kind: str) -> Strike:
    seconds = round(rng.uniform(*SECONDS.get(kind, USUAL)), 1)
    more = {"clock": float(rng.choice(CLOCKS)), "slow": round(rng.uniform(*SLOW), 2)}.get(kind, 0.0)
    return Strike(kind, rng.choice(TARGETS[kind]), seconds, more)


async def strike(world: World, strikes: tuple[Strike, ...]) -> None:
    """All of a round at the same time, until the last is over."""
    await asyncio.gather(*(_told(world, each) for each in strikes))


async def _told(world: World, it: Strike) -> None:
    world.journal.note("strike", **asdict(it))
    try:
        await _struck(world, it)
    finally:
        world.journal.note("over", **asdict(it))


async def _struck(world: World, it: Strike) -> None:
    if it.kind == "killed":
        await world.kill(it.target, it.seconds)
    elif it.kind == "frozen":
        await world.freeze(it.target, it.seconds)
    elif it.kind == "full":
        await asyncio.to_thread(world.disks[it.target].fill)
        await asyncio.sleep(it.seconds)
        world.disks[it.target].free()
    elif it.kind == "clock":
        world.set_clock(it.target, it.more)
        await asyncio.sleep(it.seconds)
        world.set_clock(it.target, 0.0)
    else:
        await _at_door(world, it)


async def _at_door(world: World, it: Strike) -> None:
    door = world.doors[it.target]
    match it.kind:
        case "shut":
            door.shut()
        case "cut":
            door.cut()
        case "silent":
            door.silence()
        case "slow":
            door.slow(it.more)
    await asyncio.sleep(it.seconds)
    door.heal()
