"""The settings of one installation as something that is read again and written to while a program runs."""

from __future__ import annotations

import os
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from orchestrator.files import put_whole
from orchestrator.settings.found import FOLDER, found_text, kept_filters
from orchestrator.settings.keeping import files_of_source, forget_source, keep_secret, keep_source, keep_source_text
from orchestrator.settings.layers import (
    Layer,
    name_of,
    read_layers,
    read_source,
    read_toml,
    secret_files,
    secrets_folder,
    settings_from,
    site_file,
    sources_folder,
)
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from orchestrator.settings.found import FoundFilters, KeptFilters
    from orchestrator.settings.keeping import KeptSecret
    from orchestrator.settings.sections import Settings

NOTHING: Mapping[str, Any] = MappingProxyType({})
NO_NAMES: frozenset[str] = frozenset()


@record
class SettingsSite:
    """``arguments`` stand above all that is written anywhere; ``environment``: the process's own by default."""

    arguments: Mapping[str, Any] = field(default_factory=lambda: NOTHING, repr=False)
    environment: Mapping[str, str] | None = field(default=None, repr=False)

    def read(self, *more: Mapping[str, Any], without: frozenset[str] = NO_NAMES) -> Settings:
        """The settings as they are written now, ``more`` above them all, the last on top. ``without``: the files of these sources. Raises :class:`Misconfigured`."""
        layers = read_layers(dict(self.arguments), self.environment)
        files = (*self._sources.glob("*.toml"), *self._found.glob("*.toml"))
        left_out = {str(each) for each in files if name_of(each) in without}
        return settings_from(
            [
                *(layer for layer in layers if layer.origin not in left_out),
                *(Layer("a page", dict(each)) for each in more),
            ]
        )

    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """What differs as soon as a file of settings or a secret is added, changed or removed, or may be read by others. Raises ``OSError``."""
        found = ((path, path.stat()) for path in self._files())
        return tuple((str(path), status.st_ctime_ns, status.st_size) for path, status in found)

    def source_text(self, name: str) -> str:
        """What the file of a source says; empty where it has none. Raises ``OSError``."""
        path = self._sources / f"{name}.toml"
        return path.read_text("utf-8") if path.is_file() else ""

    def keep_source(self, name: str, values: Mapping[str, Any]) -> Path:
        """See :func:`orchestrator.settings.keep_source`."""
        return keep_source(name, values, self.environment)

    def keep_source_text(self, name: str, text: str) -> Path:
        """See :func:`orchestrator.settings.keep_source_text`."""
        return keep_source_text(name, text, self.environment)

    def keep_secret(self, setting: str, secret: str) -> KeptSecret:
        """See :func:`orchestrator.settings.keep_secret`."""
        return keep_secret(setting, secret, self.environment, dict(self.arguments))

    def files_of_source(self, name: str) -> tuple[Path, ...]:
        """See :func:`orchestrator.settings.keeping.files_of_source`."""
        return files_of_source(name, self.environment, dict(self.arguments))

    def forget_source(self, name: str) -> tuple[Path, ...]:
        """See :func:`orchestrator.settings.forget_source`."""
        return forget_source(name, self.environment, dict(self.arguments))

    def keep_found(self, name: str, found: FoundFilters, declared: Mapping[str, Any], seen: str) -> Path:
        """Keep what a source that is declared so was seen to filter by; the file. Raises ``OSError``."""
        path = self._found / f"{name}.toml"
        put_whole(path, found_text(found, declared, seen))
        return path

    def forget_found(self, name: str) -> bool:
        """Take that away; whether there was any. Raises ``OSError``."""
        # Found by its name: one that is typed as a path leads out of the folder.
        kept = [each for each in self._found.glob("*.toml") if each.stem == name]
        for path in kept:
            path.unlink(missing_ok=True)
        return bool(kept)

    def kept_found(self) -> Iterator[KeptFilters]:
        """What was kept of every source. Raises :class:`Misconfigured` for a file that is none."""
        for path in sorted(self._found.glob("*.toml")):
            own = next((each for each in self._sources.glob("*.toml") if name_of(each) == path.stem), None)
            yield kept_filters(path.stem, read_toml(path), read_source(own) if own else {})

    @property
    def _found(self) -> Path:
        return self._sources / FOLDER

    @property
    def _sources(self) -> Path:
        return sources_folder(self._environment)

    @property
    def _environment(self) -> Mapping[str, str]:
        return os.environ if self.environment is None else self.environment

    def _files(self) -> Iterator[Path]:
        site = site_file(self._environment)
        if site.is_file():
            yield site
        yield from sorted(self._sources.glob("*.toml"))
        yield from sorted(self._found.glob("*.toml"))
        yield from secret_files(secrets_folder(self._environment))
