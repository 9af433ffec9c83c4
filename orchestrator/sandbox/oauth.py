"""An authorization server as vendors run one: codes for one use, PKCE, exact redirects, refresh tokens that rotate.

It knows what a client sent and nothing of how ours is written. RFC 6749 and 7636; where vendors differ, by argument.
"""

import base64
import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

CODE_LASTS = timedelta(minutes=10)  # RFC 6749, 4.1.2: at most
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")  # RFC 7636, 4.1
REDIRECT = re.compile(r"http://(127\.0\.0\.1|localhost):\d{1,5}/(accounts/[a-z][a-z0-9_]*|setup)/callback")
"""What the pretend application has registered: the callbacks of a server on this machine."""


class Denied(Exception):
    """A request that is refused, by the RFC's own word for it (RFC 6749, 4.1.2.1 and 5.2)."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True, slots=True)
class Issued:
    """What one exchange gives out. `lasts`: seconds of the access token."""

    access_token: str
    refresh_token: str
    lasts: int
    scopes: frozenset[str]
    person: str


@dataclass(slots=True)
class Code:
    """A code on its way, and what it must come back with."""

    person: str
    redirect_uri: str
    scopes: frozenset[str]
    challenge: str
    until: datetime
    family: str
    used: bool = False


@dataclass(slots=True)
class Token:
    """An access token. `family`: everything that one consent has led to."""

    person: str
    scopes: frozenset[str]
    until: datetime
    family: str


class AuthorizationServer:
    """One application at one vendor. Safe for use from several threads.

    `prefixes`: what access and refresh tokens begin with. `requires_pkce`: whether a code without a challenge is refused.
    `rotates`: whether a refresh token is good once; else it stays, and none comes with a renewed token. `redirects`: the
    addresses that the application has registered.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        scopes: Collection[str],
        *,
        client_id: str = "sandbox.client",
        client_secret: str = "sandbox-client-secret",  # noqa: S107 - obviously fake, and it opens nothing else
        prefixes: tuple[str, str] = ("access-", "refresh-"),
        lasts: int = 43_200,
        requires_pkce: bool = False,
        rotates: bool = True,
        redirects: re.Pattern[str] = REDIRECT,
    ) -> None:
        self.client_id, self.client_secret = client_id, client_secret
        self.lasts = lasts
        self._clock = clock
        self._scopes = frozenset(scopes)
        self._prefixes = prefixes
        self._requires_pkce = requires_pkce
        self._rotates = rotates
        self._redirects = redirects
        self._codes: dict[str, Code] = {}
        self._tokens: dict[str, Token] = {}
        self._refresh: dict[str, Token] = {}
        self._spent: dict[str, str] = {}
        self._ended: set[str] = set()
        self._lock = threading.Lock()

    def consent(self, asked: Mapping[str, str], scopes: Collection[str], person: str) -> str:
        """A person allows it: the code to send them back with. A wrong client or redirect sends nobody anywhere."""
        self.check_address(asked)
        if unknown := frozenset(scopes) - self._scopes:
            raise Denied("invalid_scope", f"there is no scope {min(unknown)}")
        challenge = asked.get("code_challenge", "")
        if challenge and (asked.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(challenge)):
            raise Denied("invalid_request", "only S256 is taken")
        if self._requires_pkce and not challenge:
            raise Denied("invalid_request", "code_challenge is missing")
        code = secrets.token_urlsafe(24)
        with self._lock:
            until = self._clock() + CODE_LASTS
            self._codes[code] = Code(
                person, asked["redirect_uri"], frozenset(scopes), challenge, until, secrets.token_hex(8)
            )
        return code

    def check_address(self, asked: Mapping[str, str]) -> None:
        """Whether it is our application that asks, and one of its addresses that people would be sent to."""
        if asked.get("client_id") != self.client_id:
            raise Denied("invalid_client", "there is no such application")
        if not self._redirects.fullmatch(asked.get("redirect_uri", "")):
            raise Denied("bad_redirect_uri", "redirect_uri is not one that the application has registered")

    def check_client(self, client_id: str, client_secret: str) -> None:
        """Whether the application has proved itself."""
        if client_id != self.client_id:
            raise Denied("invalid_client", "there is no such application")
        if not hmac.compare_digest(client_secret.encode(), self.client_secret.encode()):
            raise Denied("bad_client_secret", "the application's secret is wrong")

    def redeem(self, asked: Mapping[str, str]) -> Issued:
        """A code against tokens. One that comes twice has leaked: what it led to ends (RFC 6749, 4.1.2)."""
        with self._lock:
            code = self._codes.get(asked.get("code", ""))
            if code is None or self._clock() > code.until:
                raise Denied("invalid_grant", "there is no such code")
            if code.used:
                self._end(code.family)
                raise Denied("code_already_used", "the code was used before")
            if asked.get("redirect_uri", "") != code.redirect_uri:
                raise Denied("bad_redirect_uri", "redirect_uri is not the one that the code was sent to")
            if code.challenge and not _proves(asked.get("code_verifier", ""), code.challenge):
                raise Denied("invalid_grant", "code_verifier does not fit the challenge")
            code.used = True
            return self._issue(code.person, code.scopes, code.family)

    def refresh(self, refresh_token: str) -> Issued:
        """A new pair. A refresh token that comes twice has leaked: its whole family ends (RFC 9700, 4.14.2)."""
        with self._lock:
            if family := self._spent.get(refresh_token):
                self._end(family)
            held = self._refresh.get(refresh_token)
            if held is None or held.family in self._ended:
                raise Denied("invalid_refresh_token", "there is no such refresh token")
            if not self._rotates:
                return replace(self._issue(held.person, held.scopes, held.family), refresh_token="")
            del self._refresh[refresh_token]
            self._spent[refresh_token] = held.family
            return self._issue(held.person, held.scopes, held.family)

    def holder(self, access_token: str) -> Token:
        """Whose token it is."""
        with self._lock:
            token = self._tokens.get(access_token)
            if token is None:
                raise Denied("invalid_token", "there is no such token")
            if token.family in self._ended:
                raise Denied("token_revoked", "the token was revoked")
            if self._clock() > token.until:
                raise Denied("token_expired", "the token has expired")
            return token

    def revoke(self, token: str) -> bool:
        """End a token and all that belongs to it; whether there was one."""
        with self._lock:
            held = self._tokens.get(token) or self._refresh.get(token)
            if held is None or held.family in self._ended:
                return False
            self._end(held.family)
            return True

    def expire(self) -> None:
        """Every access token ends now; refresh tokens stay."""
        with self._lock:
            for token in self._tokens.values():
                token.until = self._clock() - timedelta(seconds=1)

    def _issue(self, person: str, scopes: frozenset[str], family: str) -> Issued:
        access, refresh = (prefix + secrets.token_urlsafe(24) for prefix in self._prefixes)
        held = Token(person, scopes, self._clock() + timedelta(seconds=self.lasts), family)
        self._tokens[access] = self._refresh[refresh] = held
        return Issued(access, refresh, self.lasts, scopes, person)

    def _end(self, family: str) -> None:
        self._ended.add(family)


def _proves(verifier: str, challenge: str) -> bool:
    if not VERIFIER.fullmatch(verifier):
        return False
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    return hmac.compare_digest(digest, challenge)
