"""What can go wrong at a source (:mod:`storage.errors`), and what several sources say of it."""

from __future__ import annotations

from storage.errors import (
    BadReply,
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from translators.said import Said

__all__ = [
    "BAD_TOKEN",
    "LATE",
    "NO_TOKEN",
    "SILENT",
    "BadReply",
    "Forbidden",
    "Misconfigured",
    "Rejected",
    "SourceError",
    "Throttled",
    "Unauthenticated",
    "Unavailable",
]

SILENT = Said("no answer within {seconds:.1f} s", "{seconds:.1f}초 안에 답이 없었습니다")
LATE = Said("did not come in time", "제때 오지 않았습니다")
NO_TOKEN = Said("no token for {name}: {help}", "{name}의 토큰이 없습니다. {help}")
BAD_TOKEN = Said(
    "the token for {name} holds characters that no token has; copy it again",
    "{name}의 토큰에 토큰에 쓰이지 않는 글자가 있습니다. 다시 복사하세요",
)
