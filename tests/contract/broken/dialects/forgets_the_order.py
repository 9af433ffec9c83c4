"""Broken: an order that the source cannot keep is lost without a word."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.gmail import Gmail
from translators.query import Query
from translators.translator import LossKind, Translation

CAUGHT_BY = "test_everything_lost_is_named"


class Unordered(Gmail):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, losses=tuple(loss for loss in found.losses if loss.kind is not LossKind.DROPPED))


TRANSLATOR = Unordered()
