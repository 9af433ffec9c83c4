"""``fedsearch explain``: the plan and the native queries, without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Now, Question, Sources, read_now, read_question

if TYPE_CHECKING:
    import typer

    from orchestrator.model import Ask, Plan
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def explain(question: Question = None, *, source: Sources = None, now: Now = None, as_json: AsJson = False) -> int:
        """Show what each source would be sent, and what it cannot check. Asks no source."""
        import asyncio

        from orchestrator.model import Ask
        from orchestrator.settings import load_settings
        from orchestrator.surfaces.cli.words import system_language

        text = read_question(question)
        settings = load_settings()
        moment = read_now(now, settings.locale.timezone)
        ask = Ask(text, moment, sources=tuple(source or ()), budget=settings.search.budget, language=system_language())
        plan = asyncio.run(_explain(composition, settings, ask))
        _print(plan, as_json=as_json)
        return Exit.FOUND if plan.steps else Exit.NO_SOURCES


async def _explain(composition: Composition, settings: Settings, ask: Ask) -> Plan:
    async with composition.engine(settings) as engine:
        return await engine.explain(ask)


def _print(plan: Plan, *, as_json: bool) -> None:
    if as_json:
        from orchestrator.documents.plan import plan_document
        from orchestrator.surfaces.cli.documents import print_json

        print_json(plan_document(plan))
        return
    from orchestrator.surfaces.cli.plan_view import plan_view, question_view
    from orchestrator.surfaces.cli.screen import show

    show([*question_view(plan.query), "", *plan_view(plan)])
