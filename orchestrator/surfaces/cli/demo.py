"""``fedsearch demo``: a pretend workplace and six questions to it, over real sockets, in one process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import SandboxWish
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import Now, read_now, read_question
from orchestrator.surfaces.cli.serving import MOMENT, Corpora, Drop, Faults, Maps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.model import Answer
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition, Serving

QUESTIONS = (
    "what did we decide about the 2027 pricing start date",
    "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
    "status of the Okta rollout",
    "쿠버네티스 이전 지금 어디까지 됐나요?",
    "Where is the REST spec for Merchant API v2?",
    "결제 서비스 장애 회고 문서 어디 있나요?",
)
RESULTS = 3
FIRST = 10.0  # seconds for a question that is somebody's first on this machine, where nothing is loaded yet

Questions = Annotated[
    list[str] | None,
    typer.Argument(metavar="[QUESTION]...", help="Ask these instead, each in quotes.", show_default=False),
]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def demo(
        questions: Questions = None,
        *,
        fault: Faults = None,
        corpus: Corpora = None,
        mapping: Maps = None,
        drop_repeats: Drop = False,
        now: Now = MOMENT,
    ) -> int:
        """Ask a pretend workplace a few questions, in both languages."""
        import asyncio

        from orchestrator.settings import load_settings

        asked = [read_question([question]) for question in questions or QUESTIONS]
        settings = load_settings()
        moment = read_now(now, settings.locale.timezone)
        wish = SandboxWish(
            tuple(corpus or ()), tuple(mapping or ()), tuple(fault or ()), now=moment, drop_repeats=drop_repeats
        )
        answers = asyncio.run(_demonstrate(composition, settings, wish, asked, moment))
        return Exit.FOUND if any(answer.results for answer in answers) else Exit.NOTHING


def pretend(composition: Composition, question: str) -> None:
    """One question to the packaged workplace, as of its own present."""
    import asyncio

    from orchestrator.settings import load_settings

    settings = load_settings({"search": {"budget": FIRST}})
    moment = read_now(MOMENT, settings.locale.timezone)
    asyncio.run(_demonstrate(composition, settings, SandboxWish(now=moment), [question], moment))


async def _demonstrate(
    composition: Composition, settings: Settings, wish: SandboxWish, questions: Sequence[str], now: datetime
) -> list[Answer]:
    _say("opening a pretend workplace and the Korean dictionary …")
    async with composition.sandbox(wish) as serving:
        await _warm(questions)
        _introduce(serving)
        theirs = settings.pretending(serving.settings())
        answers = [await _ask(composition, theirs, question, now) for question in questions]
    _conclude(answers)
    return answers


async def _warm(questions: Sequence[str]) -> None:
    """Korean morphology takes seconds to load; that is not to be mistaken for the sources' time."""
    import asyncio

    from orchestrator.understand import warm

    if not all(question.isascii() for question in questions):
        await asyncio.to_thread(warm)


async def _ask(composition: Composition, settings: Settings, question: str, now: datetime) -> Answer:
    """One question with an engine of its own, like one ``fedsearch search``: six in a row would meet Slack's rate limit."""
    from orchestrator.model import Ask
    from orchestrator.surfaces.cli.answer_view import answer_view
    from orchestrator.surfaces.cli.receipt_view import receipt_view
    from orchestrator.surfaces.cli.screen import show
    from orchestrator.surfaces.cli.searching import ask_watching

    async with composition.engine(settings) as engine:
        ask = Ask(question, now, limit=RESULTS, budget=settings.search.budget)
        await engine.understand(ask)  # what a process loads for its first question would pass for the sources' time
        answer = await ask_watching(engine, ask)
    show([*answer_view(answer, now.tzinfo), *receipt_view(answer, brief=True), "", ""])
    return answer


def _introduce(serving: Serving) -> None:
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, line, show

    served = ", ".join(f"{each.source} {each.items:,}" for each in serving.sources)
    items = sum(each.items for each in serving.sources)
    missed = ", ".join(f"{source} {count:,}" for source, count in sorted(serving.unserved.items()))
    show(
        [
            line(("fedsearch demo", STRONG), (f"  {items:,} items behind real sockets on 127.0.0.1: {served}", QUIET)),
            *([line((f"not served: {missed}", QUIET))] if missed else []),
            "",
        ]
    )


def _conclude(answers: Sequence[Answer]) -> None:
    from orchestrator.surfaces.cli.screen import ACCENT, QUIET, hanging, show, styled

    slowest = max((answer.took for answer in answers), default=0.0)
    found = sum(1 for answer in answers if answer.results)
    steps = {
        'fedsearch demo "your own question"': "ask it something else",
        "fedsearch demo --fault slack=delay:30": "see a source fail",
        "fedsearch sandbox": "keep it open for other terminals",
        "fedsearch doctor": "see what your own sources need",
    }
    show(
        [
            styled(
                f"{found} of {len(answers)} questions answered, the slowest in {slowest:.2f} s; everything is stopped.",
                QUIET,
            ),
            "",
            hanging((styled(command, ACCENT), styled(purpose, QUIET)) for command, purpose in steps.items()),
        ]
    )


def _say(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"{text}\n")
