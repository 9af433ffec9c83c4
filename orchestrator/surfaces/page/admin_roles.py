"""Giving and taking away what people may whom somebody else signs in."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from orchestrator.access import Grantee, LocksOut, NoSuchRole, Scope, holder_name, role_id
from orchestrator.surfaces.page.admin import access_page, role_holder
from orchestrator.surfaces.page.signing_in import forged

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response

    from orchestrator.access import Caller
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit


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
