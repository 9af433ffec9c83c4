"""What the HTTP API and the MCP server stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.web import build_web

if TYPE_CHECKING:
    from connectors.reranking import Reranker
    from orchestrator.access import KeyRing
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import Settings
    from orchestrator.surfaces.http import Mount, Services, State


def api_services(settings: Settings, keys: KeyRing | None) -> Services:
    """What the HTTP API stands on; nothing is opened yet. Without ``keys`` everybody is let in."""
    import time
    from datetime import datetime
    from importlib.metadata import version
    from pathlib import Path
    from zoneinfo import ZoneInfo

    from orchestrator.access import AuditLog, Rates
    from orchestrator.surfaces.http import ApiLimits, Services

    server, zone = settings.server, ZoneInfo(settings.locale.zone) if settings.locale.zone else None
    services = Services(
        open_engine=lambda: build_engine(settings),
        open_web=lambda: build_web(settings),
        open_reranker=lambda: judge_of(settings),
        rerank_patience=settings.ranking.reranker.timeout,
        keys=keys,
        clock=lambda: datetime.now(zone).astimezone(zone),
        rates=Rates(server.rate, server.period, time.monotonic),
        audit=AuditLog(Path(server.audit).expanduser() if server.audit else None, texts=server.audit_texts),
        feedback=settings.storage.path / "feedback.jsonl",
        version=version("fedsearch"),
        limits=ApiLimits(body=server.body, budget=server.budget),
        mounts=lambda state: (mcp_mount(settings, state, services, authenticated=keys is not None),),
    )
    return services


def judge_of(settings: Settings) -> Reranker:
    """Who judges documents for callers: the configured reranker, else the local one, by words alone."""
    from connectors.reranking import open_reranker
    from connectors.reranking_local import LocalReranker

    return open_reranker(settings.ranking.reranker) or LocalReranker(None)


def mcp_mount(settings: Settings, state: State, services: Services, *, authenticated: bool) -> Mount:
    """The MCP server beside the API: the same engine and figures, the asker whom the key belongs to."""
    import secrets

    from mcp.server.transport_security import TransportSecuritySettings

    from orchestrator.surfaces.http import Mount
    from orchestrator.surfaces.mcp import Desk, make_server

    async def answered(ask: Ask, answer: Answer) -> None:
        state.metrics.answered(answer)
        await services.audit.asked(ask, answer, secrets.token_hex(8))

    server = make_server(
        Desk(
            engine=lambda: state.engine,
            asker=lambda context: context.request_context.request.scope["caller"].principal,
            clock=services.clock,
            answered=answered,
            web=lambda: state.web,
            budget=settings.search.budget,
            version=services.version,
        )
    )
    # A key cannot be sent by a page that a browser was lured to; without keys only the host name protects.
    guard = TransportSecuritySettings(enable_dns_rebinding_protection=False) if authenticated else None
    app = server.streamable_http_app(streamable_http_path="/mcp", stateless_http=True, transport_security=guard)
    return Mount("/mcp", app, server.session_manager.run)
