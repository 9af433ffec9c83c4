"""``fedsearch search``: ask every source, show who has answered, print the answer and its receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import (
    AsJson,
    Now,
    Question,
    Sources,
    changes,
    read_now,
    read_question,
)
from translators.said import Said, joined, said_in

if TYPE_CHECKING:
    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Ask, DialogueTurn
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

Limit = Annotated[
    int | None, typer.Option("--limit", "-n", help="Results shown, besides those the answer quotes.", metavar="N")
]
Budget = Annotated[float | None, typer.Option(help="Seconds for the whole question.", metavar="SECONDS")]
Profile = Annotated[
    Literal["factors", "formula", "recency_boost"] | None,
    typer.Option(help="How results are ordered (setting ranking.profile).", metavar="NAME"),
]
Follow = Annotated[
    bool,
    typer.Option("--follow", "-f", help="Go on from the last question asked here: “and in Korea?”, “not that one”."),
]
Receipt = Annotated[bool, typer.Option("--receipt/--no-receipt", help="Whether to say what was asked where.")]


NOBODY_ANSWERED = Said("no source answered. {reasons}")


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def search(
        question: Question = None,
        *,
        source: Sources = None,
        limit: Limit = None,
        budget: Budget = None,
        now: Now = None,
        profile: Profile = None,
        receipt: Receipt = True,
        follow: Follow = False,
        as_json: AsJson = False,
    ) -> int:
        """Ask every source and print one ranked, cited answer."""
        import asyncio

        from orchestrator.dialogue import turn_of
        from orchestrator.model import Ask
        from orchestrator.settings import load_settings
        from orchestrator.surfaces.cli.following import keep_turn, last_turn
        from orchestrator.surfaces.cli.screen import warn
        from orchestrator.surfaces.cli.words import system_language

        text = read_question(question)
        chosen = {"ranking": {"profile": profile}} if profile else {}
        settings = load_settings(changes(limit=limit, budget=budget) | chosen)
        moment = read_now(now, settings.locale.timezone)
        search, own = settings.search, system_language()
        ask = Ask(text, moment, sources=tuple(source or ()), limit=search.limit, budget=search.budget, language=own)
        before = last_turn(settings.storage.path) if follow else None
        answer, ask = asyncio.run(_search(composition, settings, ask, before))
        unkept = keep_turn(settings.storage.path, turn_of(answer, ask))
        warn_of_doubts(answer, ask, settings, as_json=as_json)
        if unkept:
            warn([said_in(unkept, answer.query.language)])
        print_answer(answer, ask, as_json=as_json, with_receipt=receipt)
        return exit_code(answer)


async def _search(
    composition: Composition, settings: Settings, ask: Ask, before: DialogueTurn | None
) -> tuple[Answer, Ask]:
    async with composition.engine(settings) as engine:
        ask = await engine.in_context(ask, before)
        return await ask_watching(engine, ask), ask


async def ask_watching(engine: Engine, ask: Ask) -> Answer:
    """The answer, with the sources' progress on screen until it is there."""
    from contextlib import aclosing

    from orchestrator.events import Answered, Arrived, Planned
    from orchestrator.surfaces.cli.progress import watching

    with watching() as progress:
        async with aclosing(engine.stream(ask, revisions=False)) as events:
            async for event in events:
                match event:
                    case Planned(plan):
                        progress.planned(plan)
                    case Arrived(outcome):
                        progress.arrived(outcome)
                    case Answered(answer):
                        return answer
    raise AssertionError("a stream ends with its answer")


def warn_of_doubts(answer: Answer, ask: Ask, settings: Settings, *, as_json: bool) -> None:
    """What of the question was not taken at its word, on standard error; people read that on top of the answer."""
    from orchestrator.surfaces.cli.screen import warn
    from orchestrator.surfaces.cli.understanding import cut_message

    most = settings.search.max_text
    cut = [cut_message(len(ask.text), most)] if len(ask.text) > most else []
    doubts = [doubt.message for doubt in answer.query.doubts] if as_json else []
    warn(said_in(doubt, answer.query.language) for doubt in (*cut, *doubts))


def print_answer(answer: Answer, ask: Ask, *, as_json: bool, with_receipt: bool) -> None:
    """The answer on standard output, for people or as one JSON object."""
    if as_json:
        from orchestrator.documents.answer import answer_document
        from orchestrator.surfaces.cli.documents import print_json

        print_json(answer_document(answer))
        return
    from orchestrator.surfaces.cli.answer_view import answer_view, receipt_view
    from orchestrator.surfaces.cli.screen import show

    show(answer_view(answer, ask.now.tzinfo))
    if with_receipt:
        show(receipt_view(answer))


def exit_code(answer: Answer) -> Exit:
    """Found, nothing found, or nobody could tell; the last is also said on standard error."""
    from orchestrator.model import ANSWERED

    if answer.results:
        return Exit.FOUND
    if any(outcome.status in ANSWERED for outcome in answer.outcomes):
        return Exit.NOTHING
    told = (joined(": ", (each.title, each.problem.message)) for each in answer.outcomes if each.problem)
    complain(NOBODY_ANSWERED.filled(reasons=joined("; ", told)))
    return Exit.NO_SOURCES
