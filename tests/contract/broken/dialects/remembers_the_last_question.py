"""Broken: what it says depends on what it was asked before."""

from dataclasses import replace
from itertools import count

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_same_query_same_translation"
ASKED = count()


class Moody(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, native=replace(found.native, text=f"{found.native.text} v{next(ASKED)}"))


TRANSLATOR = Moody()
