"""Other names that the sources teach: what a thing was called before, and what it is called in the other language."""

from __future__ import annotations

from orchestrator.aliases.reading import Alias, AliasEvidence, read_aliases
from orchestrator.aliases.repository import NAMES, AliasRepository, also_called, taught

__all__ = ["NAMES", "Alias", "AliasEvidence", "AliasRepository", "also_called", "read_aliases", "taught"]
