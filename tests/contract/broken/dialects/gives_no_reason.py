"""Broken: names what was lost, and not why."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_everything_lost_is_named"


class Terse(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, losses=tuple(replace(loss, why="") for loss in found.losses))


TRANSLATOR = Terse()
