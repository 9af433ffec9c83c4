"""Broken: takes the day of an instant by the asker's clock, so that those far to the east lose the end of a window."""

from datetime import UTC, datetime

from translators.capabilities import Capabilities
from translators.query import Clause, Compare, Leaf, Query, map_leaves
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_an_instant_is_the_same_in_every_zone"
BY_THAT_ALONE = True


def by_the_clock(leaf: Leaf) -> Clause:
    if isinstance(leaf, Compare) and isinstance(leaf.value, datetime):
        return Compare(leaf.field, leaf.op, leaf.value.replace(tzinfo=UTC))
    return leaf


class Provincial(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found, wrong = (
            super().translate(query, can),
            super().translate(query.narrowed(map_leaves(query.where, by_the_clock)), can),
        )
        return Translation(wrong.native, found.residual, found.losses)


TRANSLATOR = Provincial()
