"""Broken: says why something was lost in one language."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_every_reason_is_said_in_korean"
BY_THAT_ALONE = True


class Monoglot(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, losses=tuple(replace(loss, why=str(loss.why)) for loss in found.losses))


TRANSLATOR = Monoglot()
