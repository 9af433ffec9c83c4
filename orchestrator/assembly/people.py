"""Who may ask beside the holders of API keys: people with a token of an identity provider, and whom a proxy names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.access import Tokens, TrustedProxy
    from orchestrator.settings import Settings


def tokens_of(settings: Settings) -> Tokens | None:
    """People's tokens, where an issuer is set. Raises :class:`Misconfigured`."""
    import time
    from datetime import UTC, datetime

    from orchestrator.access import SigningKeys, TokenRules, Tokens, scopes_of

    said = settings.oidc
    if not said.issuer:
        return None
    rules = TokenRules(
        issuer=said.issuer,
        audience=said.audience,
        algorithms=said.algorithms,
        leeway=said.leeway,
        groups=said.groups,
        scopes=scopes_of(said.scopes, "oidc.scopes"),
        grants={group: scopes_of(names, f"oidc.grants.{group}") for group, names in said.grants.items()},
    )
    return Tokens(rules, SigningKeys(said.issuer, time.monotonic), lambda: datetime.now(UTC))


def proxy_of(settings: Settings) -> TrustedProxy | None:
    """The proxy that is believed, where one is set. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.access import TrustedProxy, scopes_of

    said = settings.proxy
    if not said.header:
        return None
    if not said.addresses:
        raise Misconfigured("set proxy.addresses: without it anybody could say in proxy.header who they are")
    return TrustedProxy(said.header.lower(), said.addresses, scopes_of(said.scopes, "proxy.scopes"))
