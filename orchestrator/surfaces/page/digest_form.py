"""The form by which a reader makes a digest or a saved search of their own, or changes one: with the rules that the API has."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from connectors.errors import SourceError
from orchestrator.access import Scope
from orchestrator.digests import Maker, NotDefined
from orchestrator.digests.defining import may_have_it_at
from orchestrator.digests.definitions import short_name
from orchestrator.settings.digests import SearchSettings
from orchestrator.surfaces.page.digests import PLAIN_CRON, away, list_digests
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response

    from orchestrator.access import Caller
    from orchestrator.digests.definitions import Definition
    from orchestrator.digests.service import DigestService as Digests
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit

FORM = "/digest"
SEARCH, KINDS = "search", ("daily", "weekly", "search")
BY_HAND, OTHERWISE = "", "other"
DAYS = {"every": "*", "work": "1-5", **{str(day): str(day) for day in (1, 2, 3, 4, 5, 6, 0)}}
TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
LONGEST_LINE = 1000  # characters
FRESH = {
    "name": "",
    "title": "",
    "kind": "daily",
    "about": "",
    "when": "work",
    "time": "09:00",
    "cron": "",
    "zone": "",
    "deliver": "",
    "secret": "",
}


async def show_digest_form(visit: Visit, services: PageServices) -> Response:
    """Empty, or as one of the reader's own stands."""
    caller, name, digests = (
        await visit.caller(Scope.DEFINE),
        visit.request.query_params.get("name", ""),
        services.defining(),
    )
    if not name or digests is None:
        zone = getattr(digests.catalogue.fixed.zone, "key", None) if digests is not None else None
        return _form(visit, digests, caller, FRESH | {"zone": zone or ""})
    try:
        found = (await digests.catalogue.definitions([caller.principal.id])).owned(name, caller.principal.id)
    except SourceError as failure:
        return away(visit, failure)
    if found is None:
        return await list_digests(visit, digests, caller, visit.words["digests unknown"].format(name=name), 404)
    return _form(visit, digests, caller, _fields(*found), old=name)


async def keep_digest(visit: Visit, services: PageServices) -> Response:
    """Make it, or change it."""
    caller, fields, digests = await visit.caller(Scope.DEFINE), await visit.form(), services.defining()
    if not fields or digests is None:
        heading, said = visit.words["problem"], visit.words["problem forged"]
        return visit.page("refused.html", 403, heading=heading, message=said, again="/digests")
    told, old = {name: fields.get(name, "").strip() for name in FRESH}, fields.get("old", "")
    name = old or told["name"]
    noted = partial(services.noted, visit.request, caller, f"digest {'changed' if old else 'defined'}", name)
    maker = Maker(caller.principal, noted=noted)
    try:
        if old:
            await digests.defining.change(maker, old, _settings(told))
        else:
            kind = SEARCH if told["kind"] == SEARCH else "digest"
            made = {**_settings(told), "language": visit.language}
            await digests.defining.create(maker, name, kind, made)
    except NotDefined as failure:
        return _form(visit, digests, caller, told, message=said_in(failure.message, visit.language), old=old)
    except SourceError as failure:
        return away(visit, failure)
    return await list_digests(visit, digests, caller, visit.words["digests done keep"].format(name=name))


def _form(
    visit: Visit, digests: Digests | None, caller: Caller, told: Mapping[str, str], *, message: str = "", old: str = ""
) -> Response:
    days = visit.words["digests days"].split(",")
    times = [(BY_HAND, visit.words["digests by hand"])]
    times += [(key, visit.words[f"digests when {key}"]) for key in ("every", "work")]
    times += [(key, days[int(key)]) for key in DAYS if key.isdigit()]
    times.append((OTHERWISE, visit.words["digests when other"]))
    allowed = digests.catalogue.fixed.numbers.allowed if digests is not None else ()
    where = said_in(may_have_it_at(caller.principal, allowed), visit.language)
    kinds = [(kind, visit.words[f"digests kind {kind}"]) for kind in KINDS]
    if old:  # what one is stays: a saved search has other settings than a digest
        kinds = [each for each in kinds if (each[0] == SEARCH) == (told["kind"] == SEARCH)]
    shown: dict[str, Any] = {"told": told, "old": old, "times": times, "kinds": kinds, "where": where}
    return visit.page("digest_form.html", 422 if message else 200, message=message, **shown, back="/digests")


def _settings(told: Mapping[str, str]) -> dict[str, Any]:
    """What was typed, by the names that settings have."""
    what = {"question": told["about"]} if told["kind"] == SEARCH else {"about": told["about"], "period": told["kind"]}
    when = {"schedule": _schedule(told), "zone": told["zone"]}
    signed = {"secret": told["secret"]} if told["secret"] else {}  # one that is kept is not shown, and stays
    return {**what, **when, **signed, "title": told["title"], "deliver": told["deliver"][:LONGEST_LINE]}


def _schedule(told: Mapping[str, str]) -> str:
    """A cron line. A time that is none becomes part of one that is refused."""
    when = told["when"]
    if when not in DAYS:
        return told["cron"] if when == OTHERWISE else ""
    found = TIME.fullmatch(told["time"])
    hour, minute = (int(each) for each in found.groups()) if found else (told["time"] or "?", "")
    return f"{minute} {hour} * * {DAYS[when]}"


def _fields(full: str, wished: Definition) -> dict[str, str]:
    """How one stands, as the form has it."""
    told = {"name": short_name(full), "title": wished.title, "zone": wished.zone, "deliver": ", ".join(wished.deliver)}
    if isinstance(wished, SearchSettings):
        told |= {"kind": SEARCH, "about": wished.question}
    else:
        told |= {"kind": wished.period, "about": wished.about}
    line = " ".join(wished.schedule.split())
    found = PLAIN_CRON.fullmatch(line)
    if found is None:
        return FRESH | told | {"when": OTHERWISE if line else BY_HAND, "cron": line}
    when = {"*": "every", "1-5": "work", "7": "0"}.get(found["days"], found["days"])
    return FRESH | told | {"when": when, "time": f"{int(found['hour']):02}:{int(found['minute']):02}"}
