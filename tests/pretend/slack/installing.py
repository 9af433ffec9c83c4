"""Workspaces install the app, and take it away again.

https://docs.slack.dev/authentication/installing-with-oauth · https://docs.slack.dev/authentication/using-token-rotation
https://docs.slack.dev/reference/methods/apps.uninstall
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from orchestrator.sandbox.oauth import AuthorizationServer, Denied, Issued
from orchestrator.sandbox.slack.arguments import SlackError
from orchestrator.sandbox.slack.signing_in import client_of
from orchestrator.sandbox.wire import basic_of
from tests.pretend.slack.state import APP_ID, BOT_USER

SCOPES = frozenset(
    "app_mentions:read chat:write commands users:read users:read.email channels:read groups:read im:read mpim:read "
    "im:history channels:history groups:history".split()
)
REDIRECTS = re.compile(r"http://(127\.0\.0\.1|localhost):\d{1,5}/slack/oauth_redirect")
FOREVER = 10**9  # seconds of a token that does not rotate
HALF_A_DAY = 43_200
_CODES = {"invalid_client": "invalid_client_id", "invalid_grant": "invalid_code"}


class Installing:
    """Slack's side of it. `rotating`: whether the app has token rotation on."""

    def __init__(self, *, rotating: bool = False) -> None:
        self.rotating = rotating
        self.server = AuthorizationServer(
            lambda: datetime.now(UTC),
            SCOPES,
            client_id="1000000000.3000000000",
            client_secret="sandbox-app-secret",
            prefixes=("xoxe.xoxb-1-", "xoxe-1-") if rotating else ("xoxb-", "none-"),
            lasts=HALF_A_DAY if rotating else FOREVER,
            redirects=REDIRECTS,
        )
        self._given: dict[str, list[str]] = {}

    def consented(self, asked: Mapping[str, str], team: str, user: str) -> str:
        """Where a browser goes after somebody in a workspace allowed it, or without a team declined. Raises `SlackError`."""
        told = {"state": asked.get("state", "")}
        try:
            self.server.check_address(asked)
            scopes = frozenset(filter(None, asked.get("scope", "").split(",")))
            if not team:
                told |= {"error": "access_denied"}
            elif not scopes:
                told |= {"error": "invalid_scope"}
            else:
                told |= {"code": self.server.consent(asked, scopes, f"{team}:{user}")}
        except Denied as denied:
            raise SlackError(_CODES.get(denied.code, denied.code)) from denied
        return f"{asked['redirect_uri']}?{urlencode(told)}"

    def access(self, asked: Mapping[str, str], authorization: str) -> dict[str, Any]:
        """`oauth.v2.access`: a code, or a refresh token, against the bot's token of a workspace."""
        kind = asked.get("grant_type", "authorization_code")
        if kind not in ("authorization_code", "refresh_token"):
            raise SlackError("invalid_grant_type")
        try:
            self.server.check_client(*client_of(asked, basic_of(authorization)))
            issued = (
                self.server.refresh(asked.get("refresh_token", ""))
                if kind == "refresh_token"
                else self.server.redeem(asked)
            )
        except Denied as denied:
            raise SlackError(_CODES.get(denied.code, denied.code)) from denied
        team, _, user = issued.person.partition(":")
        self._given.setdefault(team, []).append(issued.access_token)
        return _given(issued, team, user, rotating=self.rotating)

    def team_of(self, token: str) -> str:
        """The workspace whose token it is. Raises `SlackError`."""
        try:
            return self.server.holder(token).person.partition(":")[0]
        except Denied as denied:
            known = {"token_revoked": "account_inactive", "token_expired": "token_expired"}
            raise SlackError(known.get(denied.code, "invalid_auth")) from denied

    def check_uninstall(self, asked: Mapping[str, str]) -> None:
        """`apps.uninstall` wants the app's own proof beside a token."""
        try:
            self.server.check_client(asked.get("client_id", ""), asked.get("client_secret", ""))
        except Denied as denied:
            raise SlackError(_CODES.get(denied.code, denied.code)) from denied

    def end(self, team: str) -> None:
        """All tokens of a workspace end."""
        for token in self._given.pop(team, ()):
            self.server.revoke(token)


def _given(issued: Issued, team: str, user: str, *, rotating: bool) -> dict[str, Any]:
    lasts = {"refresh_token": issued.refresh_token, "expires_in": issued.lasts} if rotating else {}
    return {
        "access_token": issued.access_token,
        "token_type": "bot",
        "scope": ",".join(sorted(issued.scopes)),
        "bot_user_id": BOT_USER,
        "app_id": APP_ID,
        "team": {"id": team, "name": team},
        "enterprise": None,
        "is_enterprise_install": False,
        "authed_user": {"id": user},
        **lasts,
    }
