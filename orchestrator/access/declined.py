"""What somebody wanted of their account, a sign-in or a token, and is not done."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translators.said import Said


class Declined(Exception):
    """``code`` is stable; the message says what to do."""

    def __init__(self, code: str, message: Said) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
