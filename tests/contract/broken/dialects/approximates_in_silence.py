"""Broken: the source has its own idea of words, and nobody is told."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.notion import Notion
from translators.query import Query
from translators.translator import LossKind, Translation

CAUGHT_BY = "test_everything_lost_is_named"


class Smooth(Notion):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, losses=tuple(loss for loss in found.losses if loss.kind is not LossKind.APPROXIMATED))


TRANSLATOR = Smooth()
