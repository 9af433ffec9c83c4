"""``fedsearch doctor``: whether this installation can work, and what to do where it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.surfaces.cli.failures import guarded, said_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import typer
    from rich.console import RenderableType

    from orchestrator.surfaces.cli.checks import Finding
    from orchestrator.surfaces.cli.composition import Composition


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def doctor() -> int:
        """Check whether this installation can work."""
        from orchestrator.surfaces.cli.checks import Grade, examine
        from orchestrator.surfaces.cli.screen import show

        findings = list(examine(composition))
        show(findings_view(findings))
        return int(any(finding.grade is Grade.BAD for finding in findings))


def findings_view(findings: Iterable[Finding]) -> Iterator[RenderableType]:
    """One line each: a mark, what was looked at, what was found and what to do."""
    from orchestrator.surfaces.cli.checks import Grade
    from orchestrator.surfaces.cli.screen import BAD, GOOD, QUIET, WARN, hanging, joined, line, styled

    marks = {Grade.GOOD: ("✓", GOOD), Grade.NOTE: ("·", WARN), Grade.BAD: ("✗", BAD)}
    rows = []
    for finding in findings:
        mark, colour = marks[finding.grade]
        advised = f"→ {said_here(finding.advice)}" if finding.advice else ""
        advice = styled(advised, "" if finding.grade is Grade.BAD else QUIET)
        found = styled(said_here(finding.found))
        rows.append((line((f"{mark} ", colour), said_here(finding.subject)), joined([found, advice], "  ")))
    yield hanging(rows)
