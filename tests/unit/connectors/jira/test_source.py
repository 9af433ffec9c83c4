"""Jira: how it is signed in to, what its settings allow, how long it wants to be left alone."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from pydantic import ValidationError

from connectors.contract import Call, Credential
from connectors.errors import Misconfigured, SourceError, Throttled
from connectors.http import Reply
from connectors.jira import JiraSource
from connectors.jira.settings import JiraSettings
from connectors.jira.wire import error_from, wait
from translators.translator import NativeQuery

SECRET = "ATATT3xPlanted5d41402abc4b2a76"
NOON = "Fri, 20 Nov 2026 12:00:00 GMT"


def source(**settings: Any) -> JiraSource:
    given = {"kind": "jira", "base_url": "https://acme.atlassian.net", "token": SECRET, **settings}
    return JiraSource("work", JiraSettings.model_validate(given))


def basic(pair: str) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def test_api_tokens_travel_with_their_address() -> None:
    assert source(email="minsu@acme.example").authorization(SECRET) == basic(f"minsu@acme.example:{SECRET}")
    assert source().authorization(f"minsu@acme.example:{SECRET}") == basic(f"minsu@acme.example:{SECRET}")


def test_the_pair_of_somebody_else_is_theirs_whatever_is_configured() -> None:
    assert source(email="minsu@acme.example").authorization("sarah@acme.example:x") == basic("sarah@acme.example:x")


def test_other_tokens_are_bearers() -> None:
    assert source().authorization("oauth-token") == {"Authorization": "Bearer oauth-token"}
    signed_in = source(email="a@b", oauth={"client_id": "c", "refresh_token": "r"}, token=None)
    assert signed_in.authorization("oauth-token") == {"Authorization": "Bearer oauth-token"}


@pytest.mark.parametrize("email", ["minsu", "a:b@x.example", "a b@x.example", "a@x.example\n"])
def test_an_email_is_an_address(email: str) -> None:
    with pytest.raises(ValidationError, match="address of the account"):
        source(email=email)


def test_the_gateway_needs_the_address_of_the_site_beside_it() -> None:
    gateway = "https://api.atlassian.com/ex/jira/1324a887-45db-1bf4-1e99-ef0ff456d421"
    with pytest.raises(ValidationError, match="set site"):
        source(base_url=gateway)
    with pytest.raises(ValidationError, match="site must be an address"):
        source(base_url=gateway, site="acme.atlassian.net")
    assert source(base_url=gateway, site="https://acme.atlassian.net/").settings.address == "https://acme.atlassian.net"


def test_the_site_is_the_base_url_unless_said_otherwise() -> None:
    assert source(base_url="https://acme.atlassian.net/").settings.address == "https://acme.atlassian.net"


def test_without_an_address_nothing_is_sent_anywhere() -> None:
    async def ask() -> None:
        await source(base_url="").search(NativeQuery("jql", "created <= now()"), Call(credential=Credential(SECRET)))

    with pytest.raises(Misconfigured, match="set base_url of work"):
        asyncio.run(ask())


# ---- time to wait


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7", "x-ratelimit-reset": "2026-11-20T13:00Z"}, 7.0),
        ({"x-ratelimit-reset": "2026-11-20T12:01Z"}, 60.0),
        ({"x-ratelimit-reset": "2026-11-20T21:01:30+09:00"}, 90.0),
        ({"x-ratelimit-reset": "2026-11-20T12:01"}, 60.0),
        ({"x-ratelimit-reset": "2026-11-20T11:00Z"}, 0.0),
        ({"x-ratelimit-reset": "soon"}, None),
        ({"ratelimit": '"burst";r=0;t=9'}, 9.0),
        ({"ratelimit": "reset=9"}, None),
        ({"ratelimit-reason": "jira-quota-global-based"}, 3600.0),
        ({"ratelimit-reason": "jira-burst-based"}, None),
    ],
)
def test_how_long_jira_wants_to_be_left_alone(headers: dict[str, str], seconds: float | None) -> None:
    assert wait({"date": NOON, **headers}) == seconds
    error = error_from(Reply(429, None, {"date": NOON, **headers}))
    assert isinstance(error, Throttled)
    assert error.retry_after == seconds


@pytest.mark.parametrize("data", [None, [], "text", {"errorMessages": 7}, {"errorMessages": [7]}, {"message": []}])
def test_an_error_in_any_shape_has_its_status(data: object) -> None:
    error = error_from(Reply(400, data))
    assert isinstance(error, SourceError)
    assert error.message == "Jira answered HTTP 400"


def test_an_error_says_everything_that_jira_says() -> None:
    said = {"errorMessages": ["one", "two"], "errors": {"jql": "wrong", "fields": ["a"]}, "message": "three"}
    error = error_from(Reply(400, said))
    assert isinstance(error, SourceError)
    assert error.message == "Jira answered HTTP 400: one; two; jql: wrong; fields: ['a']; three"


def test_a_success_is_no_error() -> None:
    assert error_from(Reply(200, {"issues": []}, {"x-seraph-loginreason": "OK"})) is None
