"""Broken: control characters of the question reach the native query."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Query, Term, leaves
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_any_query_is_translated"


class Multiline(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        typed = [f'"{leaf.text}"' for leaf in leaves(query.where) if isinstance(leaf, Term)]
        return replace(found, native=replace(found.native, text=" ".join(typed)))


TRANSLATOR = Multiline()
