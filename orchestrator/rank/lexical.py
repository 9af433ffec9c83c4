"""The folded words of a text, worked out once however many stages ask."""

from __future__ import annotations

import re
from functools import lru_cache

from translators.match import fold

# Korean puts particles straight behind foreign words ("API를", "v2로"), so that a run ends where Hangul begins or ends.
RUN = re.compile(r"[가-힣]+|[^\W가-힣]+")


@lru_cache(maxsize=1024)
def folded_words(text: str) -> tuple[str, ...]:
    """Runs of letters, digits and underscores in one script, without case and compatibility forms."""
    return tuple(RUN.findall(fold(text)))


@lru_cache(maxsize=1024)
def spaced(text: str) -> str:
    """The same words, each between blanks: `` w `` finds a word and `` w`` the beginning of one, as a substring."""
    return f" {' '.join(folded_words(text))} "
