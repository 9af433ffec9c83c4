"""``fedsearch init``: sources set up question by question, each tried at once with a real one; whoever leaves loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from orchestrator.surfaces.cli.failures import Exit, guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from orchestrator.documents.sources import SetupTile
    from orchestrator.surfaces.cli.composition import Composition
    from orchestrator.surfaces.cli.terminal import Terminal
    from translators.said import Phrasebook

Language = Annotated[
    Literal["en", "ko"] | None, typer.Option(help="The language of the questions (default: that of the terminal).")
]

InKeyring = Annotated[
    bool | None,
    typer.Option(
        "--keyring/--no-keyring",
        help="Keep secrets in the system's keyring, or sealed in files (default: the keyring, where one answers).",
    ),
]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def init(*, language: Language = None, keyring: InKeyring = None) -> int:
        """Set sources up, question by question; leave whenever you like, and go on later."""
        from orchestrator.surfaces.cli.init_source import frame_in
        from orchestrator.surfaces.cli.terminal import Terminal
        from orchestrator.surfaces.cli.words import system_language

        words = frame_in(language or system_language())
        setup = _Setup(composition, Terminal(), words, in_keyring=keyring)
        try:
            setup.run()
        except EOFError:
            setup.leave()
        except KeyboardInterrupt:
            setup.leave()
            return Exit.INTERRUPTED
        return Exit.FOUND


class _Setup:
    """The list of what can be set up, again and again, until somebody has enough."""

    def __init__(
        self, composition: Composition, terminal: Terminal, words: Phrasebook, *, in_keyring: bool | None
    ) -> None:
        self._in_keyring = in_keyring
        self._composition = composition
        self._terminal = terminal
        self._words = words
        self._tiles = composition.setup_tiles()

    def run(self) -> None:
        words, terminal = self._words, self._terminal
        terminal.say(words["welcome"])
        while True:
            terminal.say()
            terminal.rows(self._rows())
            typed = terminal.ask(words["which"])
            if not typed:
                break
            chosen = self._chosen(typed)
            if chosen is None:
                terminal.say(words["no such"].format(typed=typed), "yellow")
            else:
                chosen()
        terminal.say(words["done"])
        terminal.address(f'fedsearch search "{words["your question"]}"')

    def leave(self) -> None:
        """What whoever goes away is told."""
        self._terminal.say()
        self._terminal.say(self._words["left"])

    def _rows(self) -> list[tuple[str, str, str]]:
        from orchestrator.settings import load_settings

        words, settings = self._words, load_settings()
        found = {each.kind: each for each in self._composition.configured(settings) if each.enabled}
        rows = [(words["sandbox"], words["sandbox about"], "")]
        rows.append((words["files"], words["files about"], words["ready"] if "local" in found else ""))
        for tile in self._tiles:
            about = ", ".join(tile.titles.values()) if len(tile.titles) > 1 else ""
            problems = [found[kind].problem for kind in tile.titles if kind in found]
            state = "" if not problems else words["ready"] if not all(problems) else self._begun(problems[0])
            rows.append((tile.title, about, state))
        return rows

    def _begun(self, problem: str) -> str:
        from translators.said import said_in

        return self._words["begun"].format(problem=said_in(problem, self._words.language))

    def _chosen(self, typed: str) -> Callable[[], None] | None:
        ways: list[Callable[[], None]] = [self._pretend, self._files, *map(self._way_of, self._tiles)]
        if typed.isdecimal():
            return ways[int(typed) - 1] if 0 < int(typed) <= len(ways) else None
        names: list[Mapping[str, str]] = [{}, {}, *(tile.titles for tile in self._tiles)]
        for (title, _, _), kinds, way in zip(self._rows(), names, ways, strict=True):
            if typed.casefold() in {title.casefold(), *kinds, *(each.casefold() for each in kinds.values())}:
                return way
        return None

    def _way_of(self, tile: SetupTile) -> Callable[[], None]:
        from orchestrator.surfaces.cli.init_source import SetupDialogue

        return SetupDialogue(self._composition, self._terminal, self._words, tile, in_keyring=self._in_keyring).run

    def _pretend(self) -> None:
        from orchestrator.surfaces.cli.demo import pretend

        question = self._terminal.ask(self._words["a question to it"], self._words["pretend question"])
        pretend(self._composition, question)

    def _files(self) -> None:
        from connectors.errors import SourceError
        from orchestrator.surfaces.cli.index import add_folder

        path = self._terminal.ask(self._words["path"])
        if path and not Path(path).expanduser().exists():
            self._terminal.say(self._words["nothing there"].format(path=path), "yellow")
        elif path:
            try:
                add_folder(self._composition, str(Path(path).expanduser()))
            except SourceError as failure:
                self._terminal.say(failure.message, "yellow")
