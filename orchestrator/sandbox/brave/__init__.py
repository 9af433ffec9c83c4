"""Brave's web search (https://api-dashboard.search.brave.com/api-reference/web/search/get) over pages."""

from .api import BraveEmulator

EMULATOR = BraveEmulator
