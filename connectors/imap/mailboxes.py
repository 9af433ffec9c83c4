"""Mailboxes: their names on the wire, what a server lists of them, and which of them are searched.

Who and what an account knows: its mailboxes, and the people on its mails.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from typing import TYPE_CHECKING

from connectors.contract import SourceDirectory
from connectors.imap.protocol import DataResponse
from connectors.text import plain_line
from translators.match import fold, same_container
from translators.query import Container, Person
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.imap.mail import Mail

MOST_PEOPLE = 1000


def directory(boxes: Iterable[Mailbox], mails: Iterable[Mail]) -> SourceDirectory:
    """Mailboxes under each of their names; people under each of theirs, whoever is on most mails first."""
    named = ((box, name) for box in boxes for name in dict.fromkeys((box.name, box.leaf)))
    places = [Container(plain_line(name), box.id) for box, name in named]
    note = Said("people are those on the newest mails: a mail server has no list of them")
    return SourceDirectory(tuple(_people(mails)), tuple(places), (note,))


def _people(mails: Iterable[Mail]) -> list[Person]:
    named: dict[str, Counter[str]] = {}
    for mail in mails:
        for who in mail.people:
            if who.email:
                named.setdefault(who.email.casefold(), Counter())[who.name] += 1
    people: list[Person] = []
    for address in sorted(named, key=lambda each: -named[each].total())[:MOST_PEOPLE]:
        names = sorted((name for name in named[address] if name.casefold() != address), key=len, reverse=True)
        people += [Person(name, address, address) for name in names or [address]]
    return people


ALL, INBOX = "\\All", "INBOX"
EVERY = "*"  # in the settings: every mailbox that mail is read in
USED_FIRST = ("\\SENT", "\\ARCHIVE")
# RFC 6154: what nobody wants, and what only shows again what lies elsewhere. Names only where a server tells no uses.
UNWANTED = frozenset({"\\JUNK", "\\TRASH", "\\FLAGGED", "\\IMPORTANT"})
UNWANTED_NAMES = frozenset(
    "bulk mail|deleted items|deleted messages|junk|junk e-mail|junk email|spam|trash|휴지통|스팸메일함|스팸메일|정크 메일".split(
        "|"
    )
)
CLOSED = frozenset({"\\NOSELECT", "\\NONEXISTENT"})  # there to hold others
SHIFTED = re.compile(r"&([^&-]*)-")


@record
class Mailbox:
    """``wire``: its name as the server writes it. ``name``: as people do. ``uses``: its attributes in capitals."""

    wire: str
    name: str
    uses: frozenset[str]
    delimiter: str

    @property
    def id(self) -> str:
        """Its full name, as the server writes it where people could not be shown it."""
        return self.name if plain_line(self.name) == self.name else self.wire

    @property
    def container(self) -> Container:
        """It as a place that a hit is in: by its own name, with the full one as its id."""
        return Container(plain_line(self.leaf), self.id)

    @property
    def leaf(self) -> str:
        """Its name without those of the mailboxes that it is in."""
        return self.name.rsplit(self.delimiter, 1)[-1] if self.delimiter else self.name


@record
class OpenedMailbox:
    """A mailbox that was opened to read. ``validity`` dates its UIDs; ``exists`` counts its mails."""

    box: Mailbox
    validity: str
    exists: int


def listed(responses: Iterable[object]) -> tuple[Mailbox, ...]:
    """The mailboxes in the replies to LIST that can be opened, INBOX first."""
    found: dict[str, Mailbox] = {}
    for response in responses:
        match response:
            case DataResponse("LIST", None, [[*attributes], delimiter, bytes(name), *_]):
                uses = frozenset(
                    each.decode("ascii", "replace").upper() for each in attributes if isinstance(each, bytes)
                )
                wire = name.decode("utf-8", "surrogateescape")
                apart = delimiter.decode("utf-8", "replace") if isinstance(delimiter, bytes) else ""
                if not uses & CLOSED:
                    found[wire] = Mailbox(wire, decoded(wire), uses, apart)
            case _:
                pass
    return tuple(sorted(found.values(), key=lambda each: each.wire.upper() != INBOX))


def chosen(wanted: Sequence[str], there: Sequence[Mailbox]) -> tuple[tuple[Mailbox, ...], tuple[str, ...]]:
    """The mailboxes to search and the names that no mailbox has. A special use that none has is nobody's fault.

    Where everything has a mailbox of its own (RFC 6154), the others would only show the same mails again.
    """
    by_name = {name: named(name, there) for name in wanted if name != EVERY}
    every = _every(there) if EVERY in wanted else ()
    found = tuple(dict.fromkeys((*every, *(box for box in by_name.values() if box is not None))))
    missing = tuple(name for name, box in by_name.items() if box is None and not name.startswith("\\"))
    everything = tuple(box for box in found if ALL.upper() in box.uses)
    return everything or found, missing


def _every(there: Sequence[Mailbox]) -> tuple[Mailbox, ...]:
    """All but junk and trash, those first in which most mail is."""
    told = any(box.uses & {*UNWANTED, *USED_FIRST, ALL.upper()} for box in there)
    wanted = (box for box in there if not box.uses & UNWANTED and (told or fold(box.leaf) not in UNWANTED_NAMES))
    return tuple(sorted(wanted, key=lambda box: (box.wire.upper() != INBOX, box.uses.isdisjoint(USED_FIRST))))


def everyday(boxes: Sequence[Mailbox]) -> tuple[Mailbox, ...]:
    """Of these the ones in which most mail is; all of them where none is known for it."""
    used = {*USED_FIRST, ALL.upper()}
    return tuple(box for box in boxes if box.wire.upper() == INBOX or box.uses & used) or tuple(boxes)


def named(name: str, there: Sequence[Mailbox]) -> Mailbox | None:
    r"""The mailbox of that name or special use (``\Sent``): by its full name, else as people compare names."""
    if name.startswith("\\"):
        return next((box for box in there if name.upper() in box.uses), None)
    exact = next((box for box in there if name in (box.name, box.id)), None)
    asked = Container(name)
    alike = (box for box in there if any(same_container(asked, Container(each)) for each in (box.name, box.leaf)))
    return exact or next(alike, None)


# ---- modified UTF-7: https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3


def decoded(wire: str) -> str:
    """A name as people read it; one that is not well written stays as it is."""
    try:
        return SHIFTED.sub(lambda run: _unshifted(run[1]) if run[1] else "&", wire)
    except (binascii.Error, UnicodeError, ValueError):
        return wire


def _unshifted(text: str) -> str:
    padded = text.replace(",", "/") + "=" * (-len(text) % 4)
    return base64.b64decode(padded, validate=True).decode("utf-16-be")
