"""Where the data of an embedded database lies, for whoever only wants to know whether there is any."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

ELSEWHERE = Path("/var/lib/fedsearch")
IN_DATA_FOLDER = "postgresql"
SEALING_KEY = "sealing.key"
"""What opens the sealed secrets, beside them in the data folder: no backup may hold it."""
DATA = "data"


def elsewhere(folder: Path) -> Path:
    """Where the data of ``folder`` lies if its user may not get there."""
    import hashlib

    return ELSEWHERE / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def is_made(folder: Path) -> bool:
    """Whether there is data already; nothing is made or started to find out. Asked with every question while there is none."""
    return any(map(os.path.exists, _signs(str(folder), ELSEWHERE)))


@cache
def _signs(said: str, _: Path) -> tuple[str, ...]:
    folder = Path(said).expanduser().absolute()
    return tuple(str(each / DATA / "PG_VERSION") for each in (folder, elsewhere(folder)))
