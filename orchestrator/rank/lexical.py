"""The folded words of texts, each text read once however many stages ask."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from translators.match import fold

if TYPE_CHECKING:
    from connectors.contract import Hit

# Korean puts particles straight behind foreign words ("API를", "v2로"), so that a run ends where Hangul begins or ends.
RUN = re.compile(r"[가-힣]+|[^\W가-힣]+")
# Plain ASCII needs no expression: everything but letters, digits and underscores becomes a blank.
PLAIN = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}


def _words(text: str) -> list[str]:
    return text.lower().translate(PLAIN).split() if text.isascii() else RUN.findall(fold(text))


@lru_cache(maxsize=1024)
def folded_words(text: str) -> tuple[str, ...]:
    """Runs of letters, digits and underscores in one script, without case and compatibility forms."""
    return tuple(_words(text))


def spaced(text: str) -> str:
    """The same words, each between blanks: `` w `` finds a word and `` w`` the beginning of one, as a substring."""
    return f" {' '.join(_words(text))} "


@dataclass(frozen=True, slots=True)
class Text:
    """The words of a hit, each run between blanks. ``whole`` is all of them; nothing matches across the parts."""

    title: str
    body: str
    names: str
    url: str
    whole: str

    @classmethod
    def of(cls, hit: Hit, limit: int) -> Text:
        """``limit``: characters read of a snippet."""
        people = (person.name for person in (hit.author, hit.assignee) if person)
        names = " ".join((*people, hit.container.name if hit.container else "", hit.id))
        title, body, named = spaced(hit.title), spaced(hit.snippet[:limit]), spaced(names)
        return cls(title, body, named, hit.url, f"{title}\n{body}\n{named}")
