"""How well Gmail's search box can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_container_name, judge_text, name_parts, plain, quoted, utc
from translators.match import HANGUL
from translators.query import Compare, Container, Field, Identifier, Kind, Person, Phrase, Prefix, State, Term
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf, Value

ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9.-]+")
# Mailboxes that every account has, by the names that people type; anything else is a label.
MAILBOXES = {
    "inbox": "inbox", "받은편지함": "inbox",
    "sent": "sent", "보낸편지함": "sent",
    "drafts": "drafts", "임시보관함": "drafts",
    "spam": "spam", "스팸함": "spam",
    "trash": "trash", "휴지통": "trash",
    "anywhere": "anywhere",
}  # fmt: skip
# A Message-ID as mails carry it (RFC 5322, 3.6.4), as far as it holds nothing that is syntax in Gmail.
MESSAGE_ID = re.compile(r"<([\w.!#$%&'*+/=?^`~-]+@[A-Za-z0-9.-]+)>", re.ASCII)
WEB = re.compile(r"https?://(?:mail|inbox)\.google\.com(?:[/?#]|$)", re.IGNORECASE)
EPOCH = datetime(1970, 1, 2, tzinfo=UTC)
WIDENED = Verdict(
    Fidelity.WIDER,
    Said(
        "asked a second wider: Gmail does not say whether the boundary belongs to it",
        "Gmail이 경계를 포함하는지 밝히지 않아 1초 넓혀 물었습니다",
    ),
)


def judge(leaf: Leaf) -> Verdict:
    """How well Gmail can say one leaf."""
    match leaf:
        case Term(text) | Phrase(text):
            if HANGUL.search(text):  # words end at blanks, and Korean particles are written on to them
                return Verdict(
                    Fidelity.APPROXIMATE,
                    Said(
                        "Gmail finds Korean words only as they stand, without particles",
                        "Gmail은 한국어 낱말을 조사 없이 쓰인 그대로만 찾습니다",
                    ),
                )
            return judge_text(leaf)
        case Prefix():
            return Verdict(Fidelity.NONE, Said("Gmail finds whole words only", "Gmail은 온전한 낱말만 찾습니다"))
        case Compare(Field.ASSIGNEE):
            return Verdict(Fidelity.NONE, Said("mail is assigned to nobody", "메일에는 담당자가 없습니다"))
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            return _judge_person(value)
        case Container():
            return _judge_container(value)
        case Kind():
            return _judge_kind(value)
        case datetime():
            return (
                WIDENED
                if utc(value) > EPOCH
                else Verdict(Fidelity.NONE, Said("Gmail's clock begins in 1970", "Gmail의 시각은 1970년에 시작합니다"))
            )
        case Identifier():
            return _judge_id(value)
        case State():
            return Verdict(Fidelity.NONE, Said("mail is neither open nor done", "메일에는 진행 상태가 없습니다"))
        case _:
            assert_never(value)


def _judge_id(thing: Identifier) -> Verdict:
    if message_id(thing):
        return Verdict()
    if WEB.match(thing.text):
        return Verdict(
            Fidelity.NONE,
            Said(
                "the ids in Gmail's web addresses are not those of its search",
                "Gmail 웹 주소의 ID는 검색의 ID와 다릅니다",
            ),
        )
    return Verdict(
        Fidelity.NONE,
        Said("Gmail finds one mail by its <Message-ID> only", "Gmail은 메일 하나를 <Message-ID>로만 찾습니다"),
    )


def _judge_person(who: Person) -> Verdict:
    if who.me or address(who):
        return Verdict()
    if HANGUL.search(who.name):
        return Verdict(
            Fidelity.APPROXIMATE,
            Said(
                "asked by name, for want of an address; Gmail wants the whole name",
                "주소를 몰라 이름으로 물었습니다. Gmail은 이름 전체가 있어야 찾습니다",
            ),
        )
    if name_parts(who.name) and plain(who.name).casefold() != "me":  # "me" is the asker
        return Verdict(
            Fidelity.WIDER,
            Said("asked by the words of the name, for want of an address", "주소를 몰라 이름의 낱말로 물었습니다"),
        )
    return Verdict(
        Fidelity.NONE,
        Said(
            "Gmail finds senders by address or name, and neither is known",
            "Gmail은 보낸 사람을 주소나 이름으로 찾는데 둘 다 알려져 있지 않습니다",
        ),
    )


def _judge_container(where: Container) -> Verdict:
    name = plain(where.name)
    if name.casefold() in MAILBOXES:
        return Verdict()
    if name_parts(name) and quoted(name) == f'"{name}"':
        return judge_container_name(where)
    return Verdict(
        Fidelity.NONE, Said("Gmail's search cannot spell this label", "Gmail 검색어로 쓸 수 없는 라벨입니다")
    )


def _judge_kind(kind: Kind) -> Verdict:
    if kind is Kind.FILE:
        return Verdict(
            Fidelity.APPROXIMATE, Said("asked as mail with an attachment", "첨부 파일이 있는 메일로 물었습니다")
        )
    return (
        Verdict()
        if kind is Kind.MAIL
        else Verdict(Fidelity.NONE, Said("Gmail's search returns mail only", "Gmail 검색은 메일만 돌려줍니다"))
    )


def address(who: Person) -> str:
    """The person's mail address, or nothing where none is known that could be sent as it stands."""
    return next((text for text in (who.email, who.native_id) if text and ADDRESS.fullmatch(text)), "")


def message_id(thing: Identifier) -> str:
    """A Message-ID without its brackets, or nothing."""
    found = MESSAGE_ID.fullmatch(thing.text)
    return found[1] if found else ""
