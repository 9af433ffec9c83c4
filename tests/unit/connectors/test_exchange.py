"""One exchange with a vendor: when to come again, which status is which error, what a body is, and why nobody was reached."""

from __future__ import annotations

import json
import socket
import ssl
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import pytest

from connectors.errors import (
    BadReply,
    Forbidden,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.http import (
    Reply,
    describe_failure,
    error_for,
    plain_json,
    plain_params,
    reply_from_text,
    retry_after,
)
from translators.said import said_in

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 7.5 ", 7.5),
        ("-3", 0.0),
        ("0", 0.0),
        ("", None),
        ("soon", None),
        ("inf", None),
        ("Sat, 21 Nov 2026 12:01:00 GMT", 60.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("Sat, 21 Nov 2026 12:01:00 -0000", 60.0),
        ("Sat, 99 Nov 2026 12:01:00 GMT", None),
    ],
)
def test_retry_after_in_either_form(value: str, seconds: float | None) -> None:
    """Seconds or a date; what makes no sense is not a time."""
    assert retry_after({"retry-after": value}, NOON) == seconds


def test_retry_after_as_a_date_is_counted_by_the_clock_of_the_reply() -> None:
    """Our clock may differ from the vendor's."""
    headers = {"retry-after": "Fri, 01 Jan 2038 00:00:30 GMT", "date": "Fri, 01 Jan 2038 00:00:00 GMT"}
    assert retry_after(headers) == 30.0


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, None), (204, None), (302, BadReply), (400, Rejected), (401, Unauthenticated), (402, Forbidden),
        (403, Forbidden), (404, Rejected), (408, Unavailable), (422, Rejected), (425, Unavailable), (429, Throttled),
        (500, Unavailable), (503, Unavailable), (529, Unavailable), (599, Unavailable),
    ],
)  # fmt: skip
def test_every_status_is_an_error_named_by_what_to_do(status: int, kind: type[SourceError] | None) -> None:
    """Or none."""
    problem = error_for(Reply(status), "said")
    assert (type(problem) if problem else None) is kind


@pytest.mark.parametrize("body", [b"<html>", b"{", b"nonsense", b"[" * 100_000, b"\xff\xfe"])
def test_a_success_that_is_no_json_is_a_bad_reply(body: bytes) -> None:
    """A login page, a broken body, a bomb of brackets."""
    with pytest.raises(BadReply):
        reply_from_text(200, body, {})


def test_a_failure_that_is_no_json_keeps_its_status() -> None:
    """The status says what is wrong; gateways answer HTML."""
    assert reply_from_text(502, b"<html>", {"Retry-After": "1"}) == Reply(502, None, {"retry-after": "1"})


def test_no_body_is_no_data() -> None:
    """As for 204."""
    assert reply_from_text(204, b" ", {}) == Reply(204, None, {})


def test_requests_are_turned_into_what_every_client_can_send() -> None:
    """Read-only mappings and tuples of a native query, and halves of surrogate pairs that a terminal handed in."""
    value: Any = MappingProxyType({"and": ({"a": MappingProxyType({"eq": "x\ud800"})}, 1, None, True)})
    assert plain_json(value) == {"and": [{"a": {"eq": "x\ufffd"}}, 1, None, True]}
    assert plain_params({"q": "결제\udcff", "h": ("a", "b")}) == {"q": "결제\ufffd", "h": ["a", "b"]}


def _refused() -> ssl.SSLCertVerificationError:
    failure = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
    failure.verify_message = "self-signed certificate"
    return failure


class _AsAiohttpSays(ssl.SSLCertVerificationError):
    """Such an error by its class, which knows no reason."""

    certificate_error = _refused()


def test_a_certificate_that_is_not_trusted_is_told_as_that() -> None:
    wrapped = OSError("cannot connect")
    wrapped.__cause__ = _refused()
    for failure in (_refused(), _AsAiohttpSays(), wrapped):
        told = describe_failure(failure, "https://wiki.example/api")
        assert told.startswith("the certificate of wiki.example is not trusted (self-signed certificate); ")
        assert "SSL_CERT_FILE" in said_in(told, "ko")


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (socket.gaierror(-2, "Name or service not known"), "its name cannot be resolved"),
        (ConnectionRefusedError(111, "Connect call failed"), "nothing listens there"),
        (ConnectionResetError(104, "reset"), "it broke the connection off"),
        (BrokenPipeError(32, "Broken pipe"), "it broke the connection off"),
        (TimeoutError(), "it did not answer in time"),
        (ValueError("x"), "RuntimeError"),
    ],
)
def test_why_nobody_was_reached_is_said_in_words_of_the_field(cause: Exception, said: str) -> None:
    """Each client wraps what the system says in a class of its own."""
    failure = RuntimeError("https://user:secret@wiki.example")
    failure.__cause__ = cause
    told = str(describe_failure(failure, "https://wiki.example/api"))
    assert told == f"cannot reach wiki.example ({said}); is the address right and the service running?"


@pytest.mark.parametrize("end", ["/secret/path", "?token=secret", "#secret"])
def test_a_failed_connection_is_described_without_secrets(end: str) -> None:
    """Nothing but the host of the address."""
    told = describe_failure(OSError(), f"https://user:secret@host.example:8443{end}")
    assert "host.example:8443" in told
    assert "secret" not in told


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        ("\ufeff[1]".encode(), [1]),
        ('{"a": "가"}'.encode("utf-16"), {"a": "가"}),
        (b"[" * 400 + b"]" * 400, None),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'{"a": NaN, "b": [-Infinity, 1.5]}', {"a": None, "b": [None, 1.5]}),
    ],
)
def test_what_the_quick_parser_does_not_know_the_other_reads(body: bytes, data: object) -> None:
    """Half a surrogate pair, a mark of byte order, another encoding, many brackets, numbers that are none: all of it vendors send."""
    assert reply_from_text(200, body, {}) == Reply(200, json.loads(body) if data is None else data)
