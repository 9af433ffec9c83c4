"""What the HTTP API and the MCP server stand on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import connecting_of, page_secret, proxy_of, tokens_of
from orchestrator.assembly.administration import administration_of, role_book, usage_log
from orchestrator.assembly.digests import digests_beside
from orchestrator.assembly.learning import learning_log
from orchestrator.assembly.personal_data import FEEDBACK, personal_data_of
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import ledger_of
from orchestrator.assembly.web import build_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from connectors.models.reranking import Reranker
    from orchestrator.access import ApiKey, Caller, KeyRing, Scope
    from orchestrator.assembly.reloading import LiveSources
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import Settings, SettingsSite
    from orchestrator.surfaces.http import Mount, ServerState, Services
    from orchestrator.surfaces.http.protected import ProtectedResource
    from orchestrator.surfaces.page.services import EventRenderer, Judgment


def api_services(
    settings: Settings, keys: KeyRing | None, site: SettingsSite | None = None, code: str = ""
) -> Services:
    """What the HTTP API stands on; nothing is opened yet. Without ``keys`` everybody is let in. ``site``: where the settings are from.

    ``code``: by which the first person is let in, where nobody can sign in yet.
    """
    import time
    from functools import partial
    from importlib.metadata import version

    from orchestrator.access import AuditLog, Rates
    from orchestrator.assembly.reloading import LiveSources
    from orchestrator.dialogue import ConversationTokens
    from orchestrator.settings import SettingsSite, now_in
    from orchestrator.surfaces.http import ApiLimits, Services

    live = LiveSources(site or SettingsSite(), settings)
    server, clock = settings.server, partial(now_in, settings.locale.timezone)

    services = Services(
        open_engine=lambda: build_engine(settings, apart=True),
        open_web=lambda: build_web(settings),
        open_reranker=lambda: judge_of(settings),
        rerank_patience=settings.ranking.reranker.timeout,
        keys=keys,
        roles=role_book(settings),
        clock=clock,
        rates=Rates(server.rate, server.period, time.monotonic, ledger_of(settings)),
        audit=AuditLog(server.audit_file, clock, texts=server.audit_texts),
        feedback=settings.storage.path / FEEDBACK,
        learning=learning_log(settings, clock),
        usage=usage_log(settings, clock),
        conversations=ConversationTokens(lambda: page_secret(settings), clock),
        version=version("fedsearch"),
        limits=ApiLimits(body=server.body, budget=server.budget, usual=settings.search.budget, leaving=server.leaving),
        tokens=tokens_of(settings),
        proxy=proxy_of(settings),
        resource=_resource_of(settings),
        connecting=connecting_of(settings),
        personal_data=partial(personal_data_of, settings, clock, with_roles=False),
        digests=lambda engine: digests_beside(settings, engine),
        runs_schedules=settings.scheduled.worker,
        following=live.watching,
        mounts=lambda state: (mcp_mount(settings, state, services, authenticated=keys is not None),),
        pages=lambda running, state: pages_of(settings, state, running, live, code),
    )
    return services


def _resource_of(settings: Settings) -> ProtectedResource | None:
    """How programs find who signs people in, where tokens are taken and it is known how this server is reached."""
    from orchestrator.surfaces.http.protected import ProtectedResource

    said, address = settings.oidc, settings.accounts.address.rstrip("/")
    return ProtectedResource(address, said.issuer) if said.issuer and said.audience and address else None


def judge_of(settings: Settings) -> Reranker:
    """Who judges documents for callers: the configured reranker, else the local one, by words alone."""
    from connectors.models import open_reranker
    from connectors.models.reranking_local import LocalReranker

    return open_reranker(settings.ranking.reranker) or LocalReranker(None)


def mcp_mount(settings: Settings, state: ServerState, services: Services, *, authenticated: bool) -> Mount:
    """The MCP server beside the API: the same engine and figures, the asker whom the key belongs to."""
    import secrets

    from mcp.server.transport_security import TransportSecuritySettings

    from orchestrator.surfaces.http import Mount, searching
    from orchestrator.surfaces.mcp import ToolServices, make_server

    async def answered(ask: Ask, answer: Answer) -> None:
        await searching.answered(ask, answer, secrets.token_hex(8), services, state)

    server = make_server(
        ToolServices(
            engine=lambda: state.answering,
            caller=lambda context: context.request_context.request.scope["caller"],
            clock=services.clock,
            answered=answered,
            web=lambda: state.web,
            conversations=services.conversations,
            budget=settings.search.budget,
            version=services.version,
        )
    )
    # A key cannot be sent by a page that a browser was lured to; without keys only the host name protects.
    guard = TransportSecuritySettings(enable_dns_rebinding_protection=False) if authenticated else None
    app = server.streamable_http_app(streamable_http_path="/mcp", stateless_http=True, transport_security=guard)
    return Mount("/mcp", app, server.session_manager.run)


def pages_of(
    settings: Settings, state: ServerState, services: Services, live: LiveSources, code: str
) -> tuple[Route, ...]:
    """The search page beside the API: the same keys, rates, streams, figures and judgments."""
    from datetime import UTC, datetime, timedelta
    from functools import partial

    from orchestrator.access import ApiKey, FirstRun, Sessions
    from orchestrator.assembly.accounts import sign_in_of
    from orchestrator.assembly.setup_pages import SetupDesk
    from orchestrator.documents.sources import source_states
    from orchestrator.surfaces.http import bodies, feedback, identity, searching
    from orchestrator.surfaces.page import PageServices, page_routes

    slowest = services.limits.slowest

    async def admit(request: Request, known: ApiKey | Caller | None, scope: Scope) -> Caller:
        found = known or await identity.identify(request.scope, services)
        known_as = identity.holder(found) if isinstance(found, ApiKey) else found
        return await identity.let_in(known_as, scope, services, request.scope)

    def events(ask: Ask, request_id: str) -> AsyncIterator[tuple[str, object]]:
        _ = state.answering  # a server that is not ready refuses here, where a page can still say so
        return searching.happenings(ask, request_id, services, state)

    def stream(request: Request, ask: Ask, told: EventRenderer) -> Response:
        return searching.read_along(ask, request, services, state, told)

    async def judged(caller: Caller, said: Judgment) -> None:
        await feedback.keep(bodies.Feedback.model_validate(asdict(said)), caller, services)

    async def noted(request: Request, caller: Caller, action: str, source: str) -> None:
        await services.audit.noted(caller.principal.id, action, source, services.clock(), request.scope["request_id"])

    sign_in = sign_in_of(settings, lambda: page_secret(settings)) if services.keys is not None else None
    first = FirstRun(code, services.keys) if services.keys is not None and code else None
    page_services = PageServices(
        sessions=Sessions(
            lambda: page_secret(settings),
            services.keys,
            lambda: datetime.now(UTC),
            issuer=settings.oidc.issuer if sign_in else "",
            lasting=timedelta(hours=settings.oidc.hours),
            widened=services.roles.widened,
        ),
        sign_in=sign_in,
        admit=admit,
        events=events,
        stream=stream,
        growing=lambda content: searching.Growing(content, slowest),
        judged=judged,
        sources=lambda caller: source_states(state.engine, caller.principal),
        clock=services.clock,
        budget=settings.search.budget,
        admin=administration_of(settings, state, services),
        setup=SetupDesk(settings, live, lambda: state.engine, services.clock, first),
        secure=settings.accounts.address.startswith("https://"),
        connecting=services.connecting,
        personal_data=partial(personal_data_of, settings, services.clock, with_roles=False),
        noted=noted,
        digests=lambda: (
            state.digest_service if state.digest_service is not None and state.digest_service.is_used else None
        ),
        defining=lambda: state.digest_service,
        has_sources=lambda: state.running is None or bool(state.running.profiles),
    )
    return page_routes(page_services)
