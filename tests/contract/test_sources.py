"""Every source of ours keeps the contract: a folder that is added is held to it without a line here."""

from __future__ import annotations

from connectors.registry import load_source, source_kinds
from connectors.testing import source_contract

for _kind in source_kinds():
    globals()[f"Test{_kind.title()}"] = source_contract(load_source(_kind))
