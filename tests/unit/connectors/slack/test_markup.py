"""Slack's markup as a person reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.slack.markup import without_markup
from connectors.text import plain_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<@U0KMS0A1A|minsu> and <@U0KMS0A1A>", "@minsu and @U0KMS0A1A"),
        ("<#C12345678|payments> and <#C12345678|> and <#C12345678>", "#payments and #C12345678 and #C12345678"),
        ("<!here> <!channel|channel> <!everyone>", "@here channel @everyone"),
        ("<!subteam^S0PAYTEAM|@pay-team> <!subteam^S0PAYTEAM>", "@pay-team @subteam"),
        ("<!date^1392734382^{date}|18 Feb>", "18 Feb"),
        ("<https://a.b/c|the plan>", "the plan (https://a.b/c)"),
        ("<https://a.b/c> <https://a.b/c|https://a.b/c> <http://a.b|a.b>", "https://a.b/c https://a.b/c a.b"),
        ("<mailto:a@b.c|a@b.c> <tel:+82-2-1|call>", "a@b.c call (+82-2-1)"),
        ("a &lt;b&gt; &amp;lt; &quot;", "a <b> &lt; &quot;"),
        ("\ue000결제\ue001가 \ue000실패\ue001", "결제가 실패"),
        ("*bold* _it_ `code` snake_case", "*bold* _it_ `code` snake_case"),
        ("배포는 ~12월 1일~ 12월 7일, (~May~) June", "배포는 ~~12월 1일~~ 12월 7일, (~~May~~) June"),
        ("16~18시, 19~20시, ~5시부터", "16~18시, 19~20시, ~5시부터"),
        ("~~already~~ and ~ apart ~", "~~already~~ and ~ apart ~"),
        ("a < b > c <", "a  b  c <"),
        ("", ""),
    ],
)
def test_plain(markup: str, text: str) -> None:
    """Mentions, channels, links, escapes, marks of highlighting; emphasis stays, as it may be meant."""
    assert without_markup(markup) == text


@given(st.text())
def test_whatever_comes_out_is_plain(markup: str) -> None:
    """And nothing raises."""
    assert without_markup(markup) == plain_text(without_markup(markup))
    assert "\ue000" not in without_markup(markup)
