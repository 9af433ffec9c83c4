"""A Slack workspace's export: https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from connectors.comments import spoken, voices
from connectors.local.ingest.decoding import moment_of
from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.passages import DocumentSection
from connectors.slack.markup import without_markup
from connectors.text import plain_line
from translators.query import Container, Kind, Person
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from connectors.contract import Fact
    from connectors.local.ingest.archive import Archive

LISTS = {"channels.json": "", "groups.json": "private", "mpims.json": "private", "dms.json": "private"}
# Slack's own words on who came and went.
SAID_BY_SLACK = frozenset(
    "channel_join channel_leave channel_topic channel_purpose channel_name channel_archive channel_unarchive group_join "
    "group_leave bot_add bot_remove tombstone".split()
)
MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
TITLE = 80
PER_FILE = 64 << 20

ExportedMessage = dict[str, Any]


def is_slack_export(names: set[str]) -> bool:
    """Whether an archive of these members is one."""
    return {"users.json", "channels.json"} <= names


@record
class _Place:
    """A channel or conversation. ``readers``: its members, where not everybody may look in."""

    folder: str
    channel: str
    name: str
    readers: tuple[str, ...] | None


def read_slack_export(archive: Archive, skipped: Callable[[str, Skip], None]) -> Iterator[DocumentDraft]:
    """A draft for each thread and for each message that is in none."""
    people = {str(each.get("id")): _person(each) for each in _list(archive, "users.json")}
    names = list(archive.names(skipped))
    days: dict[str, list[str]] = {}
    for name in names:
        folder, slash, file = name.rpartition("/")
        if slash and file.endswith(".json"):
            days.setdefault(folder, []).append(name)
    for place in _places(archive, people, skipped):
        messages: list[ExportedMessage] = []
        for day in sorted(days.get(place.folder, ())):
            try:
                messages += [each for each in _list(archive, day) if _is_said(each)]
            except Skip as skip:
                skipped(day, skip)
        yield from _channel(place, messages, people)


def _places(archive: Archive, people: Mapping[str, Person], skipped: Callable[[str, Skip], None]) -> Iterator[_Place]:
    for file, privacy in LISTS.items():
        if file not in archive.members:
            continue
        try:
            listed = _list(archive, file)
        except Skip as skip:
            skipped(file, skip)
            continue
        for each in listed:
            channel = str(each.get("id") or "")
            name = plain_line(str(each.get("name") or ""))
            members = [people[who] for who in each.get("members") or () if who in people]
            readers = tuple(f"user:{who.email or who.native_id}" for who in members) if privacy else None
            yield _Place(name or channel, channel, name or ", ".join(who.name for who in members), readers)


def _channel(
    place: _Place, messages: Sequence[ExportedMessage], people: Mapping[str, Person]
) -> Iterator[DocumentDraft]:
    threads: dict[str, list[ExportedMessage]] = {}
    for message in messages:
        threads.setdefault(str(message.get("thread_ts") or message.get("ts")), []).append(message)
    for stamp, said in threads.items():
        said.sort(key=lambda each: str(each.get("ts")))
        told = [(_author(each, people), _text(each, people), each) for each in said]
        if not any(text for _, text, _ in told):
            continue
        first, text, root = told[0]
        is_thread = len(told) > 1
        lines = [spoken(who, words) if is_thread else words for who, words, _ in told if words]
        title = plain_line(text)[:TITLE] or f"#{place.name}"
        yield DocumentDraft(
            title,
            (DocumentSection("\n\n".join(lines), (f"#{place.name}",)),),
            key=f"{place.channel or place.folder}/{stamp}",
            kind=Kind.THREAD if is_thread else Kind.MESSAGE,
            author=first,
            container=Container(place.name, place.channel or None),
            created=_moment(root),
            updated=_moment(told[-1][2]),
            readers=place.readers,
            facts=_thread_facts(stamp, told) if is_thread else {},
        )


def _thread_facts(stamp: str, told: Sequence[tuple[Person, str, ExportedMessage]]) -> Mapping[str, Fact]:
    return {"messages": len(told), "thread": stamp, "voices": voices(who for who, _, _ in told)}


def _is_said(message: ExportedMessage) -> bool:
    return message.get("type") == "message" and message.get("subtype") not in SAID_BY_SLACK and bool(message.get("ts"))


def _text(message: ExportedMessage, people: Mapping[str, Person]) -> str:
    def named(match: re.Match[str]) -> str:
        return f"@{people[match[1]].name}" if match[1] in people else match[0]

    files = [plain_line(str(each.get("title") or each.get("name") or "")) for each in message.get("files") or ()]
    text = without_markup(MENTION.sub(named, str(message.get("text") or "")))
    return "\n".join(filter(None, (text, f"Files: {', '.join(filter(None, files))}" if any(files) else "")))


def _author(message: ExportedMessage, people: Mapping[str, Person]) -> Person:
    known = people.get(str(message.get("user")))
    if known is not None:
        return known
    profile = message.get("user_profile") or message.get("bot_profile") or {}
    name = profile.get("real_name") or profile.get("name") or message.get("username") or message.get("user") or "?"
    return Person(plain_line(str(name)), str(message.get("user") or "") or None)


def _person(user: ExportedMessage) -> Person:
    profile = user.get("profile") or {}
    name = profile.get("real_name") or user.get("real_name") or profile.get("display_name") or user.get("name") or "?"
    return Person(plain_line(str(name)), str(user.get("id") or "") or None, profile.get("email") or None)


def _moment(message: ExportedMessage) -> Any:
    try:
        return moment_of(float(str(message.get("ts"))))
    except ValueError:
        return None


def _list(archive: Archive, name: str) -> list[ExportedMessage]:
    try:
        told = json.loads(archive.read(name, PER_FILE))
    except (ValueError, RecursionError) as failure:
        raise Skip(Reason.BROKEN, f"it is not the JSON that Slack writes ({type(failure).__name__})") from None
    if not isinstance(told, list):
        raise Skip(Reason.BROKEN, "it is not the list that Slack writes")
    return [each for each in told if isinstance(each, dict)]
