"""How the configured sources do, as JSON objects: whether each answers, and what to do where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from orchestrator.model import Principal

if TYPE_CHECKING:
    from connectors.contract import Health
    from orchestrator.engine import Engine
    from orchestrator.plan import SourceProfile

SourceStanding = Literal["ok", "failed", "not connected"]


class SourceState(TypedDict):
    """One configured source. ``account`` is whom it takes us for; ``advice`` says what to do where it does not answer;
    ``standing`` what is left of its rate; ``remarks`` what is told of it though it works.
    """

    name: str
    title: str
    category: str
    status: SourceStanding
    account: str
    advice: str
    standing: str
    remarks: list[str]


class SourceStates(TypedDict):
    """Every configured source."""

    sources: list[SourceState]


async def source_states(engine: Engine, asker: Principal | None = None) -> SourceStates:
    """Ask every source that ``asker`` can ask whether it answers; without one, those of everybody."""
    who = asker or Principal()
    health, standing = await engine.health(who), await engine.standing(who)
    profiles = await engine.profiles_for(who)
    return {"sources": [_state(each, health.get(each.name), standing.get(each.name, "")) for each in profiles]}


def _state(profile: SourceProfile, health: Health | None, standing: str) -> SourceState:
    status: SourceStanding = "not connected" if health is None else ("ok" if health.ok else "failed")
    return {
        "name": profile.name,
        "title": profile.title,
        "category": str(profile.category),
        "status": status,
        "account": health.account if health else "",
        "advice": health.detail if health else profile.missing,
        "standing": standing,
        "remarks": list(health.remarks) if health else [],
    }
