"""Cut Korean and English text into sentences, each a literal piece of the text with its line ends collapsed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from connectors.passages import END, columns_of, is_row, is_ruler, sentences_of
from orchestrator.answer.text import clean, single_spaced
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

READ = 20_000  # characters of a text that are cut; a megabyte of log is no prose
BULLET = regex(r"^\s*(?:(?:[-*+•·‣◦▪►>#☐☑✅✔]+|\d{1,2}[.)]|\[[ xX]?\])\s+)+")
# A line of such a length that ends without a full stop was wrapped by a mail program and goes on in the next. Longer
# lines are paragraphs, shorter ones are items of a list without bullets.
WRAPPED = range(56, 91)
HEADING = 60  # characters of a marked heading at most
TITLE = 24  # and of one that is only recognised by its place
ADDRESS = regex(r"https?://\S+$")
LABELLED = regex(r"[^\s:：][^:：]{0,23}[:：]\s*[^\s:：/]")  # "Owner: Minsu Kim", beside others of its form


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


def read(text: str, most: int | None = None, *, wrapped: bool = True, heading: str = "") -> tuple[Sentence, ...]:
    """The first ``most`` in order. Bullets, quote marks, numbering and the edges of a table's row are not part of a sentence.

    ``wrapped``: a mail program may have broken its lines. ``heading``: what the text stands under, until it has one of its own.
    """
    found = (
        Sentence(sentence.strip(" |"), whole.heading, whole.names, whole.table)
        for whole in _under_headings(_blocks(clean(text[:READ]), wrapped=wrapped), heading)
        for sentence in ((whole.text,) if whole.names or whole.table else sentences_of(whole.text, READ))
    )
    return tuple(islice((sentence for sentence in found if sentence.text), most))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text without their headings."""
    return tuple(sentence.text for sentence in read(text))


def last_heading(text: str, following: str, *, wrapped: bool) -> str:
    """The heading that stands last in a text, which what is ``following`` goes on with; "" for none."""
    line = following.partition("\n")[0]
    heads = [each.text for each in _blocks(clean(f"{text}\n{line}."), wrapped=wrapped) if each.heads]
    return heads[-1] if heads else ""


def _under_headings(blocks: Iterable[SentenceBlock], heading: str) -> Iterator[Sentence]:
    told = [each for each in blocks if each.text]
    tables = columns_of(["" if each.heads else each.text for each in told])
    for block, columns, after in zip(told, tables, [*told, SentenceBlock("")][1:], strict=False):
        if is_ruler(block.text):
            continue
        if block.heads:
            heading = block.text
            yield Sentence(block.text, names=not after.heads and bool(after.text))
        elif not columns or columns == block.text:
            yield Sentence(block.text, heading, names=bool(columns))
        else:
            table = columns.strip(" |")
            yield Sentence(block.text, f"{heading} {table}".strip(), table=table)


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
        words = single_spaced(body)
        if wrapped and words and body == line and not words.startswith("|") and _goes_on(block.text, last):
            block = SentenceBlock(f"{block.text} {words}")
        else:
            yield block
            block = SentenceBlock(
                words,
                _is_heading(line, words, stands_alone=not before.strip() and _heads(words, after.strip(), later)),
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


def _heads(words: str, after: str, later: str) -> bool:
    """Whether a line may stand above what follows: a text, and not more lines with labels as it is one itself."""
    alike = LABELLED.match(words) and LABELLED.match(BULLET.sub("", after))
    return not alike and (bool(after) or len(later) > TITLE)


def _is_heading(line: str, words: str, *, stands_alone: bool) -> bool:
    """Marked as one, or a few words between a blank line and a text."""
    if not words or END.search(words[-1]):
        return False
    marked = line.lstrip().startswith("#") or words.endswith((":", "："))
    alone = stands_alone and not BULLET.match(line) and not words.startswith("|") and not is_row(words)
    return len(words) <= (HEADING if marked else TITLE) and (marked or alone)
