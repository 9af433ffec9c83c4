"""Text inside a JQL string: escaped once for Jira's text search and once for JQL itself.

Manuals: https://support.atlassian.com/jira-software-cloud/docs/search-syntax-for-text-fields/ and
https://support.atlassian.com/jira-software-cloud/docs/jql-operators/
"""

from __future__ import annotations

import re
from typing import assert_never

from translators.emit import as_typed
from translators.jql.verdicts import inflected
from translators.query import Phrase, Prefix, Term

# What text search reads as syntax. A slash opens a regular expression in Lucene; Jira does not list it.
SPECIAL = re.compile(r'[-+&|!(){}\[\]^~*?\\:"/]')
OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")  # operators in capitals only, and case means nothing to a search


def quoted(text: str) -> str:
    """A JQL string that means ``text``."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def wanted(leaf: Term | Phrase | Prefix) -> str:
    """The JQL string that looks for the words of ``leaf``, all of them, side by side in a phrase."""
    match leaf:
        case Prefix(text):
            # In small letters: Jira does not say whether a word with an asterisk is folded as others are.
            return quoted(f"{as_typed(text).lower()}*")
        case Term(text) | Phrase(text) if word := inflected(text):
            return quoted(f"{word} OR {word}*")  # particles are written on to Hangul words
        case Term(text):
            return quoted(_harmless(text))
        case Phrase(text):
            return quoted(f'"{_harmless(text)}"')
        case _:
            assert_never(leaf)


def _harmless(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", OPERATORS.sub(lambda match: match[0].lower(), as_typed(text)))
