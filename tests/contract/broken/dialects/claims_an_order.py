"""Broken: it says that it can put the most urgent first, and does not ask for it."""

from dataclasses import replace
from typing import ClassVar

from translators.capabilities import Capabilities
from translators.query import Sort
from translators.slack import Slack

CAUGHT_BY = "test_everything_lost_is_named"


class Claiming(Slack):
    can: ClassVar[Capabilities] = replace(Slack.can, sorts=frozenset(Sort))


TRANSLATOR = Claiming()
