"""How digests stand, on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.digests.definitions import EPOCH, shown_name
from orchestrator.digests.schedules import zone_name
from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.screen import QUIET, STRONG, indented, line, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime, tzinfo

    from rich.console import RenderableType

    from orchestrator.digests.definitions import Definition
    from orchestrator.digests.service import DefinitionStatus


def standings_view(
    standings: Sequence[DefinitionStatus], zone_for: Callable[[Definition], tzinfo]
) -> Iterator[RenderableType]:
    """Each definition, and below it what has not been delivered; moments in the zone of each."""
    for each in standings:
        zone = zone_for(each.wished)
        schedule = f"{each.wished.schedule} ({zone_name(zone, EPOCH)})" if each.wished.schedule else "by hand"
        rests = ", rests" if each.wished.paused else ""
        whose = f", defined by {each.wished.person}" if each.origin == "person" else ""
        yield line((one_line(shown_name(each.name)), STRONG), (f"  {one_line(f'{schedule}{rests}{whose}')}", QUIET))
        last = _moment(each.last.made, zone) if each.last else "never"
        yield indented(styled(f"next {_moment(each.due, zone) if each.due else '–'} · last {last}"))
        for out in (*each.waiting, *each.dead):
            said = "given up" if out.status == "dead" else "waiting"
            times = "1 attempt" if out.attempts == 1 else f"{out.attempts} attempts"
            tried = f"after {times}" if out.attempts else "not tried yet"
            why = f": {out.problem}" if out.problem else ""
            yield indented(styled(one_line(f"{said} {tried}: {out.key} to {out.place}{why}")))
        if each.dead:
            yield indented(styled("repair the way, then: fedsearch digest retry KEY", QUIET))


def _moment(when: datetime, zone: tzinfo) -> str:
    return when.astimezone(zone).strftime("%Y-%m-%d %H:%M")
