"""How well CQL can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.cql.text import inflects, pieces
from translators.emit import NO_LETTERS, judge_container_name, utc
from translators.query import (
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Person,
    Phrase,
    Prefix,
    State,
    Term,
)

if TYPE_CHECKING:
    from translators.query import Leaf, Value

# What Confluence calls each kind of content: https://developer.atlassian.com/cloud/confluence/cql-fields
TYPES = {
    Kind.PAGE: ("page", "blogpost", "whiteboard", "folder"),
    Kind.MESSAGE: ("comment",),
    Kind.FILE: ("attachment",),
    Kind.DATABASE: ("database",),
}
ACCOUNT = re.compile(r"[A-Za-z0-9:_-]{1,128}", re.ASCII)
# Addresses of pages, blog posts and the like as Confluence Cloud writes them, and as it wrote them before.
ADDRESS = re.compile(
    r"https?://(?P<site>[a-z0-9-]+\.atlassian\.net)/wiki/"
    r"(?:spaces/[^/?#\s]+/(?:pages|blog/\d{4}/\d{1,2}/\d{1,2}|whiteboard|database|folder)/(?:edit(?:-v2)?/)?(?P<id>\d{1,18})"
    r"(?:[/?#]\S*)?"
    r"|pages/viewpage\.action\?(?:[^\s#]*&)?pageId=(?P<page>\d{1,18})(?:[&#]\S*)?)",
    re.ASCII | re.IGNORECASE,
)
LOOKED_UP = frozenset({IdKind.PERMALINK, IdKind.URL})
FIRST_YEAR, LAST_YEAR = 1971, 9000

STEMS = "Confluence finds other forms of these words too"
BEGINNING = "asked as a beginning and as a word, of which Confluence finds other forms too"
APART = "its last word is asked for by its beginning, apart from those before it"
NO_ACCOUNT = "Confluence finds people by account id, and none is known"
BY_TITLE = "asked by the words of the space's title, for want of its key"
NO_TITLE = "no space can be found by a name without letters"
NO_KIND = "Confluence holds pages, databases, comments and files"
NO_ADDRESS = "this is not the address of a page on a Confluence Cloud site"
NO_DATE = "it is too far away in time for Confluence to know the date for certain"
DAYS = "asked a day or two wider: Confluence reads days in a zone of the account's own"


def judge(leaf: Leaf) -> Verdict:
    """How well CQL can say one leaf."""
    match leaf:
        case Term(text) | Phrase(text) | Prefix(text) if not pieces(text):
            return Verdict(Fidelity.NONE, NO_LETTERS)
        case Term(text):
            return _judge_term(text)
        case Phrase(text):
            return Verdict(Fidelity.WIDER, _begun(text) if inflects(text) else STEMS)
        case Prefix(text):
            return Verdict(Fidelity.WIDER, _begun(text))
        case Compare(Field.ASSIGNEE):
            return Verdict(Fidelity.NONE, "pages are assigned to nobody")
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_term(text: str) -> Verdict:
    """A word may be inflected as Confluence sees fit, but is not left out by its mere beginning."""
    if not inflects(text):
        return Verdict()
    return Verdict(negates=False) if len(pieces(text)) == 1 else Verdict(Fidelity.WIDER, APART)


def _begun(text: str) -> str:
    return BEGINNING if len(pieces(text)) == 1 else APART


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            return Verdict() if value.me or account(value) else Verdict(Fidelity.NONE, NO_ACCOUNT)
        case Container():
            return _judge_space(value)
        case Kind():
            return Verdict() if value in TYPES else Verdict(Fidelity.NONE, NO_KIND)
        case Identifier():
            return Verdict() if page_id(value) else Verdict(Fidelity.NONE, NO_ADDRESS)
        case State():
            return Verdict(Fidelity.NONE, "pages are neither open nor done")
        case datetime():
            known = FIRST_YEAR <= utc(value).year < LAST_YEAR
            return Verdict(Fidelity.WIDER, DAYS) if known else Verdict(Fidelity.NONE, NO_DATE)
        case _:
            assert_never(value)


def _judge_space(where: Container) -> Verdict:
    if where.native_id:
        return Verdict()
    if not pieces(where.name):
        return Verdict(Fidelity.NONE, NO_TITLE)
    named = judge_container_name(where)
    return named if named.why else Verdict(Fidelity.WIDER, BY_TITLE)


def account(who: Person) -> str:
    """The account id, or nothing where none is known that could be one."""
    return who.native_id if who.native_id and ACCOUNT.fullmatch(who.native_id) else ""


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
