"""Cut Korean and English text into sentences, each a literal piece of the text with its line ends collapsed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from orchestrator.answer.text import clean
from translators.letters import is_syllable
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

READ = 20_000  # characters of a text that are cut; a megabyte of log is no prose
BULLET = regex(r"^\s*(?:(?:[-*+•·‣◦▪►>#|☐☑✅✔]+|\d{1,2}[.)]|\[[ xX]?\])\s+)+")
END = regex(r"[.!?…。！？]+[\"'”’)\]」』»]*")
FULL_WIDTH = frozenset("。！？")
# Syllables that end a Korean sentence; some people leave no blank after the full stop.
KOREAN_ENDINGS = frozenset("다요죠까음함임됨")
ABBREVIATION = regex(
    r"mr|mrs|ms|dr|prof|st|vs|etc|approx|dept|inc|ltd|co|corp|est|min|max|cf|al|fig|eq|ver|rev|[a-z]|[a-z]\.[a-z]"
)
BEFORE_NUMBERS = regex(r"nos?|pp?|vol|bldg|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec")
# A line of such a length that ends without a full stop was wrapped by a mail program and goes on in the next. Longer
# lines are paragraphs, shorter ones are items of a list without bullets.
WRAPPED = range(56, 91)
HEADING = 60  # characters of a marked heading at most
TITLE = 24  # and of one that is only recognised by its place
DIGIT = regex(r"\d")
YEAR = regex(r"(?:19|20)\d\d(?:년| ?[hHqQ][1-4])?|[qQ][1-4] (?:19|20)\d\d")
ADDRESS = regex(r"https?://\S+$")


@record
class Sentence:
    """A literal piece of a text, and the heading it stands under ("Decisions", "결정 사항"), "" for none.

    A row of a table stands under the names of its columns too. ``names``: it only names what stands below it, as a heading
    or the columns of a table; ``table``: the names of the columns that it stands under.
    """

    text: str
    heading: str = ""
    names: bool = False
    table: str = ""


def read(text: str, most: int | None = None, *, wrapped: bool = True) -> tuple[Sentence, ...]:
    """The first ``most`` in order. Bullets, quote marks, numbering and the edges of a table's row are not part of a sentence.

    ``wrapped``: a mail program may have broken its lines.
    """
    found = (
        Sentence(sentence.strip(" |"), whole.heading, whole.names, whole.table)
        for whole in _under_headings(_blocks(clean(text[:READ]), wrapped=wrapped))
        for sentence in ((whole.text,) if whole.names or whole.table else _split(whole.text))
    )
    return tuple(islice((sentence for sentence in found if sentence.text), most))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text without their headings."""
    return tuple(sentence.text for sentence in read(text))


def _under_headings(blocks: Iterable[SentenceBlock]) -> Iterator[Sentence]:
    """The first of several lines with as many cells names the columns of the others."""
    told = [each for each in blocks if each.text]
    heading, table, cells = "", "", 0
    for block, after in zip(told, [*told, SentenceBlock("")][1:], strict=True):
        begun, cells = cells, _cells(block.text)
        if block.heads:
            heading = block.text
            yield Sentence(block.text, names=not after.heads and bool(after.text))
        elif cells == 0:
            yield Sentence(block.text, heading)
        elif cells == begun and table:
            yield Sentence(block.text, f"{heading} {table}".strip(), table=table)
        else:
            table = block.text.strip(" |") if cells == _cells(after.text) and _names_columns(block.text) else ""
            yield Sentence(block.text, heading, names=bool(table))


def _names_columns(row: str) -> bool:
    """Whether nothing in a row is a value: a column may be called by its year."""
    cells = row.strip(" |").split(" | ")
    return not any(DIGIT.search(each) and not YEAR.fullmatch(each.strip()) for each in cells)


def _cells(line: str) -> int:
    """How many cells a line of a table has; 0 for one of prose."""
    row = line.strip(" |")
    return row.count(" | ") + 1 if " | " in row else 0


@record
class SentenceBlock:
    """One line, or the lines of one paragraph; ``heads``: what follows stands under it."""

    text: str
    heads: bool = False


def _blocks(text: str, *, wrapped: bool) -> Iterator[SentenceBlock]:
    """Lines without their bullets; lines that a mail program wrapped are put together again."""
    block, last = SentenceBlock(""), ""
    lines = text.split("\n")
    below = [""] * len(lines) if wrapped else _lines_below(lines)
    for before, line, after, later in zip(["", *lines], lines, [*lines[1:], ""], below, strict=False):
        body = BULLET.sub("", line)
        words = " ".join(body.split())
        if wrapped and words and body == line and _goes_on(block.text, last):
            block = SentenceBlock(f"{block.text} {words}")
        else:
            yield block
            block = SentenceBlock(
                words,
                _is_heading(
                    line, words, stands_alone=not before.strip() and (bool(after.strip()) or len(later) > TITLE)
                ),
            )
        last = words
    yield block


def _lines_below(lines: list[str]) -> list[str]:
    """For each line the next that holds anything: between paragraphs a page has blank lines, below a heading too."""
    below, later = [], ""
    for line in reversed(lines):
        below.append(later)
        later = line.strip() or later
    return below[::-1]


def _goes_on(block: str, last: str) -> bool:
    return len(last) in WRAPPED and not END.fullmatch(block[-1]) and not ADDRESS.search(last)


def _is_heading(line: str, words: str, *, stands_alone: bool) -> bool:
    """Marked as one, or a few words between a blank line and a text."""
    if not words or END.search(words[-1]):
        return False
    marked = line.lstrip().startswith("#") or words.endswith((":", "："))
    alone = stands_alone and not BULLET.match(line) and " | " not in words  # which is a row of a table
    return len(words) <= (HEADING if marked else TITLE) and (marked or alone)


def _split(block: str) -> Iterator[str]:
    start = 0
    for end in END.finditer(block):
        if _is_boundary(block, start, end):
            yield block[start : end.end()]
            start = end.end()
    yield block[start:]


def _is_boundary(block: str, start: int, end: re.Match[str]) -> bool:
    after = block[end.end() : end.end() + 2]
    if not after or end[0][0] in FULL_WIDTH:
        return True
    if not after[0].isspace():  # inside an address, a version, a number; or a Korean sentence without a blank
        return end.start() > start and block[end.start() - 1] in KOREAN_ENDINGS and is_syllable(after[0])
    if end[0].startswith(("..", "…")):  # a pause, unless something new begins
        return not after[1].islower()
    return not (end[0].startswith(".") and _runs_on(block[start : end.start()], after[1]))


def _runs_on(before: str, after: str) -> bool:
    """A full stop that ends an abbreviation, an initial, an item's number or a date such as ``2025. 1. 15.``."""
    word = before.rpartition(" ")[2].lstrip("(\"'“‘[").casefold()
    if word.isdecimal():
        return after.isdecimal() or before.strip() == word
    return bool(ABBREVIATION.fullmatch(word) or (after.isdecimal() and BEFORE_NUMBERS.fullmatch(word)))
