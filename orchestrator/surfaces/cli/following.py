"""The last question asked on this machine, which ``fedsearch search --follow`` goes on from."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from orchestrator.dialogue import turn_from, turn_text
from orchestrator.files import put_whole
from orchestrator.surfaces.cli.composition import BadInput
from translators.said import Said, quoting

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.model import DialogueTurn

NAME = "last-question"
SECONDS = 86_400.0  # a question is gone on from within a day
LONGEST = 20_000  # bytes of the file
UNKEPT = Said("this question could not be kept in {folder} ({why}), so --follow cannot go on from it")


def last_turn(folder: Path) -> DialogueTurn:
    """What was asked last. Raises :class:`BadInput` where nothing was, or that is a day ago."""
    path = folder / NAME
    try:
        fresh = time.time() - path.stat().st_mtime < SECONDS
        with path.open("rb") as file:
            turn = turn_from(file.read(LONGEST).decode("utf-8", "replace")) if fresh else None
    except OSError:
        turn = None
    if turn is None:
        raise BadInput(
            Said("nothing was asked here within a day that --follow could go on from; ask the question whole")
        )
    return turn


def keep_turn(folder: Path, turn: DialogueTurn | None) -> Said | None:
    """For its owner's eyes alone. Where it cannot be kept, the answer stands all the same; the reply says what that costs."""
    if turn is None:
        return None
    try:
        put_whole(folder / NAME, turn_text(turn))
    except OSError as failure:
        return UNKEPT.filled(why=quoting(failure.strerror or str(failure)), folder=quoting(str(folder)))
    return None
