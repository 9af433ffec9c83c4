"""Broken: where several conditions are left to check, it rejects whatever is no message, and says so."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.emit import shown
from translators.query import AllOf, Compare, Field, Kind, Op, Query, all_of
from translators.said import Said
from translators.slack import Slack
from translators.translator import Loss, LossKind, Translation

CAUGHT_BY = "test_residual_never_rejects_what_was_asked_for"
BY_THAT_ALONE = True
MESSAGES_ONLY = Compare(Field.KIND, Op.EQ, Kind.MESSAGE)


class Strict(Slack):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        if not isinstance(found.residual, AllOf):
            return found
        loss = Loss(
            LossKind.CHECKED,
            shown(MESSAGES_ONLY),
            Said.given({"en": "only messages are of interest", "ko": "메시지만 찾습니다"}),
        )
        return replace(found, residual=all_of([found.residual, MESSAGES_ONLY]), losses=(*found.losses, loss))


TRANSLATOR = Strict()
