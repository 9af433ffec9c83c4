"""Cookies of signed-in browsers: only ours, only for a while, only while their key opens."""

from __future__ import annotations

import base64
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrator.access import Caller, KeyRing, Scope, Sessions, TooMuchSaid, kept_secret
from orchestrator.access.sessions import LASTING
from orchestrator.model import Principal

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


class Clock:
    now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ring(tmp_path: Path, clock: Clock) -> KeyRing:
    return KeyRing(tmp_path / "keys.json", clock)


@pytest.fixture
def sessions(ring: KeyRing, clock: Clock) -> Sessions:
    return Sessions(lambda: b"s" * 32, ring, clock)


def test_a_key_opens_a_session_that_its_cookie_brings_back(sessions: Sessions, ring: KeyRing) -> None:
    key, text = ring.create("민지", [Scope.SEARCH])
    session = sessions.enter(text)
    assert session is not None
    cookie = sessions.written(session)
    assert sessions.read(cookie) == session
    assert sessions.key(session) == key
    assert text not in cookie
    assert text.split("_", 2)[2] not in base64.urlsafe_b64decode(cookie.split(".")[0] + "==").decode()


@pytest.mark.parametrize("text", ["", "fsk", "fsk_a_b", "x" * 5000, "fsk__", "가"])
def test_nothing_else_opens_one(sessions: Sessions, ring: KeyRing, text: str) -> None:
    ring.create("a", [Scope.SEARCH])
    assert sessions.enter(text) is None


def test_a_session_ends_with_its_key(sessions: Sessions, ring: KeyRing) -> None:
    key, text = ring.create("a", [Scope.SEARCH])
    session = sessions.enter(text)
    assert session is not None
    ring.revoke(key.id)
    assert sessions.key(session) is None


def test_a_session_ends_when_its_key_expires(sessions: Sessions, ring: KeyRing, clock: Clock) -> None:
    _, text = ring.create("a", [Scope.SEARCH], timedelta(hours=1))
    session = sessions.enter(text)
    assert session is not None
    clock.now = START + timedelta(hours=1)
    assert sessions.key(session) is None


def test_a_rotated_key_keeps_its_sessions_for_the_overlap_alone(
    sessions: Sessions, ring: KeyRing, clock: Clock
) -> None:
    key, text = ring.create("a", [Scope.SEARCH])
    before = sessions.enter(text)
    assert before is not None
    after = sessions.enter(ring.rotate(key.id, timedelta(hours=1)))
    assert after is not None
    assert sessions.key(before) is not None
    clock.now = START + timedelta(hours=1)
    assert sessions.key(before) is None
    assert sessions.key(after) is not None


def test_a_session_is_over_after_its_hours(sessions: Sessions, clock: Clock) -> None:
    cookie = sessions.written(sessions.fresh())
    assert sessions.read(cookie) is not None
    clock.now = START + LASTING
    assert sessions.read(cookie) is None


def test_a_cookie_that_somebody_has_changed_is_nobodys(sessions: Sessions, ring: KeyRing) -> None:
    key, text = ring.create("a", [Scope.SEARCH])
    session = sessions.enter(text)
    assert session is not None
    payload, _, signature = sessions.written(session).partition(".")
    told = json.loads(base64.urlsafe_b64decode(payload + "=="))
    told["u"] += 10**9
    longer = base64.urlsafe_b64encode(json.dumps(told).encode()).rstrip(b"=").decode()
    assert sessions.read(f"{longer}.{signature}") is None
    assert sessions.read(f"{payload}.") is None
    assert sessions.read(payload) is None
    other = Sessions(lambda: b"t" * 32, ring, lambda: START)
    assert other.read(f"{payload}.{signature}") is None
    assert key.id in base64.urlsafe_b64decode(payload + "==").decode()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300))
def test_any_text_as_a_cookie_is_refused_in_silence(sessions: Sessions, cookie: str) -> None:
    assert sessions.read(cookie) is None


def test_a_form_is_known_by_its_browser_alone(sessions: Sessions) -> None:
    mine, other = sessions.fresh(), sessions.fresh()
    assert sessions.sent_by(mine, sessions.token(mine))
    assert not sessions.sent_by(other, sessions.token(mine))
    assert not sessions.sent_by(mine, "")
    assert not sessions.sent_by(mine, "가")


def test_without_keys_nobody_signs_in_and_everybody_is_in(clock: Clock) -> None:
    sessions = Sessions(lambda: b"s" * 32, None, clock)
    assert sessions.is_open
    assert sessions.enter("fsk_a_b") is None
    assert sessions.key(sessions.fresh()) is None


def test_all_who_make_the_secret_at_once_have_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data" / "page.secret"
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: kept_secret(path), range(16)))
    assert len(made) == 1
    assert len(made.pop()) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["page.secret"]


ISSUER = "https://login.example.com"
PERSON = Caller(Principal(f"{ISSUER}#1", "민지", "a@example.com", ("운영팀",)), frozenset({Scope.SEARCH}))


def test_a_person_is_who_the_provider_said_for_as_long_as_it_is_believed(ring: KeyRing, clock: Clock) -> None:
    hours = timedelta(hours=2)
    sessions = Sessions(lambda: b"s" * 32, ring, clock, issuer=ISSUER, lasting=hours)
    session = sessions.read(sessions.written(sessions.enter_as(PERSON)))
    assert session is not None
    assert sessions.who(session) == PERSON
    assert sessions.key(session) is None
    assert sessions.seconds(session) == hours.total_seconds()
    for issuer in ("", "https://login.example", "https://another.example.com"):
        assert Sessions(lambda: b"s" * 32, ring, clock, issuer=issuer).who(session) is None
    clock.now = START + hours
    assert sessions.read(sessions.written(session)) is None


def test_more_groups_than_a_cookie_holds_are_refused(ring: KeyRing, clock: Clock) -> None:
    many = replace(PERSON, principal=replace(PERSON.principal, groups=tuple(f"group-{n:040}" for n in range(100))))
    with pytest.raises(TooMuchSaid):
        Sessions(lambda: b"s" * 32, ring, clock, issuer=ISSUER).enter_as(many)
