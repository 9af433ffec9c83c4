"""SearXNG's JSON API (https://docs.searxng.org/dev/search_api.html) over pages."""

from .api import SearxngEmulator

EMULATOR = SearxngEmulator
