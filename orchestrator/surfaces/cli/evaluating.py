"""``fedsearch eval``: how well judged questions are answered over a corpus, with intervals."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput, TrialWish
from orchestrator.surfaces.cli.demo import Corpora, Drop, Maps  # noqa: TC001 - typer reads them at run time
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Now, read_now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from orchestrator.learning import FeedbackFigures
    from orchestrator.surfaces.cli.composition import Composition

Queries = Annotated[
    str, typer.Option(help="The questions: a JSON object a line, with id and text.", metavar="FILE", show_default=False)
]
Qrels = Annotated[
    str,
    typer.Option(help="What is right: query-id, corpus-id and score, with tabs.", metavar="FILE", show_default=False),
]
Record = Annotated[
    str, typer.Option(help="Keep what the sources answered in this file.", metavar="FILE", show_default=False)
]
Replay = Annotated[
    str, typer.Option(help="Rank what this recording holds; nothing is asked.", metavar="FILE", show_default=False)
]
Ablation = Annotated[bool, typer.Option("--ablation", help="Also show what each part of ranking brings.")]
FromFeedback = Annotated[
    bool, typer.Option("--from-feedback", help="By what people here opened, copied and marked; nothing is asked.")
]
Most = Annotated[int, typer.Option("--limit", "-n", help="Questions at most; 0: all.", min=0, metavar="N")]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command("eval")
    @guarded
    def evaluate(
        *,
        corpus: Corpora = None,
        queries: Queries = "",
        qrels: Qrels = "",
        mapping: Maps = None,
        record: Record = "",
        replay: Replay = "",
        ablation: Ablation = False,
        limit: Most = 0,
        drop_repeats: Drop = False,
        now: Now = None,
        from_feedback: FromFeedback = False,
        as_json: AsJson = False,
    ) -> int:
        """Measure how well judged questions are answered over a corpus."""
        import asyncio

        from orchestrator.settings import load_settings
        from orchestrator.surfaces.cli.figures_view import figures_view, trial_document

        settings = load_settings()
        wish = TrialWish(
            tuple(corpus or ()),
            tuple(mapping or ()),
            queries,
            qrels,
            record,
            replay,
            limit,
            read_now(now, settings.locale.timezone) if now else None,
            drop_repeats,
            ablation,
        )
        if from_feedback:
            if wish != TrialWish():
                raise BadInput("--from-feedback asks nothing: only --json goes with it")
            return _from_feedback(composition.feedback(settings), as_json=as_json)
        check(wish)
        with _progress() as told:
            trial = asyncio.run(composition.evaluate(settings, wish, told))
        if as_json:
            from orchestrator.surfaces.cli.documents import print_json

            print_json(trial_document(trial))
        else:
            from orchestrator.surfaces.cli.screen import show, warn

            warn(trial.notes)
            show(figures_view(trial))
        return Exit.FOUND


def _from_feedback(figures: FeedbackFigures, *, as_json: bool) -> int:
    from orchestrator.surfaces.cli.figures_view import feedback_document, feedback_view

    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        print_json(feedback_document(figures))
    else:
        from orchestrator.surfaces.cli.screen import show

        show(feedback_view(figures))
    return Exit.FOUND


def check(wish: TrialWish) -> None:
    """Raises :class:`BadInput` for options that do not go together."""
    asking = (wish.corpus, wish.mapping, wish.queries, wish.qrels, wish.record, wish.now, wish.drop_repeats)
    if wish.replay and any(asking):
        raise BadInput("--replay asks nothing: only --ablation, --limit and --json go with it")
    if wish.corpus and not wish.queries:
        raise BadInput("--corpus needs the questions to ask over it; name them with --queries FILE")
    if wish.qrels and not wish.queries:
        raise BadInput("--qrels judges questions; name them with --queries FILE")
    if wish.drop_repeats and not wish.corpus:
        raise BadInput("--drop-repeats leaves rows of a corpus out; name one with --corpus FILE")
    if wish.mapping and not wish.corpus:
        raise BadInput("--map says which source serves the items of a corpus; name one with --corpus FILE")


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Says on a terminal what is being done, over what it said before, and wipes it at the end."""
    watched = sys.stderr.isatty()

    def tell(text: str) -> None:
        if watched:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        tell("")
