"""HTML pages as sections: the text that a reader came for, without menus, by trafilatura."""

from __future__ import annotations

from connectors.local.ingest.confluence_export import is_confluence_page, read_confluence_page
from connectors.local.ingest.drafts import DocumentDraft, DocumentSection
from connectors.local.ingest.markdown import read_markdown
from connectors.local.ingest.moments import moment_of
from connectors.local.ingest.purpose import described
from connectors.markup import from_html
from translators.query import Kind, Person

SHORT = 1000  # characters


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
