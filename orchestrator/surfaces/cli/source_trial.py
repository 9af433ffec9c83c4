"""``fedsearch sources try``: ask one declared source one question before it is anybody's, and say what of its replies is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.failures import complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Question, read_now, read_question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.documents.filters import FilterProbe, FilterVerdict
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

# By what became of a condition: what that is in [can], and what was seen.
SAID: Mapping[FilterVerdict, str] = MappingProxyType(
    {
        "exact": "exact: nothing else came, and nothing that fits is missing",
        "wider": "wider: {wrong} came that do not fit, and nothing that fits is missing",
        "unheeded": "not heeded: as much came as without it; leave it out of [can]",
        "narrower": "{lost} that fit are missing; leave it out of [can], or they are never found",
        "undeclared": "not asked: [can] does not name it, and it is checked here",
    }
)
Filters = Annotated[
    bool,
    typer.Option("--filters", help="Ask for results by author, place and day too, and see whether that is heeded."),
]
File = Annotated[str, typer.Argument(help="A file as it would lie in sources.d.", metavar="FILE", show_default=False)]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command("try")
    @guarded
    def try_source(file: File, question: Question = None, *, filters: Filters = False, as_json: AsJson = False) -> int:
        """Ask a source that FILE declares, and no other; nothing is kept."""
        import asyncio

        from orchestrator.model import Ask
        from orchestrator.settings import load_settings, name_of, read_source
        from orchestrator.surfaces.cli.searching import exit_code, print_answer

        path, text = Path(file), read_question(question)
        name = name_of(path)
        settings = load_settings({"sources": {name: read_source(path)}}).alone(name)
        ask = Ask(text, read_now(None, settings.locale.timezone), sources=(name,), budget=settings.search.budget)
        answer, judged = asyncio.run(_asked(composition, settings, ask, filters=filters))
        print_answer(answer, ask, as_json=as_json, with_receipt=True)
        hits = [hit for outcome in answer.outcomes for hit in outcome.hits]
        if hits and not as_json:
            _print_read(hits)
        if filters and not as_json:
            _print_judged(judged)
        return exit_code(answer)


async def _asked(
    composition: Composition, settings: Settings, ask: Ask, *, filters: bool
) -> tuple[Answer, list[tuple[FilterProbe, FilterVerdict, int, int]]]:
    """The answer, and what became of each condition that its results know the answer of."""
    from orchestrator.documents.filters import filter_probes
    from orchestrator.surfaces.cli.searching import ask_watching

    async with composition.engine(settings) as engine:
        for name, health in (await engine.health()).items():
            if not health.ok:
                complain(f"{name} says that it is not well: {health.detail}")
        answer = await ask_watching(engine, ask)
        judged: list[tuple[FilterProbe, FilterVerdict, int, int]] = []
        outcome = next(iter(answer.outcomes), None)
        for probe in filter_probes(outcome.hits) if filters and outcome else ():
            again = await engine.search(replace(ask, text=f"{ask.text} {probe.typed}"))
            judged += [(probe, *probe.judged(outcome, each)) for each in again.outcomes if outcome]
        return answer, judged


def _print_judged(judged: Sequence[tuple[FilterProbe, FilterVerdict, int, int]]) -> None:
    from orchestrator.surfaces.cli.screen import GOOD, WARN, columns, rule, show, styled

    rows = [
        (
            styled(probe.power),
            styled(probe.typed),
            styled(SAID[verdict].format(wrong=wrong, lost=lost), GOOD if verdict == "exact" else WARN),
        )
        for probe, verdict, wrong, lost in judged
    ]
    nothing = styled("no two results differ in author, place or day by enough; ask for something that finds more", WARN)
    show(["", rule("What it filters by, asked and seen"), columns(rows) if rows else nothing])


def _print_read(hits: Sequence[Hit]) -> None:
    from orchestrator.documents.setup import read_counts
    from orchestrator.surfaces.cli.screen import QUIET, WARN, columns, rule, show, styled

    rows = [
        (styled(name), styled(f"{count} of {len(hits)}", WARN if count == 0 else QUIET))
        for name, count in read_counts(hits).items()
    ]
    show(["", rule("What was read of the replies"), columns(rows)])
