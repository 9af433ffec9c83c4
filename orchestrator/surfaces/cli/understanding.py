"""``fedsearch understand``: a question taken apart, or labelled rows in and predicted rows out."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Now, Question, read_now, read_question

if TYPE_CHECKING:
    from translators.query import Query
    from translators.said import Said

Rows = Annotated[
    str | None,
    typer.Option("--jsonl", help="Read rows with id, text, reference from FILE (- is standard input).", metavar="FILE"),
]


def add(app: typer.Typer) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def understand(question: Question = None, *, now: Now = None, as_json: AsJson = False, jsonl: Rows = None) -> int:
        """Take a question apart: type, keywords, names, dates, filters. Asks no source."""
        if jsonl is not None:
            if question:
                raise BadInput("--jsonl reads its questions from the file; leave the question out")
            return _rows(jsonl)
        return _one(read_question(question), now, as_json=as_json)


def _one(text: str, now: str | None, *, as_json: bool) -> int:
    query = read_query(text, now)
    if as_json:
        from orchestrator.documents.question import query_document
        from orchestrator.surfaces.cli.documents import print_json

        print_json(query_document(query))
    else:
        from orchestrator.surfaces.cli.plan_view import question_view
        from orchestrator.surfaces.cli.screen import show

        show(question_view(query))
    return Exit.FOUND


def read_query(text: str, now: str | None) -> Query:
    """Understand ``text`` under the settings in force; longer than they allow, its beginning is read and it says so."""
    from dataclasses import replace

    from orchestrator.settings import load_settings
    from orchestrator.understand import understand as take_apart
    from translators.query import Doubt

    settings = load_settings()
    most = settings.search.max_text
    moment = read_now(now, settings.locale.timezone)
    query = take_apart(text[:most], moment)
    if len(text) > most:
        query = replace(query, doubts=(*query.doubts, Doubt("cut", cut_message(len(text), most))))
    return query


def cut_message(length: int, most: int) -> Said:
    """What to say of a question that is longer than what is read of it."""
    from translators.said import Said

    return Said(
        "the question has {length:,} characters; only the first {most:,} were read (setting search.max_text)"
    ).filled(length=length, most=most)


def _rows(path: str) -> int:
    from orchestrator.surfaces.cli.documents import json_text
    from orchestrator.understand import understand_rows

    with _opened(path) as lines:
        try:
            for row in understand_rows(lines):
                sys.stdout.write(json_text(row, indent=None) + "\n")
        except UnicodeDecodeError:
            raise BadInput(f"{path} is not UTF-8 text; rows are JSON Lines in UTF-8") from None
        except ValueError as failure:
            raise BadInput(f"{path}: {failure}") from None
    return Exit.FOUND


def _opened(path: str) -> IO[str]:
    if path == "-":
        return open(sys.stdin.fileno(), encoding="utf-8", closefd=False)
    try:
        return open(path, encoding="utf-8")  # noqa: PTH123 - the caller closes it
    except OSError as failure:
        raise BadInput(f"{path} cannot be read: {failure.strerror}") from None
