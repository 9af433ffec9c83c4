"""People's own tokens: JSON web tokens of one identity provider (OpenID Connect; RFC 9068 where it follows that)."""

from __future__ import annotations

import hmac
import json
from dataclasses import field
from typing import TYPE_CHECKING, Any

from joserfc import jwt
from joserfc.errors import ExpiredTokenError, InvalidClaimError, JoseError, MissingClaimError
from joserfc.util import to_bytes, urlsafe_b64decode

from connectors.errors import Misconfigured
from connectors.text import plain_line
from orchestrator.access.declined import Declined
from orchestrator.access.keys import SCOPES, Caller, Scope
from orchestrator.model import Principal
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from orchestrator.access.signing_keys import SigningKeys

# Signatures that only the provider can make: with HS256 whoever checks can sign, and "none" is no signature.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
LONGEST_TOKEN = 8192  # characters
LONGEST_NAME = 200  # characters of a name, an address, a group
MOST_GROUPS = 1000
PARTS = 3
SCOPE_PREFIX = "fedsearch:"  # a scope of ours as a provider's administrator writes it: fedsearch:web


class BadToken(Declined):
    """A token that opens nothing. The message never quotes it."""


@record
class TokenRules:
    """What a token must say, and what it then allows.

    ``algorithms``: signatures that are taken. ``leeway``: seconds that clocks may differ. ``groups``: the claim with a
    person's groups. ``scopes``: what everybody with a token may do; the scopes ``fedsearch:…`` that the token says
    come on top, and those that ``grants`` gives to its groups.
    """

    issuer: str
    audience: str
    algorithms: tuple[str, ...] = ALGORITHMS
    leeway: float = 30.0
    groups: str = "groups"
    scopes: frozenset[Scope] = frozenset({Scope.SEARCH, Scope.SOURCES})
    grants: Mapping[str, frozenset[Scope]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.audience:
            raise Misconfigured(Said("set oidc.audience: without it a token for any other program would open this one"))
        if unknown := [each for each in self.algorithms if each not in ALGORITHMS]:
            raise Misconfigured(
                Said("oidc.algorithms: {unknown} is not taken; choose from {algorithms}").filled(
                    unknown=repr(unknown[0]), algorithms=", ".join(ALGORITHMS)
                )
            )


class Tokens:
    """Whom a token belongs to. ``clock`` gives the aware moment."""

    def __init__(self, rules: TokenRules, keys: SigningKeys, clock: Callable[[], datetime]) -> None:
        self._rules = rules
        self._keys = keys
        self._clock = clock

    async def find(self, text: str) -> Caller:
        """The person of a token. Raises :class:`BadToken`, and what :meth:`SigningKeys.find` raises."""
        return self._caller(await self._checked(text))

    async def signed_in(self, text: str, nonce: str) -> Caller:
        """The person of an ID token that was asked for with ``nonce`` (OpenID Connect Core 1.0, 3.1.3.7). Raises as :meth:`find`."""
        claims = await self._checked(text)
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise BadToken("bad_token", Said("this sign-in was not begun here; begin again"))
        if claims.get("azp", self._rules.audience) != self._rules.audience:
            raise BadToken("bad_token", Said("this sign-in is for another program (azp); begin again"))
        return self._caller(claims)

    async def _checked(self, text: str) -> dict[str, Any]:
        header = _header(text)
        if header.get("alg") not in self._rules.algorithms:
            raise BadToken("bad_token", Said("this token is signed in a way that is not taken here; ask for another"))
        kid = header.get("kid")
        keys = await self._keys.find(kid if isinstance(kid, str) else None)
        return self._claims(text, keys.keys)

    def _claims(self, text: str, keys: Iterable[Any]) -> dict[str, Any]:
        for key in keys:
            try:
                claims = jwt.decode(text, key, algorithms=list(self._rules.algorithms)).claims
            except (JoseError, ValueError, TypeError):
                continue  # of several keys without a name one may fit
            self._check(claims)
            return claims
        raise BadToken(
            "bad_token", Said("this token is not signed by the identity provider; sign in again for another")
        )

    def _check(self, claims: dict[str, Any]) -> None:
        rules = self._rules
        registry = jwt.JWTClaimsRegistry(
            now=int(self._clock().timestamp()),
            leeway=int(rules.leeway),
            iss={"essential": True, "value": rules.issuer},
            aud={"essential": True, "value": rules.audience},
            sub={"essential": True},
            exp={"essential": True},
        )
        try:
            registry.validate(claims)
        except ExpiredTokenError:
            raise BadToken("expired_token", Said("this token has expired; sign in again for another")) from None
        except (MissingClaimError, InvalidClaimError) as failure:
            raise BadToken("bad_token", _what_is_wrong(failure)) from None

    def _caller(self, claims: Mapping[str, Any]) -> Caller:
        groups = tuple(dict.fromkeys(_texts(claims.get(self._rules.groups))))
        said = (*_texts(_words(claims.get("scope"))), *_texts(_words(claims.get("scp"))))
        scopes = {Scope(name) for each in said if (name := each.removeprefix(SCOPE_PREFIX)) != each and name in SCOPES}
        granted = (self._rules.grants.get(each, frozenset()) for each in groups)
        subject = str(claims["sub"])
        email = claims.get("email")
        # Without the provider's word an address is what somebody typed there about themselves (OpenID Connect Core, 5.1 and 5.7); and one
        # that is another once it is cleaned is nobody's here.
        vouched = claims.get("email_verified") in (True, "true") and _name(email) == email
        return Caller(
            Principal(
                # An issuer has no fragment (OpenID Connect Core, 2), so that two pairs never make one id.
                id=f"{self._rules.issuer}#{subject}",
                name=_name(claims.get("name") or claims.get("preferred_username")),
                email=_name(email),
                groups=groups,
            ),
            self._rules.scopes.union(scopes, *granted),
            address=_name(email) if vouched else "",
        )


def looks_like_token(text: str) -> bool:
    """Whether ``text`` has the shape of a signed JSON web token, which no key of ours has."""
    return text.count(".") == PARTS - 1


def scopes_of(names: Iterable[str], setting: str) -> frozenset[Scope]:
    """Scopes as they are written in a setting. Raises :class:`Misconfigured`."""
    given = tuple(names)
    if unknown := [each for each in given if each not in SCOPES]:
        raise Misconfigured(
            Said("setting {setting}: {unknown} is no scope; there are: {scopes}").filled(
                setting=setting, unknown=repr(unknown[0]), scopes=", ".join(SCOPES)
            )
        )
    return frozenset(map(Scope, given))


def _header(text: str) -> dict[str, Any]:
    """What a token says of its own signature; nothing of it is believed but which key to try."""
    if len(text) <= LONGEST_TOKEN and looks_like_token(text):
        try:
            found = json.loads(urlsafe_b64decode(to_bytes(text.partition(".")[0])))
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
    raise BadToken("bad_token", Said("this is no token of the identity provider; sign in for one"))


def _what_is_wrong(failure: MissingClaimError | InvalidClaimError) -> Said:
    told = str(failure.description or "")
    if "'aud'" in told:
        return Said("this token is for another program (aud); ask the identity provider for one for this program")
    if "'iss'" in told:
        return Said("this token comes from another identity provider (iss); sign in to the one that is configured here")
    if "'sub'" in told:
        return Said("this token does not say whose it is (sub)")
    return Said("this token is not valid at this moment, or does not say until when it is; sign in again for another")


def _texts(value: object) -> list[str]:
    """A claim that is a list of texts, or one text: of whoever is in one group some providers tell that alone. It may have blanks, and is no list of words."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return []
    return [each for each in value[:MOST_GROUPS] if isinstance(each, str) and 0 < len(each) <= LONGEST_NAME]


def _words(value: object) -> object:
    """Scopes, which OAuth writes as words in one text."""
    return value.split() if isinstance(value, str) else value


def _name(value: object) -> str:
    return plain_line(value)[:LONGEST_NAME] if isinstance(value, str) else ""
