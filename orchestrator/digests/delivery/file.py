"""Into a file, whole or not at all; its ending says in which form."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.errors import Unavailable
from orchestrator.files import put_whole
from orchestrator.settings.digests import FORMS

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.digests.message import DigestMessage

UNSAFE = re.compile(r"[^\w.-]+")


class ToFile:
    """``file:PATH``; ``{date}``, ``{time}`` and ``{name}`` in it are filled in. What is not absolute lies under ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __call__(self, address: str, message: DigestMessage, key: str, at: datetime) -> None:
        del key  # the same content in the same place
        path = self.path(address, message.name, at)
        text: str = getattr(message, FORMS[path.suffix])
        try:
            await asyncio.to_thread(_write, path, text)
        except OSError as failure:
            raise Unavailable(f"{path} cannot be written: {failure.strerror}") from None

    def path(self, address: str, name: str, at: datetime) -> Path:
        """Where it goes."""
        said = address.removeprefix("file:")
        filled = {"{date}": f"{at:%Y-%m-%d}", "{time}": f"{at:%H%M}", "{name}": UNSAFE.sub("-", name)}
        for mark, value in filled.items():
            said = said.replace(mark, value)
        return self._folder / Path(said).expanduser()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)  # a folder of the reader's choice: not for its owner alone
    put_whole(path, text)
