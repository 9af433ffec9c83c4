"""How digests stand, on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.screen import QUIET, STRONG, indented, line, styled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from rich.console import RenderableType

    from orchestrator.digests.service import DefinitionStatus


def standings_view(standings: Sequence[DefinitionStatus]) -> Iterator[RenderableType]:
    """Each definition, and below it what has not been delivered."""
    for each in standings:
        schedule = f"{each.wished.schedule} {each.wished.zone}".strip() or "by hand"
        rests = ", rests" if each.wished.paused else ""
        whose = f", defined by {each.wished.person}" if each.origin == "person" else ""
        yield line((one_line(each.name), STRONG), (f"  {one_line(f'{schedule}{rests}{whose}')}", QUIET))
        last = _moment(each.last.made) if each.last else "never"
        yield indented(styled(f"next {_moment(each.due) if each.due else '–'} · last {last}"))
        for out in (*each.waiting, *each.dead):
            said = "given up" if out.status == "dead" else "waiting"
            tried = f"after {out.attempts} attempts" if out.attempts else "not tried yet"
            why = f": {out.problem}" if out.problem else ""
            yield indented(styled(one_line(f"{said} {tried}: {out.key} to {out.place}{why}")))
        if each.dead:
            yield indented(styled("repair the way, then: fedsearch digest retry KEY", QUIET))


def _moment(when: datetime) -> str:
    return when.astimezone().isoformat(" ", "minutes")
