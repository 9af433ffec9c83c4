"""The log of Slack's framework, without what is as good as a password."""

from __future__ import annotations

import logging
import re

SECRETS = re.compile(
    r"xox[a-z]-[\w-]+|xapp-[\w-]+|(?:ticket|token|app_id)=[^\s&'\"]+|(?<=code: )\S+|https?://hooks\.[^\s'\"]+|wss?://[^\s'\"]+"
)


class Masking(logging.Filter):
    """Masks tokens and addresses that open something; of an exception it keeps the type, since its text may quote one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always let it through, masked."""
        said = SECRETS.sub("•••", record.getMessage())
        if record.exc_info and record.exc_info[0] is not None:
            said = f"{said.partition('error:')[0].rstrip(' (')} ({record.exc_info[0].__name__})"
        record.msg, record.args, record.exc_info, record.exc_text = said, (), None, None
        return True


def quiet_logger() -> logging.Logger:
    """Warnings and worse only: below, the framework writes bodies of requests."""
    logger = logging.getLogger("fedsearch.slack")
    logger.setLevel(logging.WARNING)
    if not any(isinstance(each, Masking) for each in logger.filters):
        logger.addFilter(Masking())
    return logger
