"""GitHub's REST and GraphQL APIs, as far as searching and reading issues, discussions and code needs them."""

from .api import GitHubEmulator

EMULATOR = GitHubEmulator

__all__ = ["EMULATOR", "GitHubEmulator"]
