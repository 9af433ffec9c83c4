"""How well KQL can say each condition, and why no better."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_text, plain, utc
from translators.kql.entities import SITE, address, is_plain_word, name_words, spellable
from translators.kql.ids import thing
from translators.match import HANGUL
from translators.query import Compare, Container, Field, Identifier, Kind, Person, Phrase, Prefix, State, Term
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf, Value

KOREAN = Verdict(
    Fidelity.APPROXIMATE,
    Said(
        "how Microsoft breaks Korean into words is its own; asked as it stands and as a beginning",
        "Microsoft가 한국어를 자기 방식으로 끊어 읽으므로 쓰인 그대로와 앞부분으로 물었습니다",
    ),
)
DAYS = Verdict(
    Fidelity.WIDER,
    Said(
        "asked by whole days, in whichever time zone they are counted",
        "어느 시간대로 세든 들어가도록 날짜 단위로 물었습니다",
    ),
)
# A kind is asked for by asking for the types of things that may be of it.
KINDS = {
    Kind.MAIL: Verdict(),
    Kind.MESSAGE: Verdict(),
    Kind.THREAD: Verdict(Fidelity.WIDER, Said("asked as any Teams message", "Teams 메시지 전체로 물었습니다")),
    Kind.FILE: Verdict(
        Fidelity.WIDER, Said("asked as anything that lies in a library", "라이브러리에 있는 모든 것으로 물었습니다")
    ),
    Kind.PAGE: Verdict(
        Fidelity.WIDER, Said("asked as anything in SharePoint", "SharePoint에 있는 모든 것으로 물었습니다")
    ),
}
EARLIEST, LATEST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


def judge(leaf: Leaf) -> Verdict:
    """How well KQL can say one leaf."""
    match leaf:
        case Term(text) | Phrase(text):
            known = judge_text(leaf)
            return KOREAN if known.fidelity is Fidelity.EXACT and HANGUL.search(text) else known
        case Prefix(text):
            return _judge_prefix(plain(text))
        case Compare(Field.ASSIGNEE):
            return Verdict(
                Fidelity.NONE,
                Said("mail, messages and files are assigned to nobody", "메일, 메시지, 파일에는 담당자가 없습니다"),
            )
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_prefix(text: str) -> Verdict:
    if not is_plain_word(text):
        return Verdict(Fidelity.NONE, Said("KQL completes plain words only", "KQL은 평범한 낱말만 앞부분으로 찾습니다"))
    return KOREAN if HANGUL.search(text) else Verdict()


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            return _judge_person(value)
        case Container():
            return _judge_container(value)
        case Kind():
            return KINDS.get(
                value,
                Verdict(
                    Fidelity.NONE,
                    Said(
                        "Microsoft 365 holds mail, messages, files and pages",
                        "Microsoft 365에는 메일, 메시지, 파일, 페이지만 있습니다",
                    ),
                ),
            )
        case datetime():
            known = EARLIEST < utc(value) < LATEST
            return (
                DAYS
                if known
                else Verdict(
                    Fidelity.NONE,
                    Said(
                        "days before 1970 and after 8999 are not asked for",
                        "1970년 이전과 8999년 이후의 날짜는 묻지 않습니다",
                    ),
                )
            )
        case Identifier(_, text):
            return (
                Verdict()
                if thing(text)
                else Verdict(
                    Fidelity.NONE,
                    Said("no address of a mail or a Teams message", "메일이나 Teams 메시지의 주소가 아닙니다"),
                )
            )
        case State():
            return Verdict(
                Fidelity.NONE,
                Said(
                    "mail, messages and files are neither open nor done", "메일, 메시지, 파일에는 진행 상태가 없습니다"
                ),
            )
        case _:
            assert_never(value)


def _judge_person(who: Person) -> Verdict:
    if who.me:
        return Verdict(
            Fidelity.WIDER,
            Said("asked by the addresses and the name of the account", "계정의 주소와 이름으로 물었습니다"),
        )
    if address(who):
        return Verdict(
            Fidelity.WIDER,
            Said(
                "asked by address and name: a file may bear either",
                "파일에는 주소나 이름 중 하나만 있을 수 있어 둘 다로 물었습니다",
            ),
        )
    if name_words(who.name):
        return Verdict(
            Fidelity.WIDER,
            Said("asked by the words of the name, for want of an address", "주소를 몰라 이름의 낱말로 물었습니다"),
        )
    return Verdict(
        Fidelity.NONE,
        Said(
            "people are asked for by address or full name, and neither is known",
            "사람은 주소나 전체 이름으로 묻는데 둘 다 알려져 있지 않습니다",
        ),
    )


def _judge_container(where: Container) -> Verdict:
    known = where.native_id or ""
    if SITE.fullmatch(known) and spellable(known):
        return Verdict(
            Fidelity.WIDER,
            Said("only what lies below the site's address is asked for", "사이트 주소 아래에 있는 것만 물었습니다"),
        )
    return Verdict(
        Fidelity.NONE,
        Said(
            "only SharePoint's sites can be asked for, by an address that is not known",
            "SharePoint 사이트만 주소로 물을 수 있는데 그 주소를 모릅니다",
        ),
    )
