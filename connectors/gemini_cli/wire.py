"""What the Gemini CLI prints: https://geminicli.com/docs/cli/headless ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from connectors.errors import BadReply
from connectors.exchange import HTML_PAGE, NO_JSON
from connectors.wire import Text, Wire, read
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

GEMINI_CLI = Said("the Gemini CLI")


class Failure(Wire):
    """``code`` is an exit status of the CLI, or the HTTP status of the API below it."""

    type: Text = ""
    message: Text = ""
    code: int | str | None = None


class Printed(Wire):
    """The one object of ``--output-format json``; a failure goes to standard error, in older versions without it."""

    response: Text = ""
    error: Failure | None = None


class Event(Wire):
    """A line of ``--output-format stream-json``."""

    type: Text
    role: Text = ""
    content: Text = ""
    status: Text = ""
    message: Text = ""
    error: Failure | None = None


def printed(text: str) -> Printed:
    """The object in ``text``, behind whatever else was printed before it. Raises :class:`BadReply`."""
    found = next(_objects(text), None)
    if found is None:
        markup = text.lstrip()[:1] == "<"
        raise BadReply(Said("the Gemini CLI printed {what}").filled(what=HTML_PAGE if markup else NO_JSON))
    return read(Printed, found, GEMINI_CLI)


def streamed(text: str) -> Printed:
    """The same from a stream: what the assistant said, in pieces, and how it ended. Raises :class:`BadReply`."""
    events = [read(Event, found, GEMINI_CLI) for found in _lines(text)]
    last = next((event for event in reversed(events) if event.type == "result"), None)
    if last is None:
        raise BadReply(Said("the Gemini CLI broke off: its stream has no result"))
    said = "".join(event.content for event in events if event.type == "message" and event.role == "assistant")
    failed = last.status == "error" or last.error is not None
    return Printed(response=said, error=(last.error or Failure(message=last.message)) if failed else None)


def failure(text: str) -> Failure:
    """What standard error says went wrong: an object with ``error``, else its last line."""
    for found in _objects(text):
        try:
            if (error := read(Printed, found, GEMINI_CLI).error) is not None:
                return error
        except BadReply:
            continue
    lines = text.strip().splitlines()
    return Failure(message=lines[-1] if lines else "")


def _objects(text: str) -> Iterator[object]:
    """Objects that begin at the beginning of a line."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        if text[at] == "{":
            try:
                found, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                pass
            else:
                yield found
        following = text.find("\n", at)
        at = len(text) if following < 0 else following + 1


def _lines(text: str) -> Iterator[object]:
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                raise BadReply(Said("the Gemini CLI printed a line that is not JSON")) from None
