"""HTML pages as sections, without menus, by trafilatura; those of a Confluence space's export: https://support.atlassian.com/confluence-cloud/docs/export-content-to-word-pdf-html-and-xml/ ."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from connectors.local.ingest.decoding import moment_of
from connectors.local.ingest.drafts import DocumentDraft
from connectors.local.ingest.markdown import read_markdown
from connectors.local.ingest.purpose import described
from connectors.markup import from_html, from_page
from connectors.passages import DocumentSection
from connectors.text import plain_line
from translators.query import Container, Kind, Person

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = ('id="main-content"', 'class="page-metadata"')
DATE = re.compile(
    r"(?:on|updated|modified)\s+([A-Z][a-z]{2} \d{1,2}, \d{4})|(\d{4})[-./년] ?(\d{1,2})[-./월] ?(\d{1,2})"
)
# What the page's author marked as its excerpt: https://support.atlassian.com/confluence-cloud/docs/insert-the-excerpt-macro/
EXCERPT = "//*[@data-macro-name='excerpt']"
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
SHORT = 1000  # characters


def is_confluence_page(text: str) -> bool:
    """Whether Confluence wrote this page."""
    return all(mark in text for mark in MARKS)


def read_confluence_page(text: str, name: str) -> DocumentDraft:
    """Title, space, author and date from the page's frame, its excerpt, and what is in it by its headings."""
    from lxml import html

    tree = html.fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=False))
    title = _words(tree, "//*[@id='title-text']") or _words(tree, "//title")
    space, colon, page = title.partition(" : ")
    told = _words(tree, "//*[@class='page-metadata']")
    author = _words(tree, "//*[@class='page-metadata']//*[@class='author']")
    main = tree.xpath("//*[@id='main-content']")
    sections = tuple(_sections(main[0], html)) if main else ()
    return DocumentDraft(
        (page if colon else title) or name,
        sections or (DocumentSection(from_page(text)),),
        kind=Kind.PAGE,
        author=Person(author) if author else None,
        container=Container(space) if colon else None,
        updated=_date(told),
        description=described(_words(tree, EXCERPT)),
    )


def _sections(main: Any, html: Any) -> Iterator[DocumentSection]:
    path: list[tuple[int, str]] = []
    held: list[str] = []
    for element in main.iterchildren():
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag not in HEADINGS:
            held.append(html.tostring(element, encoding="unicode"))
            continue
        yield DocumentSection(from_page("".join(held)), tuple(heading for _, heading in path))
        level, held = int(tag[1]), []
        path = [*(each for each in path if each[0] < level), (level, plain_line(element.text_content()))]
    yield DocumentSection(from_page("".join(held) or (main.text or "")), tuple(heading for _, heading in path))


def _words(tree: Any, where: str) -> str:
    found = tree.xpath(where)
    return plain_line(found[0].text_content()) if found else ""


def _date(told: str) -> datetime | None:
    found = DATE.search(told)
    try:
        if found is None:
            return None
        if found[1]:
            return datetime.strptime(found[1], "%b %d, %Y").replace(tzinfo=UTC)
        return datetime(int(found[2]), int(found[3]), int(found[4]), tzinfo=UTC)
    except ValueError:
        return None


def read_html(text: str, name: str) -> DocumentDraft:
    """A page: its title, author, date and description as its head says. What trafilatura finds no article in is read whole."""
    if is_confluence_page(text):
        return read_confluence_page(text, name)
    import trafilatura
    from trafilatura.metadata import extract_metadata

    tree = trafilatura.load_html(text)
    if tree is None:
        return DocumentDraft(name, (DocumentSection(from_html(text)),), kind=Kind.PAGE)
    head = extract_metadata(tree)
    found = _article(text)
    title = head.title or name
    body = read_markdown(found, title).sections if found else (DocumentSection(from_html(text)),)
    return DocumentDraft(
        title,
        body,
        kind=Kind.PAGE,
        author=Person(head.author) if head.author else None,
        created=moment_of(head.date),
        description=described(head.description or ""),
    )


def _article(text: str) -> str:
    """The article of a page as Markdown. Of a short page all is taken, menus included, unless precision is asked for."""
    import trafilatura

    found = trafilatura.extract(text, output_format="markdown", include_comments=False, favor_recall=True) or ""
    if len(found) > SHORT:
        return found
    precise = trafilatura.extract(text, output_format="markdown", include_comments=False, favor_precision=True) or ""
    return precise if 2 * len(precise) > len(found) else found
