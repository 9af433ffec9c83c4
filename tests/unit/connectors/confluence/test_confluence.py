"""Confluence's signing, settings, waits and markup, without a socket."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from pydantic import ValidationError

from connectors.atlassian import asked_wait as wait
from connectors.confluence import ConfluenceSource, wire
from connectors.confluence.settings import ConfluenceSettings
from connectors.confluence.wire import Links, error_from
from connectors.contract import Call, Credential
from connectors.errors import Misconfigured
from connectors.http import Page, Reply
from translators.translator import NativeQuery

SITE = "https://acme.atlassian.net"


def source(**settings: Any) -> ConfluenceSource:
    given = {"kind": "confluence", "base_url": SITE, **settings}
    return ConfluenceSource("wiki", ConfluenceSettings.model_validate(given))


@pytest.mark.parametrize(
    ("settings", "secret", "pair"),
    [
        ({}, "oauth-token", ""),
        ({"email": "minsu@acme.example"}, "ATATT3x", "minsu@acme.example:ATATT3x"),
        ({}, "sarah@acme.example:ATATT3x", "sarah@acme.example:ATATT3x"),
        ({"email": "minsu@acme.example"}, "sarah@acme.example:ATATT3x", "sarah@acme.example:ATATT3x"),
        (
            {"email": "minsu@acme.example", "oauth": {"client_id": "c", "refresh_token": "r", "token_url": SITE}},
            "access",
            "",
        ),
    ],
)
def test_api_tokens_travel_with_an_address_and_others_as_bearers(
    settings: dict[str, Any], secret: str, pair: str
) -> None:
    """Ours with the configured one, an asker's with their own, and access tokens without."""
    signed = source(**settings).authorization(secret)
    wanted = f"Basic {base64.b64encode(pair.encode()).decode()}" if pair else f"Bearer {secret}"
    assert signed == {"Authorization": wanted}


@pytest.mark.parametrize("address", [SITE, f"{SITE}/", f"{SITE}/wiki", f"{SITE}/wiki/"])
def test_the_address_may_be_copied_with_and_without_wiki(address: str) -> None:
    assert source(base_url=address).base_url == SITE


async def test_without_an_address_nobody_is_asked() -> None:
    """The message names the setting and shows what belongs there."""
    with pytest.raises(Misconfigured, match=r"set base_url of wiki .* https://your-domain\.atlassian\.net"):
        await source(base_url="").probe(Call(credential=Credential("token-1234")))


@pytest.mark.parametrize("email", ["minsu", "a@b:c", "a b@c", "a@b\n"])
def test_an_address_that_would_break_the_header_is_refused(email: str) -> None:
    with pytest.raises(ValidationError, match="address of the account"):
        ConfluenceSettings.model_validate({"kind": "confluence", "email": email})


@pytest.mark.parametrize("key", ['ENG" OR "1', "", "결제", "A B", "(x)"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    """It goes into every query as it stands."""
    with pytest.raises(ValidationError):
        ConfluenceSettings.model_validate({"kind": "confluence", "spaces": [key]})


def test_the_spaces_that_are_set_come_before_whatever_is_asked() -> None:
    """Also where the query begins with what only an address can be."""
    asked = source(spaces=["ENG", "~712020:a1"]).request(NativeQuery("cql", "id = 7"), Page(5)).params
    assert asked["cql"] == 'space in ("ENG", "~712020:a1") AND id = 7'


async def test_health_says_that_only_some_spaces_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    one = source(spaces=["ENG"])

    async def send(*_: object, **__: object) -> Reply:
        return Reply(200, {"type": "known", "accountId": "1", "publicName": "bora"})

    monkeypatch.setattr(one, "send", send)
    health = await one.probe(Call())
    assert (health.account, health.detail) == ("bora", "only in ENG")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "9", "x-ratelimit-reset": "2026-11-20T02:00:00Z"}, 9.0),
        ({"x-ratelimit-reset": "2026-11-20T02:00Z", "date": "Fri, 20 Nov 2026 01:59:00 GMT"}, 60.0),
        ({"x-ratelimit-reset": "2026-11-20T02:00:00", "date": "Fri, 20 Nov 2026 01:59:30 GMT"}, 30.0),
        ({"x-ratelimit-reset": "2026-11-20T11:00:00+09:00", "date": "Fri, 20 Nov 2026 02:30:00 GMT"}, 0.0),
        ({"x-ratelimit-reset": "1700000000000000"}, None),
        ({}, None),
    ],
)
def test_how_long_confluence_wants_to_be_left_alone(headers: dict[str, str], seconds: float | None) -> None:
    assert wait(headers) == seconds


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"message": "no\u0007 way"}, "HTTP 400: no way"),
        ({"errors": [{"title": "t", "detail": "d"}]}, "HTTP 400: d"),
        ({"errors": ["x"]}, "HTTP 400"),
        ({"errors": {}, "message": 7}, "HTTP 400"),
        ("text", "HTTP 400"),
    ],
)
def test_errors_quote_whatever_reason_there_is(body: object, said: str) -> None:
    error = error_from(Reply(400, body))
    assert str(error) == f"Confluence answered {said}"


def test_a_good_reply_is_no_error() -> None:
    assert error_from(Reply(200, {}, {"x-seraph-loginreason": "OK"})) is None


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("@@@hl@@@배포@@@endhl@@@를 합니다", "배포를 합니다"),
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("a &amp;amp; b &amp;lt;c&amp;gt;", "a & b <c>"),
        ("<b>bold</b> &mdash; &#44053;", "bold — 강"),
        ("x &amp;copy; y", "x &copy; y"),
        ("@@@hl@@@", ""),
    ],
)
def test_excerpts_are_plain_text(marked: str, plain: str) -> None:
    """Entities are undone once, and the few that are escaped twice a second time."""
    assert wire.excerpt(marked) == plain


def test_a_title_is_one_line_and_keeps_what_looks_like_a_tag() -> None:
    assert wire.title("Re: @@@hl@@@List@@@endhl@@@&lt;String&gt;\n 2") == "Re: List<String> 2"


@pytest.mark.parametrize(
    ("following", "cursor"),
    [
        ("/rest/api/search?next=true&cursor=a%2Bb%3D&limit=25&cql=x", "a+b="),
        ("/rest/api/search?cql=cursor%3Dx&start=25", None),
        ("", None),
    ],
)
def test_the_cursor_is_read_from_the_link(following: str, cursor: str | None) -> None:
    assert Links(next=following).cursor == cursor
