"""The structure of a document in plain text, as its author sees it: rows of tables, numbered steps, ticked boxes, what is struck out.

Readers of formats (HTML, Atlassian documents, Notion's blocks) tell :class:`StructuredText` what they come by, and it writes that the same way for all.
"""

from __future__ import annotations

OPEN_BOX, TICKED_BOX = "☐", "☑"
STRUCK = "~~"  # around what is struck out, as in Markdown


def box(*, ticked: bool) -> str:
    """What an item of a checklist begins with."""
    return TICKED_BOX if ticked else OPEN_BOX


class StructuredText:
    r"""A document told from its beginning to its end.

    Rows of tables have their cells between bars, in which a paragraph is no new line; items of numbered lists have their number.

    >>> told = StructuredText()
    >>> told.begin_list(first=1)
    >>> for step in ("stir", "serve"):
    ...     told.item()
    ...     told.say(step)
    >>> told.text().strip()
    '1. stir\n2. serve'
    """

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._numbers: list[int | None] = []  # of the lists around: the next item's, None where they have none
        self._cells = 0  # how deep in cells of tables
        self._begun = False  # an item, of which nothing is said yet: its first paragraph stands beside its mark
        self._ended = 0  # lines that end where something follows

    def say(self, text: str) -> None:
        """Words as they stand."""
        if text:
            self._write(text)
        self._begun = self._begun and not text.strip()

    def struck(self) -> None:
        """What is struck out begins, or ends."""
        self._write(STRUCK)

    def block(self) -> None:
        """A line of its own begins, or ends."""
        self._write(" " if self._cells or self._begun else "\n")

    def end_line(self) -> None:
        """A line ends, if anything follows it."""
        self._ended += 1

    def row(self) -> None:
        """A row of a table begins."""
        self._begin("\n|")

    def begin_cell(self) -> None:
        """A cell of it begins."""
        self._write(" ")
        self._cells += 1

    def end_cell(self) -> None:
        """That cell ends."""
        self._ended = 0
        self._cells = max(0, self._cells - 1)
        self._kept.append(" |")

    def begin_list(self, first: int | None = None) -> None:
        """A list begins; ``first``: what its items are numbered from, if they are."""
        self._numbers.append(first)

    def end_list(self) -> None:
        """The innermost list ends."""
        del self._numbers[-1:]

    def item(self, *, ticked: bool | None = None) -> None:
        """An item of a list begins; ``ticked``: of a checklist, whether it is done."""
        self._begin((" " if self._cells else "\n") + self._mark(ticked))
        self._begun = True

    def text(self) -> str:
        """All of it."""
        return "".join(self._kept)

    def _mark(self, ticked: bool | None) -> str:  # noqa: FBT001 - as told
        if ticked is not None:
            return f"{box(ticked=ticked)} "
        if not self._numbers or (number := self._numbers[-1]) is None:
            return "- "
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _write(self, text: str) -> None:
        if self._ended:
            self._kept.append(" " if self._cells else "\n" * self._ended)
            self._ended = 0
        self._kept.append(text)

    def _begin(self, text: str) -> None:
        """What begins on a line of its own needs no line that ended before it."""
        self._kept.append("\n" * (self._ended - 1) + text)
        self._ended = 0
