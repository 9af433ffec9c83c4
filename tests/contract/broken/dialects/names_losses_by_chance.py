"""Broken: in which order it names what a weaker source loses depends on what it was asked before."""

from dataclasses import replace
from itertools import count

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_same_query_same_translation"
BY_THAT_ALONE = True
ASKED = count()


class Fickle(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, losses=found.losses[::-1]) if can != self.can and next(ASKED) % 2 else found


TRANSLATOR = Fickle()
