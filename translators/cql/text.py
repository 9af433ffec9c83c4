"""Text inside a CQL string: escaped once for the text search and once for CQL itself.

Manual: https://developer.atlassian.com/cloud/confluence/performing-text-searches-using-cql/
"""

from __future__ import annotations

import re

from translators.emit import RESERVED, as_typed
from translators.match import HANGUL
from translators.query import Phrase, Prefix, Term

# What the text search, Lucene's, reads as syntax: https://lucene.apache.org/core/4_4_0/queryparser/
SPECIAL = re.compile(r'[-+&|!(){}\[\]^~*?\\:"/]')
PIECE = re.compile(r"\w*[^\W_]\w*")
WHOLE_WORD = re.compile(r"\w+")


def pieces(text: str) -> list[re.Match[str]]:
    """The runs of letters and digits that Confluence can be asked for, where they stand in ``plain(text)``."""
    return list(PIECE.finditer(as_typed(text)))


def inflects(text: str) -> bool:
    """Whether a particle may follow: the last word ends in Hangul, and Confluence ends a word at a blank."""
    found = pieces(text)
    return bool(found) and HANGUL.match(found[-1][0][-1]) is not None


def contains(leaf: Term | Phrase | Prefix) -> str:
    """The condition that the words of ``leaf`` occur, side by side unless the last is only a beginning."""
    if isinstance(leaf, Prefix) or inflects(leaf.text):
        return _beginning(leaf.text)
    return f"text ~ {_phrase(leaf.text) if isinstance(leaf, Phrase) else _wanted(leaf.text)}"


def lacks(text: str) -> str:
    """The condition that a word does not occur."""
    return f"text !~ {_wanted(text)}"


def titled(name: str) -> str:
    """The string that looks for the words of a name side by side."""
    return _phrase(name)


def quoted(text: str) -> str:
    """A CQL string that means ``text``."""
    escaped = as_typed(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _beginning(text: str) -> str:
    """A wildcard finds no place in a phrase, and is not stemmed as other words are: so the last word is asked for both
    as it stands and as a beginning, apart from those before it.
    """
    last = pieces(text)[-1]
    head = as_typed(text)[: last.start()]
    either = f"(text ~ {_wanted(last[0])} OR text ~ {quoted(f'{last[0]}*')})"
    return f"(text ~ {_wanted(head)} AND {either})" if pieces(head) else either


def _wanted(text: str) -> str:
    """A word bare where it can only be a word, else as a phrase: what is cut into several must stand side by side."""
    word = as_typed(text)
    bare = WHOLE_WORD.fullmatch(word) and word.casefold() not in RESERVED
    return quoted(word) if bare else _phrase(word)


def _phrase(text: str) -> str:
    escaped = SPECIAL.sub(r"\\\g<0>", as_typed(text))
    return quoted(f'"{escaped}"')
