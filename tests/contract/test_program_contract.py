"""The contract holds for a source that starts a program, and can fail for one: made from the sound one, wrong in one way."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

import connectors.gemini_cli as sound
from connectors.contract import immediately
from connectors.errors import SourceError
from connectors.gemini_cli import GeminiCliSource
from connectors.gemini_cli.program import Ended
from connectors.testing import EXEMPLAR_CHECKS
from connectors.testing.exemplar import SourceExemplar, filed_exemplars
from connectors.testing.observation import observed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from connectors.contract import Call, HitPage
    from translators.translator import NativeQuery


class WaitsForNobody(GeminiCliSource):
    """It starts its program whenever it likes."""

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        return await super().search(native, replace(call, turn=immediately))


class AsksOtherwise(GeminiCliSource):
    """It puts the question where none was expected."""

    async def _run(self, arguments: Sequence[str], call: Call) -> tuple[Ended, str]:
        return await super()._run((*arguments[2:], *arguments[:2]), call)


class ShowsTheKey(GeminiCliSource):
    """It tells with what it was refused."""

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except SourceError as failure:
            secret = call.credential.secret if call.credential else ""
            raise type(failure)(f"{failure.message}: {secret}") from None


class LetsItRun(GeminiCliSource):
    """It goes away and leaves its program behind."""


async def left_alone(arguments: Sequence[str], environment: Mapping[str, str], folder: Path, _: float) -> Ended:
    """Start a program and forget it."""
    process = await asyncio.create_subprocess_exec(
        *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=PIPE, env=dict(environment), cwd=folder
    )
    LEFT.append(process)
    output, errors = await process.communicate()
    return Ended(process.returncode or 0, output, errors)


LEFT: list[asyncio.subprocess.Process] = []
BROKEN: list[tuple[type[GeminiCliSource], str, set[str]]] = [
    (WaitsForNobody, "exemplary/search", {"check_turns"}),
    (AsksOtherwise, "exemplary/search", {"check_requests"}),
    (ShowsTheKey, "supplemental/unauthenticated", {"check_no_secret"}),
    (LetsItRun, "exemplary/korean", {"check_nothing_left"}),
]


@pytest.mark.parametrize(("wrong", "shown_by", "caught_by"), BROKEN, ids=[each[0].__name__ for each in BROKEN])
def test_broken_source_is_caught_by_the_checks_that_name_it(
    wrong: type[GeminiCliSource], shown_by: str, caught_by: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if wrong is LetsItRun:
        monkeypatch.setattr(sound, "run", left_alone)
    (filed,) = (each for each in filed_exemplars(GeminiCliSource) if each.name == shown_by)
    seen = observed(wrong, filed, hanging=0.2) if wrong is LetsItRun else observed(wrong, filed)
    failed = {check.__name__ for check in EXEMPLAR_CHECKS if fails(check, seen)}
    for process in LEFT:
        if process.returncode is None:
            process.kill()
    assert failed == caught_by


def fails(check: Callable[[Any], None], subject: Any) -> bool:
    try:
        check(subject)
    except AssertionError:
        return True
    return False


RUN = {"arguments": ["x"], "environment": {"KEY": "{token}"}}


def test_a_run_says_how_it_is_signed() -> None:
    for run, unsigned in ((RUN, False), ({"arguments": ["x"]}, True)):
        assert SourceExemplar.model_validate({"about": "x", "expect": {}, "runs": [run]}).unsigned is unsigned


def test_an_exemplar_is_of_one_kind() -> None:
    exchange = {"request": {"method": "GET", "path": "/"}}
    with pytest.raises(ValidationError, match="either exchanges or lines or runs"):
        SourceExemplar.model_validate({"about": "x", "expect": {}, "runs": [RUN], "exchanges": [exchange]})
