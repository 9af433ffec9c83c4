"""What is pasted elsewhere is what was said, with where it is from; nobody's text becomes markup."""

from __future__ import annotations

from datetime import UTC, datetime

from orchestrator.documents.view import ShownAnswer, ShownResult, line_of
from orchestrator.surfaces.page.copying import as_markdown

WORDS = {"Sources": "소스"}


def result(number: int, title: str, link: str) -> ShownResult:
    return ShownResult(
        number=number, source="Notion", title=title, url=link, link=link, path="", author="", place="팀 *위키*",
        state="", happened=datetime(2026, 11, 8, 16, tzinfo=UTC), snippet="", quote="", why=(), unverified=(),
        also=(), related=(),
    )  # fmt: skip


def answer(*lines: tuple[str, str]) -> ShownAnswer:
    results = (
        result(1, "[click](https://evil.example) <b>", "https://notion.so/a"),
        result(2, "옥타 계획", ""),
        result(3, "not cited", "https://notion.so/c"),
    )
    told = tuple(line_of(part, text, {1: 1, 2: 2}, (1, 2)) for part, text in lines)
    return ShownAnswer((), (), None, told, results, "high", "", ())  # type: ignore[arg-type]


def test_lists_are_lists_and_what_is_foreign_stays_text() -> None:
    shown = answer(
        ("lead", "Where it stands:"), ("claim", "*8일* 완료 [1] [2]"), ("claim", "# 9 [2]"), ("remark", "Less.")
    )
    assert as_markdown("what *is* it?", shown, WORDS, UTC) == (
        "**what \\*is\\* it?**\n\n"
        "Where it stands:\n\n"
        "- \\*8일\\* 완료 [\\[1\\]](<https://notion.so/a>) \\[2\\]\n"
        "- \\# 9 \\[2\\]\n\n"
        "Less.\n\n"
        "소스:\n\n"
        "- [1] [\\[click\\]\\(https\\://evil.example) \\<b>](<https://notion.so/a>) · Notion · 팀 \\*위키\\* · 2026-11-08\n"
        "- [2] 옥타 계획 · Notion · 팀 \\*위키\\* · 2026-11-08\n"
    )


def test_what_cites_nothing_is_nothing_to_be_copied() -> None:
    shown = answer(("remark", "No source answered."))
    assert as_markdown("x", shown, WORDS, None) == ""
