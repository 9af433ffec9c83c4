"""What is shown of a digest, in the reader's language and in order (an outline), and that as text for one medium each.

Nothing is escaped in an outline; for a medium, all text of sources is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from rich.cells import cell_len

from connectors.text import absolute_url, plain_line
from orchestrator.digests.content import Group, SectionKind, Why
from orchestrator.digests.wording import doings, gap, heading, late, left, moment, nothing, reason, say, span, totals
from orchestrator.websearch.markdown import as_link, as_text
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


STYLE = Markup(
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f;background:#fff}"
    "h1{font-size:1.4rem;margin-bottom:0}h2{font-size:1.1rem;margin-top:1.6rem}h3{font-size:1rem;margin-bottom:.2rem}"
    "ul{padding-left:1.2rem;margin-top:.2rem}li{margin:.35rem 0}small{color:#55575f}blockquote{margin:.2rem 0;color:#333}"
    "a{color:#0b57a4}"
)
SHORTEST, WIDEST = 3, 72  # columns of an underline
UNDERLINES = {1: "=", 2: "-", 3: ""}
MOST_BLOCKS = 48  # of 50
MOST = 12_000  # characters of a message that people still read
MOST_URL = 3000
BREAK = "\u2060"  # word joiner: no mention goes across it, should anybody copy the text on
ADDRESSING = re.compile(r"<(?=[!@#])|@(?=(?:channel|here|everyone|group|subteam)\b)", re.IGNORECASE)
Element = dict[str, Any]


def as_html(outline: Outline) -> str:
    """A whole page. Every text is escaped, and only http and https addresses are links."""
    title = _text(outline.title)
    head = Markup(
        '<!doctype html>\n<html lang="{}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<title>{}</title><style>{}</style></head><body>\n<h1>{}</h1>\n<p><small>{}</small></p>\n"
    ).format(outline.language, title, STYLE, title, _text(outline.below))
    return str(head + Markup("").join(_parts(outline)) + Markup("</body></html>\n"))


def _parts(outline: Outline) -> Iterator[Markup]:
    if outline.notice:
        yield Markup("<p>{}</p>\n").format(_text(outline.notice))
    for block in outline.blocks:
        yield Markup("<h{0}>{1}</h{0}>\n").format(block.level, _text(block.heading))
        if block.items or block.left:
            left = Markup("<li><em>{}</em></li>\n").format(_text(block.left)) if block.left else Markup("")
            yield Markup("<ul>\n{}{}</ul>\n").format(Markup("").join(map(_html_item, block.items)), left)
    for line in outline.last:
        yield Markup("<p><small>{}</small></p>\n").format(_text(line))


def _html_item(item: Item) -> Markup:
    text = _text(f"“{item.text}”" if item.quoted else item.text)
    url = absolute_url(item.url)
    shown = Markup('<a href="{}" rel="noreferrer">{}</a>').format(url, text) if url else text
    said = Markup("<blockquote>{}</blockquote>").format(_text(item.spoken)) if item.said else Markup("")
    notes = Markup("<br><small>{}</small>").format(_text(" · ".join(item.notes))) if item.notes else Markup("")
    return Markup("<li>{}{}{}</li>\n").format(shown, said, notes)


def _text(text: str) -> Markup:
    return escape(plain_line(text))


def as_markdown(outline: Outline) -> str:
    """Ends with a line feed."""
    return "\n".join(_markdown_lines(outline)).rstrip("\n") + "\n"


def _markdown_lines(outline: Outline) -> Iterator[str]:
    yield from (f"# {as_text(outline.title)}", "", as_text(outline.below), "")
    if outline.notice:
        yield from (as_text(outline.notice), "")
    for block in outline.blocks:
        yield from (f"{'#' * block.level} {as_text(block.heading)}", "")
        yield from (_markdown_item(each) for each in block.items)
        yield from (f"- *{as_text(block.left)}*",) if block.left else ()
        yield from ("",) if block.items or block.left else ()
    yield from (as_text(each) for each in outline.last)


def _markdown_item(item: Item) -> str:
    text = f"“{item.text}”" if item.quoted else item.text
    shown = as_link(text, item.url) if item.url else as_text(text)
    notes = f" — {as_text(' · '.join(item.notes))}" if item.notes else ""
    said = f"\n  {as_text(item.spoken)}" if item.said else ""
    return f"- {shown}{notes}{said}"


def as_plain(outline: Outline) -> str:
    """Ends with a line feed; no control or direction character of a source is in it."""
    return "\n".join(_plain_lines(outline)).rstrip("\n") + "\n"


def _plain_lines(outline: Outline) -> Iterator[str]:
    yield from (*_heading(outline.title, 1), plain_line(outline.below), "")
    if outline.notice:
        yield from (plain_line(outline.notice), "")
    for block in outline.blocks:
        yield from _heading(block.heading, block.level)
        for item in block.items:
            yield from _plain_item(item)
        yield from (f"* {plain_line(block.left)}",) if block.left else ()
        yield from ("",) if block.items or block.left else ()
    yield from map(plain_line, outline.last)


def _heading(text: str, level: int) -> Iterator[str]:
    line = plain_line(text)
    yield line
    if UNDERLINES[level]:
        yield UNDERLINES[level] * min(WIDEST, max(SHORTEST, cell_len(line)))


def _plain_item(item: Item) -> Iterator[str]:
    text = plain_line(item.text)
    yield f"* “{text}”" if item.quoted else f"* {text}"
    if item.said:
        yield f"  {plain_line(item.spoken)}"
    if item.notes:
        yield f"  {plain_line(' · '.join(item.notes))}"
    if item.url:
        yield f"  {plain_line(item.url)}"


def as_blocks(outline: Outline) -> dict[str, Any]:
    """The arguments ``text`` and ``blocks`` of ``chat.postMessage``. What does not fit is counted at the end."""
    blocks = [_section([_run(outline.title, bold=True), _run(f"\n{outline.below}")])]
    if outline.notice:
        blocks.append(_section([_run(outline.notice)]))
    length, left = 0, 0
    for block in outline.blocks:
        made = _chat_block(block)
        length += sum(len(each.get("text", "")) for each in made)
        if length <= MOST and len(blocks) < MOST_BLOCKS:
            blocks.append(_section(made))
        else:
            left += len(block.items)
    last = [*outline.last, *([say(outline.language, "left", count=left)] if left else [])]
    blocks += [_section([_run("\n".join(last))])] if last else []
    shown = _harmless(outline.title).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": shown[:1000] or "…", "blocks": blocks}


def _chat_block(block: OutlineBlock) -> list[Element]:
    made = [_run(block.heading, bold=True)]
    for item in block.items:
        made += [_run("\n• "), *_slack_item(item)]
    return [*made, _run(f"\n{block.left}")] if block.left else made


def _slack_item(item: Item) -> Iterator[Element]:
    url = absolute_url(item.url)
    run = _run(f"“{item.text}”" if item.quoted else item.text)
    yield {**run, "type": "link", "url": url} if url and len(url) <= MOST_URL else run
    if item.said:
        yield _run(f"\n    {item.spoken}")
    if item.notes:
        yield _run(f"\n    {' · '.join(item.notes)}", italic=True)


def _run(text: str, **style: bool) -> Element:
    shown: Element = {"type": "text", "text": "\n".join(map(_harmless, text.split("\n"))) or " "}
    return {**shown, "style": style} if style else shown


def _section(elements: list[Element]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def _harmless(text: str) -> str:
    indent = text[: len(text) - len(text.lstrip(" "))]
    line = indent + plain_line(text) + (" " if text.endswith("• ") else "")
    return ADDRESSING.sub(lambda found: found[0] + BREAK, line)
