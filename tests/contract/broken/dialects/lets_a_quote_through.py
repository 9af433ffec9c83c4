"""Broken: forgets to escape a quote, so that what follows it is read as JQL."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.jql import Jql
from translators.query import Query
from translators.translator import Translation

CAUGHT_BY = "test_user_text_stays_text"
BY_THAT_ALONE = True


class Trusting(Jql):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        text = found.native.text.replace('\\\\\\"', '"').replace('\\"', '"')
        return replace(found, native=replace(found.native, text=text))


TRANSLATOR = Trusting()
