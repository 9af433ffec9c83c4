"""Broken: speaks the whole language to a source that understands only part of it."""

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_what_the_source_cannot_do_is_not_sent"


class Deaf(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        del can
        return super().translate(query, self.can)


TRANSLATOR = Deaf()
