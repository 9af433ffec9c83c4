"""The search page: the same engine, rights and receipt as everywhere, for people with a browser."""

from orchestrator.surfaces.page.routes import page_routes
from orchestrator.surfaces.page.services import PageServices

__all__ = ["PageServices", "page_routes"]
