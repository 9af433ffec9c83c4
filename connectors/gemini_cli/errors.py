"""How the Gemini CLI fails: by exit status, and by what the API below it said.

Exit statuses: https://geminicli.com/docs/cli/headless (0, 1, 42, 53), and docs/cli/headless.md of
https://github.com/google-gemini/gemini-cli (41, 52, 54, 130 as well). Where the API failed, ``code`` is its HTTP status,
of which an exit status keeps the last eight bits only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.text import quote
from translators.said import Said, joined

if TYPE_CHECKING:
    from connectors.gemini_cli.wire import Failure

SIGN_IN, INPUT, SETTINGS, TURNS = frozenset({41, 401}), frozenset({42, 400}), frozenset({44, 52}), 53
NO_RIGHT = 403
SERVER_ERRORS = range(500, 600)
TOO_OFTEN = re.compile(r"RESOURCE_EXHAUSTED|quota|rate limit|\b429\b", re.IGNORECASE)
WRONG_KEY = re.compile(
    r"API_KEY_INVALID|API key not valid|Please set an Auth method|must specify the GEMINI_API_KEY", re.IGNORECASE
)
FAILED = Said("the Gemini CLI failed ({number})")
WAIT = re.compile(r"retry in (\d{1,6}(?:\.\d{1,9})?)\s*s", re.IGNORECASE)


def error_from(status: int, failure: Failure) -> SourceError:  # noqa: PLR0911 — one line a kind of failure
    """The error that an exit status and what was said beside it stand for."""
    told = FAILED.filled(number=_number(status))
    said = joined(": ", (told, quote(failure.message))) if failure.message else told
    code = failure.code if isinstance(failure.code, int) else status
    if TOO_OFTEN.search(f"{failure.code} {failure.message}"):
        wait = WAIT.search(failure.message)
        return Throttled(said, float(wait[1]) if wait else None)
    if code in SIGN_IN or WRONG_KEY.search(failure.message):
        return Unauthenticated(said)
    if code == NO_RIGHT:
        return Forbidden(said)
    if code in SETTINGS:
        return Misconfigured(advised(said, Said("start gemini by hand to see what is wrong with its own settings")))
    if code in INPUT:
        return Rejected(said)
    if code == TURNS:
        return Unavailable(advised(said, Said("it took too many turns")))
    return Unavailable(said)


def _number(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit {status}"
