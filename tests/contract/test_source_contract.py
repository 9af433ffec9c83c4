"""The contract of sources can fail: each source that is wrong on purpose is caught by the check that is meant for it."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from connectors.errors import SourceError
from connectors.testing import EXEMPLAR_CHECKS, SOURCE_CHECKS, source_contract
from connectors.testing.exemplar import Expectation, Filed, filed_exemplars
from connectors.testing.observation import Observation, observed, outcome_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

SOURCES = Path(__file__).parent / "broken" / "sources"


def load(folder: Path, name: str) -> ModuleType:
    """The catalogue in some folder as a module of its own."""
    spec = importlib.util.spec_from_file_location(name, folder / "catalogue.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


catalogue = load(SOURCES, "catalogue_of_sources")
TestSound = source_contract(catalogue.Sound)


@pytest.mark.parametrize("wrong", catalogue.BROKEN, ids=[wrong.__name__ for wrong in catalogue.BROKEN])
def test_broken_source_is_caught_by_the_checks_that_name_it(wrong: Any) -> None:
    """By exactly these: a check that fails for everything would prove nothing."""
    seen = seen_of(wrong)
    assert {check.__name__ for check in EXEMPLAR_CHECKS if fails(check, seen)} == wrong.caught_by


def test_every_check_has_a_source_that_it_catches() -> None:
    """A check without one might as well not be there."""
    assert {name for wrong in catalogue.BROKEN for name in wrong.caught_by} == {
        check.__name__ for check in EXEMPLAR_CHECKS
    }


def test_every_check_has_a_source_that_it_alone_catches() -> None:
    """Even where the exemplar was written down from what a wrong source gave: without the check it would pass."""
    alone = set[str]()
    for wrong in catalogue.BROKEN:
        seen = seen_of(wrong)
        for each in (seen, as_it_came(seen)):
            failed = [check.__name__ for check in EXEMPLAR_CHECKS if fails(check, each)]
            alone |= set(failed) if len(failed) == 1 else set()
    assert alone == {check.__name__ for check in EXEMPLAR_CHECKS}


def seen_of(wrong: Any) -> Observation:
    """What came of the exemplar that shows it. Whatever is not known to hang is given all the time that a busy machine takes."""
    (filed,) = (each for each in filed_exemplars(wrong) if each.name == wrong.shown_by)
    return observed(wrong, filed, **wrong.waited_for)


def as_it_came(seen: Observation) -> Observation:
    """The same with whatever came as what is expected."""
    problem = seen.error
    came: dict[str, object] = dict(outcome_json(seen.result))
    if isinstance(problem, SourceError):
        native, wait = getattr(problem, "native", ""), getattr(problem, "retry_after", None)
        came = {"error": {"code": problem.code, "message": problem.message, "native": native, "retry_after": wait}}
    exemplar = seen.filed.exemplar.model_copy(update={"expect": Expectation.model_validate(came)})
    return replace(seen, filed=Filed(seen.filed.path, exemplar))


def fails(check: Callable[[Any], None], subject: Any) -> bool:
    """Whether a check finds fault; anything but an assertion is an error of the check itself."""
    try:
        check(subject)
    except (AssertionError, pytest.fail.Exception):
        return True
    return False


# ---- checks on a whole source: copies of the sound one with something missing


def without_readme(folder: Path) -> None:
    (folder / "README.md").unlink()


def without_a_case(folder: Path) -> None:
    (folder / "exemplars" / "supplemental" / "throttled.json").unlink()


def without_exemplary_exemplars(folder: Path) -> None:
    shutil.rmtree(folder / "exemplars" / "exemplary")


def with_an_exemplary_error(folder: Path) -> None:
    shutil.copy(folder / "exemplars" / "supplemental" / "throttled.json", folder / "exemplars" / "exemplary")


def with_an_unsigned_request(folder: Path) -> None:
    path = folder / "exemplars" / "exemplary" / "search.json"
    exemplar = json.loads(path.read_text("utf-8"))
    del exemplar["exchanges"][0]["request"]["headers"]
    path.write_text(json.dumps(exemplar), "utf-8")


def with_loose_settings(folder: Path) -> None:
    path = folder / "catalogue.py"
    loose = "class Loose(SourceSettings):\n    model_config = {'extra': 'allow'}\n\n\nclass Sound(HttpSource):"
    source = path.read_text("utf-8").replace("class Sound(HttpSource):", loose)
    path.write_text(source.replace("settings_type = SourceSettings", "settings_type = Loose"), "utf-8")


def with_a_visible_token(folder: Path) -> None:
    path = folder / "catalogue.py"
    open_token = (
        "from pydantic import BaseModel\n\n\n"
        "class Open(BaseModel, extra='forbid'):\n    kind: str\n    base_url: str = ''\n    token: str = ''\n\n\n"
        "class Sound(HttpSource):"
    )
    source = path.read_text("utf-8").replace("class Sound(HttpSource):", open_token)
    path.write_text(source.replace("settings_type = SourceSettings", "settings_type = Open"), "utf-8")


def without_help(folder: Path) -> None:
    path = folder / "catalogue.py"
    path.write_text(path.read_text("utf-8").replace('help="ask the administrator"', 'help=""'), "utf-8")


@pytest.mark.parametrize(
    ("spoil", "caught_by"),
    [
        (without_readme, "check_manifest"),
        (without_help, "check_manifest"),
        (without_a_case, "check_drawers"),
        (without_exemplary_exemplars, "check_drawers"),
        (with_an_exemplary_error, "check_drawers"),
        (with_an_unsigned_request, "check_signed"),
        (with_loose_settings, "check_settings"),
        (with_a_visible_token, "check_settings"),
    ],
)
def test_spoiled_source_is_caught_by_the_check_that_names_it(
    spoil: Callable[[Path], None], caught_by: str, tmp_path: Path
) -> None:
    """What every source must have is missed when it is not there."""
    folder = tmp_path / "spoiled"
    shutil.copytree(SOURCES, folder)
    spoil(folder)
    source = load(folder, f"spoiled_{spoil.__name__}").Sound
    assert [check.__name__ for check in SOURCE_CHECKS if fails(check, source)] == [caught_by]
