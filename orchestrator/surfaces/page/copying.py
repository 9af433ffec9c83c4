"""An answer with its citations as Markdown, to be pasted elsewhere; what is foreign in it stays text. The script makes plain text of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.websearch.markdown import as_link, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import tzinfo

    from orchestrator.documents.view import ShownAnswer, ShownLine, ShownResult

LISTED = frozenset({"claim", "conflict"})


def as_markdown(question: str, view: ShownAnswer, words: Mapping[str, str], zone: tzinfo | None) -> str:
    """The question, what is said of it with links where it cites, and the list of what is cited."""
    if not (cited := _cited(view)):
        return ""
    links = {each.number: each.link for each in cited}
    lines = [f"**{as_text(question)}**", "", *_markdown(view.lines, links), ""]
    lines += [f"{as_text(words['Sources'])}:", ""]
    lines += [f"- [{each.number}] {as_link(each.name, each.link)}{_beside(each, zone)}" for each in cited]
    return "\n".join(lines) + "\n"


def _cited(view: ShownAnswer) -> list[ShownResult]:
    numbers = {number for line in view.lines for number in line.numbers}
    return [each for each in view.results if each.number in numbers]


def _markdown(lines: Sequence[ShownLine], links: Mapping[int, str]) -> Iterator[str]:
    """A blank line wherever a list begins or ends: what stands right below an entry belongs to it."""
    was_listed = False
    for at, line in enumerate(lines):
        said = "".join(_piece(each.text, each.cites, links) for each in line.pieces).strip()
        is_listed = line.part in LISTED
        if at and not (is_listed and was_listed):
            yield ""
        yield f"- {said}" if is_listed else said
        was_listed = is_listed


def _piece(text: str, cites: int, links: Mapping[int, str]) -> str:
    if cites:
        return as_link(text, links.get(cites, ""))
    inner = text.strip()
    return text.replace(inner, as_text(inner), 1) if inner else text


def _beside(result: ShownResult, zone: tzinfo | None) -> str:
    day = result.happened.astimezone(zone).date().isoformat() if result.happened else ""
    return "".join(f" · {as_text(each)}" for each in (result.source, result.place, result.author, day) if each)
