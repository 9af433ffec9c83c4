"""Who and what an account knows: its mailboxes, and the people on its mails."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from connectors.contract import SourceDirectory
from connectors.text import plain_line
from translators.query import Container, Person
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from connectors.imap.mail import Mail
    from connectors.imap.mailboxes import Mailbox

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
