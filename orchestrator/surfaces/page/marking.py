"""Cuts text into pieces that a template can mark: words of the question, citations, quotes. Never any markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

from orchestrator.documents.plain import one_line, plain, safe_link

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

CITATION = re.compile(r"\[(\d{1,3})\]")
QUOTED = re.compile(r"(?P<by>[^“”]{1,200}): “(?P<quote>.+)”(?P<cited>(?:\s*\[\d{1,3}\])+)", re.DOTALL)
BARE_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
BEFORE_MATCH, LATEST_MATCH, LONGEST_SNIPPET = 60, 110, 240  # characters


class MarkedText(NamedTuple):
    """A stretch of text; ``cites`` is the number that it cites, 0 for none."""

    text: str
    marked: bool = False
    cites: int = 0


class SummaryLine(NamedTuple):
    """A line of the summary. ``by``: who wrote the quoted words, when and where; empty where it is no quote."""

    pieces: tuple[MarkedText, ...]
    by: str
    numbers: tuple[int, ...]


def cited(text: str, numbers: Collection[int]) -> tuple[MarkedText, ...]:
    """``[n]`` apart from the rest, where something is cited under that number."""
    return tuple(_cited(one_line(text), numbers))


def claim(text: str, numbers: Sequence[int]) -> SummaryLine:
    """A claim as its quote and who said it, where it is written so; else as it stands."""
    said = one_line(text)
    if found := QUOTED.fullmatch(said):
        named = [int(each) for each in CITATION.findall(found["cited"])]
        return SummaryLine(
            (MarkedText(f"“{found['quote']}”"),), found["by"], tuple(each for each in named if each in numbers)
        )
    return SummaryLine(tuple(_cited(said, numbers)), "", ())


def marked(text: str, words: Sequence[str]) -> tuple[MarkedText, ...]:
    """The text with these words marked, whatever their case."""
    wanted = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
    if not wanted:
        return (MarkedText(text),)
    parts = re.split(f"({'|'.join(map(re.escape, wanted))})", text, flags=re.IGNORECASE)
    return tuple(MarkedText(part, bool(number % 2)) for number, part in enumerate(parts) if part)


def snippet(text: str, words: Sequence[str]) -> tuple[MarkedText, ...]:
    """As much of the text as is read at a glance: its beginning, or from shortly before its first marked word on."""
    pieces = marked(_tidy(plain(text)), words)
    first = next((sum(len(each.text) for each in pieces[:at]) for at, each in enumerate(pieces) if each.marked), 0)
    skipped = first - BEFORE_MATCH if first > LATEST_MATCH else 0
    shown = _from("".join(each.text for each in pieces), skipped)
    return marked(shown, words)


def link_of(url: str) -> str:
    """The address if a browser may be led there: http or https, no password in it, a host as it is spelled; else nothing."""
    try:
        link = safe_link(quote(url, safe="!#$%&'()*+,/:;=?@[]~")) or ""
    except UnicodeEncodeError:
        return ""
    return link if link and "%" not in urlsplit(link).netloc else ""


def known(name: str | None) -> str:
    """The name; an id that its source gave no name for tells a reader nothing."""
    shown = one_line(name or "")
    return "" if BARE_ID.fullmatch(shown) else shown


def _cited(text: str, numbers: Collection[int]) -> Iterator[MarkedText]:
    at = 0
    for match in CITATION.finditer(text):
        if int(match[1]) in numbers:
            yield MarkedText(text[at : match.start()])
            yield MarkedText(match[1], cites=int(match[1]))
            at = match.end()
    yield MarkedText(text[at:])


def _tidy(text: str) -> str:
    """Lines as they are, but no empty ones."""
    return "\n".join(line for each in text.splitlines() if (line := " ".join(each.split())))


def _from(text: str, start: int) -> str:
    if start:
        blank = text.find(" ", start)
        start = blank + 1 if 0 <= blank < start + BEFORE_MATCH else start
    shown = text[start : start + LONGEST_SNIPPET]
    return ("…" if start else "") + shown + ("…" if start + LONGEST_SNIPPET < len(text) else "")
