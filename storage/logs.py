"""The program's log, opened with its first line: most questions at a command line write none, and loading it takes a tenth of them."""

from __future__ import annotations

import sys
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from structlog.typing import FilteringBoundLogger

_unset: list[Callable[[], None]] = []
_setting_up = Lock()


def log_of(name: str) -> FilteringBoundLogger:
    """The log of a module, in place of :func:`structlog.get_logger`, which imports rich."""
    return cast("FilteringBoundLogger", _LogLater(name))


def set_up_log(set_up: Callable[[], None]) -> None:
    """Have the log written as ``set_up`` says, which is called before its first line, or now if somebody has loaded it."""
    if "structlog" in sys.modules:
        set_up()
    else:
        _unset[:] = [set_up]


class _LogLater:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, method: str) -> Any:
        import structlog

        with _setting_up:
            if _unset:
                _unset.pop()()
        return getattr(structlog.get_logger(self._name), method)
