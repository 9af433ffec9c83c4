"""How the configured sources do, as JSON objects: whether each answers, and what to do where it does not.

What a person sets a source up with, what it still needs, and what came of trying it.
"""

from __future__ import annotations

from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import TypedDict

from orchestrator.model import Principal
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from connectors.contract import Health, Hit
    from orchestrator.engine import Engine
    from orchestrator.gather.source import Capacity
    from orchestrator.model import Answer
    from orchestrator.plan import SourceProfile

NO_VALUES: Mapping[str, Any] = MappingProxyType({})
READ: Mapping[str, Callable[[Hit], object]] = {
    "title": lambda hit: hit.title,
    "url": lambda hit: hit.url,
    "text": lambda hit: hit.snippet,
    "author": lambda hit: hit.author,
    "container": lambda hit: hit.container,
    "created": lambda hit: hit.created,
    "updated": lambda hit: hit.updated,
    "state": lambda hit: hit.state,
    "score": lambda hit: hit.score is not None,
}


@record
class Configured:
    """One ``[sources]`` entry. ``problem`` says why it cannot be asked (empty: it can); ``invalid``: its settings are wrong."""

    name: str
    kind: str
    title: str
    enabled: bool = True
    problem: str = ""
    invalid: bool = False


@record
class SetupTile:
    """What a person can set up at once: a source, or several that one sign-in serves.

    ``titles`` and ``scopes`` are by kind. ``asks``: settings beside the secret, those of ``optional`` may stay empty.
    ``by_browser``: whether a person signs in there, with an application registered at ``url``; else a token comes from ``url``.
    ``loopback``: the name of this machine that the vendor sends them back to.
    """

    title: str
    titles: Mapping[str, str]
    help: str
    url: str
    asks: tuple[str, ...]
    optional: frozenset[str]
    scopes: Mapping[str, tuple[str, ...]]
    by_browser: bool
    loopback: str = "127.0.0.1"


@record
class SourceWish:
    """What somebody wants a source to be that is not kept yet. ``values``: settings; ``secrets``: by setting, such as ``oauth.refresh_token``;
    ``text``: of its whole file, where it is declared.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=lambda: NO_VALUES)
    secrets: Mapping[str, str] = field(default_factory=lambda: NO_VALUES, repr=False)
    text: str = ""


@record
class SetupTrial:
    """How each source did that was tried, and what it found. ``problem``: why nothing could be asked, for people."""

    states: tuple[SourceState, ...]
    answer: Answer | None = None
    problem: str = ""

    @property
    def works(self) -> bool:
        """Whether all of them answer."""
        return bool(self.states) and all(each["status"] == "ok" for each in self.states)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """All that came back."""
        return tuple(hit for outcome in self.answer.outcomes for hit in outcome.hits) if self.answer else ()


def read_counts(hits: Sequence[Hit]) -> dict[str, int]:
    """Of how many hits each thing was read."""
    return {name: sum(bool(found(hit)) for hit in hits) for name, found in READ.items()}


SourceStanding = Literal["ok", "failed", "not connected"]


class CapacityState(TypedDict):
    """What is left of a source's rate: requests now, of ``rate`` in ``period`` seconds. ``cost``: requests a question of late, and so
    how many questions there is room for, now and a minute; null before the first.
    """

    requests: int
    rate: int
    period: float
    cost: float | None
    questions: int | None
    questions_a_minute: float | None


class SourceState(TypedDict):
    """One configured source. ``account`` is whom it takes us for; ``advice`` says what to do where it does not answer;
    ``standing`` what is left of its rate, in words, ``left`` the same in numbers, null where it cannot be asked;
    ``remarks`` what is told of it though it works.
    """

    name: str
    title: str
    category: str
    status: SourceStanding
    account: str
    advice: str
    standing: str
    left: CapacityState | None
    remarks: list[str]


class SourceStates(TypedDict):
    """Every configured source."""

    sources: list[SourceState]


async def source_states(engine: Engine, asker: Principal | None = None) -> SourceStates:
    """Ask every source that ``asker`` can ask whether it answers; without one, those of everybody."""
    who = asker or Principal()
    health, standing = await engine.health(who), await engine.standing(who)
    profiles = await engine.profiles_for(who)
    return {"sources": [_state(each, health.get(each.name), standing.get(each.name)) for each in profiles]}


def _state(profile: SourceProfile, health: Health | None, capacity: Capacity | None) -> SourceState:
    status: SourceStanding = "not connected" if health is None else ("ok" if health.ok else "failed")
    return {
        "name": profile.name,
        "title": profile.title,
        "category": str(profile.category),
        "status": status,
        "account": health.account if health else "",
        "advice": health.detail if health else profile.missing,
        "standing": capacity.said if capacity else "",
        "left": _left(capacity) if capacity else None,
        "remarks": list(health.remarks) if health else [],
    }


def _left(capacity: Capacity) -> CapacityState:
    return {
        "requests": capacity.free,
        "rate": capacity.rate,
        "period": capacity.period,
        "cost": None if capacity.cost is None else round(capacity.cost, 2),
        "questions": capacity.questions,
        "questions_a_minute": capacity.questions_a_minute,
    }
