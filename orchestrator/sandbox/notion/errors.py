"""Notion's error objects."""


class NotionError(Exception):
    """An error as Notion reports it: HTTP status, code, message."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def invalid(what: str, problem: str) -> NotionError:
    """A `validation_error` about `body`, `path` or `query`."""
    return NotionError(400, "validation_error", f"{what} failed validation: {problem}")
