"""Imports that take long, off the event loop and one after the other."""

from __future__ import annotations

import asyncio
import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

from storage.extras import lacking

if TYPE_CHECKING:
    from collections.abc import Sequence

IMPORTER = ThreadPoolExecutor(1, thread_name_prefix="import")
IMPORTING = Lock()


async def load(*modules: str) -> None:
    """Import modules that take long (a vendor's client may take a second) without stopping the event loop.

    All of them in one thread, one after the other: where two threads import a package whose modules need each other,
    Python lets one go on with what the other has half done. Raises :class:`Misconfigured` where one comes with an extra
    that is not installed.
    """
    if not _are_there(modules):
        await asyncio.get_running_loop().run_in_executor(IMPORTER, _import, modules)


def _are_there(modules: Sequence[str]) -> bool:
    """Whether all are imported whole; while anything is being imported nobody can tell."""
    if not IMPORTING.acquire(blocking=False):
        return False
    try:
        return all(module in sys.modules for module in modules)
    finally:
        IMPORTING.release()


def _import(modules: Sequence[str]) -> None:
    try:
        with IMPORTING:
            for module in modules:
                importlib.import_module(module)
    except ModuleNotFoundError as failure:
        raise lacking(failure) or failure from None
