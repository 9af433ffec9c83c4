"""Who may ask, how often, and what is written down about it: API keys, people's tokens, rates, the audit log."""

from orchestrator.access.audit import AuditLog
from orchestrator.access.callers import Caller
from orchestrator.access.keys import SCOPES, Key, KeyRing, NoSuchKey, Scope
from orchestrator.access.lines import append_line
from orchestrator.access.proxies import TrustedProxy
from orchestrator.access.rates import Rates
from orchestrator.access.sessions import Session, Sessions, kept_secret
from orchestrator.access.signing_keys import SigningKeys
from orchestrator.access.tokens import BadToken, TokenRules, Tokens, looks_like_token, scopes_of

__all__ = [
    "SCOPES",
    "AuditLog",
    "BadToken",
    "Caller",
    "Key",
    "KeyRing",
    "NoSuchKey",
    "Rates",
    "Scope",
    "Session",
    "Sessions",
    "SigningKeys",
    "TokenRules",
    "Tokens",
    "TrustedProxy",
    "append_line",
    "kept_secret",
    "looks_like_token",
    "scopes_of",
]
