"""Words as web search engines read them, so that no text of a question is an operator of any of them.

Google: https://support.google.com/websearch/answer/2466433 ; Brave: https://search.brave.com/help/operators ;
SearXNG, which reads commands of its own anywhere, inside quotes too: https://docs.searxng.org/user/search-syntax.html .
"""

from __future__ import annotations

import re

from translators.emit import BARE, RESERVED, as_typed, quoted
from translators.match import WORD

# A host below a registry: somewhere on the web. No channel or folder of one's own is called that.
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}", re.ASCII | re.IGNORECASE)
ASIDE = dict.fromkeys(map(ord, "*|()<>{}[]^~"), " ")  # * stands for any word in Google's quotes; the rest are operators
COMMAND = "!?:"  # SearXNG and DuckDuckGo: !bang, ?engine, :language, at the beginning of a word
SPAN = ".."  # Google: 10..50 is a range of numbers


def word(text: str) -> str:
    """A word bare where no engine could take it for anything else; anything else in quotes."""
    whole = as_typed(text)
    bare = BARE.fullmatch(whole) and whole.casefold() not in RESERVED and SPAN not in whole
    return whole if bare else phrase(text)


def phrase(text: str) -> str:
    """``text`` in quotes, without what engines read as commands even there; empty where no word is left."""
    words = (each.lstrip(COMMAND) for each in as_typed(text.translate(ASIDE)).replace(SPAN, " ").split())
    inside = quoted(" ".join(words))
    return inside if WORD.search(inside) else ""
