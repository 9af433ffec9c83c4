"""Broken: of several words, the first is asked for; the others are neither sent, nor checked, nor named as lost."""

from translators.capabilities import Capabilities
from translators.query import Query, Term, all_of, conjuncts
from translators.slack import Slack
from translators.translator import Translation

CAUGHT_BY = "test_no_condition_vanishes"
BY_THAT_ALONE = True


class Short(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        parts = conjuncts(query.where)
        words = [part for part in parts if isinstance(part, Term)]
        return super().translate(query.narrowed(all_of(part for part in parts if part not in words[1:])), can)


TRANSLATOR = Short()
