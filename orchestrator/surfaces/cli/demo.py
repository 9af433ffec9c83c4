"""``fedsearch demo``: a pretend workplace and six questions to it, over real sockets, in one process.

``fedsearch sandbox``: the same workplace for real clients to point at, until it is told to stop.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.composition import SandboxWish
from orchestrator.surfaces.cli.failures import Exit, guarded, said_here
from orchestrator.surfaces.cli.inputs import Now, read_now, read_question
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from orchestrator.model import Answer
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition, Serving

ACTIVATE = Said("once in this shell, so that it finds the command")
ANSWERED = Said("{found} of {asked} questions answered, the slowest in {seconds} s; everything is stopped.")
SERVED = Said("{items} items behind real sockets on 127.0.0.1: {served}")
MISSED = Said("not served: {missed}")
MOMENT = "2026-11-20T10:00:00+09:00"  # the present of the packaged workplace

Corpora = Annotated[
    list[str] | None,
    typer.Option("--corpus", help="Serve this .jsonl or .jsonl.gz file, or folder; may be repeated.", metavar="FILE"),
]
Maps = Annotated[
    list[str] | None,
    typer.Option(
        "--map", help="Serve items of a foreign source as a known one: github=linear.", metavar="FOREIGN=SOURCE"
    ),
]
Drop = Annotated[bool, typer.Option("--drop-repeats", help="Leave out rows of the corpus whose id was there before.")]
Faults = Annotated[
    list[str] | None,
    typer.Option("--fault", help="Make a source misbehave: slack=delay:30, linear=status:500.", metavar="SOURCE=FAULT"),
]
Port = Annotated[
    int, typer.Option(help="First port; the sources take it and the next ones. 0: any free.", min=0, max=65000)
]
Served = Annotated[list[str] | None, typer.Option("--source", "-s", help="Serve only this source.", metavar="NAME")]


def _add_sandbox(app: typer.Typer, composition: Composition) -> None:

    @app.command()
    @guarded
    def sandbox(
        *,
        corpus: Corpora = None,
        mapping: Maps = None,
        drop_repeats: Drop = False,
        fault: Faults = None,
        port: Port = 0,
        source: Served = None,
    ) -> int:
        """Serve a pretend workplace on this machine until Ctrl-C."""
        import asyncio

        wish = SandboxWish(
            tuple(corpus or ()),
            tuple(mapping or ()),
            tuple(fault or ()),
            tuple(source or ()),
            port,
            drop_repeats=drop_repeats,
        )
        asyncio.run(_serve(composition, wish))
        return Exit.FOUND


async def _serve(composition: Composition, wish: SandboxWish) -> None:
    import asyncio
    import signal

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with composition.sandbox(wish) as serving:
        for text in announcement(serving, packaged=not wish.corpus):
            sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
        await stop.wait()
    sys.stderr.write("stopped\n")


def announcement(serving: Serving, *, packaged: bool = True) -> Iterator[str]:
    """Lines a shell can read: what is served as comments, where it is served as variables to export."""
    yield "# A pretend workplace, on this machine only. Paste the exports into another shell, then:"
    yield f"#   fedsearch search {_question(serving.newest, packaged=packaged)}"
    for each in serving.sources:
        yield f"# {each.source}: {each.items:,} items"
    if serving.unserved:
        counts = ", ".join(f"{source} {count:,}" for source, count in sorted(serving.unserved.items()))
        yield f"# not served: {one_line(counts)} (serve them with --map FOREIGN=SOURCE)"
    if serving.repeated:
        yield f"# not served: {serving.repeated:,} rows whose id was there before"
    for source, reason in sorted(serving.absent.items()):
        yield f"# not served: {source}, because {one_line(reason)}"
    for each in serving.sources:
        prefix = f"FEDSEARCH_SOURCES__{each.source.upper()}__"
        yield f"export {prefix}BASE_URL={shlex.quote(each.base_url)}"
        yield f"export {prefix}TOKEN={shlex.quote(each.token)}"
    yield "# Ctrl-C stops it."


def _question(newest: datetime | None, *, packaged: bool) -> str:
    """A question that the packaged workplace can answer; over another corpus one's own, as of its newest item."""
    if packaged:
        return f'"where is the runbook for webhook-relay?" --now {MOMENT}'
    return '"your question"' + (f" --now {newest.isoformat()}" if newest else "")


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
    """Register the commands."""
    _add_demo(app, composition)
    _add_sandbox(app, composition)


def _add_demo(app: typer.Typer, composition: Composition) -> None:
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
    from orchestrator.surfaces.cli.answer_view import answer_view, receipt_view
    from orchestrator.surfaces.cli.screen import show
    from orchestrator.surfaces.cli.searching import ask_watching
    from orchestrator.surfaces.cli.words import system_language

    async with composition.engine(settings) as engine:
        ask = Ask(question, now, limit=RESULTS, budget=settings.search.budget, language=system_language())
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
            line(
                ("fedsearch demo", STRONG), (f"  {said_here(SERVED.filled(items=f'{items:,}', served=served))}", QUIET)
            ),
            *([line((said_here(MISSED.filled(missed=missed)), QUIET))] if missed else []),
            "",
        ]
    )


def _conclude(answers: Sequence[Answer]) -> None:
    from orchestrator.surfaces.cli.screen import ACCENT, QUIET, hanging, show, styled

    slowest = max((answer.took for answer in answers), default=0.0)
    found = sum(1 for answer in answers if answer.results)
    steps = {
        **({f"source {activate}": ACTIVATE} if (activate := _unfound()) else {}),
        'fedsearch demo "your own question"': Said("ask it something else"),
        "fedsearch demo --fault slack=delay:30": Said("see a source fail"),
        "fedsearch sandbox": Said("keep it open for other terminals"),
        "fedsearch doctor": Said("see what your own sources need"),
    }
    done = ANSWERED.filled(found=found, asked=len(answers), seconds=f"{slowest:.2f}")
    show(
        [
            styled(said_here(done), QUIET),
            "",
            hanging((styled(command, ACCENT), styled(said_here(purpose), QUIET)) for command, purpose in steps.items()),
        ]
    )


def _unfound() -> str:
    """What makes a shell find the command, where it does not: `make demo` is the first thing that many type."""
    import os
    import shutil
    from pathlib import Path

    activate = Path(sys.prefix) / "bin" / "activate"
    if shutil.which("fedsearch") or not activate.is_file():
        return ""
    here = Path(os.path.relpath(activate))
    return str(activate if here.parts[0] == ".." else here)


def _say(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"{text}\n")
