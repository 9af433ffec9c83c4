"""The tokens Slack's emulator accepts, and what each may do."""

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.sandbox.people import DOMAIN, Person

GUEST = Person(id="U0SANDBOXGUEST", name="Sandbox Guest", handle="sandbox.guest", email=f"sandbox.guest@{DOMAIN}")
"""Who the limited token belongs to: a guest who wrote nothing and is in no private channel."""

TOKEN = "xoxp-sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
LIMITED_TOKEN = "xoxp-sandbox-limited"  # noqa: S105
SCOPELESS_TOKEN = "xoxp-sandbox-noscope"  # noqa: S105
BOT_TOKEN = "xoxb-sandbox"  # noqa: S105

ACTION_TOKEN = "sandbox-action-token"  # noqa: S105
"""What an event that asks the bot something would carry: a bot may not search without it."""

_READ = frozenset(
    {"channels:read", "channels:history", "groups:read", "groups:history", "users:read", "users:read.email"}
)

_REALTIME = frozenset(f"search:read.{each}" for each in ("public", "private", "im", "mpim", "files", "users"))
SCOPES = _READ | {"search:read"} | _REALTIME
"""Every scope that a user may be asked for here."""
_REALTIME_BOT = frozenset(f"search:read.{each}" for each in ("public", "files", "users"))


@dataclass(frozen=True, slots=True)
class Grant:
    """Whose token it is and what it may ask for."""

    person: Person
    scopes: frozenset[str] = SCOPES
    sees_private: bool = False
    bot: bool = False


def grants(owner: Person, token: str | None) -> Mapping[str, Grant]:
    """Every accepted token; the owner's comes first."""
    return {
        token or TOKEN: Grant(owner, sees_private=True),
        LIMITED_TOKEN: Grant(GUEST),
        SCOPELESS_TOKEN: Grant(owner, scopes=_READ, sees_private=True),
        BOT_TOKEN: Grant(GUEST, scopes=_READ | _REALTIME_BOT, bot=True),
    }
