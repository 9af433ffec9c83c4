"""How well CQL can say each condition, and why no better.

Text inside a CQL string is escaped once for the text search and once for CQL itself.
Manual: https://developer.atlassian.com/cloud/confluence/performing-text-searches-using-cql/
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Verdict
from translators.emit import NO_LETTERS, RESERVED, as_typed, judge_container_name
from translators.jql.verdicts import account
from translators.match import HANGUL
from translators.query import Field, IdKind, Kind, Phrase, Prefix, Term
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, datable, provided, refused, wider

if TYPE_CHECKING:
    from datetime import datetime

    from translators.query import Container, Identifier, Person

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


# What Confluence calls each kind of content: https://developer.atlassian.com/cloud/confluence/cql-fields
TYPES = {
    Kind.PAGE: ("page", "blogpost", "whiteboard", "folder"),
    Kind.MESSAGE: ("comment",),
    Kind.FILE: ("attachment",),
    Kind.DATABASE: ("database",),
}
# Addresses of pages, blog posts and the like as Confluence Cloud writes them, and as it wrote them before.
ADDRESS = re.compile(
    r"https?://(?P<site>[a-z0-9-]+\.atlassian\.net)/wiki/"
    r"(?:spaces/[^/?#\s]+/(?:pages|blog/\d{4}/\d{1,2}/\d{1,2}|whiteboard|database|folder)/(?:edit(?:-v2)?/)?(?P<id>\d{1,18})"
    r"(?:[/?#]\S*)?"
    r"|pages/viewpage\.action\?(?:[^\s#]*&)?pageId=(?P<page>\d{1,18})(?:[&#]\S*)?)",
    re.ASCII | re.IGNORECASE,
)
LOOKED_UP = frozenset({IdKind.PERMALINK, IdKind.URL})

STEMS = Said("Confluence finds other forms of these words too")
BEGINNING = Said("asked as a beginning and as a word, of which Confluence finds other forms too")
APART = Said("its last word is asked for by its beginning, apart from those before it")
NO_ASSIGNEE = Said("pages are assigned to nobody")
NO_STATE = Said("pages are neither open nor done")
NO_ACCOUNT = Said("Confluence finds people by account id, and none is known")
BY_TITLE = Said("asked by the words of the space's title, for want of its key")
NO_TITLE = Said("no space can be found by a name without letters")
NO_KIND = Said("Confluence holds pages, databases, comments and files")
NO_ADDRESS = Said("this is not the address of a page on a Confluence Cloud site")
NO_DATE = Said("it is too far away in time for Confluence to know the date for certain")
DAYS = Said("asked a day or two wider: Confluence reads days in a zone of the account's own")


class CqlVerdicts(Verdicts):
    """Confluence ends a word at a blank, and finds other forms of words where it is not asked for a beginning."""

    lacks: ClassVar = {Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = dict.fromkeys(TYPES, EXACT)
    no_kind = NO_KIND

    def words(self, leaf: Term | Phrase) -> Verdict:
        """A word may be inflected as Confluence sees fit, but is not left out by its mere beginning."""
        if not pieces(leaf.text):
            return refused(NO_LETTERS)
        if not inflects(leaf.text):
            return wider(STEMS) if isinstance(leaf, Phrase) else EXACT
        single = isinstance(leaf, Term) and len(pieces(leaf.text)) == 1
        return Verdict(negates=False) if single else wider(_begun(leaf.text))

    def prefix(self, leaf: Prefix) -> Verdict:
        return wider(_begun(leaf.text)) if pieces(leaf.text) else refused(NO_LETTERS)

    def person(self, who: Person) -> Verdict:
        return provided(who.me or account(who), NO_ACCOUNT)

    def container(self, where: Container) -> Verdict:
        if where.native_id:
            return EXACT
        if not pieces(where.name):
            return refused(NO_TITLE)
        named = judge_container_name(where)
        return named if named.why else wider(BY_TITLE)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(page_id(thing), NO_ADDRESS)

    def instant(self, instant: datetime) -> Verdict:
        return wider(DAYS) if datable(instant) else refused(NO_DATE)


def _begun(text: str) -> Said:
    return BEGINNING if len(pieces(text)) == 1 else APART


def page_id(thing: Identifier) -> str:
    """The number in the address of a page, or nothing where it is none."""
    found = _address(thing)
    return (found["id"] or found["page"]) if found else ""


def site(thing: Identifier) -> str:
    """The host in the address of a page."""
    found = _address(thing)
    return found["site"].lower() if found else ""


def _address(thing: Identifier) -> re.Match[str] | None:
    return ADDRESS.fullmatch(thing.text) if thing.kind in LOOKED_UP else None


judge = CqlVerdicts()
