"""Results that tools write as Markdown: lists with and without addresses, headings, prose, and text that never ends."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.mcp_client.reading import results


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [배포 계획](https://x.example/1) – 금요일\n  둘째 줄", [("https://x.example/1", "배포 계획", "https://x.example/1", "금요일\n둘째 줄")]),
        ("1. Plan https://x.example/1.\n2) **Other**", [("https://x.example/1", "Plan", "https://x.example/1", ""), ("Other", "Other", "", "")]),
        ("# Results\n\n## 결제 장애\nhttps://x.example/2\n자세히", [("https://x.example/2", "결제 장애", "https://x.example/2", "https://x.example/2\n자세히")]),
        ("* https://x.example/3", [("https://x.example/3", "https://x.example/3", "https://x.example/3", "")]),
        ("- one\n```\n- not an item\n```\n- two", [("one", "one", "", "```\n- not an item\n```"), ("two", "two", "", "")]),
        ("- [script](javascript:alert(1))", [("[script](javascript:alert(1))", "[script](javascript:alert(1))", "", "")]),
        ("Nothing was found.", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_list_is_taken_apart(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert [(each["id"], each["title"], each["url"], each["text"]) for each in results(text)] == expected


@given(st.text(alphabet=st.sampled_from("-*#1.[]()<> \n`http:/xé배")))
def test_anything_is_read(text: str) -> None:
    """Each result has an id, a title within reason, and an address that is one."""
    for each in results(text):
        assert each["id"]
        assert 0 < len(each["title"]) <= 500
        assert each["url"] == "" or each["url"].startswith(("http://", "https://"))


@pytest.mark.parametrize("text", ["- " + "[" * 100_000, "- [a](" * 20_000, "- " + "https://" * 20_000, "-\n" * 100_000])
def test_reading_takes_time_in_proportion(text: str) -> None:
    """What somebody else wrote must not stop the event loop: twice the text, about twice the time."""

    def seconds(text: str) -> float:
        started = time.process_time()
        results(text)
        return time.process_time() - started

    assert seconds(text) < 50 * seconds(text[: len(text) // 8]) + 0.5
