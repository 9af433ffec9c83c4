"""What is shown of a digest, in the reader's language and in order, before it is laid out for a medium. Nothing is escaped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.digests.content import Group, SectionKind, Why
from orchestrator.digests.wording import doings, gap, heading, late, left, moment, nothing, reason, say, span, totals
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.digests.content import Digest, DigestEntry, DigestSection


@record
class Item:
    """One line: ``text`` (in quotation marks if ``quoted``) that leads to ``url``, what is said of it, and what was decided or said last, ``by`` whom."""

    text: str
    url: str = ""
    notes: tuple[str, ...] = ()
    said: str = ""
    quoted: bool = False
    by: str = ""

    @property
    def spoken(self) -> str:
        """What was said, and by whom if that is not who the item is by; "" for nothing."""
        said = f"“{self.said}”" if self.said else ""
        return f"{said} — {self.by}" if said and self.by else said


@record
class OutlineBlock:
    """Items under a heading, ``level`` 2 or 3; ``left`` says how many more there are, and where."""

    heading: str
    items: tuple[Item, ...]
    level: int = 2
    left: str = ""


@record
class Outline:
    """The whole: a title, a line below it, blocks, last lines."""

    title: str
    below: str
    language: str
    blocks: tuple[OutlineBlock, ...]
    notice: str = ""
    last: tuple[str, ...] = ()


def outline(digest: Digest) -> Outline:
    """A digest as it is read."""
    blocks: list[OutlineBlock] = []
    for section in digest.sections:
        title = say(digest.language, section.kind)
        if section.kind is SectionKind.UPDATES:
            blocks.append(OutlineBlock(title, ()))
            blocks += [_block(each.label or say(digest.language, "other"), each, digest, 3) for each in section.groups]
        elif section.kind is SectionKind.ACTIONS:
            blocks += _actions(section, digest)
        else:
            blocks += [_block(title, each, digest, 2) for each in section.groups]
    if digest.gaps:
        missing = tuple(Item(gap(each, digest)) for each in digest.gaps)
        blocks.append(OutlineBlock(say(digest.language, "gaps"), missing))
    notice = nothing(digest) if digest.is_empty else ""
    return Outline(
        heading(digest),
        span(digest),
        digest.language,
        tuple(blocks),
        notice,
        tuple(filter(None, (totals(digest), late(digest)))),
    )


def _actions(section: DigestSection, digest: Digest) -> Iterator[OutlineBlock]:
    """What nobody was asked is open to all: it is not the reader's to do."""
    for group in section.groups:
        asked = tuple(each for each in group.entries if each.why is Why.QUESTION)
        theirs = tuple(each for each in group.entries if each.why is not Why.QUESTION)
        if theirs:
            yield _block(say(digest.language, section.kind), replace(group, entries=theirs), digest, 2)
        if asked:
            rest = Group("", asked) if theirs else replace(group, entries=asked)
            yield _block(say(digest.language, "unanswered"), rest, digest, 2)


def _block(title: str, group: Group, digest: Digest, level: int) -> OutlineBlock:
    return OutlineBlock(
        title, tuple(_item(each, digest) for each in group.entries), level, left(group, digest.language)
    )


def _item(entry: DigestEntry, digest: Digest) -> Item:
    origin = entry.origin
    told = doings(entry, digest.language)
    notes = [reason(entry, digest.language), *told, origin.place, moment(origin.happened, digest)]
    if entry.count > 1:
        notes.append(say(digest.language, "count", count=entry.count))
    if entry.also:
        places = ", ".join(dict.fromkeys(each.place for each in entry.also))
        notes.append(say(digest.language, "also", places=places))
    return Item(entry.text, origin.url, tuple(filter(None, notes)), entry.said, entry.quoted, entry.by)
