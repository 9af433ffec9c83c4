"""Broken: takes Slack's ``after:`` for "from that day on", and so loses the first day of every window."""

import re
from dataclasses import replace
from datetime import date, timedelta

from translators.capabilities import Capabilities
from translators.query import Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_exemplar_is_translated_as_written"
BY_THAT_ALONE = True


def later(day: re.Match[str]) -> str:
    return f"after:{date.fromisoformat(day[1]) + timedelta(days=2)}"


class Inclusive(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        text = re.sub(r"after:(2025-\S+)", later, found.native.text)
        return replace(found, native=replace(found.native, text=text))


TRANSLATOR = Inclusive()
