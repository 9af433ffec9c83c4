"""Slack's Real-time Search: `assistant.search.context` and `.info`, by the method's own reference.

https://docs.slack.dev/reference/methods/assistant.search.context (see docs/reference/sandbox.md for what is ours).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.sandbox.slack import render
from orchestrator.sandbox.slack.arguments import SlackError, read_arguments
from orchestrator.sandbox.slack.search import FileSearch, MessageSearch, Modifier, Needle, Reader, SharedFile, parse
from orchestrator.sandbox.slack.store import ACTION_TOKEN, Grant, Message, Workspace, member_id
from orchestrator.sandbox.wire import Situation, WireRequest, cursor, place_of, whole_number

CHANNEL_SCOPES = {
    "public_channel": "search:read.public",
    "private_channel": "search:read.private",
    "mpim": "search:read.mpim",
    "im": "search:read.im",
}
CONTENT_SCOPES = {"messages": "", "files": "search:read.files", "channels": "", "users": "search:read.users"}
MAX_LIMIT, MAX_CLAUSES, MAX_CLAUSE, MAX_MODIFIERS, MAX_QUERY = 20, 5, 500, 500, 1000
FOREVER = 10**12

Values = Mapping[str, Any]
Clause = Sequence[Needle]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for. Without clauses the query is read as it would be in the search box."""

    clauses: Sequence[Clause]
    unwanted: Sequence[Needle]
    modifiers: Sequence[Modifier]
    after: int
    before: int
    private: bool
    public: bool


class RealtimeSearch:
    """Real-time Search over one workspace."""

    def __init__(self, situation: Situation, workspace: Workspace, messages: MessageSearch) -> None:
        self._situation = situation
        self._workspace = workspace
        self._messages = messages
        self._files = FileSearch(workspace, messages)

    def info(self, _: Values, grant: Grant) -> dict[str, Any]:
        """assistant.search.info: nothing is searched by meaning here."""
        _demand(grant, "search:read.public")
        return {"is_ai_search_enabled": False}

    def context(self, values: Values, grant: Grant) -> dict[str, Any]:
        """assistant.search.context."""
        if grant.bot and values.get("action_token") != ACTION_TOKEN:
            raise SlackError("invalid_action_token")
        wish, types = self._wish(values, grant), _listed(values, "content_types", "messages", CONTENT_SCOPES)
        for each in types:
            _demand(grant, CONTENT_SCOPES[each])
        order = _choice(values, "sort", "score", "timestamp"), _choice(values, "sort_dir", "desc", "asc")
        found = self._found(
            wish,
            types,
            Reader(member_id(grant.person), grant.sees_private, self._situation.clock(), self._situation.zone),
            order,
        )
        return self._page(found, values, types)

    def _wish(self, values: Values, grant: Grant) -> Wish:
        query = _text(values, "query", MAX_QUERY, "query_too_long")
        if not query.strip():
            raise SlackError("missing_query")
        channels = _listed(values, "channel_types", "public_channel", CHANNEL_SCOPES)
        for each in channels:
            _demand(grant, CHANNEL_SCOPES[each])
        clauses, modifiers = _clauses(values), _modifiers(values)
        box = parse(query)
        return Wish(
            clauses=clauses or [(needle,) for needle in box.wanted],
            unwanted=() if clauses else box.unwanted,
            modifiers=modifiers if clauses else box.modifiers,
            after=_whole(values, "after", -1, FOREVER),
            before=_whole(values, "before", FOREVER, FOREVER),
            private="private_channel" in channels,
            public="public_channel" in channels,
        )

    def _found(
        self, wish: Wish, types: Sequence[str], reader: Reader, order: tuple[str, str]
    ) -> Sequence[Message | SharedFile]:
        """Of the types asked for; the boundaries of a window do not belong to it."""
        found: list[tuple[Message | SharedFile, float]] = []
        if "messages" in types:
            found += self._messages.find_clauses(wish.clauses, wish.unwanted, wish.modifiers, reader)
        if "files" in types:
            found += self._files.find_clauses(wish.clauses, wish.unwanted, wish.modifiers, reader)
        kept = [(each, score) for each, score in found if _within(wish, _message(each))]
        by_time = [(_message(each).micros, _message(each).row.id) for each, _ in kept]
        keys = (
            by_time if order[0] == "timestamp" else [(score, *t) for (_, score), t in zip(kept, by_time, strict=True)]
        )
        places = sorted(range(len(kept)), key=lambda place: keys[place], reverse=order[1] == "desc")
        return [kept[place][0] for place in places]

    def _page(self, found: Sequence[Message | SharedFile], values: Values, types: Sequence[str]) -> dict[str, Any]:
        limit = _whole(values, "limit", MAX_LIMIT, MAX_LIMIT, least=1)
        asked = {name: value for name, value in values.items() if name not in ("cursor", "limit", "action_token")}
        scope = json.dumps(asked, sort_keys=True)
        text = str(values.get("cursor") or "")
        start = place_of(text, scope) if text else 0
        if start is None:
            raise SlackError("invalid_cursor")
        shown = found[start : start + limit]
        following = cursor(start + limit, scope) if start + limit < len(found) else ""
        results = {
            "messages": [render.context(each, self._workspace) for each in shown if isinstance(each, Message)],
            "files": [render.file(each, self._workspace) for each in shown if isinstance(each, SharedFile)],
            "channels": [],
            "users": [],
        }
        return {
            "results": {name: results[name] for name in types},
            "response_metadata": {"next_cursor": following},
            "__total__": len(found),
        }


def read_values(request: WireRequest) -> dict[str, Any]:
    """Arguments of a JSON body with their types, or of a form as text; a body that is no object gives none."""
    if not request.headers.get("content-type", "").casefold().startswith("application/json"):
        return dict(read_arguments(request))
    try:
        value = json.loads(request.body or b"{}")
    except (ValueError, RecursionError):
        raise SlackError("invalid_json") from None
    if not isinstance(value, dict):
        raise SlackError("json_not_object")
    return value


def _within(wish: Wish, message: Message) -> bool:
    in_type = wish.private if message.channel.private else wish.public
    return in_type and wish.after * 1_000_000 < message.micros < wish.before * 1_000_000


def _message(found: Message | SharedFile) -> Message:
    return found if isinstance(found, Message) else found.message


def _demand(grant: Grant, scope: str) -> None:
    if scope and scope not in grant.scopes:
        raise SlackError("missing_scope", needed=scope, provided=",".join(sorted(grant.scopes)))


def _clauses(values: Values) -> Sequence[Clause]:
    """Terms are separated by blanks; one that would be something else than a word in the search box is refused."""
    said = values.get("term_clauses")
    if said is None:
        return ()
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or not 1 <= len(listed) <= MAX_CLAUSES:
        raise SlackError("invalid_array_arg")
    return [_clause(each) for each in listed]


def _clause(text: object) -> Clause:
    if not isinstance(text, str) or not 1 <= len(text) <= MAX_CLAUSE:
        raise SlackError("invalid_array_arg")
    box = parse(text)
    if box.modifiers or box.unwanted or '"' in text or any(needle.kind != "word" for needle in box.wanted):
        raise SlackError("invalid_arguments")
    return tuple(box.wanted)


def _modifiers(values: Values) -> Sequence[Modifier]:
    text = _text(values, "modifiers", MAX_MODIFIERS, "invalid_arguments")
    box = parse(text)
    if box.wanted or box.unwanted or len(box.modifiers) != len(text.split()):
        raise SlackError("invalid_arguments")
    return box.modifiers


def _text(values: Values, name: str, most: int, error: str) -> str:
    text = values.get(name) or ""
    if not isinstance(text, str):
        raise SlackError("invalid_arguments")
    if len(text) > most:
        raise SlackError(error)
    return text


def _whole(values: Values, name: str, default: int, most: int, *, least: int = 0) -> int:
    said = values.get(name)
    if said is None or said == "":
        return default
    number = (
        whole_number(str(said), least, most) if isinstance(said, int | str) and not isinstance(said, bool) else None
    )
    if number is None:
        raise SlackError("invalid_arguments")
    return number


def _choice(values: Values, name: str, *choices: str) -> str:
    said = values.get(name) or choices[0]
    if said not in choices:
        raise SlackError("invalid_arguments")
    return str(said)


def _listed(values: Values, name: str, default: str, known: Mapping[str, str]) -> Sequence[str]:
    said = values.get(name) or [default]
    listed = said.replace(" ", "").split(",") if isinstance(said, str) else said
    if not isinstance(listed, list) or not all(isinstance(each, str) and each in known for each in listed):
        raise SlackError("invalid_array_arg")
    return tuple(dict.fromkeys(listed))
