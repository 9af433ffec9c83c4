"""The HTTP API: the same engine, rights and receipt as everywhere, over FastAPI."""

from orchestrator.surfaces.http.app import make_api, serve, server_config
from orchestrator.surfaces.http.limits import ApiLimits
from orchestrator.surfaces.http.services import Mount, Services
from orchestrator.surfaces.http.state import ServerState

__all__ = ["ApiLimits", "Mount", "ServerState", "Services", "make_api", "serve", "server_config"]
