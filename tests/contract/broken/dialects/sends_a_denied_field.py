"""Broken: heeds most of what a source cannot do, but sends people to a source that knows none."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.query import Field, Query
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_what_the_source_cannot_do_is_not_sent"
BY_THAT_ALONE = True


class Stubborn(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        known = {Field.AUTHOR: self.can.fields[Field.AUTHOR]} if can.fields else {}
        return super().translate(query, replace(can, fields={**can.fields, **known}))


TRANSLATOR = Stubborn()
