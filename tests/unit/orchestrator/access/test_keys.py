"""API keys: shown once, kept as digests, rotated with an overlap, seen by every process."""

import stat
from datetime import UTC, datetime, timedelta

import pytest

from connectors.errors import Misconfigured
from orchestrator.access import KeyRing, NoSuchKey, Scope

START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ring(tmp_path, clock):
    return KeyRing(tmp_path / "data" / "keys.json", clock)


def test_a_key_opens_and_its_secret_is_nowhere(ring, tmp_path):
    key, text = ring.create("대시보드", [Scope.SEARCH])
    assert ring.find(text) == key
    assert key.scopes == (Scope.SEARCH,)
    secret = text.split("_", 2)[2]
    for file in (tmp_path / "data").iterdir():
        assert secret not in file.read_text("utf-8")
    assert secret not in repr(key)
    assert stat.S_IMODE((tmp_path / "data" / "keys.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("wrong", ["", "fsk", "fsk__", "fsk_0_x", "Bearer", "한글", "fsk_" + "0" * 10_000])
def test_what_is_no_key_opens_nothing(ring, wrong):
    ring.create("a", [Scope.SEARCH])
    assert ring.find(wrong) is None


def test_a_right_id_with_a_wrong_secret_opens_nothing(ring):
    key, text = ring.create("a", [Scope.SEARCH])
    assert ring.find(f"fsk_{key.id}_wrong") is None
    assert ring.find(text + "x") is None


def test_a_key_expires(ring, clock):
    _, text = ring.create("a", [Scope.SEARCH], timedelta(days=1))
    clock.now = START + timedelta(hours=23)
    assert ring.find(text) is not None
    clock.now = START + timedelta(days=1)
    assert ring.find(text) is None


def test_the_old_secret_opens_for_the_overlap_and_no_longer(ring, clock):
    key, old = ring.create("a", [Scope.SEARCH])
    new = ring.rotate(key.id, timedelta(hours=2))
    assert ring.find(old) == ring.find(new) != None  # noqa: E711
    clock.now = START + timedelta(hours=2)
    assert ring.find(old) is None
    assert ring.find(new) is not None


def test_two_rotations_leave_only_the_last_two_secrets(ring):
    key, first = ring.create("a", [Scope.SEARCH])
    second = ring.rotate(key.id, timedelta(hours=2))
    third = ring.rotate(key.id, timedelta(hours=2))
    assert [ring.find(each) is not None for each in (first, second, third)] == [False, True, True]


def test_a_revoked_key_opens_nothing_in_other_processes_either(ring, tmp_path, clock):
    key, text = ring.create("a", [Scope.SEARCH])
    other = KeyRing(tmp_path / "data" / "keys.json", clock)
    assert other.find(text) is not None
    ring.revoke(key.id)
    assert other.find(text) is None
    assert ring.all() == ()


@pytest.mark.parametrize("change", ["rotate", "revoke"])
def test_an_unknown_id_is_named_with_those_there_are(ring, change):
    key, _ = ring.create("a", [Scope.SEARCH])
    with pytest.raises(NoSuchKey, match=key.id):
        ring.rotate("nope", timedelta()) if change == "rotate" else ring.revoke("nope")


def test_a_broken_file_is_named_and_not_written_over(ring, tmp_path):
    ring.create("a", [Scope.SEARCH])
    file = tmp_path / "data" / "keys.json"
    file.write_text('{"keys": [{"id": 3}]}')
    with pytest.raises(Misconfigured, match=r"keys\.json"):
        ring.find("fsk_a_b")
    with pytest.raises(Misconfigured):
        ring.create("b", [Scope.SEARCH])
    assert file.read_text() == '{"keys": [{"id": 3}]}'
