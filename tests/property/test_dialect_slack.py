"""Slack, read back by a reader written from Slack's manual alone: what was meant is what Slack would understand.

Manual: https://slack.com/help/articles/202528808-Search-in-Slack
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.query import (
    EVERYTHING,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Term,
    all_of,
    conjuncts,
)
from translators.slack import Slack
from translators.strategies import capabilities, comparisons, identifiers, instants, text_leaves

many = nightly(250)
Part = tuple[bool, str, tuple[str, ...]]
MODIFIERS = {"from", "in", "to", "with", "has", "hasmy", "is", "before", "after", "on", "during"}
LISTING = "after:2000-01-01"


def read(query: str) -> Counter[Part]:
    """The words and modifiers that Slack sees: (excluded?, kind, words). Fails on what its grammar does not know."""
    parts: Counter[Part] = Counter()
    rest = query
    while rest := rest.lstrip(" "):
        excluded = rest.startswith("-")
        rest = rest.removeprefix("-")
        if rest.startswith('"'):
            inside, quote, rest = rest[1:].partition('"')
            assert quote, f"a quote is left open in {query!r}"
            assert not rest or rest.startswith(" "), f"something sticks to a closing quote in {query!r}"
            assert not excluded, f"an excluded phrase is not documented: {query!r}"
            parts[excluded, "text", words_of(inside)] += 1
            continue
        token, _, rest = rest.partition(" ")
        assert '"' not in token, f"a quote inside a word in {query!r}"
        assert not token.startswith("-"), f"a word beginning with a dash in {query!r}"
        name, colon, value = token.partition(":")
        if colon:
            assert name in MODIFIERS, f"no modifier {name!r} in {query!r}"
            assert value, f"a modifier without a value in {query!r}"
            parts[excluded, name, (value,)] += 1
        elif token.endswith("*"):
            assert len(token) > 3, f"a prefix too short in {query!r}"
            parts[excluded, "prefix", words_of(token[:-1])] += 1
        else:
            parts[excluded, "text", words_of(token)] += 1
    return parts


def words_of(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFC", text)))


def meant(part: Clause) -> Part:  # noqa: PLR0911 - one line for each node
    """What Slack should understand of one condition that was sent."""
    match part:
        case Not(inner):
            _, kind, words = meant(inner)
            return True, kind, words
        case Term(text) | Phrase(text):
            return False, "text", words_of(text)
        case Prefix(text):
            return False, "prefix", words_of(text)
        case Compare(_, _, Person(name, native_id, _, me)):
            known = native_id and re.fullmatch(r"[UW][A-Z0-9]+", native_id)
            return False, "from", ("me" if me else f"<@{native_id}>" if known else name.lower(),)
        case Compare(_, _, Container(name, native_id)):
            known = native_id and re.fullmatch(r"[CDG][A-Z0-9]+", native_id)
            return False, "in", (f"<#{native_id}>" if known else name.lower(),)
        case Compare(_, _, Kind.THREAD):
            return False, "is", ("thread",)
        case _:
            assert part == Compare(Field.KIND, Op.EQ, Kind.FILE)
            return False, "has", ("file",)


def is_time(part: Clause) -> bool:
    return isinstance(part, Compare) and isinstance(part.value, datetime)


leaves = text_leaves() | comparisons().filter(lambda leaf: leaf.field is not Field.ID)
conditions = st.lists(leaves | leaves.map(Not), max_size=5).map(all_of)


@many
@given(conditions)
def test_slack_understands_what_was_meant_and_nothing_else(where: Clause) -> None:
    """The multiset of words and modifiers equals that of the conditions sent; user text never leaves its quotes."""
    found = Slack().translate(Query("?", where=where), Slack.can)
    left = set(conjuncts(found.residual or EVERYTHING))
    expected = Counter(meant(part) for part in conjuncts(where) if part not in left)
    seen = read(found.native.text) if found.native.text != LISTING else Counter()
    times = {part: count for part, count in seen.items() if part[1] in {"after", "before"}}
    assert seen - Counter(times) == expected
    assert all(count == 1 and not excluded for (excluded, _, _), count in times.items())


@many
@given(conditions, capabilities())
def test_a_weaker_source_gets_text_that_slack_can_read(where: Clause, can: object) -> None:
    found = Slack().translate(Query("?", where=where), can)  # type: ignore[arg-type]
    assert read(found.native.text)


def slack_finds(query: str, moment: datetime, zone: timezone) -> bool:
    """Slack's rule: ``after:`` and ``before:`` leave out the day they name, read in the token owner's zone."""
    day = moment.astimezone(zone).date()
    for _, name, (value,) in read(query):
        named = date.fromisoformat(value)
        if (name == "after" and not day > named) or (name == "before" and not day < named):
            return False
    return True


offsets = st.integers(-12 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))


@many
@given(
    instants(), st.integers(0, 40 * 24), st.integers(-50 * 60, 50 * 60), offsets, st.sampled_from(["time", "created"])
)
def test_no_message_of_the_window_is_excluded_in_any_zone(
    start: datetime, hours: int, minutes: int, zone: timezone, field: str
) -> None:
    """End to end: a message inside ``[start, end)`` is found, wherever on earth the token's owner lives."""
    if not 1971 < start.year < 9000:
        return
    end = start + timedelta(hours=hours)
    where = all_of([Compare(Field(field), Op.GE, start), Compare(Field(field), Op.LT, end)])
    found = Slack().translate(Query("?", where=where), Slack.can)
    assert found.residual == where
    edge = timedelta(microseconds=1)
    for moment in (start, start + timedelta(minutes=minutes), end - edge, end + timedelta(minutes=minutes)):
        if start <= moment < end:
            assert slack_finds(found.native.text, moment, zone), f"{moment} is lost in {zone}"


CHANNELS = st.from_regex(r"[CDG][A-Z0-9]{5,10}", fullmatch=True)
STAMPS = st.builds("{:010d}.{:06d}".format, st.integers(10**9, 10**10 - 1), st.integers(0, 999_999))
HOSTS = st.sampled_from(
    ["acme.slack.com", "acme.enterprise.slack.com", "slack.com.evil.example", "evilslack.com", "x.example"]
)


@many
@given(
    HOSTS,
    CHANNELS,
    STAMPS,
    st.none() | STAMPS,
    st.sampled_from(["", "&cid=C1", "#top", " from:me"]),
    st.lists(text_leaves(), max_size=2),
)
def test_what_an_address_names_is_fetched(
    host: str, channel: str, ts: str, thread: str | None, rest: str, words: list[Clause]
) -> None:
    """A message of Slack's is read where its address says; what else is asked is checked; any other address is left."""
    address = f"https://{host}/archives/{channel}/p{ts.replace('.', '')}?thread_ts={thread or ts}{rest}"
    thing = Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, address))
    found = Slack().translate(Query("?", where=all_of([thing, *words])), Slack.can)
    left = set(conjuncts(found.residual or EVERYTHING))
    if host.endswith(".slack.com") and " " not in rest:
        replied = {"thread_ts": thread} if thread and thread != ts else {}
        assert found.native.args == {"channel": channel, "ts": ts, **replied}
        assert not found.native.text
        assert left == set(conjuncts(all_of(words)))
    else:
        assert found.native.args == {}
        assert thing in left


@many
@given(identifiers())
def test_nothing_but_ids_and_time_stamps_is_sent(thing: Identifier) -> None:
    """Whatever pretends to be an address."""
    found = Slack().translate(Query("?", where=Compare(Field.ID, Op.EQ, thing)), Slack.can)
    assert all(re.fullmatch(r"[CDG][A-Z0-9]+|\d{10}\.\d{6}", str(value)) for value in found.native.args.values())


def test_the_reader_refuses_what_is_not_slack() -> None:
    """The reader itself can fail: raw user text does not pass it."""
    for raw in ('"', 'a"b', "x:y", "from:", "--x", 'a" from:me', '-"a b"', "a*", '"a"b'):
        try:
            read(raw)
        except AssertionError:
            continue
        raise AssertionError(f"{raw!r} was read")


def test_a_window_is_not_wider_than_it_must_be() -> None:
    """Two days before and one after at most: no result far from the window is fetched for nothing."""
    start, end = datetime(2025, 1, 10, tzinfo=UTC), datetime(2025, 2, 1, tzinfo=UTC)
    where = all_of([Compare(Field.TIME, Op.GE, start), Compare(Field.TIME, Op.LT, end)])
    assert Slack().translate(Query("?", where=where), Slack.can).native.text == "after:2025-01-08 before:2025-02-02"
