"""The page of a reader's own digests and saved searches: how each stands, what one would tell now, and to stop one."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from connectors.errors import SourceError
from orchestrator.access import Scope
from orchestrator.digests import Maker, NotDefined, outlined
from orchestrator.digests.definitions import EPOCH, short_name, shown_name
from orchestrator.digests.schedules import zone_name
from orchestrator.documents.plain import link_of
from orchestrator.model import BadAsk
from orchestrator.settings.digests import DigestSettings
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime, tzinfo

    from starlette.responses import Response

    from orchestrator.access import Caller
    from orchestrator.digests import Alert, Digest
    from orchestrator.digests.definitions import Definition
    from orchestrator.digests.rendering import Outline
    from orchestrator.digests.run_repository import Outgoing, StoredRun
    from orchestrator.digests.service import DefinitionStatus
    from orchestrator.digests.service import DigestService as Digests
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit

LONGEST = 200  # characters of a time in words
CHANGES = {"pause": "changed", "resume": "changed", "remove": "removed"}  # what a form may do, as the audit log says it
PLAIN_CRON = re.compile(r"(?P<minute>\d{1,2}) (?P<hour>\d{1,2}) \* \* (?P<days>\*|[0-7]|1-5)", re.ASCII)


async def show_digests(visit: Visit, services: PageServices) -> Response:
    """The definitions that are the reader's."""
    return await list_digests(visit, services.digests(), await visit.caller(Scope.DIGESTS))


async def change_digest(visit: Visit, services: PageServices) -> Response:
    """Let one that the reader defined rest, go on, or be gone."""
    caller, fields = await visit.caller(Scope.DEFINE), await visit.form()
    wish, name, digests = fields.get("do", ""), fields.get("name", ""), services.digests()
    if digests is None or wish not in CHANGES:
        heading, said = visit.words["problem"], visit.words["problem forged"]
        return visit.page("refused.html", 403, heading=heading, message=said, again="/digests")
    noted = partial(services.noted, visit.request, caller, f"digest {CHANGES[wish]}", name)
    maker = Maker(caller.principal, noted=noted)
    try:
        if wish == "remove":
            await digests.defining.remove(maker, name)
        else:
            await digests.defining.change(maker, name, {"paused": wish == "pause"})
    except NotDefined as failure:
        return await list_digests(visit, digests, caller, said_in(failure.message, visit.language), 409)
    except SourceError as failure:
        return away(visit, failure)
    return await list_digests(visit, digests, caller, visit.words[f"digests done {wish}"].format(name=name))


async def preview_digest(visit: Visit, services: PageServices) -> Response:
    """What one of them would tell now, or has told since some time. Nothing is kept or sent."""
    caller, name, digests = await visit.caller(Scope.DIGESTS), visit.request.path_params["name"], services.digests()
    since = visit.request.query_params.get("since", "").strip()[:LONGEST]
    try:
        who = caller.principal.id
        found = (await digests.catalogue.definitions([who])).owned(name, who) if digests is not None else None
        if digests is None or found is None:
            return await list_digests(visit, digests, caller, visit.words["digests unknown"].format(name=name), 404)
        content = await _content(digests, *found, since)
    except BadAsk as failure:
        said = visit.words["digests no time"].format(since=since) if since else str(failure)
        return await list_digests(visit, digests, caller, said, 400)
    except SourceError as failure:
        return away(visit, failure)
    address, query = _address(name), visit.request.url.query
    told: dict[str, Any] = {"since": since, "has_since": isinstance(found[1], DigestSettings), "address": address}
    back = f"{address}?{query}" if query else address
    return visit.page("digest.html", shown=_linked(outlined(content)), back=back, **told)


async def _content(digests: Digests, name: str, wished: Definition, since: str) -> Digest | Alert:
    if since and isinstance(wished, DigestSettings):
        return await digests.since(since, wished, short_name(name))
    return await digests.runs.preview(name)


async def list_digests(
    visit: Visit, digests: Digests | None, caller: Caller, message: str = "", status: int = 200
) -> Response:
    """The page of those that are the caller's, with what was done or is wrong."""
    rows: list[dict[str, Any]] = []
    try:
        if digests is not None:
            zone_for = digests.catalogue.fixed.zone_for
            found = await digests.standings([caller.principal.id])
            rows = [digest_row(each, zone_for(each.wished), visit.words) for each in found]
    except SourceError as failure:
        return away(visit, failure)
    told = {"digests": rows, "message": message, "may_change": Scope.DEFINE in caller.scopes}
    return visit.page("digests.html", status, back="/digests", **told)


def away(visit: Visit, failure: SourceError) -> Response:
    """That digests cannot be read, and why."""
    said = visit.words["digests away"].format(reason=said_in(failure.message, visit.language))
    return visit.page("refused.html", 503, heading=visit.words["problem"], message=said, again="/digests")


def _address(name: str) -> str:
    return f"/digests/{quote(name)}"


# ---- how one stands


def digest_row(standing: DefinitionStatus, zone: tzinfo, words: Mapping[str, str]) -> dict[str, Any]:
    """How one stands, for a page."""
    wished, tone = standing.wished, _tone(standing)
    kind, asked = (wished.period, "") if isinstance(wished, DigestSettings) else ("search", wished.question)
    name = shown_name(standing.name)
    told: dict[str, Any] = {"name": name, "title": wished.title or asked or name, "address": _address(name)}
    told |= {"own": standing.origin == "person", "paused": wished.paused}
    return {**told, "kind": f"digests kind {kind}", "tone": tone, "facts": list(_facts(standing, zone, words))}


def _tone(standing: DefinitionStatus) -> str:
    if standing.dead:
        return "bad"
    return "fair" if standing.waiting else "good" if standing.last else "quiet"


def _facts(standing: DefinitionStatus, zone: tzinfo, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if line := standing.wished.schedule:
        yield "digests schedule", f"{_scheduled(line, words)} ({zone_name(zone, EPOCH)})"
        unplanned = words["digests paused" if standing.wished.paused else "digests unplanned"]
        yield "digests next", _moment(standing.due, zone) if standing.due else unplanned
    else:
        yield "digests schedule", words["digests by hand"]
    yield "digests last", _last(standing.last, zone, words) if standing.last else words["digests never"]
    for each in standing.waiting:
        yield "digests waiting", _out(each, zone, words)
    for each in standing.dead:
        yield "digests dead", _out(each, zone, words)
        yield "digests retry", f"fedsearch digest retry {each.key}"


def _scheduled(line: str, words: Mapping[str, str]) -> str:
    """The common ones in words; others as they are written."""
    found = PLAIN_CRON.fullmatch(" ".join(line.split()))
    if found is None:
        return line
    days, time = found["days"], f"{int(found['hour']):02}:{int(found['minute']):02}"
    if days.isdigit():
        return words["digests weekly"].format(day=words["digests days"].split(",")[int(days)], time=time)
    return words["digests daily" if days == "*" else "digests workdays"].format(time=time)


def _last(last: StoredRun, zone: tzinfo, words: Mapping[str, str]) -> str:
    """When it was made, and of which time; saved searches are of no time."""
    if last.since == last.until:
        return _moment(last.made, zone)
    told = {name: _moment(getattr(last, name), zone) for name in ("made", "since", "until")}
    return words["digests span"].format(**told)


def _out(out: Outgoing, zone: tzinfo, words: Mapping[str, str]) -> str:
    said = words["digests out"].format(place=out.place, due=_moment(out.due, zone), attempts=out.attempts)
    return words["digests why"].format(out=said, problem=out.problem) if out.problem else said


def _moment(when: datetime, zone: tzinfo) -> str:
    return when.astimezone(zone).strftime("%Y-%m-%d %H:%M")


# ---- what one tells


def _linked(outline: Outline) -> Outline:
    """The same, leading nowhere but into the web."""
    blocks = (
        replace(block, items=tuple(replace(item, url=link_of(item.url)) for item in block.items))
        for block in outline.blocks
    )
    return replace(outline, blocks=tuple(blocks))
