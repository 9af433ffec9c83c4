"""What cannot be searched for is said before anybody is asked."""

from __future__ import annotations

import pytest

from orchestrator.model import BadAsk
from orchestrator.websearch import BadWebQuery, WebQuery

REFUSED = {
    "empty": (("",), "Search query must be at least 3 characters"),
    "blanks": (("  \n ",), "Search query must be at least 3 characters"),
    "two letters": (("ab",), "Search query must be at least 3 characters"),
    "nothing to be seen": (("\x00\x1b\u202e\x07",), "Search query must be at least 3 characters"),
    "two syllables": (("결제",), "Search query must be at least 3 characters"),
    "blanks around two letters": (("  ab  ",), "Search query must be at least 3 characters"),
    "too long": (("a" * 401,), "Search query must be at most 400 characters; this one has 401"),
    "tier 0": (("react", 0), "tier must be 1 (official), 2, 3 or 4 (blogs), not 0"),
    "tier 5": (("react", 5), "tier must be 1 (official), 2, 3 or 4 (blogs), not 5"),
    "tier true": (("react", True), "tier must be 1 (official), 2, 3 or 4 (blogs), not True"),
    "no results": (("react", None, 0), "maxResults must be between 1 and 50, not 0"),
    "half a result": (("react", None, 2.5), "maxResults must be between 1 and 50, not 2.5"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    arguments, message = REFUSED[case]
    with pytest.raises(BadWebQuery) as raised:
        WebQuery(*arguments)  # type: ignore[arg-type]
    assert str(raised.value) == message
    assert isinstance(raised.value, BadAsk)


def test_the_narrowest_that_is_allowed() -> None:
    assert WebQuery("abc").max_results == 10
    assert WebQuery("결제망").language == "ko"
    assert WebQuery(" a \n b \x1b\u202e\ud800").text == "a b \ufffd"
    assert [WebQuery("abc", tier).tier for tier in (1, 4)] == [1, 4]
    assert [WebQuery("abc", None, most).max_results for most in (1, 50)] == [1, 50]
    assert len(WebQuery("a" * 400).text) == 400
    assert [(each.max_results, each.asked_for) for each in (WebQuery("abc", None, 50), WebQuery("abc", None, 80))] == [
        (50, 0),
        (50, 80),
    ]
