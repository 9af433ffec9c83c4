"""How the local index is shown: what a run did, what was skipped and why, what there is."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from connectors.local.ingest import Collection, ExampleQuestion, IngestReport

NAMED = 20  # of what was skipped, on a screen; all of it with --json


def print_reports(reports: Sequence[IngestReport], example: ExampleQuestion | None = None, *, as_json: bool) -> None:
    """One report for each folder or file that was added, and a question that can be asked of it now."""
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        told = [{**asdict(each), "reasons": each.reasons} for each in reports]
        asked = {**asdict(example), "command": command_of(example.question)} if example else None
        print_json({"collections": told, "example": asked})
        return
    from orchestrator.surfaces.cli.screen import show

    show((line for report in reports for line in report_view(report)), listed=True)
    if example is not None:
        show(example_view(example), listed=True)


def command_of(question: str) -> str:
    """What to type to have a question answered."""
    return f"fedsearch search {shlex.quote(question)}"


def example_view(example: ExampleQuestion) -> Iterator[RenderableType]:
    """A question that the index answers from now on, as a command, and what it has first for it."""
    from orchestrator.surfaces.cli.screen import ACCENT, QUIET, indented, line, styled

    yield ""
    yield styled("It can be asked for now, for example:", QUIET)
    yield indented(styled(command_of(example.question), ACCENT))
    yield indented(line(("finds ", QUIET), example.finds, (f"  {example.collection} · {example.id}", QUIET)))


def report_view(report: IngestReport) -> Iterator[RenderableType]:
    """What became of files, then of documents, then why others are missing."""
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, WARN, columns, indented, line, styled

    files = (
        f"  {_counted(report.files, 'file')}: {report.read} read, {report.same} as before, {report.left_out} left out"
    )
    files += f"; {report.gone} gone" if report.gone else ""
    yield line((report.name, STRONG), (files, QUIET))
    told = f"{_counted(report.added, 'document')} added, {report.changed} changed, {report.removed} removed"
    yield indented(styled(told))
    if not report.skipped:
        return
    reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in report.reasons.items())
    yield indented(styled(f"skipped: {reasons}", WARN))
    # A folder is full of pictures and programs; what somebody would miss comes first.
    named = sorted(report.skipped, key=lambda each: each.reason == "wrong_type")
    yield indented(columns((styled(each.path), styled(each.detail, QUIET)) for each in named[:NAMED]))
    if len(named) > NAMED:
        yield indented(styled(f"and {len(named) - NAMED} more; --json names them all", QUIET))


def print_collections(found: Sequence[Collection], *, as_json: bool) -> None:
    """What has been added, a line each."""
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        print_json({"collections": [_row(each) for each in found]})
        return
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, columns, errors, show, styled

    if not found:
        errors().print("nothing has been added; `fedsearch index add PATH` adds a folder", style=QUIET)
        return
    show(
        [
            columns(
                (
                    styled(each.name, STRONG),
                    styled(_counted(each.documents, "document")),
                    styled(f"of {_counted(each.files, 'file')}", QUIET),
                    styled(f"{each.skipped} skipped" if each.skipped else "", QUIET),
                    styled(", ".join(each.visible_to), QUIET),
                    styled(each.place, QUIET),
                    styled("" if each.finished else "not read to its end", QUIET),
                )
                for each in found
            )
        ],
        listed=True,
    )


def print_groups(found: Mapping[str, Sequence[str]], *, as_json: bool) -> None:
    """Who belongs to which group, a line each."""
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        print_json({"groups": found})
        return
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, columns, errors, show, styled

    if not found:
        errors().print("there are no groups; `fedsearch index group set NAME user:WHO` makes one", style=QUIET)
        return
    show([columns((styled(name, STRONG), styled(", ".join(members))) for name, members in found.items())], listed=True)


def print_stats(found: Mapping[str, Any], *, as_json: bool) -> None:
    """How much there is."""
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        print_json(dict(found))
        return
    from orchestrator.surfaces.cli.screen import QUIET, columns, show, styled

    model = f"{found['embedded']} embedded by {found['model']}" if found["model"] else "found by words alone"
    rows = [("documents", f"{found['documents']}"), ("parts", f"{found['chunks']}, {model}")]
    rows += [("jobs", ", ".join(f"{count} {what}" for what, count in found["jobs"].items()) or "none")]
    rows += [("on disk", f"{found['bytes'] / 1e6:.1f} MB")]
    rows += [(name, _counted(count, "document")) for name, count in found["sources"].items()]
    show([columns((styled(label, QUIET), styled(told)) for label, told in rows)], listed=True)


def _row(each: Collection) -> dict[str, Any]:
    return {**asdict(each), "finished": each.finished.isoformat() if each.finished else None}


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
