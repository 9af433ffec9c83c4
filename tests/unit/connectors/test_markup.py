"""Markdown and HTML become text that a person can read and a search can check."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.markup import from_html, from_markdown, from_page, is_marked
from connectors.text import plain_text


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("# Title\n\ntext", "Title\n\ntext"),
        ("**bold** and *it* and ***both***", "bold and it and both"),
        ("on ~~1 May~~ 7 June", "on ~~1 May~~ 7 June"),
        ("__init__ of _this_", "init of this"),
        ("**결정**했습니다 *일정*은", "결정했습니다 일정은"),
        ("snake_case_name and 2*3*4 and a_b", "snake_case_name and 2*3*4 and a_b"),
        ("`code_here` and ``more``", "code_here and more"),
        ("```python\nx = 1\n```\nafter", "x = 1\n\nafter"),
        ("- one\n* two\n+ three\n- [ ] four\n- [x] five", "one\ntwo\nthree\n☐ four\n☑ five"),
        ("> quoted\n> > twice", "quoted\ntwice"),
        ("[label](https://a.b/c) ![alt](https://i.mg)", "label (https://a.b/c) alt (https://i.mg)"),
        ("[https://a.b](https://a.b) [](https://c.d)", "https://a.b https://c.d"),
        ("<https://a.b/c> <mailto:a@b.c>", "https://a.b/c a@b.c"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "| a | b |\n\n| 1 | 2 |"),
        ("above\n\n---\n\nbelow", "above\n\nbelow"),
        ('<callout icon="🚨">mind</callout><br/>gap, wo<b>r</b>d', "mind\n\ngap, word"),
        ("List<String> and Map<K, V> and a < b > c", "List<String> and Map<K, V> and a < b > c"),
        ("before <!-- hidden --> after <!-- open", "before  after <!-- open"),
        (r"\*literal\* and 1\. not a list", "*literal* and 1. not a list"),
    ],
)  # fmt: skip
def test_markdown(markdown: str, plain: str) -> None:
    """Marks go; words, addresses and what only looks like a mark stay."""
    assert from_markdown(markdown) == plain


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("<p>Hi&nbsp;&amp; <b>bye</b></p>\nline\nline<br>next", "Hi & bye\nline line\nnext"),
        ("<style>p{}</style><script>x()</script><title>t</title>seen", "seen"),
        ("seen<SCRIPT>never closed", "seen"),
        ("<div>안녕하세요</div><div>İstanbul <script>x</script>끝</div>", "안녕하세요\n\nİstanbul 끝"),
        ("a &lt;b&gt; c < d", "a <b> c < d"),
        ("<!doctype html><!-- c --><ul><li>1<li>2</ul>", "1\n2"),
        ("&#x202e;x&#0;&#xd800;", "x\ufffd\ufffd"),
    ],
)
def test_html(html: str, plain: str) -> None:
    """Blocks on lines of their own, nothing of what a browser would not show."""
    assert from_html(html) == plain


@given(st.text())
def test_the_result_is_always_plain_text(text: str) -> None:
    """Whatever goes in, and nothing raises."""
    for read in (from_markdown, from_html, from_page):
        assert read(text) == plain_text(read(text))


@pytest.mark.parametrize(
    "evil",
    ["[", "*", "<!--", "-->", "`", "_a", "[a](", "|---", "- ", "**a ", "<a ", "<p>", "<script>", "&#", "<script></script>",
     '[a](b "', "~~x", "> ", "<callout ", "\\", "<ol>", "<li>", "<td>", "</td>", "<s>", '<li class="'],
)  # fmt: skip
def test_reading_takes_time_in_proportion_to_the_text(evil: str) -> None:
    """A text of opening marks alone is no way to stop the service: a quadratic reader would need minutes here."""
    text = evil * (200_000 // len(evil))
    started = time.process_time()
    from_markdown(text)
    from_html(text)
    from_page(text)
    assert time.process_time() - started < 20


@given(st.text(alphabet=st.sampled_from("ab가 \n\t-+*_`<>#|[]~\\")))
def test_text_is_taken_for_plain_only_where_nothing_in_it_is_a_mark(text: str) -> None:
    """The short way for text without marks must give what the long way gives."""
    if not is_marked(text):
        assert not set(text) & set("<\\`*_~#>|[")
        assert not any(line.lstrip(" \t").startswith(("-", "+")) for line in text.split("\n"))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>둘</p>", "One\n둘"),
        ("<ul><li><p>bread</p></li><li>쌀</li></ul>", "- bread\n- 쌀"),
        ('<ol start="3"><li><p>stir</p></li><li>serve</li></ol>', "3. stir\n4. serve"),
        ("<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>", "1. a\n- b\n2. c"),
        (
            '<ul><li class="a checked" data-inline-task-id="1"><b>계약서</b></li><li data-inline-task-id="2">Visa</li></ul>',
            "☑ 계약서\n☐ Visa",
        ),
        ("마감 <del>11월 30일</del> 12월 7일, <s>May</s> June", "마감 ~~11월 30일~~ 12월 7일, ~~May~~ June"),
        (
            "<table><tbody><tr><th><p>Name</p></th><th>담당</th></tr><tr><td><p>A</p><p>b</p></td><td><ul><li>김</li></ul></td></tr></tbody></table>",
            "| Name | 담당 |\n| A b | - 김 |",
        ),
        ("<h2>Plan</h2><p>a &lt;b&gt; c<br/>d</p><script>alert(1)</script>", "Plan\na <b> c\nd"),
        ("</td></tr></ol></li>text<li>", "|text\n-"),
    ],
)
def test_a_page_keeps_its_structure(html, text):
    lines = [line for line in from_page(html).split("\n") if line.strip()]
    assert "\n".join(lines) == text
