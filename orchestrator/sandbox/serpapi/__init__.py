"""SerpApi's Google search (https://serpapi.com/search-api) over pages."""

from .api import SerpapiEmulator

EMULATOR = SerpapiEmulator
