"""How digests stand, on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.digests.definitions import EPOCH, shown_name
from orchestrator.digests.schedules import zone_name
from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.failures import said_here
from orchestrator.surfaces.cli.screen import QUIET, STRONG, indented, line, styled
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime, tzinfo

    from rich.console import RenderableType

    from orchestrator.digests.definitions import Definition
    from orchestrator.digests.service import DefinitionStatus

BY_HAND = Said("by hand")
RESTS = Said("rests")
BY = Said("defined by {who}")
NEVER = Said("never", context="digest")
RUNS = Said("next {due} · last {last}")
GIVEN_UP = Said("given up {tried}")
WAITING = Said("waiting {tried}")
AFTER = Said("after {count} attempts")
AFTER_ONE = Said("after 1 attempt")
UNTRIED = Said("not tried yet")
TO = Said("{tried}: {key} to {place}")
REPAIR = Said("repair the way, then: fedsearch digest retry KEY")


def standings_view(
    standings: Sequence[DefinitionStatus], zone_for: Callable[[Definition], tzinfo]
) -> Iterator[RenderableType]:
    """Each definition, and below it what has not been delivered; moments in the zone of each."""
    for each in standings:
        zone = zone_for(each.wished)
        schedule = f"{each.wished.schedule} ({zone_name(zone, EPOCH)})" if each.wished.schedule else said_here(BY_HAND)
        rests = f", {said_here(RESTS)}" if each.wished.paused else ""
        whose = f", {said_here(BY.filled(who=each.wished.person))}" if each.origin == "person" else ""
        yield line((one_line(shown_name(each.name)), STRONG), (f"  {one_line(f'{schedule}{rests}{whose}')}", QUIET))
        last = _moment(each.last.made, zone) if each.last else NEVER
        due = _moment(each.due, zone) if each.due else "–"
        yield indented(styled(said_here(RUNS.filled(due=due, last=last))))
        for out in (*each.waiting, *each.dead):
            said = GIVEN_UP if out.status == "dead" else WAITING
            times = AFTER_ONE if out.attempts == 1 else AFTER.filled(count=out.attempts)
            tried = said.filled(tried=times if out.attempts else UNTRIED)
            why = f": {said_here(out.problem)}" if out.problem else ""
            yield indented(styled(one_line(f"{said_here(TO.filled(tried=tried, key=out.key, place=out.place))}{why}")))
        if each.dead:
            yield indented(styled(said_here(REPAIR), QUIET))


def _moment(when: datetime, zone: tzinfo) -> str:
    return when.astimezone(zone).strftime("%Y-%m-%d %H:%M")
