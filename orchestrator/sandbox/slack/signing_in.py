"""Signing in with Slack: the page that asks for consent, `oauth.v2.access`, `auth.revoke`.

https://docs.slack.dev/authentication/installing-with-oauth and https://docs.slack.dev/authentication/using-token-rotation
"""

import html
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import unquote, urlencode

from orchestrator.sandbox.corpus import Directory, Person
from orchestrator.sandbox.oauth import AuthorizationServer, Denied, Issued
from orchestrator.sandbox.slack.arguments import SlackError, read_arguments
from orchestrator.sandbox.slack.store import SCOPES, TEAM_ID, Grant, member_id
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest

PAGE = "/oauth/v2/authorize"
WHO = "sandbox_person"
"""The cookie, or parameter, that says as whom the browser is signed in to Slack: a handle. `nobody` declines."""

_CODES = {
    "invalid_client": "invalid_client_id",
    "invalid_grant": "invalid_code",
    "invalid_token": "invalid_auth",
}


class SigningIn:
    """Slack's side of the flow: a user token for whoever consents, which rotates. The only part that remembers anything."""

    def __init__(self, situation: Situation, people: Directory) -> None:
        self._people = people
        self.server = AuthorizationServer(
            situation.clock,
            SCOPES,
            client_id="1000000000.2000000000",
            client_secret="sandbox-slack-secret",  # noqa: S106
            prefixes=("xoxe.xoxp-1-", "xoxe-1-"),
        )

    def page(self, request: WireRequest) -> WireReply:
        """`GET /oauth/v2/authorize`: back to the application with a code, or with `error`."""
        asked = dict(request.query())
        try:
            self.server.check_address(asked)
        except Denied as denied:
            return _shown(400, f"<p>{html.escape(str(denied))}</p>")
        who = asked.get(WHO) or _cookie(request)
        person = self._people.find(who)
        if person is None and who != "nobody":
            return _shown(200, self._people_to_be(request))
        told = self._consented(asked, person)
        back = f"{asked['redirect_uri']}?{urlencode({**told, 'state': asked.get('state', '')})}"
        return WireReply(302, b"", {"Location": back})

    def _consented(self, asked: Mapping[str, str], person: Person | None) -> dict[str, str]:
        """What a person brings back: a code, or why there is none."""
        scopes = frozenset(filter(None, asked.get("user_scope", "").replace(" ", ",").split(",")))
        if person is None:
            return {"error": "access_denied"}
        if not scopes:
            return {"error": "invalid_scope"}
        try:
            return {"code": self.server.consent(asked, scopes, person.id)}
        except Denied as denied:
            return {"error": denied.code}

    def access(self, request: WireRequest, _: object) -> dict[str, Any]:
        """`oauth.v2.access`: a code or a refresh token against a user's token."""
        asked = read_arguments(request)
        kind = asked.get("grant_type", "authorization_code")
        if kind not in ("authorization_code", "refresh_token"):
            raise SlackError("invalid_grant_type")
        try:
            self.server.check_client(*client_of(asked, request.basic))
            if kind == "refresh_token":
                return self._refreshed(self.server.refresh(asked.get("refresh_token", "")))
            return self._granted(self.server.redeem(asked))
        except Denied as denied:
            raise SlackError(_CODES.get(denied.code, denied.code)) from denied

    def revoke(self, _: WireRequest, token: object) -> dict[str, Any]:
        """`auth.revoke`: the token that signs the request ends."""
        if not self.server.revoke(str(token)):
            raise SlackError("invalid_auth")
        return {"revoked": True}

    def grant(self, token: str) -> Grant | None:
        """What a token may do; nothing for one that was not given out here."""
        try:
            held = self.server.holder(token)
        except Denied as denied:
            if denied.code == "invalid_token":
                return None
            raise SlackError(denied.code) from denied
        person = self._people.find(held.person)
        return None if person is None else Grant(person, scopes=held.scopes)

    def _granted(self, issued: Issued) -> dict[str, Any]:
        """A user's token stands apart: beside it there may be a bot's."""
        user = {"id": member_id(self._person(issued)), **_token(issued)}
        return {"app_id": "A0SANDBOX", "authed_user": user, "team": {"id": TEAM_ID, "name": "Acme"}}

    def _refreshed(self, issued: Issued) -> dict[str, Any]:
        return {"app_id": "A0SANDBOX", "team": {"id": TEAM_ID, "name": "Acme"}, **_token(issued)}

    def _person(self, issued: Issued) -> Person:
        person = self._people.find(issued.person)
        assert person is not None
        return person

    def _people_to_be(self, request: WireRequest) -> str:
        """A choice, for people who try it by hand."""
        links = (
            f'<li><a href="{PAGE}?{html.escape(request.query_string)}&amp;{WHO}={html.escape(person.handle)}">'
            f"{html.escape(person.name)}</a></li>"
            for person in self._people
        )
        return f"<p>Who are you in this pretend workspace?</p><ul>{''.join(links)}</ul>"


def _token(issued: Issued) -> dict[str, Any]:
    return {
        "access_token": issued.access_token,
        "token_type": "user",
        "scope": ",".join(sorted(issued.scopes)),
        "refresh_token": issued.refresh_token,
        "expires_in": issued.lasts,
    }


def client_of(asked: Mapping[str, str], proof: str | None) -> tuple[str, str]:
    """HTTP Basic, which Slack prefers, or fields of the form."""
    if proof is None:
        return asked.get("client_id", ""), asked.get("client_secret", "")
    name, _, secret = proof.partition(":")
    return unquote(name), unquote(secret)


def _cookie(request: WireRequest) -> str:
    try:
        found = SimpleCookie(request.headers.get("cookie", "")).get(WHO)
    except CookieError:
        return ""
    return found.value if found else ""


def _shown(status: int, body: str) -> WireReply:
    page = f"<!doctype html><title>Slack sandbox</title>{body}"
    return WireReply(status, page.encode(), {"Content-Type": "text/html; charset=utf-8"})
