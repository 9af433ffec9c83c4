"""Who may ask, how often, and what is written down about it: API keys, rates, the audit log."""

from orchestrator.access.audit import AuditLog
from orchestrator.access.keys import SCOPES, Key, KeyRing, NoSuchKey, Scope
from orchestrator.access.rates import Rates

__all__ = ["SCOPES", "AuditLog", "Key", "KeyRing", "NoSuchKey", "Rates", "Scope"]
