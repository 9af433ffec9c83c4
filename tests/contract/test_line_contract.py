"""The contract holds for sources that speak in lines as for those that speak HTTP, and can fail for them too."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from connectors.testing import EXEMPLAR_CHECKS, hold_to_all
from connectors.testing.exemplar import Counted, LineExchange, SourceExemplar, filed_exemplars
from connectors.testing.observation import observed
from connectors.testing.stage import LineStage

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("catalogue_of_lines", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


catalogue = load(Path(__file__).parent / "broken" / "lines" / "catalogue.py")
FILED = filed_exemplars(catalogue.SoundLines)


@pytest.mark.parametrize("filed", FILED, ids=[each.name for each in FILED])
def test_sound_source_keeps_the_contract(filed: Any) -> None:
    hold_to_all(EXEMPLAR_CHECKS, observed(catalogue.SoundLines, filed))


@pytest.mark.parametrize("wrong", catalogue.BROKEN, ids=[wrong.__name__ for wrong in catalogue.BROKEN])
def test_broken_source_is_caught_by_the_checks_that_name_it(wrong: Any) -> None:
    (filed,) = (each for each in filed_exemplars(wrong) if each.name == wrong.shown_by)
    seen = observed(wrong, filed, **wrong.waited_for)
    assert {check.__name__ for check in EXEMPLAR_CHECKS if fails(check, seen)} == wrong.caught_by


def fails(check: Callable[[Any], None], subject: Any) -> bool:
    try:
        check(subject)
    except AssertionError:
        return True
    return False


LINES: list[dict[str, Any]] = [{"reply": ["HELLO"]}, {"send": "AUTH {token}", "reply": ["OK"]}]


@pytest.mark.parametrize(
    ("more", "unsigned"),
    [
        ({"lines": LINES}, False),
        ({"lines": LINES[:1]}, False),
        ({"lines": [LINES[0], {"send": "FIND plan"}]}, True),
        ({"exchanges": [{"request": {"method": "GET", "path": "/"}}]}, True),
    ],
)
def test_a_conversation_is_signed_unless_it_ends_before(more: dict[str, Any], unsigned: bool) -> None:
    assert SourceExemplar.model_validate({"about": "x", "expect": {}, **more}).unsigned is unsigned


@pytest.mark.parametrize("more", [{}, {"lines": LINES, "exchanges": [{"request": {"method": "GET", "path": "/"}}]}])
def test_an_exemplar_is_of_one_kind(more: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="either exchanges or lines"):
        SourceExemplar.model_validate({"about": "x", "expect": {}, **more})


def test_counted_text_stands_in_the_line() -> None:
    """With its length in bytes of its own character set, its lines ended as on the wire."""
    pieces = ("* 1 FETCH (BODY[] ", Counted(literal="배포\n끝", charset="euc-kr"), " FLAGS ())", "done {elsewhere}")
    stage = LineStage([], "t", "imap")
    stage._elsewhere = "imap://127.0.0.1:1"
    said = stage._said(LineExchange(reply=pieces, filler=2))
    assert (
        said
        == b"* 1 FETCH (BODY[] {8}\r\n" + "배포\r\n끝".encode("euc-kr") + b" FLAGS ())\r\ndone imap://127.0.0.1:1\r\n  "
    )


def test_what_is_to_arrive_may_be_encoded() -> None:
    stage = LineStage([], "비밀", "imap")
    assert stage._wanted(LineExchange(send="AUTH {base64:me {token}} {6}")) == "AUTH bWUg67mE67CA {6}"
