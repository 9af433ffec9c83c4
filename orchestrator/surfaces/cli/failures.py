"""How a command ends: its exit code, and one line on standard error where something was wrong."""

from __future__ import annotations

import errno
import functools
import os
import sys
from enum import IntEnum
from typing import TYPE_CHECKING, ParamSpec

import typer

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.composition import BadInput, NotStarted
from translators.said import Said, failure_message, said_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from connectors.errors import SourceError

P = ParamSpec("P")
FULL = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO}
)  # what a disk says when it is written to
PACKAGES = frozenset({"fedsearch", "translators", "storage", "connectors", "orchestrator"})


class Exit(IntEnum):
    """Exit codes, the same for every command."""

    FOUND = 0
    NOTHING = 1
    BAD_INPUT = 2
    NO_SOURCES = 3
    NOT_STARTED = 4
    INTERRUPTED = 130
    PIPE_CLOSED = 141


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """``command`` with its result as the exit code, and expected failures as one line instead of a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(_ending(functools.partial(command, *args, **kwargs)))

    return run


def complain(message: str) -> None:
    """One line on standard error, whatever the message holds, in the language of the terminal as far as it is one of ours."""
    sys.stderr.write(f"fedsearch: {one_line(said_here(message))}\n")


def said_here(message: str) -> str:
    """A message in the language of this terminal, as far as it is ours; English where what hides our packages hides how that is found out."""
    try:
        from orchestrator.surfaces.cli.words import system_language
    except ImportError:
        return str(message)
    return said_in(message, system_language())


def tell(message: Said) -> None:
    """A line on standard error beside what a command prints, in the language of the terminal."""
    typer.echo(said_here(message), err=True)


UNOPENED = Said("{host}:{port} cannot be listened on: {why}")
UNOPENED_BUT = Said("{host}:{port} cannot be listened on: {why}; {advice}")
ADVICE = {
    errno.EADDRINUSE: Said("another program has that port: end it, or take another with --port"),
    errno.EACCES: Said("ports below 1024 are for the system: take another with --port"),
    errno.EADDRNOTAVAIL: Said("--host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0"),
}
UNREACHED = Said("{file} cannot be read or written: {why}")
OUTPUT = Said("the output")
HIDDEN = Said("{failure}: another package hides ours, or fedsearch is not installed whole; run `fedsearch doctor`")


def unopened(host: str, port: int, failure: OSError) -> Said:
    """That nobody can be served there, why, and what would be."""
    advice = ADVICE.get(failure.errno or 0)
    told = {"host": host, "port": port, "why": failure.strerror or failure}
    return UNOPENED_BUT.filled(advice=advice, **told) if advice else UNOPENED.filled(**told)


def _ending(command: Callable[[], int]) -> int:
    _tolerate_narrow_encodings()
    code: int = Exit.BAD_INPUT
    try:
        code = int(command())
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader has left (`| head`)
        _forget_output()
        return Exit.PIPE_CLOSED
    except ImportError as failure:
        if (told := _lacking(failure)) is not None:
            complain(failure_message(told))
            return code
        if (failure.name or "").partition(".")[0] not in PACKAGES:
            raise
        complain(HIDDEN.filled(failure=failure))
    except OSError as failure:
        return _refused_by_the_system(failure)
    except NotStarted as failure:
        complain(failure_message(failure))
        code = Exit.NOT_STARTED
    except _bad_input() as failure:
        complain(failure_message(failure))
    except _out_of_reach() as failure:
        complain(failure_message(failure))
        return Exit.NO_SOURCES
    return code


def _refused_by_the_system(failure: OSError) -> Exit:
    """A file or a disk is for whoever typed the command; an address that does not answer may do so another time."""
    if not failure.filename and failure.errno not in FULL:
        complain(str(failure) or type(failure).__name__)
        return Exit.NO_SOURCES
    _forget_output()
    told = UNREACHED.filled(file=failure.filename or OUTPUT, why=failure.strerror or failure)
    complain(told)
    return Exit.BAD_INPUT


def _forget_output() -> None:
    """What is still to be written goes nowhere: Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lacking(failure: ImportError) -> SourceError | None:
    from storage.loading import lacking

    return lacking(failure)


def _bad_input() -> tuple[type[Exception], ...]:
    """Looked up only when something was raised: these modules cost nothing to a command that goes well."""
    from connectors.errors import Misconfigured
    from orchestrator.model import BadAsk
    from orchestrator.understand import BadLexicon

    return (BadInput, BadAsk, Misconfigured, BadLexicon)


def _out_of_reach() -> tuple[type[Exception], ...]:
    """What the outside world fails by."""
    from connectors.errors import SourceError
    from orchestrator.model import NoSources

    return (NoSources, SourceError)


def _tolerate_narrow_encodings() -> None:
    """A terminal that is not UTF-8 gets question marks for what it cannot show, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
