"""How the configured sources do, as JSON objects: whether each answers, and what to do where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from orchestrator.model import Principal

if TYPE_CHECKING:
    from connectors.contract import Health
    from orchestrator.engine import Engine
    from orchestrator.gather.source import Capacity
    from orchestrator.plan import SourceProfile

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
