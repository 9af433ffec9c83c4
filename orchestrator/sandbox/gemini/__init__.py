"""The Gemini API with Google search (https://ai.google.dev/gemini-api/docs/google-search) over pages."""

from .api import GeminiEmulator

EMULATOR = GeminiEmulator
