"""Broken: of several ids, any of which would do, it fetches the first."""

from translators.capabilities import Capabilities
from translators.linear import Linear
from translators.query import AnyOf, Compare, Field, Query
from translators.translator import Translation

CAUGHT_BY = "test_a_fetch_answers_no_more_than_its_question"


class Hasty(Linear):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        match query.where:
            case AnyOf((Compare(Field.ID) as first, *_)):
                return super().translate(query.narrowed(first), can)
            case _:
                return super().translate(query, can)


TRANSLATOR = Hasty()
