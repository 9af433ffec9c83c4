"""How well Gmail's search box can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from translators.emit import judge_container_name, mail_address, name_parts, plain, quoted, utc
from translators.match import HANGUL
from translators.query import Container, Field, Identifier, Kind, Person, Prefix
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, provided, refused, wider

if TYPE_CHECKING:
    from translators.capabilities import Verdict

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

AS_THEY_STAND = Said(
    "Gmail finds Korean words only as they stand, without particles",
    "Gmail은 한국어 낱말을 조사 없이 쓰인 그대로만 찾습니다",
)
WHOLE_WORDS = Said("Gmail finds whole words only", "Gmail은 온전한 낱말만 찾습니다")
NO_ASSIGNEE = Said("mail is assigned to nobody", "메일에는 담당자가 없습니다")
NO_STATE = Said("mail is neither open nor done", "메일에는 진행 상태가 없습니다")
WITH_FILE = Said("asked as mail with an attachment", "첨부 파일이 있는 메일로 물었습니다")
ONLY_MAIL = Said("Gmail's search returns mail only", "Gmail 검색은 메일만 돌려줍니다")
WIDENED = Said(
    "asked a second wider: Gmail does not say whether the boundary belongs to it",
    "Gmail이 경계를 포함하는지 밝히지 않아 1초 넓혀 물었습니다",
)
TOO_OLD = Said("Gmail's clock begins in 1970", "Gmail의 시각은 1970년에 시작합니다")
OTHER_ID = Said(
    "the ids in Gmail's web addresses are not those of its search", "Gmail 웹 주소의 ID는 검색의 ID와 다릅니다"
)
NO_ID = Said("Gmail finds one mail by its <Message-ID> only", "Gmail은 메일 하나를 <Message-ID>로만 찾습니다")
BY_WHOLE_NAME = Said(
    "asked by name, for want of an address; Gmail wants the whole name",
    "주소를 몰라 이름으로 물었습니다. Gmail은 이름 전체가 있어야 찾습니다",
)
BY_NAME = Said("asked by the words of the name, for want of an address", "주소를 몰라 이름의 낱말로 물었습니다")
NOBODY = Said(
    "Gmail finds senders by address or name, and neither is known",
    "Gmail은 보낸 사람을 주소나 이름으로 찾는데 둘 다 알려져 있지 않습니다",
)
NO_LABEL = Said("Gmail's search cannot spell this label", "Gmail 검색어로 쓸 수 없는 라벨입니다")


class GmailVerdicts(Verdicts):
    """Words end at blanks, and Korean particles are written on to them."""

    lacks: ClassVar = {Prefix: WHOLE_WORDS, Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.MAIL: EXACT, Kind.FILE: approximate(WITH_FILE)}
    no_kind = ONLY_MAIL
    korean = approximate(AS_THEY_STAND)

    def person(self, who: Person) -> Verdict:
        if who.me or mail_address(who):
            return EXACT
        if HANGUL.search(who.name):
            return approximate(BY_WHOLE_NAME)
        asker = plain(who.name).casefold() == "me"
        return wider(BY_NAME) if name_parts(who.name) and not asker else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        name = plain(where.name)
        if name.casefold() in MAILBOXES:
            return EXACT
        spellable = name_parts(name) and quoted(name) == f'"{name}"'
        return judge_container_name(where) if spellable else refused(NO_LABEL)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(message_id(thing), OTHER_ID if WEB.match(thing.text) else NO_ID)

    def instant(self, instant: datetime) -> Verdict:
        return wider(WIDENED) if utc(instant) > EPOCH else refused(TOO_OLD)


def message_id(thing: Identifier) -> str:
    """A Message-ID without its brackets, or nothing."""
    found = MESSAGE_ID.fullmatch(thing.text)
    return found[1] if found else ""


judge = GmailVerdicts()
