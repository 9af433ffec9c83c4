"""``fedsearch config``: each setting in force and where it was set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.surfaces.cli.failures import Exit, complain, guarded, said_here
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import typer
    from rich.console import RenderableType
    from rich.text import Text

    from orchestrator.settings import Setting

BUILT_IN = Said("built-in defaults")
OWN = Said("your own settings:")
READ = Said("read")
NOT_THERE = Said("does not exist yet")


def add(app: typer.Typer) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def config(*, as_json: AsJson = False) -> int:
        """Show each setting and the layer it comes from. Secrets are masked."""
        import os

        from orchestrator.settings import effective, read_layers, settings_from, site_file

        layers = read_layers()
        told = settings_from(layers)
        for each in (*filter(None, told.source_files.values()), *told.unread_findings.values()):
            complain(each)
        settings = list(effective(layers))
        if as_json:
            from orchestrator.surfaces.cli.documents import print_json

            print_json({"settings": [{"key": s.key, "value": s.value, "origin": s.origin} for s in settings]})
        else:
            from orchestrator.surfaces.cli.screen import show

            show(config_view(settings, site_file(os.environ)))
        return Exit.FOUND


def config_view(settings: Sequence[Setting], site: Path) -> Iterator[RenderableType]:
    """Settings that differ from the defaults stand out; then where to write one's own."""
    from orchestrator.surfaces.cli.screen import QUIET, columns, line

    yield columns(map(_row, settings))
    yield ""
    state = said_here(READ if site.is_file() else NOT_THERE)
    yield line((said_here(OWN), QUIET), f" {site} ", (f"({state})", QUIET))


def _row(setting: Setting) -> tuple[Text, ...]:
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, styled

    own = setting.origin != BUILT_IN
    return (
        styled(setting.key, STRONG if own else ""),
        styled(setting.value),
        styled(said_here(BUILT_IN if not own else setting.origin), "" if own else QUIET),
    )
