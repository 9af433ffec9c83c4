"""Every source of ours keeps the contract: a folder that is added is held to it without a line here."""

from __future__ import annotations

from connectors.registry import load_source, source_kinds
from connectors.testing import source_contract

# The local index has no vendor whose replies could be played: test_local_source.py holds it to the same checks, over a
# real PostgreSQL.
WITHOUT_STAGE = frozenset({"local"})

for _kind in sorted(set(source_kinds()) - WITHOUT_STAGE):
    globals()[f"Test{_kind.title()}"] = source_contract(load_source(_kind))
