"""Columns: as high as what they count, one part on the other, and the same in numbers."""

from __future__ import annotations

from orchestrator.surfaces.page.plots import HEIGHT, columns


def test_parts_stand_on_each_other_and_the_highest_column_fills_the_plot() -> None:
    heads = {"good": "with an answer", "bad": "without"}
    drawn = columns(heads, [("Mon", {"good": 3, "bad": 1}), ("Tue", {}), ("Wed", {"bad": 2})])
    assert [(part.tone, part.x, part.y, part.height) for part in drawn.parts] == [
        ("good", 0, HEIGHT / 4, HEIGHT * 3 / 4),
        ("bad", 0, 0, HEIGHT / 4),
        ("bad", 24, HEIGHT / 2, HEIGHT / 2),
    ]
    assert drawn.heads == ("with an answer", "without")
    assert drawn.rows == (("Mon", "3", "1"), ("Tue", "0", "0"), ("Wed", "0", "2"))
    assert (drawn.first, drawn.last, drawn.most, drawn.empty) == ("Mon", "Wed", 4, False)


def test_what_counts_nothing_is_said_to_be_empty() -> None:
    assert columns({"good": "all"}, [("Mon", {"good": 0})]).empty
    assert columns({"good": "all"}, []).empty
