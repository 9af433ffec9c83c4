"""Reads what was typed: the question, the moment it is asked, the settings it changes."""

from __future__ import annotations

import sys
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from orchestrator.surfaces.cli.composition import BadInput
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence


LONGEST_INPUT = 1_000_000  # characters of a question; more is a file piped in by mistake
FIRST_YEAR, LAST_YEAR = 1970, 2199  # outside, "last year" and time zones leave the calendar

Question = Annotated[
    list[str] | None,
    typer.Argument(help="The question, in Korean or English; - reads it from standard input.", show_default=False),
]
Now = Annotated[
    str | None, typer.Option(help="Ask as if at this moment, e.g. 2026-11-20T10:00:00+09:00.", metavar="ISO-8601")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, and nothing else there.")]
DigestFormat = Literal["plain", "markdown", "html", "json"]
Powers = Annotated[
    bool, typer.Option("--powers", help="Show what each kind of source can check by itself; nothing is asked.")
]
Sources = Annotated[
    list[str] | None, typer.Option("--source", "-s", help="Ask only this source; may be repeated.", metavar="NAME")
]


def read_question(words: Sequence[str] | None) -> str:
    """The words joined, or standard input for a single ``-``. Raises :class:`BadInput` where that is no text."""
    text = _from_stdin() if list(words or ()) == ["-"] else " ".join(words or ())
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise BadInput(Said("the question is not valid UTF-8; type it again, or convert the file it comes from"))
    if len(text) > LONGEST_INPUT:
        raise BadInput(
            Said("the question has more than {most:,} characters; ask in a few sentences").filled(most=LONGEST_INPUT)
        )
    if not text.strip():
        raise BadInput(
            Said('the question is empty; ask something, for example: fedsearch search "where is the API spec?"')
        )
    return text


def _from_stdin() -> str:
    if sys.stdin.isatty():
        sys.stderr.write("type the question, then Ctrl-D\n")
    return sys.stdin.buffer.read(LONGEST_INPUT * 4 + 1).decode("utf-8", "surrogateescape")


def read_now(typed: str | None, zone: tzinfo | None) -> datetime:
    """The moment of asking, aware. What has no offset is meant in ``zone`` (``None``: the machine's own)."""
    from orchestrator.settings import now_in

    return now_in(zone) if typed is None else read_moment("--now", typed, zone)


def read_moment(option: str, typed: str, zone: tzinfo | None) -> datetime:
    """The moment that was typed for ``option``, aware; a day is its beginning. Raises :class:`BadInput`."""
    try:
        moment = datetime.fromisoformat(typed.strip())
    except ValueError as failure:
        raise BadInput(
            Said("{option} {typed} is no moment ({why}); write 2026-11-20 or 2026-11-20T10:00:00+09:00").filled(
                option=option, typed=repr(typed), why=failure
            )
        ) from None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise BadInput(
            Said("{option} {typed} is too far away; years {first} to {last} can be reckoned with").filled(
                option=option, typed=repr(typed), first=FIRST_YEAR, last=LAST_YEAR
            )
        )
    return moment if moment.tzinfo else (moment.replace(tzinfo=zone) if zone else moment.astimezone())


def changes(**search: float | None) -> dict[str, Any]:
    """Options as a layer of settings: those of ``[search]`` that were given."""
    given = {key: value for key, value in search.items() if value is not None}
    return {"search": given} if given else {}
