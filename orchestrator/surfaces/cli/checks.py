"""What the doctor looks at. Each check yields findings and stands alone: one that fails does not hide the others."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from enum import Enum, auto
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from translators.records import record
from translators.said import Said, joined, of_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.documents.sources import Configured
    from orchestrator.surfaces.cli.composition import Inventory

OLDEST_PYTHON = (3, 11)
PACKAGES = ("fedsearch", "translators", "storage", "connectors", "orchestrator")
LITTLE = 500_000_000  # bytes free on the disk of the data folder, below which it is told
MATTERING = ("aiohttp", "slack-sdk", "notion-client", "pydantic", "rich", "typer")
HOME = Path(__file__).resolve().parents[3]  # the folder that holds our packages

PACKAGED = Said("packages", context="doctor")
NAMES = Said("import names")
KOREAN = Said("Korean", context="doctor")
SETTINGS = Said("settings", context="doctor")
DATA = Said("data folder")
SECRETS = Said("secrets", context="doctor")
CLASH = Said("`{name}` is {origin}, not {ours}")
NOWHERE = Said("nowhere to be found")
UNCLASH = Said(
    "uninstall what brings it, or take its folder out of PYTHONPATH (or leave that folder); best, give fedsearch an environment of its own"
)
COPY = Said("{file}, {size}, of before it was brought up to this version")


class Grade(Enum):
    """How much a finding matters."""

    GOOD = auto()
    NOTE = auto()
    BAD = auto()


@record
class Finding:
    """What was looked at, what was found, and what to do about it."""

    grade: Grade
    subject: str
    found: str
    advice: str = ""


def examine(inventory: Inventory) -> Iterator[Finding]:
    """Every check in order. Where other packages hide ours, the rest cannot be looked at and is left out."""
    yield check_python()
    yield from check_versions()
    clashes = list(check_packages())
    yield from clashes
    if any(finding.grade is Grade.BAD for finding in clashes):
        return
    yield check_korean()
    yield from check_settings(inventory)


def check_python() -> Finding:
    """The interpreter's version."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return Finding(
            Grade.BAD, "Python", version, Said("fedsearch needs 3.11 or newer; make a new environment with it")
        )
    return Finding(Grade.GOOD, "Python", f"{version}  {sys.executable}")


def check_versions() -> Iterator[Finding]:
    """Whether fedsearch and the packages it leans on are installed, and which versions they have."""
    found = {name: _version(name) for name in ("fedsearch", *MATTERING)}
    yield Finding(
        Grade.GOOD, "fedsearch", joined("  ", (found["fedsearch"] or Said("not installed as a package"), str(HOME)))
    )
    missing = [name for name in MATTERING if not found[name]]
    if missing:
        yield Finding(
            Grade.BAD,
            PACKAGED,
            Said("missing: {names}").filled(names=", ".join(missing)),
            f"pip install {' '.join(missing)}",
        )
    yield Finding(Grade.GOOD, PACKAGED, ", ".join(f"{name} {found[name]}" for name in MATTERING if found[name]))
    from storage.loading import absent_extras, installing

    if without := absent_extras():
        advice = Said("what you need of them: {how}").filled(how=installing(*without))
        found_none = Said("not installed: {names}").filled(names=", ".join(without))
        yield Finding(Grade.NOTE, Said("extras", context="doctor"), found_none, advice)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def check_packages() -> Iterator[Finding]:
    """Other distributions own names like ``connectors`` too: whether the packages that Python finds are ours."""
    foreign = {name: origin for name in PACKAGES if (origin := _origin(name)) != HOME / name}
    for name, origin in foreign.items():
        yield Finding(
            Grade.BAD,
            Said("import clash"),
            CLASH.filled(name=name, origin=origin or NOWHERE, ours=HOME / name),
            UNCLASH,
        )
    others = sorted({str(path) for name in PACKAGES for path in _namesakes(name)})
    if not foreign:
        yield Finding(Grade.GOOD, NAMES, Said("{names} are ours").filled(names=", ".join(PACKAGES)))
        if others:
            yield Finding(
                Grade.NOTE, NAMES, Said("also there, but hidden by ours: {names}").filled(names=", ".join(others))
            )


def _origin(name: str) -> Path | None:
    if name in sys.modules and (file := getattr(sys.modules[name], "__file__", None)):
        return Path(file).resolve().parent
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).resolve().parent if spec and spec.origin else None


def _namesakes(name: str) -> Iterator[Path]:
    """Packages or modules of that name elsewhere on the import path."""
    for entry in dict.fromkeys(sys.path):
        for path in (Path(entry or ".") / name / "__init__.py", Path(entry or ".") / f"{name}.py"):
            if path.is_file() and path.resolve().parent not in {HOME / name, HOME}:
                yield path.parent if path.name == "__init__.py" else path


def check_korean() -> Finding:
    """Whether the Korean model is there and loads (this takes seconds)."""
    from orchestrator.understand import warm
    from storage.loading import installing, is_installed

    if not (is_installed("kiwipiepy") and is_installed("kiwipiepy_model")):
        return Finding(
            Grade.NOTE,
            KOREAN,
            Said("questions in Korean are not read: kiwipiepy is not installed"),
            installing("korean"),
        )
    try:
        warm()
    except (ImportError, OSError, RuntimeError, ValueError) as failure:
        advice = "pip install --force-reinstall kiwipiepy kiwipiepy_model"
        return Finding(Grade.BAD, KOREAN, Said("the model does not load: {why}").filled(why=failure), advice)
    return Finding(Grade.GOOD, KOREAN, Said("model {version} loads").filled(version=_version("kiwipiepy_model") or ""))


def check_settings(inventory: Inventory) -> Iterator[Finding]:
    """Which settings files there are, whether they can be read, and what each source needs."""
    from connectors.errors import Misconfigured
    from orchestrator.settings import read_layers, settings_from, site_file

    try:
        layers = read_layers()
        settings = settings_from(layers)
    except Misconfigured as failure:
        yield Finding(
            Grade.BAD, SETTINGS, failure.message, Said("correct it; `fedsearch config` shows what is in force")
        )
        return
    yield Finding(Grade.GOOD, SETTINGS, joined(", ", (of_data(layer.origin) for layer in layers)))
    site = site_file(os.environ)
    if not site.is_file():
        yield Finding(
            Grade.NOTE,
            SETTINGS,
            Said("no file of your own at {file}").filled(file=site),
            Said("not needed; docs/tutorial.md shows one"),
        )
    yield check_data(settings.storage.path)
    yield from check_copies(settings.storage.path)
    yield from check_secrets()
    sources = inventory.configured(settings)
    yield from map(_judge, sources)
    known = {source.kind for source in sources}
    for kind, advice in inventory.connecting().items():
        if kind not in known:
            yield Finding(Grade.NOTE, kind, Said("not configured"), advice)


def check_data(folder: Path) -> Finding:
    """Whether the data folder, made or not, can be written, and how much room its disk has."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    elsewhere = Said("set FEDSEARCH_DATA_DIR to a folder that can be written")
    if not there.is_dir():
        return Finding(Grade.BAD, DATA, Said("{folder} is no folder").filled(folder=there), elsewhere)
    try:
        with tempfile.TemporaryFile(dir=there) as trial:
            trial.write(bytes(4096))
    except OSError as failure:
        said = failure.strerror or str(failure)
        return Finding(
            Grade.BAD,
            DATA,
            Said("{folder} cannot be written: {why}").filled(folder=there, why=said),
            Said("make room there, or {elsewhere}").filled(elsewhere=elsewhere),
        )
    free = shutil.disk_usage(there).free
    room = f"{free / 1e9:.1f} GB" if free >= LITTLE else f"{free / 1e6:.0f} MB"
    found = Said("{folder}, {room} free").filled(folder=folder, room=room)
    if free < LITTLE:
        return Finding(Grade.NOTE, DATA, found, Said("the local index and the Korean model need some 300 MB there"))
    return Finding(Grade.GOOD, DATA, found)


def check_copies(folder: Path) -> Iterator[Finding]:
    """What was copied by itself before an older database was brought up, and takes room since."""
    from storage.backups import automatic_backups

    for copy in automatic_backups(folder):
        found = COPY.filled(file=copy.name, size=f"{copy.stat().st_size / 1e6:.0f} MB")
        advice = Said("`fedsearch rollback` takes it back; delete it when you like")
        yield Finding(Grade.NOTE, Said("database", context="doctor"), found, advice)


def check_secrets() -> Iterator[Finding]:
    """How secrets are kept in the secrets directory, where any are."""
    from orchestrator.settings import kept_secrets

    kept = list(kept_secrets())
    if plain := [each.setting for each in kept if each.how == "plain"]:
        advice = Said("`fedsearch secrets seal` seals them; leave what a container's or service's manager puts there")
        yield Finding(
            Grade.NOTE, SECRETS, Said("as they are, in files: {names}").filled(names=", ".join(plain)), advice
        )
    if opened := next((each for each in kept if each.how == "open"), None):
        advice = Said("put it back, or move it to where its owner alone can read it (FEDSEARCH_SEALING_KEY_FILE)")
        found = Said("sealed; others may be able to read {file}, or it is not there").filled(file=opened.key.path)
        yield Finding(Grade.NOTE, SECRETS, found, advice)
    elif sealed := next((each for each in kept if each.how == "sealed"), None):
        found = Said("sealed; what opens them is {file}").filled(file=sealed.key.path)
        yield Finding(Grade.GOOD, SECRETS, found, Said("keep a copy of it elsewhere"))


def _judge(source: Configured) -> Finding:
    if not source.enabled:
        return Finding(
            Grade.NOTE,
            source.title,
            Said("switched off"),
            Said("{setting} switches it on").filled(setting=f"sources.{source.name}.enabled = true"),
        )
    if source.invalid:
        return Finding(Grade.BAD, source.title, Said("cannot work"), source.problem)
    if source.problem:
        return Finding(Grade.NOTE, source.title, Said("configured, but not connected"), source.problem)
    return Finding(Grade.GOOD, source.title, Said("configured"), Said("`fedsearch sources` asks whether it answers"))
