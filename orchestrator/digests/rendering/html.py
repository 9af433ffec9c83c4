"""An outline as one HTML page without scripts, styles from elsewhere or pictures: mail programs show it as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from connectors.text import absolute_url, plain_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.digests.outline import Item, Outline

STYLE = Markup(
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f;background:#fff}"
    "h1{font-size:1.4rem;margin-bottom:0}h2{font-size:1.1rem;margin-top:1.6rem}h3{font-size:1rem;margin-bottom:.2rem}"
    "ul{padding-left:1.2rem;margin-top:.2rem}li{margin:.35rem 0}small{color:#55575f}blockquote{margin:.2rem 0;color:#333}"
    "a{color:#0b57a4}"
)


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
            yield Markup("<ul>\n{}{}</ul>\n").format(Markup("").join(map(_item, block.items)), left)
    for line in outline.last:
        yield Markup("<p><small>{}</small></p>\n").format(_text(line))


def _item(item: Item) -> Markup:
    text = _text(f"“{item.text}”" if item.quoted else item.text)
    url = absolute_url(item.url)
    shown = Markup('<a href="{}" rel="noreferrer">{}</a>').format(url, text) if url else text
    said = Markup("<blockquote>{}</blockquote>").format(_text(item.spoken)) if item.said else Markup("")
    notes = Markup("<br><small>{}</small>").format(_text(" · ".join(item.notes))) if item.notes else Markup("")
    return Markup("<li>{}{}{}</li>\n").format(shown, said, notes)


def _text(text: str) -> Markup:
    return escape(plain_line(text))
