"""The pages of whoever runs the server: how it is used, how the sources do, who may do what. Nothing here shows what anybody was told.

Keys are made and revoked here, and people whom somebody else signs in are given what they may.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from connectors.errors import SourceError
from orchestrator.access import KEY_HOLDER, Grantee, LocksOut, NoSuchKey, NoSuchRole, Scope, holder_name, role_id
from orchestrator.digests.definitions import shown_name
from orchestrator.documents.plain import one_line
from orchestrator.learning import Reaction
from orchestrator.model import Confidence
from orchestrator.surfaces.page.digests import digest_row
from orchestrator.surfaces.page.plots import columns
from orchestrator.surfaces.page.receipt_view import source_row
from orchestrator.surfaces.page.signing_in import forged

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from datetime import datetime, tzinfo

    from starlette.responses import Response

    from orchestrator.access import (
        ApiKey,
        Caller,
        ConnectedAccount,
        GivenRole,
        KeyRing,
        SettledRole,
        SourceHour,
        UsageFigures,
    )
    from orchestrator.surfaces.page.plots import Plot
    from orchestrator.surfaces.page.services import AdminServices, PageServices
    from orchestrator.surfaces.page.visiting import Visit
    from translators.said import Phrasebook

PAGES = {
    "admin": "/admin",
    "admin sources": "/admin/sources",
    "admin access": "/admin/access",
    "admin digests": "/admin/digests",
}


async def show_usage(visit: Visit, services: PageServices) -> Response:
    """How many ask, how sure the answers are, what people thought of them, what found no answer, and what was changed here."""
    await visit.caller(Scope.ADMIN)
    admin, zone = services.admin, services.clock().tzinfo
    try:
        usage = await asyncio.to_thread(admin.usage)
        feedback = await asyncio.to_thread(admin.feedback)
        changes = await asyncio.to_thread(admin.changes)
    except OSError as failure:
        return _unread(visit, failure.strerror or type(failure).__name__)
    told: dict[str, Any] = {
        "usage": usage,
        "asked": _questions(usage, visit.words),
        "people": columns(
            {"good": visit.words["admin people"]}, [(f"{each.day:%m-%d}", {"good": each.people}) for each in usage.days]
        ),
        "confidence": [(str(each), usage.confidence.get(each, 0)) for each in Confidence],
        "unanswered": [(each.words, each.times, _moment(each.last, zone)) for each in usage.unanswered],
        "feedback": [(str(each), feedback.get(each, 0)) for each in Reaction],
        "changes": [(_moment(each.at, zone), each.principal, each.action, each.source) for each in changes],
        "counts": admin.counts,
        "keeps_words": admin.keeps_words,
    }
    return _page(visit, "admin.html", **told)


async def show_admin_sources(visit: Visit, services: PageServices) -> Response:
    """How each source does, now and over the last day, and who has connected accounts of their own there."""
    await visit.caller(Scope.ADMIN)
    admin, zone = services.admin, services.clock().tzinfo
    try:
        usage = await asyncio.to_thread(admin.usage)
    except OSError as failure:
        return _unread(visit, failure.strerror or type(failure).__name__)
    states, (accounts, away) = await admin.sources(), await _accounts(admin)
    connected: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for each in accounts:
        connected[each.source].append((each.principal, _moment(each.connected, zone)))
    rows = [
        {
            **source_row(state, visit.language),
            "plots": _last_day(usage, usage.sources.get(state["name"]), visit.words),
            "connected": connected[state["name"]],
        }
        for state in states["sources"]
    ]
    try:
        off = [each for each in await asyncio.to_thread(services.setup.configured) if not each.enabled]
    except (SourceError, OSError):
        off = []  # the settings cannot be read just now; what is asked is asked all the same
    return _page(visit, "admin_sources.html", sources=rows, away=away, counts=admin.counts, off=off)


async def show_access(visit: Visit, services: PageServices) -> Response:
    """Keys and what they may do, and what the others may whom somebody else signs in."""
    await visit.caller(Scope.ADMIN)
    return access_page(visit, services)


def access_page(visit: Visit, services: PageServices, status: int = 200, **told: Any) -> Response:
    """The same with something to say."""
    admin, now = services.admin, services.clock()
    keys = admin.keys.all() if admin.keys is not None else ()
    settled = [_settled(each, visit.words) for each in admin.settled]
    given = [_given(each, now, visit.words) for each in admin.roles.all()]
    return _page(
        visit,
        "admin_access.html",
        status,
        keys=[_key(each, now) for each in keys],
        is_open=admin.keys is None,
        roles=[*settled, *given],
        signs_in=bool(admin.settled),
        scopes=[str(each) for each in Scope],
        **{"message": "", "made": "", **told},
    )


async def show_all_digests(visit: Visit, services: PageServices) -> Response:
    """Whose digests there are, when they run, and whether they arrive. What they say is for their people alone."""
    await visit.caller(Scope.ADMIN)
    rows, digests = [], services.digests()
    try:
        if digests is not None:
            zone_for = digests.catalogue.fixed.zone_for
            for each in await digests.standings():
                row = digest_row(each, zone_for(each.wished), visit.words)
                own = {"title": shown_name(each.name)} if each.origin == "person" else {}  # theirs may be a question
                rows.append({**row, **own, "facts": [("admin owner", each.wished.person), *row["facts"]]})
    except SourceError as failure:
        return _unread(visit, failure.message)
    return _page(visit, "admin_digests.html", digests=rows)


def _page(visit: Visit, template: str, status: int = 200, **told: Any) -> Response:
    return visit.page(template, status, pages=PAGES, **told)


def _unread(visit: Visit, reason: str) -> Response:
    message = visit.words["admin unread"].format(reason=reason)
    return visit.page("refused.html", 503, heading=visit.words["problem"], message=message, again="/admin")


async def _accounts(admin: AdminServices) -> tuple[Sequence[ConnectedAccount], bool]:
    """Who has connected what; and whether nobody can say."""
    try:
        return await admin.accounts(), False
    except SourceError:
        return (), True


def _questions(usage: UsageFigures, words: Phrasebook) -> Plot:
    heads = {"good": words["admin with answer"], "bad": words["admin without answer"]}
    told = ((f"{each.day:%m-%d}", each) for each in usage.days)
    return columns(
        heads, [(day, {"good": each.questions - each.unanswered, "bad": each.unanswered}) for day, each in told]
    )


def _last_day(usage: UsageFigures, hours: Iterable[SourceHour] | None, words: Phrasebook) -> list[tuple[str, Plot]]:
    """Questions and requests of a source in each of the last hours; nothing where it was asked none."""
    if hours is None:
        return []
    told = [(f"{hour:%H:00}", each) for hour, each in zip(usage.hours, hours, strict=True)]
    heads = {"good": words["admin answered"], "bad": words["admin failed"]}
    asked = columns(heads, [(hour, {"good": each.answered, "bad": each.failed}) for hour, each in told])
    sent = columns({"good": words["admin requests"]}, [(hour, {"good": each.requests}) for hour, each in told])
    return [("admin asked", asked), ("admin requests", sent)]


def _key(key: ApiKey, now: datetime) -> dict[str, Any]:
    expires = _moment(key.expires, now.tzinfo) if key.expires else ""
    older = key.overlap(now)
    told = {"id": key.id, "name": key.name, "created": _moment(key.created, now.tzinfo), "expires": expires}
    return {
        **told,
        "scopes": [str(each) for each in key.scopes],
        "over": key.expires is not None and key.expires <= now,
        "overlap": _moment(older, now.tzinfo) if older else "",
    }


def role_holder(grantee: Grantee, name: str, words: Phrasebook) -> str:
    """To whom a role is given, as a person says it."""
    if grantee is Grantee.PERSON:
        return name
    return words[f"admin role {grantee}"].format(name=name)


def _settled(role: SettledRole, words: Phrasebook) -> dict[str, Any]:
    everybody = words["admin role through"].format(through=role.through)
    who = everybody if role.grantee is Grantee.EVERYBODY else role_holder(role.grantee, role.name, words)
    return {
        "id": "",
        "who": who,
        "scopes": role.scopes,
        "given": words["admin role settled"].format(setting=role.setting),
    }


def _given(role: GivenRole, now: datetime, words: Phrasebook) -> dict[str, Any]:
    given = words["admin role by"].format(when=_moment(role.given, now.tzinfo), who=role.by)
    return {"id": role.id, "who": role_holder(role.grantee, role.name, words), "scopes": role.scopes, "given": given}


def _moment(when: datetime, zone: tzinfo | None) -> str:
    return when.astimezone(zone).strftime("%Y-%m-%d %H:%M")


LONGEST_NAME = 100  # characters
MOST_DAYS = 3650


async def change_keys(visit: Visit, services: PageServices) -> Response:
    """Make a key, or let one open nothing from now on."""
    caller, fields = await visit.caller(Scope.ADMIN), await visit.form()
    ring, wish = services.admin.keys, fields.get("do", "")
    if ring is None or wish not in {"make", "revoke"}:
        return forged(visit)
    change = _make if wish == "make" else _revoke
    return await change(visit, services, ring, caller, fields)


async def _make(
    visit: Visit, services: PageServices, ring: KeyRing, caller: Caller, fields: dict[str, str]
) -> Response:
    name, days = one_line(fields.get("name", ""))[:LONGEST_NAME].strip(), fields.get("days", "")
    scopes = [each for each in Scope if f"may_{each}" in fields]
    if not name or not scopes or not (not days or (days.isdecimal() and 0 < int(days) <= MOST_DAYS)):
        return access_page(visit, services, 400, message=visit.words["admin key wrong"])
    await services.admin.noted(visit.request, caller, "key made", f"{name} ({', '.join(scopes)})")
    lasting = timedelta(days=int(days)) if days else None
    _, text = await asyncio.to_thread(ring.create, name, scopes, lasting)
    return access_page(visit, services, made=text, message=visit.words["admin key once"].format(name=name))


async def _revoke(
    visit: Visit, services: PageServices, ring: KeyRing, caller: Caller, fields: dict[str, str]
) -> Response:
    key = ring.named(fields.get("key", ""))
    if key is None:
        return access_page(visit, services, 409, message=visit.words["admin key gone"])
    if caller.principal.id == f"{KEY_HOLDER}{key.id}":
        return access_page(visit, services, 409, message=visit.words["admin key own"])
    await services.admin.noted(visit.request, caller, "key revoked", f"{key.name} ({key.id})")
    try:
        await asyncio.to_thread(ring.revoke, key.id)
    except NoSuchKey:  # somebody else was quicker
        return access_page(visit, services, 409, message=visit.words["admin key gone"])
    return access_page(visit, services, message=visit.words["admin key revoked"].format(name=key.name))


async def change_roles(visit: Visit, services: PageServices) -> Response:
    """Give somebody a role, in place of the one they had, or take it away."""
    caller, fields = await visit.caller(Scope.ADMIN), await visit.form()
    change = {"give": _give, "take": _take}.get(fields.get("do", ""))
    if change is None or services.admin.keys is None:  # whoever is let in as everybody leaves nothing that lasts longer
        return forged(visit)
    try:
        return await change(visit, services, caller, fields)
    except NoSuchRole:
        return access_page(visit, services, 409, message=visit.words["admin role gone"])
    except LocksOut:
        return access_page(visit, services, 409, message=visit.words["admin role own"])


async def _give(visit: Visit, services: PageServices, caller: Caller, fields: dict[str, str]) -> Response:
    scopes = [each for each in Scope if f"may_{each}" in fields]
    try:
        grantee = Grantee(fields.get("grantee", ""))
        name = holder_name(grantee, fields.get("name", ""))
    except ValueError:
        return access_page(visit, services, 400, message=visit.words["admin role wrong"])
    if not scopes:
        return access_page(visit, services, 400, message=visit.words["admin role wrong"])
    roles, told = services.admin.roles, ", ".join(scopes)
    give = partial(roles.give, grantee, name, scopes, caller.principal.id, caller)
    what = f"{role_id(grantee, name)} ({told})"
    await _changed(give, partial(services.admin.noted, visit.request, caller, "role given", what))
    who = role_holder(grantee, name, visit.words)
    return access_page(visit, services, message=visit.words["admin role given"].format(who=who, scopes=told))


async def _take(visit: Visit, services: PageServices, caller: Caller, fields: dict[str, str]) -> Response:
    roles, wanted = services.admin.roles, fields.get("role", "")
    known = next((each for each in roles.all() if each.id == wanted), None)
    noted = partial(services.admin.noted, visit.request, caller, "role taken", wanted)
    await _changed(partial(roles.take, wanted, caller), noted)
    who = role_holder(known.grantee, known.name, visit.words) if known is not None else wanted
    return access_page(visit, services, message=visit.words["admin role taken"].format(who=who))


async def _changed(change: Callable[..., None], noted: Callable[[], Awaitable[None]]) -> None:
    """Do it once it is written down, and that only if it can be done."""
    change(kept=False)
    await noted()
    await asyncio.to_thread(change)
