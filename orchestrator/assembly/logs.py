"""What this program writes to standard error: lines for people, or one JSON object a line for what collects them."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from storage.logs import set_up_log

if TYPE_CHECKING:
    import structlog
    from structlog.typing import Processor

    from orchestrator.settings.sections import Log


# Whole addresses, in which ids of documents stand; a vendor's own words for a failure, which may be ours with the credential in them.
QUIET = MappingProxyType({"httpx": "WARNING", "googleapiclient.http": "ERROR"})


def log_to_stderr(said: Log) -> None:
    """Standard output belongs to the answer: structlog would print there. Libraries' own lines keep to the same level.

    They are set up before any library does it by itself, and those that say too much are heard only when it matters. No library is heard
    below INFO: there they write down what they send and receive, questions and answers among it.
    """
    import logging
    import sys

    level = getattr(logging, said.level)
    theirs = logging.StreamHandler(sys.stderr)
    theirs.setLevel(max(logging.INFO, level))  # also for one that has set a level of its own
    if said.format == "json":
        theirs.setFormatter(_as_json())
    form = "%(asctime)s [%(levelname)s] %(name)s %(message)s"
    logging.basicConfig(handlers=[theirs], level=theirs.level, format=form)
    for name, least in QUIET.items():
        logging.getLogger(name).setLevel(least)
    set_up_log(partial(_set_up_ours, said, level))


def _set_up_ours(said: Log, level: int) -> None:
    import sys

    import structlog

    structlog.configure(
        processors=_for_programs() if said.format == "json" else _for_people(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _for_people() -> list[Processor]:
    """As structlog has it by itself, but for the values of variables where something failed: secrets are among them."""
    import os
    import sys

    import structlog

    colours = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    rendering = structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=structlog.dev.plain_traceback)
    moment = structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False)
    return [structlog.contextvars.merge_contextvars, structlog.processors.add_log_level, moment, rendering]


def _for_programs() -> list[Processor]:
    import structlog

    return [*_common(), structlog.processors.JSONRenderer(ensure_ascii=False)]


def _common() -> list[Processor]:
    """What each line says besides: when, in UTC, and how bad; a failure as data, without the values of its variables."""
    import structlog

    failures = structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False))
    moment = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time")
    named = structlog.processors.EventRenamer("message")
    return [structlog.contextvars.merge_contextvars, structlog.processors.add_log_level, moment, failures, named]


def _as_json() -> structlog.stdlib.ProcessorFormatter:
    """The same for what libraries write."""
    import structlog

    rendering: list[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(ensure_ascii=False),
    ]
    return structlog.stdlib.ProcessorFormatter(
        processors=rendering, foreign_pre_chain=[structlog.stdlib.add_logger_name, *_common()]
    )
