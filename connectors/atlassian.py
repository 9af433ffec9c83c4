"""What Atlassian's cloud products share: each site has its own address, and an API token travels with its owner's address."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic import field_validator

from connectors.auth import basic
from connectors.http import HttpSource, reply_time, retry_after
from connectors.manifest import SourceSettings
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping


SIGN_IN = Said("is email the address of the token's owner, and is the token still valid?")
OF_THIS_KIND = Said("{said} ({kind})")
# What was sent may be echoed, and a signature by address and token is not the token that is masked elsewhere.
SIGNATURE = re.compile(r"\b(?:Basic|Bearer)\s+[A-Za-z0-9+/=._-]{8,}", re.IGNORECASE)


class AtlassianSettings(SourceSettings):
    """``email``: whose API token it is; empty for OAuth access tokens."""

    email: str = ""

    @field_validator("email")
    @classmethod
    def _is_an_address(cls, email: str) -> str:
        if email and ("@" not in email or ":" in email or not email.isprintable() or " " in email):
            raise ValueError(Said("email must be the address of the account that the API token belongs to"))
        return email


class AtlassianSource(HttpSource):
    """One site of one of Atlassian's products."""

    settings: AtlassianSettings
    example_url = "https://your-domain.atlassian.net"

    def authorization(self, secret: str) -> Mapping[str, str]:
        """API tokens travel with an address, theirs (``address:token``) or the configured one; others are bearers.

        https://developer.atlassian.com/cloud/jira/platform/basic-auth-for-rest-apis/
        """
        ours = self.settings.email and self.settings.oauth is None and self.settings.credential == "shared"
        pair = secret if ":" in secret else f"{self.settings.email}:{secret}" if ours else ""
        return basic(pair) if pair else super().authorization(secret)


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until it may be asked again by ``Retry-After`` or ``X-RateLimit-Reset``, ``None`` where neither says.

    https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
    """
    asked = retry_after(headers)
    if asked is not None:
        return asked
    try:
        moment = datetime.fromisoformat(headers.get("x-ratelimit-reset", ""))
    except ValueError:
        return None
    reset = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (reset - reply_time(headers)).total_seconds())
