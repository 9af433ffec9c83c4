"""Broken: words go out as typed, so that ``from:me`` in a question becomes a modifier."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.emit import as_typed
from translators.query import Query, Term
from translators.slack import Slack
from translators.translator import NativeQuery, Translation

CAUGHT_BY = "test_user_text_stays_text"


class Raw(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        if not isinstance(query.where, Term) or found.residual is not None:
            return found
        return replace(found, native=NativeQuery(self.name, as_typed(query.where.text)))


TRANSLATOR = Raw()
