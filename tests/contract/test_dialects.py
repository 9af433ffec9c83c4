"""Every dialect that is installed keeps the contract; every dialect that is broken on purpose is caught by name."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import translators
from translators.registry import dialect_names, load_dialect
from translators.testing import DialectContract

if TYPE_CHECKING:
    from types import ModuleType

BROKEN = sorted((Path(__file__).parent / "broken" / "dialects").glob("*.py"))
# Free text without any syntax: there is nothing that a word could turn into.
WITHOUT_SYNTAX = frozenset({"asana", "notion", "linear", "slack_rts"})

# A server looks for the very characters, and a line may break between two words.
BY_WORD = frozenset({"imap"})


def exemplars_of(name: str) -> Path:
    return Path(translators.__path__[0]) / name / "exemplars"


for _name in dialect_names():
    if exemplars_of(_name).is_dir():
        globals()[f"Test{_name.title()}"] = DialectContract.of(
            load_dialect(_name), exemplars_of(_name), syntax=_name not in WITHOUT_SYNTAX, by_word=_name in BY_WORD
        )


def test_every_dialect_of_ours_has_exemplars() -> None:
    """A folder without exemplars would escape the contract."""
    ours = [path.parent for path in Path(translators.__path__[0]).glob("*/__init__.py")]
    assert len(ours) >= 4
    assert [path.name for path in ours if not list((path / "exemplars").glob("*.toml"))] == []


@pytest.mark.parametrize("path", BROKEN, ids=[path.stem for path in BROKEN])
def test_broken_dialect_is_caught_by_the_check_that_names_it(path: Path) -> None:
    """Each file under ``broken/dialects`` breaks one promise and says which check must notice.

    That the same checks pass on the sound dialects, from which the broken ones are made, is what the classes above say.
    """
    module = load(path)
    name = module.TRANSLATOR.name
    contract = DialectContract.of(module.TRANSLATOR, exemplars_of(name), by_word=name in BY_WORD)
    contract.exemplars = getattr(module, "EXEMPLARS", contract.exemplars)
    assert fails(contract, module.CAUGHT_BY)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"broken_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fails(contract: type[DialectContract], check: str) -> bool:
    """Whether one check of ``contract`` fails, on any exemplar where it takes exemplars."""
    run = getattr(contract(), check)
    takes_exemplar = "exemplar" in inspect.signature(run).parameters
    for case in [(exemplar,) for exemplar in contract.exemplars] if takes_exemplar else [()]:
        try:
            run(*case)
        except (AssertionError, NotImplementedError):
            return True
    return False
