"""What the pages for whoever runs the server stand on, and where use and changes are written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import page_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from starlette.requests import Request

    from orchestrator.access import (
        AuditedAction,
        Caller,
        ConnectedAccount,
        Grantee,
        KeyRing,
        RoleBook,
        SettledRole,
        UsageFigures,
        UsageLog,
    )
    from orchestrator.learning import Reaction
    from orchestrator.settings import Settings
    from orchestrator.surfaces.http import ServerState, Services
    from orchestrator.surfaces.page.services import AdminServices

MOST_ACTIONS = 30  # that are shown


def usage_log(settings: Settings, clock: Callable[[], datetime]) -> UsageLog:
    """Among the data of this installation; words stand there only where the audit log may hold them too."""
    from orchestrator.access import USAGE, UsageLog

    server, folder = settings.server, settings.storage.path / USAGE
    return UsageLog(folder, lambda: page_secret(settings), clock, server.usage, texts=server.audit_texts)


def administration_of(settings: Settings, state: ServerState, services: Services) -> AdminServices:
    """For a running server."""
    from orchestrator.access import USAGE, AuditLog, newest_actions, usage_figures
    from orchestrator.documents.sources import source_states
    from orchestrator.learning import FOLDER, count_reactions
    from orchestrator.surfaces.page.services import AdminServices

    data, file = settings.storage.path, settings.changes_file
    audit = AuditLog(file, services.clock, texts=False)

    def usage() -> UsageFigures:
        return usage_figures(data / USAGE, services.clock())

    def feedback() -> Mapping[Reaction, int]:
        return count_reactions(data / FOLDER)

    def changes() -> Sequence[AuditedAction]:
        return newest_actions(file, MOST_ACTIONS)

    async def noted(request: Request, caller: Caller, action: str, what: str) -> None:
        await audit.noted(caller.principal.id, action, what, services.clock(), request.scope["request_id"])

    async def accounts() -> Sequence[ConnectedAccount]:
        return await services.connecting.vault.listed() if services.connecting is not None else ()

    return AdminServices(
        usage=usage,
        feedback=feedback,
        changes=changes,
        sources=lambda: source_states(state.engine),
        accounts=accounts,
        keys=services.keys,
        roles=services.roles,
        settled=settled_roles(settings),
        noted=noted,
        counts=bool(settings.server.usage),
        keeps_words=settings.server.audit_texts,
    )


def settled_roles(settings: Settings) -> tuple[SettledRole, ...]:
    """What settings let people do who are not let in by a key. Raises :class:`connectors.errors.Misconfigured`."""
    from orchestrator.access import Grantee, SettledRole, scopes_of

    oidc, proxy = settings.oidc, settings.proxy

    def settled(grantee: Grantee, name: str, through: str, names: Iterable[str], setting: str) -> SettledRole:
        return SettledRole(grantee, name, through, tuple(sorted(scopes_of(names, setting))), setting)

    found = []
    if oidc.issuer:
        found.append(settled(Grantee.EVERYBODY, "", oidc.issuer, oidc.scopes, "oidc.scopes"))
        for group, names in oidc.grants.items():
            found.append(settled(Grantee.GROUP, group, oidc.issuer, names, f"oidc.grants.{group}"))
    if proxy.header:
        found.append(settled(Grantee.EVERYBODY, "", proxy.header, proxy.scopes, "proxy.scopes"))
    return tuple(found)


def key_ring(settings: Settings) -> KeyRing:
    """The keys of the HTTP API, in the data folder."""
    from datetime import UTC, datetime

    from orchestrator.access import KeyRing

    return KeyRing(settings.storage.path / "keys.json", lambda: datetime.now(UTC))


def role_book(settings: Settings) -> RoleBook:
    """What people may besides what settings say, beside the keys."""
    from datetime import UTC, datetime

    from orchestrator.access import RoleBook

    return RoleBook(settings.storage.path / "roles.json", lambda: datetime.now(UTC))


async def noted_here(settings: Settings, action: str, what: str) -> None:
    """Write down what somebody does to this installation at a command line. Raises :class:`orchestrator.access.NotKept`."""
    from orchestrator.access import AuditLog
    from orchestrator.settings import now_in

    now = now_in(settings.locale.timezone)
    audit = AuditLog(settings.changes_file, lambda: now, texts=False)
    await audit.noted(f"command line:{_account()}", action, what, now, "")


def _account() -> str:
    """Whose command line it is, by number where the account has no name, as in a container that runs as any."""
    import getpass
    import os

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
