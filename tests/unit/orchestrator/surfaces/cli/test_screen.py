"""The building blocks of every view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len
from rich.text import Text

from orchestrator.documents.sources import SourceStanding, SourceState
from orchestrator.surfaces.cli import screen
from orchestrator.surfaces.cli.config import config_view
from orchestrator.surfaces.cli.screen import Clipped, columns, hanging, joined, line, styled
from orchestrator.surfaces.cli.sources import sources_view

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

from orchestrator.settings import Setting


@pytest.mark.parametrize("width", [1, 2, 3, 7, 40])
def test_clipped_text_keeps_its_width_and_lines(render: Callable[..., str], width: int) -> None:
    """A wide letter is not halved to make room for the ellipsis."""
    shown = render([Clipped(Text("가나다라마바사아자차카타파하 " * 9), 2)], width).splitlines()
    assert len(shown) == 2
    assert all(cell_len(each) <= max(width, 2) for each in shown)


def test_short_text_is_not_clipped(render: Callable[..., str]) -> None:
    assert render([Clipped(Text("짧다"), 2)]).strip() == "짧다"


def test_continuation_lines_hang_under_their_text(render: Callable[..., str]) -> None:
    lines = render([hanging([(styled("라벨"), styled("word " * 12))])], 40).splitlines()
    assert lines[0].startswith("라벨  word")
    assert lines[1].startswith(" " * 6 + "word")


def test_columns_fold_and_never_cut(render: Callable[..., str]) -> None:
    shown = render([columns([(styled("k" * 50), styled("v" * 50))])], 40)
    assert shown.count("k") == shown.count("v") == 50


def test_joining_leaves_out_what_is_empty_and_keeps_styles_apart() -> None:
    text = joined([Text("a"), Text(), Text("b", "red")])
    assert text.plain == "a · b"
    assert text.style == ""


def test_a_line_takes_no_control_characters() -> None:
    assert line("a\x1b[2J", ("b\u202e", "red"), Text("c")).plain == "abc"


def test_files_get_no_blanks_at_line_ends_and_a_readable_measure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    screen.show([hanging([(styled("a"), styled("결제 " * 100))])])
    shown = capsys.readouterr().out.splitlines()
    assert all(each == each.rstrip() for each in shown)
    assert max(map(cell_len, shown)) <= screen.MEASURE


def test_a_warning_is_one_line_however_long(capsys: pytest.CaptureFixture[str]) -> None:
    screen.warn(["word " * 60 + "\nand more"])
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_markup_in_foreign_text_is_not_obeyed(render: Callable[..., str]) -> None:
    assert "[red]x[/red]" in render([styled("[red]x[/red]")], colour=True)


def state(name: str, status: SourceStanding, account: str = "", advice: str = "") -> SourceState:
    return SourceState(
        name=name,
        title=name.title(),
        category="chat",
        status=status,
        account=account,
        advice=advice,
        standing="",
        left=None,
        remarks=[],
    )


def test_sources_say_what_to_do(render: Callable[..., str]) -> None:
    shown = render(
        sources_view(
            [
                state("slack", "ok", account="minsu.kim"),
                state("gmail", "not connected", advice="no token; get one"),
                state("linear", "failed", advice="\x1b[2Jkey expired"),
            ]
        ),
        60,
    )
    assert "minsu.kim" in shown
    assert "no token; get one" in shown
    assert "key expired" in shown
    assert "\x1b" not in shown


def test_config_shows_where_a_setting_came_from(render: Callable[..., str], tmp_path: Path) -> None:
    settings = [
        Setting("search.budget", "3.0", "built-in defaults"),
        Setting("sources.slack.token", "•••", "environment"),
    ]
    shown = render(config_view(settings, tmp_path / "fedsearch.toml"), 200)
    assert "sources.slack.token  •••  environment" in shown
    assert "(does not exist yet)" in shown
