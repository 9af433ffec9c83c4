"""Broken: narrows; where anything is left to check, it rejects whatever is no message."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Compare, Field, Kind, Op, Query, all_of
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_residual_never_rejects_what_was_asked_for"
MESSAGES_ONLY = Compare(Field.KIND, Op.EQ, Kind.MESSAGE)


class Narrow(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        if found.residual is None:
            return found
        return replace(found, residual=all_of([found.residual, MESSAGES_ONLY]))


TRANSLATOR = Narrow()
