"""Broken: fetches an id that was named, and forgets what else the question asks of it."""

from translators.capabilities import Capabilities
from translators.linear import Linear
from translators.query import Compare, Field, Query, conjuncts
from translators.translator import Translation

CAUGHT_BY = "test_a_fetch_answers_no_more_than_its_question"


class Eager(Linear):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        ids = [part for part in conjuncts(query.where) if isinstance(part, Compare) and part.field is Field.ID]
        alone = super().translate(query.narrowed(ids[0]), can) if ids else None
        return alone if alone and "id" in alone.native.args else super().translate(query, can)


TRANSLATOR = Eager()
