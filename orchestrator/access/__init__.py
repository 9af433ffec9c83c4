"""Who may ask, how often, and what is written down about it: API keys, people's tokens, rates, the audit log."""

from orchestrator.access.audit import AuditedAction, AuditLog, NotKept, newest_actions
from orchestrator.access.connecting import AccountStatus, Begun, Connecting, NotConnected, PersonalToken
from orchestrator.access.described import CLIENT_DOCUMENT, ClientDocument, SelfDescribed
from orchestrator.access.keys import (
    KEY_HOLDER,
    NO_KEY,
    SCOPES,
    ApiKey,
    Caller,
    FirstRun,
    KeyRing,
    NoSuchKey,
    Scope,
    new_code,
)
from orchestrator.access.personal_data import (
    STAYS,
    PersonalData,
    PersonalStore,
    accounts_store,
    lines_store,
    log_store,
    roles_store,
)
from orchestrator.access.rates import Rates
from orchestrator.access.reaching import DiscoveredReach
from orchestrator.access.roles import (
    GivenRole,
    Grantee,
    LocksOut,
    NoSuchRole,
    RoleBook,
    SettledRole,
    TrustedProxy,
    holder_name,
    role_id,
)
from orchestrator.access.sessions import Session, Sessions, TooMuchSaid, kept_secret
from orchestrator.access.sign_in import NotSignedIn, ProviderSignIn
from orchestrator.access.signing_keys import SigningKeys
from orchestrator.access.tickets import Tickets
from orchestrator.access.tokens import BadToken, TokenRules, Tokens, looks_like_token, scopes_of
from orchestrator.access.usage import USAGE, SourceHour, UsageFigures, UsageLog, usage_figures
from orchestrator.access.vault import ConnectedAccount, Connection, Vault
from orchestrator.lines import append_line, newest_first
from orchestrator.sealing import CannotOpen, Seal, keys_of, new_key

__all__ = [
    "CLIENT_DOCUMENT",
    "KEY_HOLDER",
    "NO_KEY",
    "SCOPES",
    "STAYS",
    "USAGE",
    "AccountStatus",
    "ApiKey",
    "AuditLog",
    "AuditedAction",
    "BadToken",
    "Begun",
    "Caller",
    "CannotOpen",
    "ClientDocument",
    "ConnectedAccount",
    "Connecting",
    "Connection",
    "DiscoveredReach",
    "FirstRun",
    "GivenRole",
    "Grantee",
    "KeyRing",
    "LocksOut",
    "NoSuchKey",
    "NoSuchRole",
    "NotConnected",
    "NotKept",
    "NotSignedIn",
    "PersonalData",
    "PersonalStore",
    "PersonalToken",
    "ProviderSignIn",
    "Rates",
    "RoleBook",
    "Scope",
    "Seal",
    "SelfDescribed",
    "Session",
    "Sessions",
    "SettledRole",
    "SigningKeys",
    "SourceHour",
    "Tickets",
    "TokenRules",
    "Tokens",
    "TooMuchSaid",
    "TrustedProxy",
    "UsageFigures",
    "UsageLog",
    "Vault",
    "accounts_store",
    "append_line",
    "holder_name",
    "kept_secret",
    "keys_of",
    "lines_store",
    "log_store",
    "looks_like_token",
    "new_code",
    "new_key",
    "newest_actions",
    "newest_first",
    "role_id",
    "roles_store",
    "scopes_of",
    "usage_figures",
]
