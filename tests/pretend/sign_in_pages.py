"""The sign-in services of vendors other than Slack, each by what its documentation asks of a client.

One service at a time; `VENDORS` says how they differ. Where documentation is silent the stricter reading was chosen.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.oauth import AuthorizationServer, Denied
from orchestrator.sandbox.wire import WireReply, WireRequest, json_reply

WHO = "sandbox_person"


@dataclass(frozen=True, slots=True)
class Ways:
    """How a vendor wants to be asked.

    `wants`: parameters that sending a person there must have. `offline`: the parameter, or scope, without which no refresh
    token is given. `speaks` and `proves`: the body that is read, and where the application's secret must stand.
    `refusal`: the status of an error. `revokes`: method and path, if any.
    """

    scopes: Sequence[str] = ()
    separator: str = " "
    wants: Mapping[str, str] = field(default_factory=dict)
    offline: str = ""
    speaks: str = "application/x-www-form-urlencoded"
    proves: str = "form"
    refusal: int = 400
    requires_pkce: bool = False
    rotates: bool = True
    revokes: tuple[str, str] | None = None
    errors: Mapping[str, str] = field(default_factory=dict)


JSON = "application/json"
GOOGLE = "https://www.googleapis.com/auth/"
_CHAT = tuple(f"{GOOGLE}chat.{each}.readonly" for each in ("messages", "spaces"))
VENDORS: Mapping[str, Ways] = {
    # https://developers.google.com/identity/protocols/oauth2/web-server
    "google": Ways(
        (f"{GOOGLE}gmail.readonly", f"{GOOGLE}drive.readonly", *_CHAT),
        offline="access_type=offline",
        rotates=False,
        revokes=("POST", "/revoke"),
        errors={"bad_redirect_uri": "redirect_uri_mismatch", "bad_client_secret": "invalid_client"},
    ),
    # https://developers.notion.com/reference/create-a-token and /reference/revoke-token
    "notion": Ways(wants={"owner": "user"}, speaks=JSON, proves="basic", revokes=("POST", "/revoke")),
    # https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
    "atlassian": Ways(
        (
            "read:jira-work", "read:jira-user", "search:confluence", "read:confluence-user", "read:space:confluence",
            "read:page:confluence", "offline_access",
        ),
        wants={"audience": "api.atlassian.com", "prompt": "consent"},
        offline="offline_access",
        speaks=JSON,
        refusal=403,
    ),
    # https://linear.app/developers/oauth-2-0-authentication
    "linear": Ways(("read", "write"), separator=",", revokes=("POST", "/revoke")),
    # https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps : errors come with 200
    "github": Ways(
        ("repo", "read:org"),
        refusal=200,
        revokes=("DELETE", "/applications/sandbox.client/token"),
        errors={"invalid_grant": "bad_verification_code", "bad_client_secret": "incorrect_client_credentials"},
    ),
    # https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
    "microsoft": Ways(
        (
            "offline_access", "Mail.Read", "Chat.Read", "ChannelMessage.Read.All", "Channel.ReadBasic.All",
            "Files.Read.All", "Sites.Read.All", "User.Read",
        ),
        offline="offline_access",
        requires_pkce=True,
    ),
}  # fmt: skip


class SignInPages:
    """`/authorize`, `/token` and the way to revoke of one vendor; a person is whoever `sandbox_person` names."""

    source = "sign_in"
    base_path = "/"
    tokens: Sequence[str] = ()

    def __init__(self, vendor: str, clock: Callable[[], datetime]) -> None:
        self._ways = VENDORS[vendor]
        ways = self._ways
        self.server = AuthorizationServer(
            clock, ways.scopes, lasts=3600, requires_pkce=ways.requires_pkce, rotates=ways.rotates
        )
        self._offline: set[str] = set()

    def answer(self, request: WireRequest) -> WireReply:
        """The vendor's reply."""
        try:
            match request.method, request.path:
                case "GET", "/authorize":
                    return self._authorize(dict(request.query()))
                case "POST", "/token":
                    return json_reply(200, self._token(request))
                case method, path if (method, path) == self._ways.revokes:
                    return self._revoke(request)
                case _:
                    return json_reply(404, {"error": "not_found"})
        except Denied as denied:
            code = self._ways.errors.get(denied.code, _plain(denied.code))
            return json_reply(self._ways.refusal, {"error": code, "error_description": str(denied)})

    def refuse(self, fault: Fault) -> WireReply:
        """A failure of the service itself."""
        return json_reply(fault.refusal or 500, {"error": "temporarily_unavailable"})

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return json_reply(413, {"error": "invalid_request"})

    def origins(self) -> Mapping[str, str]:
        """Nothing is served here."""
        return {}

    def _authorize(self, asked: Mapping[str, str]) -> WireReply:
        self.server.check_address(asked)
        scopes = [each for each in asked.get("scope", "").split(self._ways.separator) if each]
        told = {"error": "invalid_request"}
        if asked.get("response_type") == "code" and all(
            asked.get(name) == value for name, value in self._ways.wants.items()
        ):
            try:
                told = {"code": self.server.consent(asked, scopes, asked.get(WHO, "somebody"))}
            except Denied as denied:
                told = {"error": denied.code}
        if self._is_offline(asked, scopes):
            self._offline.add(told.get("code", ""))
        back = f"{asked['redirect_uri']}?{urlencode({**told, 'state': asked.get('state', '')})}"
        return WireReply(302, b"", {"Location": back})

    def _is_offline(self, asked: Mapping[str, str], scopes: Sequence[str]) -> bool:
        name, equals, value = self._ways.offline.partition("=")
        return not name or (asked.get(name) == value if equals else name in scopes)

    def _token(self, request: WireRequest) -> dict[str, Any]:
        asked = self._read(request)
        self.server.check_client(*self._client(request, asked))
        if asked.get("grant_type") == "refresh_token":
            issued, lasting = self.server.refresh(asked.get("refresh_token", "")), True
        elif asked.get("grant_type") == "authorization_code":
            issued, lasting = self.server.redeem(asked), asked["code"] in self._offline
        else:
            raise Denied("unsupported_grant_type", "codes and refresh tokens are taken")
        refresh = {"refresh_token": issued.refresh_token} if lasting and issued.refresh_token else {}
        scope = self._ways.separator.join(sorted(issued.scopes))
        return {
            "access_token": issued.access_token, "token_type": "bearer", "expires_in": issued.lasts, "scope": scope, **refresh,
        }  # fmt: skip

    def _revoke(self, request: WireRequest) -> WireReply:
        """RFC 7009, 2.2: 200 whether or not there was such a token."""
        asked = self._read(request)
        if request.method == "DELETE" or self._ways.proves == "basic":
            self.server.check_client(*_basic(request))
        self.server.revoke(asked.get("token") or asked.get("access_token", ""))
        return WireReply(204 if request.method == "DELETE" else 200, b"")

    def _read(self, request: WireRequest) -> dict[str, str]:
        kind = request.headers.get("content-type", "").partition(";")[0].strip()
        wanted = JSON if request.method == "DELETE" else self._ways.speaks
        if kind != wanted:
            raise Denied("invalid_request", f"a body of the type {wanted} is read here")
        if kind != JSON:
            return dict(parse_qsl(request.body.decode("utf-8", "replace")))
        try:
            read = json.loads(request.body)
        except ValueError:
            read = None
        if not isinstance(read, dict) or not all(isinstance(value, str) for value in read.values()):
            raise Denied("invalid_request", "the body is no JSON object of strings")
        return read

    def _client(self, request: WireRequest, asked: Mapping[str, str]) -> tuple[str, str]:
        if self._ways.proves == "basic":
            if "client_secret" in asked:
                raise Denied("invalid_request", "the secret belongs into the header")
            return _basic(request)
        return asked.get("client_id", ""), asked.get("client_secret", "")


def _basic(request: WireRequest) -> tuple[str, str]:
    name, _, secret = (request.basic or "").partition(":")
    return unquote(name), unquote(secret)


def _plain(code: str) -> str:
    """The RFC's word for it."""
    known = {"invalid_client", "invalid_request", "invalid_scope", "unsupported_grant_type"}
    return code if code in known else "invalid_client" if code == "bad_client_secret" else "invalid_grant"
