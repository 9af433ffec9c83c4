"""What is on screen while sources answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.surfaces.cli.progress import Progress, watching

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from orchestrator.model import Answer


def test_sources_wait_until_they_have_answered(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    whole = answer()
    progress = Progress()
    assert render([progress]).strip() == ""
    progress.planned(whole.plan)
    assert [each.split()[0] for each in render([progress]).splitlines()] == ["Linear", "Slack"]
    assert render([progress]).count("waiting") == 2
    for outcome in whole.outcomes:
        progress.arrived(outcome)
    lines = [" ".join(each.split()) for each in render([progress]).splitlines()]
    assert lines == ["Linear failed 0.50 s", "Slack ok 1 hit 0.21 s"]


def test_it_speaks_the_askers_language(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    progress = Progress()
    progress.planned(answer("ko").plan)
    assert render([progress]).count("기다리는 중") == 2


def test_nothing_is_drawn_where_nobody_watches(
    answer: Callable[..., Answer], capsys: pytest.CaptureFixture[str]
) -> None:
    with watching() as progress:
        progress.planned(answer().plan)
    said = capsys.readouterr()
    assert said.out == said.err == ""
