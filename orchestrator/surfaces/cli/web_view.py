"""Shows what the web has: findings, a page, a grounded answer; for a terminal, as Markdown, as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from orchestrator.documents.plain import one_line, plain, safe_link
from orchestrator.documents.web import findings_document, grounded_document, page_document
from orchestrator.surfaces.cli.documents import print_json
from orchestrator.surfaces.cli.screen import ACCENT, QUIET, STRONG, hanging, indented, joined, line, show, styled
from orchestrator.surfaces.cli.words import frame
from orchestrator.websearch import Entry, Heading, Prose, markdown, title_of
from orchestrator.websearch.query import language_of
from orchestrator.websearch.wording import reliability, tier_name
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType

    from orchestrator.websearch import Block, Findings, GroundedAnswer, WebPage


def print_findings(findings: Findings, shown: Iterable[Block], *, as_json: bool, as_markdown: bool) -> None:
    """Findings on standard output."""
    if as_json:
        print_json(findings_document(findings))
    elif as_markdown:
        sys.stdout.write(markdown(shown))
    else:
        show(blocks_view(shown, findings))


def blocks_view(shown: Iterable[Block], findings: Findings) -> Iterator[RenderableType]:
    """The blocks of a format, one under the other."""
    links = {number: result.url for number, result in enumerate(findings.results, 1)}
    for block in shown:
        if isinstance(block, Heading):
            yield styled(block.text, STRONG)
        elif isinstance(block, Prose):
            yield indented(_prose(block, links))
        elif isinstance(block, Entry):
            yield _entry(block)
            continue
        else:
            yield indented(
                hanging(
                    (styled("•", QUIET), line(one_line(query), (f"  {brings}", QUIET)))
                    for query, brings in block.entries
                )
            )
        yield ""


def _prose(block: Prose, links: dict[int, str]) -> Text:
    text = Text()
    for sentence, number in block.sentences:
        text.append(" " if text else "").append_text(styled(sentence))
        if number is not None:
            text.append(" ").append_text(styled(f"[{number}]", f"{STRONG} {ACCENT}", links[number]))
    return text


def _entry(entry: Entry) -> RenderableType:
    rows: list[RenderableType] = [styled(entry.title, STRONG, entry.url)]
    if entry.facts:
        rows.append(joined([styled(fact, QUIET) for fact in entry.facts]))
    if entry.summary:
        rows.append(styled(entry.summary))
    rows += [hanging([(styled("•", QUIET), styled(point))], gap=1) for point in entry.points]
    rows.append(styled(entry.url, QUIET, safe_link(entry.url) or ""))
    return Group(hanging([(styled(f"{entry.number:>2}", f"{STRONG} {ACCENT}"), Group(*rows))]), "")


def print_page(page: WebPage, language: str, *, as_json: bool) -> None:
    """A page on standard output."""
    if as_json:
        print_json(page_document(page))
        return
    verdict = page.verdict
    known = (
        tier_name(verdict.tier, language),
        reliability(verdict.reliability, language),
        said_in(verdict.reason, language),
        page.published,
    )
    show(
        [
            styled(page.title or page.url, STRONG, page.url),
            joined([styled(each, QUIET) for each in known if each]),
            "",
            *(indented(styled(passage)) for passage in plain(page.content).splitlines() if passage.strip()),
            "",
            styled(page.url, QUIET, safe_link(page.url) or ""),
        ]
    )


def print_grounded(answer: GroundedAnswer, *, as_json: bool) -> None:
    """A grounded answer on standard output."""
    if as_json:
        print_json(grounded_document(answer))
    else:
        show(grounded_view(answer))


def grounded_view(answer: GroundedAnswer) -> Iterator[RenderableType]:
    """The answer with its markers, then its sources."""
    cited = answer.cited
    if not cited.plain.strip():
        yield styled(answer.absence)
        return
    yield indented(Text(plain(cited.text)))
    yield ""
    words = frame(language_of(answer.query))
    if cited.sources:
        yield styled(words["web sources"], STRONG)
    for number, source in enumerate(cited.sources, 1):
        rows = Group(styled(title_of(source), "", source.uri), styled(source.uri, QUIET, safe_link(source.uri) or ""))
        yield hanging([(styled(f"{number:>2}", f"{STRONG} {ACCENT}"), rows)])
    if answer.searched:
        yield ""
        yield line((f"{words['web searched']}: ", QUIET), joined([styled(each, QUIET) for each in answer.searched]))
