"""Broken: quotes what has symbols in it, and forgets that a bare ``OR`` is an operator too."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.gmail import Gmail
from translators.query import Query
from translators.translator import Translation

CAUGHT_BY = "test_user_text_stays_text"


class Bare(Gmail):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        return replace(found, native=replace(found.native, text=found.native.text.replace('"OR"', "OR")))


TRANSLATOR = Bare()
