"""How well CQL can say each condition, and why no better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Verdict
from translators.cql.text import inflects, pieces
from translators.emit import NO_LETTERS, judge_container_name
from translators.jql.verdicts import account
from translators.query import Field, IdKind, Kind, Phrase, Term
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, datable, provided, refused, wider

if TYPE_CHECKING:
    from datetime import datetime

    from translators.query import Container, Identifier, Person, Prefix

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

STEMS = Said("Confluence finds other forms of these words too", "Confluence는 이 낱말의 다른 꼴도 함께 찾습니다")
BEGINNING = Said(
    "asked as a beginning and as a word, of which Confluence finds other forms too",
    "낱말과 그 앞부분으로 물었으며, Confluence는 낱말의 다른 꼴도 함께 찾습니다",
)
APART = Said(
    "its last word is asked for by its beginning, apart from those before it",
    "마지막 낱말은 앞의 낱말들과 떼어 앞부분으로 물었습니다",
)
NO_ASSIGNEE = Said("pages are assigned to nobody", "페이지에는 담당자가 없습니다")
NO_STATE = Said("pages are neither open nor done", "페이지에는 진행 상태가 없습니다")
NO_ACCOUNT = Said(
    "Confluence finds people by account id, and none is known", "Confluence는 사람을 계정 ID로 찾는데 ID를 모릅니다"
)
BY_TITLE = Said(
    "asked by the words of the space's title, for want of its key", "스페이스 키를 몰라 제목의 낱말로 물었습니다"
)
NO_TITLE = Said("no space can be found by a name without letters", "글자가 없는 이름으로는 스페이스를 찾을 수 없습니다")
NO_KIND = Said(
    "Confluence holds pages, databases, comments and files",
    "Confluence에는 페이지, 데이터베이스, 댓글, 파일만 있습니다",
)
NO_ADDRESS = Said(
    "this is not the address of a page on a Confluence Cloud site", "Confluence Cloud 사이트의 페이지 주소가 아닙니다"
)
NO_DATE = Said(
    "it is too far away in time for Confluence to know the date for certain",
    "너무 먼 시점이라 Confluence에 물을 날짜를 확정할 수 없습니다",
)
DAYS = Said(
    "asked a day or two wider: Confluence reads days in a zone of the account's own",
    "Confluence는 날짜를 계정의 시간대로 읽으므로 하루이틀 넓혀 물었습니다",
)


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
