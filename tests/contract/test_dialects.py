"""Every dialect that is installed keeps the contract; every dialect that is broken on purpose is caught by name."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import Phase, settings

import translators
from tests.examples import STEADY
from translators import testing
from translators.exemplars import loss_line
from translators.registry import dialect_names, load_dialect
from translators.testing import DialectContract

if TYPE_CHECKING:
    from types import ModuleType

    from translators.exemplars import Exemplar
    from translators.translator import Translator

BROKEN = sorted((Path(__file__).parent / "broken" / "dialects").glob("*.py"))
SUBTLE = [path for path in BROKEN if "\nBY_THAT_ALONE = True\n" in path.read_text("utf-8")]
CHECKS = sorted(name for name in vars(DialectContract) if name.startswith("test_"))
# Free text without any syntax: there is nothing that a word could turn into.
WITHOUT_SYNTAX = frozenset({"asana", "hybrid", "notion", "linear", "slack_rts"})

# A mail server looks for the very characters, and a line may break between two words; the index has a list of words.
BY_WORD = frozenset({"hybrid", "imap"})

# As many as every dialect that is broken on purpose is caught on; more under `make contract`.
TRIED = settings(testing.try_many, max_examples=120 if settings.default.max_examples <= STEADY else 2500)

# The first counterexample will do where one is expected: to look for the smallest takes thirty times as long.
FOUND = settings(TRIED, phases=[Phase.explicit, Phase.generate])


@pytest.fixture(autouse=True)
def _tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "try_many", TRIED)


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
    assert fails(contract_of(module), module.CAUGHT_BY)


@pytest.mark.parametrize("path", SUBTLE, ids=[path.stem for path in SUBTLE])
def test_subtle_dialect_is_caught_by_that_check_alone(path: Path) -> None:
    """Even where its exemplars were written down from what it answers: without this one check it would pass for sound."""
    module = load(path)
    contract = contract_of(module)
    if module.CAUGHT_BY != "test_exemplar_is_translated_as_written":
        contract.exemplars = tuple(as_answered(module.TRANSLATOR, each) for each in contract.exemplars)
    others = [check for check in CHECKS if check != module.CAUGHT_BY]
    assert fails(contract, module.CAUGHT_BY)
    assert [check for check in others if fails(contract, check)] == []


def test_every_check_has_a_dialect_that_it_alone_catches() -> None:
    """A check without one might as well not be there."""
    assert {load(path).CAUGHT_BY for path in SUBTLE} == set(CHECKS)


def contract_of(module: ModuleType) -> type[DialectContract]:
    """The contract that a broken dialect is held to: that of the sound one from which it is made."""
    name = module.TRANSLATOR.name
    contract = DialectContract.of(
        module.TRANSLATOR, exemplars_of(name), syntax=name not in WITHOUT_SYNTAX, by_word=name in BY_WORD
    )
    contract.exemplars = getattr(module, "EXEMPLARS", contract.exemplars)
    return contract


def as_answered(translator: Translator, exemplar: Exemplar) -> Exemplar:
    """The same question with whatever a dialect answers as what is expected."""
    found = translator.translate(exemplar.query, translator.can)
    lost = tuple(map(loss_line, found.losses))
    return replace(exemplar, text=found.native.text, args=found.native.args, residual=found.residual, losses=lost)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"broken_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fails(contract: type[DialectContract], check: str) -> bool:
    """Whether one check of ``contract`` fails."""
    with patch.object(testing, "try_many", FOUND):
        try:
            getattr(contract(), check)()
        except (AssertionError, NotImplementedError):
            return True
    return False
