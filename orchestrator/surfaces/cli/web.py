"""``fedsearch web``, ``web-page`` and ``web-answer``: the public web, with judged reliability and cited."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Question, read_question
from orchestrator.surfaces.cli.running import using

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition
    from orchestrator.websearch import Findings, GroundedAnswer, WebPage, WebSearch

T = TypeVar("T")


class Choice(StrEnum):
    """The strategies as they are typed."""

    ALL = "all"
    OFFICIAL = "official"
    COMPREHENSIVE = "comprehensive"
    PROGRESSIVE = "progressive"


class Shape(StrEnum):
    """The formats as they are typed."""

    QUICK = "quick"
    DEEP = "deep"
    PROGRESSIVE = "progressive"


Strategies = Annotated[
    Choice,
    typer.Option(
        "--strategy",
        help="official: official pages first; comprehensive: the best of each tier; progressive: few, then wider.",
    ),
]
Formats = Annotated[Shape, typer.Option("--format", help="How results are shown.")]
Tier = Annotated[
    int | None,
    typer.Option(help="Only pages of this tier: 1 official, 2 semi-official, 3 community, 4 blogs.", metavar="N"),
]
Most = Annotated[int, typer.Option("--max", help="Results at most, 1 to 50.", metavar="N")]
Feedback = Annotated[
    list[str] | None,
    typer.Option(
        "--feedback",
        help="With progressive: what is missing, such as “more examples”; may be repeated.",
        metavar="TEXT",
    ),
]
Read = Annotated[
    int, typer.Option("--read", help="Read the first N pages themselves, and quote them.", min=0, max=10, metavar="N")
]
Markdown = Annotated[bool, typer.Option("--markdown", help="Markdown instead of text for a terminal.")]
Url = Annotated[str, typer.Argument(help="The page.", show_default=False)]
Prompt = Annotated[
    str, typer.Option(help="What to look for in it; without, the beginning of its text.", metavar="TEXT")
]
Resolve = Annotated[
    bool, typer.Option("--resolve", help="Ask where the sources' redirects lead, and show that instead.")
]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    for command in (_add_search, _add_page, _add_answer):
        command(app, composition)


def _add_search(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def web(
        question: Question = None,
        *,
        strategy: Strategies = Choice.ALL,
        shape: Formats = Shape.QUICK,
        tier: Tier = None,
        most: Most = 10,
        feedback: Feedback = None,
        read: Read = 0,
        as_markdown: Markdown = False,
        as_json: AsJson = False,
    ) -> int:
        """Search the public web; every page has a tier and a reliability."""
        from orchestrator.surfaces.cli.screen import warn
        from orchestrator.surfaces.cli.web_view import print_findings
        from orchestrator.websearch import Format, Strategy, WebQuery
        from translators.said import said_in

        query = WebQuery(read_question(question), tier, most)

        async def found(search: WebSearch) -> Findings:
            findings = await search.search(query, Strategy(strategy))
            for said in feedback or ():
                findings = await search.widen(findings, said)
            findings = await search.look_into(findings, read) if read else findings
            warn(said_in(each, query.language) for each in findings.warnings)
            print_findings(findings, search.shown(findings, Format(shape)), as_json=as_json, as_markdown=as_markdown)
            return findings

        return Exit.FOUND if using(composition.web, found).results else Exit.NOTHING


def _add_page(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def web_page(url: Url, *, prompt: Prompt = "", as_json: AsJson = False) -> int:
        """Read one page of the public web, as far as it says something to a prompt."""
        from orchestrator.surfaces.cli.web_view import print_page
        from orchestrator.websearch import PageUnread, Refusal
        from orchestrator.websearch.query import language_of

        async def fetched(search: WebSearch) -> WebPage | Refusal:
            try:
                return await search.fetch(url, prompt)
            except PageUnread as failure:
                complain(failure.message)
                return failure.refusal

        page = using(composition.web, fetched)
        if isinstance(page, Refusal):
            return Exit.BAD_INPUT if page is Refusal.ADDRESS else Exit.NO_SOURCES
        print_page(page, language_of(prompt), as_json=as_json)
        return Exit.FOUND if page.matched else Exit.NOTHING


def _add_answer(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def web_answer(question: Question = None, *, resolve: Resolve = False, as_json: AsJson = False) -> int:
        """Have Gemini answer on the grounds of a Google search, every statement with its source."""
        from orchestrator.surfaces.cli.web_view import print_grounded

        text = read_question(question)

        async def answered(search: WebSearch) -> GroundedAnswer:
            answer = await search.grounded(text)
            return await search.resolved(answer) if resolve else answer

        answer = using(composition.web, answered)
        print_grounded(answer, as_json=as_json)
        return Exit.FOUND if answer.cited.plain.strip() else Exit.NOTHING
