"""``fedsearch sources try``: ask one declared source one question before it is anybody's, and say what of its replies is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.failures import complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Question, read_now, read_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

File = Annotated[str, typer.Argument(help="A file as it would lie in sources.d.", metavar="FILE", show_default=False)]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command("try")
    @guarded
    def try_source(file: File, question: Question = None, *, as_json: AsJson = False) -> int:
        """Ask a source that FILE declares, and no other; nothing is kept."""
        import asyncio

        from orchestrator.model import Ask
        from orchestrator.settings import load_settings, name_of, read_source
        from orchestrator.surfaces.cli.searching import exit_code, print_answer

        path, text = Path(file), read_question(question)
        name = name_of(path)
        settings = load_settings({"sources": {name: read_source(path)}}).alone(name)
        ask = Ask(text, read_now(None, settings.locale.timezone), sources=(name,), budget=settings.search.budget)
        answer = asyncio.run(_asked(composition, settings, ask))
        print_answer(answer, ask, as_json=as_json, with_receipt=True)
        hits = [hit for outcome in answer.outcomes for hit in outcome.hits]
        if hits and not as_json:
            _print_read(hits)
        return exit_code(answer)


async def _asked(composition: Composition, settings: Settings, ask: Ask) -> Answer:
    from orchestrator.surfaces.cli.searching import ask_watching

    async with composition.engine(settings) as engine:
        for name, health in (await engine.health()).items():
            if not health.ok:
                complain(f"{name} says that it is not well: {health.detail}")
        return await ask_watching(engine, ask)


def _print_read(hits: Sequence[Hit]) -> None:
    from orchestrator.documents.setup import read_counts
    from orchestrator.surfaces.cli.screen import QUIET, WARN, columns, rule, show, styled

    rows = [
        (styled(name), styled(f"{count} of {len(hits)}", WARN if count == 0 else QUIET))
        for name, count in read_counts(hits).items()
    ]
    show(["", rule("What was read of the replies"), columns(rows)])
