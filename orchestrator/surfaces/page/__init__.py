"""The search page: the same engine, rights and receipt as everywhere, for people with a browser."""

from orchestrator.surfaces.page.desk import PageServices
from orchestrator.surfaces.page.routes import page_routes

__all__ = ["PageServices", "page_routes"]
