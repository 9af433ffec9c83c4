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
    Said("how Microsoft breaks Korean into words is its own; asked as it stands and as a beginning"),
)
DAYS = Verdict(
    Fidelity.WIDER,
    Said("asked by whole days, in whichever time zone they are counted"),
)
# A kind is asked for by asking for the types of things that may be of it.
KINDS = {
    Kind.MAIL: Verdict(),
    Kind.MESSAGE: Verdict(),
    Kind.THREAD: Verdict(Fidelity.WIDER, Said("asked as any Teams message")),
    Kind.FILE: Verdict(Fidelity.WIDER, Said("asked as anything that lies in a library")),
    Kind.PAGE: Verdict(Fidelity.WIDER, Said("asked as anything in SharePoint")),
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
                Said("mail, messages and files are assigned to nobody"),
            )
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_prefix(text: str) -> Verdict:
    if not is_plain_word(text):
        return Verdict(Fidelity.NONE, Said("KQL completes plain words only"))
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
                    Said("Microsoft 365 holds mail, messages, files and pages"),
                ),
            )
        case datetime():
            known = EARLIEST < utc(value) < LATEST
            return (
                DAYS
                if known
                else Verdict(
                    Fidelity.NONE,
                    Said("days before 1970 and after 8999 are not asked for"),
                )
            )
        case Identifier(_, text):
            return (
                Verdict()
                if thing(text)
                else Verdict(
                    Fidelity.NONE,
                    Said("no address of a mail or a Teams message"),
                )
            )
        case State():
            return Verdict(
                Fidelity.NONE,
                Said("mail, messages and files are neither open nor done"),
            )
        case _:
            assert_never(value)


def _judge_person(who: Person) -> Verdict:
    if who.me:
        return Verdict(
            Fidelity.WIDER,
            Said("asked by the addresses and the name of the account"),
        )
    if address(who):
        return Verdict(
            Fidelity.WIDER,
            Said("asked by address and name: a file may bear either"),
        )
    if name_words(who.name):
        return Verdict(
            Fidelity.WIDER,
            Said("asked by the words of the name, for want of an address"),
        )
    return Verdict(
        Fidelity.NONE,
        Said("people are asked for by address or full name, and neither is known"),
    )


def _judge_container(where: Container) -> Verdict:
    known = where.native_id or ""
    if SITE.fullmatch(known) and spellable(known):
        return Verdict(
            Fidelity.WIDER,
            Said("only what lies below the site's address is asked for"),
        )
    return Verdict(
        Fidelity.NONE,
        Said("only SharePoint's sites can be asked for, by an address that is not known"),
    )
