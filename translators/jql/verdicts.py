"""How well JQL can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_text, plain, utc
from translators.match import HANGUL
from translators.query import Compare, Container, Identifier, IdKind, Kind, Person, Phrase, Prefix, State, Term
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf, Value

ACCOUNT = re.compile(r"[A-Za-z0-9:_-]{1,128}", re.ASCII)
PROJECT_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
PROJECT_KEY = re.compile(r"[A-Z][A-Z0-9_]+", re.ASCII)
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]+-[0-9]{1,18}", re.ASCII)
ADDRESS = re.compile(r"https?://[^/?#\s\"]+/browse/(?P<key>[^/?#\s]+)/?(?:[?#][^\s\"]*)?", re.IGNORECASE)
LOOKED_UP = frozenset({IdKind.TICKET, IdKind.PERMALINK, IdKind.URL})
# A word that the analysis of text leaves whole, so that an asterisk after it means what it says.
WHOLE_WORD = re.compile(r"[^\W_](?:\w*[^\W_])?")
FIRST_YEAR, LAST_YEAR = 1971, 9000

NO_ACCOUNT = Said("Jira finds people by account id, and none is known", "Jira는 사람을 계정 ID로 찾는데 ID를 모릅니다")
NO_PROJECT = Said(
    "Jira refuses a query that names a project it does not know, so projects are asked for by id only",
    "Jira는 모르는 프로젝트가 든 질의를 거절하므로 프로젝트는 ID로만 묻습니다",
)
NO_KEY = Said("this is neither the key of an issue nor its address", "이슈의 키도 주소도 아닙니다")
STANDING = Said(
    "Jira finds Korean words only as they stand, without particles",
    "Jira는 한국어 낱말을 조사 없이 쓰인 그대로만 찾습니다",
)
NO_DATE = Said(
    "it is too far away in time for Jira to know the date for certain",
    "너무 먼 시점이라 Jira에 물을 날짜를 확정할 수 없습니다",
)
ZONES = Said(
    "asked more than a day wider: Jira reads times in a zone of the account's own",
    "Jira는 시각을 계정의 시간대로 읽으므로 하루 남짓 넓혀 물었습니다",
)


def judge(leaf: Leaf) -> Verdict:
    """How well JQL can say one leaf."""
    match leaf:
        case Term(text) | Phrase(text):
            if HANGUL.search(text) and not inflected(text):
                return Verdict(Fidelity.APPROXIMATE, STANDING)
            return judge_text(leaf)
        case Prefix(text):
            if WHOLE_WORD.fullmatch(plain(text)):
                return Verdict()
            return Verdict(
                Fidelity.NONE, Said("Jira completes plain words only", "Jira는 평범한 낱말만 앞부분으로 찾습니다")
            )
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            return Verdict() if value.me or account(value) else Verdict(Fidelity.NONE, NO_ACCOUNT)
        case Container():
            return Verdict() if project(value) else Verdict(Fidelity.NONE, NO_PROJECT)
        case Kind():
            return (
                Verdict()
                if value is Kind.ISSUE
                else Verdict(Fidelity.NONE, Said("Jira's search returns issues only", "Jira 검색은 이슈만 돌려줍니다"))
            )
        case Identifier():
            return Verdict() if issue_key(value) else Verdict(Fidelity.NONE, NO_KEY)
        case State():
            return Verdict()
        case datetime():
            known = FIRST_YEAR <= utc(value).year < LAST_YEAR
            return Verdict(Fidelity.WIDER, ZONES) if known else Verdict(Fidelity.NONE, NO_DATE)
        case _:
            assert_never(value)


def inflected(text: str) -> str:
    """The text if it is a single Hangul word, which people expect to find with any particle; else nothing."""
    word = plain(text)
    return word if WHOLE_WORD.fullmatch(word) and HANGUL.match(word[-1]) else ""


def account(who: Person) -> str:
    """The account id, or nothing where none is known that could be one."""
    return who.native_id if who.native_id and ACCOUNT.fullmatch(who.native_id) else ""


def project(where: Container) -> str:
    """The project as JQL names it without doubt: by number, else by quoted key; nothing where neither is known."""
    known = where.native_id or ""
    if PROJECT_NUMBER.fullmatch(known):
        return known
    return f'"{known}"' if PROJECT_KEY.fullmatch(known) else ""


def issue_key(thing: Identifier) -> str:
    """The key of an issue that is named by it or by an address ending in ``/browse/KEY``; else nothing."""
    if thing.kind not in LOOKED_UP:
        return ""
    address = ADDRESS.fullmatch(thing.text)
    key = address["key"] if address else thing.text
    return key.upper() if KEY.fullmatch(key) else ""
