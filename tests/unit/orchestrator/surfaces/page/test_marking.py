"""A snippet is read at a glance."""

from __future__ import annotations

from orchestrator.surfaces.page.answer_view import snippet


def test_a_snippet_begins_where_something_was_found() -> None:
    said = "nothing of interest here. " * 20 + "and then the Okta rollout " + "goes on " * 80
    pieces = snippet(said, ["okta"])
    text = "".join(each.text for each in pieces)
    assert text.startswith("…")
    assert text.endswith("…")
    assert any(each.marked for each in pieces)
    assert len(text) < 260
