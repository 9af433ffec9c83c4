"""Which processes of a server are ready: a byte for each, in memory that all of them share, however they were split off."""

from __future__ import annotations

import mmap

NOT_YET, READY, LEAVING = 0, 1, 2


class Readiness:
    """``number``: the process that speaks. A server of one process has a board of its own."""

    def __init__(self, board: mmap.mmap | None = None, number: int = 0) -> None:
        self._board = board or mmap.mmap(-1, 1)
        self._number = number

    @classmethod
    def of(cls, count: int) -> tuple[Readiness, ...]:
        """One for each of ``count`` processes, to be made before they are split off."""
        board = mmap.mmap(-1, count)
        return tuple(cls(board, number) for number in range(count))

    @property
    def was(self) -> bool:
        """Whether this process has ever been ready."""
        return self._board[self._number] != NOT_YET

    @property
    def here(self) -> bool:
        """Whether this process is ready."""
        return self._board[self._number] == READY

    @property
    def everywhere(self) -> bool:
        """Whether all of them are."""
        return all(each == READY for each in self._board[:])

    def tell(self, what: int) -> None:
        """``READY``, or ``LEAVING`` once no question is taken any more; ``NOT_YET`` for one that is to take another's place."""
        self._board[self._number] = what
