"""Broken: its native queries say that they are in another dialect."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_any_query_is_translated"
BY_THAT_ALONE = True


class Impostor(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, native=replace(found.native, dialect="teams"))


TRANSLATOR = Impostor()
