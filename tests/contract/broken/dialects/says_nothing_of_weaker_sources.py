"""Broken: names what its language cannot say, and nothing of what a weaker source cannot."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_everything_lost_is_named"
BY_THAT_ALONE = True


class Proud(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return found if can == self.can else replace(found, losses=())


TRANSLATOR = Proud()
