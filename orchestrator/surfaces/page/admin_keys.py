"""Making and revoking keys on a page. A key is shown once, in the reply to the form that made it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.access import KEY_HOLDER, NoSuchKey, Scope
from orchestrator.documents.plain import one_line
from orchestrator.surfaces.page.admin import access_page
from orchestrator.surfaces.page.signing_in import forged

if TYPE_CHECKING:
    from starlette.responses import Response

    from orchestrator.access import Caller, KeyRing
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit

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
