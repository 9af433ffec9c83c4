"""Broken: a phrase is neither sent, nor checked, nor named as lost."""

from translators.capabilities import Capabilities
from translators.query import EVERYTHING, Clause, Leaf, Phrase, Query, map_leaves
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_no_condition_vanishes"


def drop(leaf: Leaf) -> Clause:
    return EVERYTHING if isinstance(leaf, Phrase) else leaf


class Careless(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        return super().translate(query.narrowed(map_leaves(query.where, drop)), can)


TRANSLATOR = Careless()
