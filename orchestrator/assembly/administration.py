"""What the pages for whoever runs the server stand on, and where use and changes are written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import page_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from starlette.requests import Request

    from orchestrator.access import AuditedAction, Caller, ConnectedAccount, UsageFigures, UsageLog
    from orchestrator.learning import Reaction
    from orchestrator.settings import Settings
    from orchestrator.surfaces.http import ServerState, Services
    from orchestrator.surfaces.page.admin_services import AdminServices, Roles

MOST_ACTIONS = 30  # that are shown


def usage_log(settings: Settings, clock: Callable[[], datetime]) -> UsageLog:
    """Among the data of this installation; words stand there only where the audit log may hold them too."""
    from orchestrator.access import USAGE, UsageLog

    server, folder = settings.server, settings.storage.path / USAGE
    return UsageLog(folder, lambda: page_secret(settings), clock, server.usage, texts=server.audit_texts)


def actions_file(settings: Settings) -> Path:
    """Where it is written down what was done to this installation: the audit log, and beside the data where none is kept."""
    from pathlib import Path

    return (
        Path(settings.server.audit).expanduser() if settings.server.audit else settings.storage.path / "changes.jsonl"
    )


def administration_of(settings: Settings, state: ServerState, services: Services) -> AdminServices:
    """For a running server."""
    from orchestrator.access import USAGE, AuditLog, newest_actions, usage_figures
    from orchestrator.documents.sources import source_states
    from orchestrator.learning import FOLDER, count_reactions
    from orchestrator.surfaces.page.admin_services import AdminServices

    data, file = settings.storage.path, actions_file(settings)
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
        roles=_roles_of(settings),
        noted=noted,
        counts=bool(settings.server.usage),
        keeps_words=settings.server.audit_texts,
    )


def _roles_of(settings: Settings) -> Roles:
    """What everybody may who is not let in by a key."""
    from orchestrator.access import scopes_of
    from orchestrator.surfaces.page.admin_services import Roles

    oidc, proxy = settings.oidc, settings.proxy
    groups = tuple(
        (group, tuple(sorted(scopes_of(names, f"oidc.grants.{group}")))) for group, names in oidc.grants.items()
    )
    proxied = tuple(sorted(scopes_of(proxy.scopes, "proxy.scopes"))) if proxy.header else ()
    everybody = tuple(sorted(scopes_of(oidc.scopes, "oidc.scopes")))
    return Roles(oidc.issuer, everybody, groups, proxied)
