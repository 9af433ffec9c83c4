"""Slack's `ok: false`."""


class SlackError(Exception):
    """An error code of Slack's, with the fields that go with it."""

    def __init__(self, code: str, **details: str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details
