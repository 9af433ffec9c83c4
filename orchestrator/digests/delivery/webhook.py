"""To a program by HTTPS, signed: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md ."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured, Unavailable
from connectors.http import Reply, error_for
from connectors.text import private_way
from connectors.transport import open_session
from orchestrator.digests.delivery import kept_destination
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    import aiohttp
    from pydantic import SecretStr

    from orchestrator.digests.message import DigestMessage
    from orchestrator.websearch.pages.addresses import AddressPolicy

SCHEMES = ("https", "http")
PREFIX = "whsec_"
TIMEOUT = 30.0  # seconds


class ToWebhook:
    """``https://…``. ``secret`` signs; ``clock`` gives seconds since 1970, by which a receiver refuses what is old.

    ``reach``: which addresses may be connected to; ``None``: any, since whoever set it up may reach them as well.
    """

    def __init__(
        self, secret: SecretStr | None, clock: Callable[[], float] = time.time, reach: AddressPolicy | None = None
    ) -> None:
        self._secret = secret
        self._clock = clock
        self._reach = reach

    async def __call__(self, address: str, message: DigestMessage, key: str, at: datetime) -> None:
        import aiohttp

        from orchestrator.websearch import PageUnread

        if self._secret is None:
            raise Misconfigured(Said("a webhook needs a secret to sign by; set digests.NAME.secret in the environment"))
        if not private_way(address):
            raise Misconfigured(Said("a webhook is sent by https only, or to this machine"))
        content = {"id": key, "at": at.isoformat(), "title": message.title, "text": message.markdown, **_named(message)}
        body = json.dumps(content, ensure_ascii=False).encode()
        headers = {
            "Content-Type": "application/json",
            **signed(self._secret.get_secret_value(), key, self._clock(), body),
        }
        try:
            async with self._session(address) as session:
                limit = aiohttp.ClientTimeout(total=TIMEOUT)
                post = session.post(address, data=body, headers=headers, timeout=limit, allow_redirects=False)
                async with post as response:
                    told = {name.lower(): value for name, value in response.headers.items()}
                    problem = error_for(
                        Reply(response.status, None, told), f"the webhook answered HTTP {response.status}"
                    )
        except PageUnread as failure:
            raise Misconfigured(
                Said("{shown} is not sent to: {message}").filled(
                    shown=kept_destination(address).shown, message=failure.message
                )
            ) from None
        except (aiohttp.ClientError, OSError, TimeoutError) as failure:
            said = type(failure).__name__  # its text may hold the address
            raise Unavailable(
                Said("{shown} cannot be reached ({said})").filled(shown=kept_destination(address).shown, said=said)
            ) from None
        if problem is not None:
            raise problem

    def _session(self, address: str) -> aiohttp.ClientSession:
        """Connections that lead where they may, whatever a name means by the time it is looked up. Raises :class:`PageUnread`."""
        if self._reach is None:
            return open_session(1)
        from orchestrator.websearch.pages.connecting import session_to

        return session_to(address, self._reach)


def signed(secret: str, key: str, moment: float, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows that it is ours, is new, and has come before."""
    stamp = str(int(moment))
    said = b".".join((key.encode(), stamp.encode(), body))
    made = base64.b64encode(hmac.new(_key(secret), said, hashlib.sha256).digest()).decode()
    return {"webhook-id": key, "webhook-timestamp": stamp, "webhook-signature": f"v1,{made}"}


def _key(secret: str) -> bytes:
    if not secret.startswith(PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise Misconfigured(Said("the webhook's secret begins with whsec_, but no base64 follows")) from None


def _named(message: DigestMessage) -> dict[str, object]:
    return {"type": f"fedsearch.{message.data['kind']}", "data": message.data}
