"""Broken: not total; a language without OR takes it out on the person who asks."""

from translators.capabilities import Capabilities
from translators.query import AnyOf, Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_any_query_is_translated"


class Picky(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        if isinstance(query.where, AnyOf):
            raise NotImplementedError("no alternatives, please")
        return super().translate(query, can)


TRANSLATOR = Picky()
