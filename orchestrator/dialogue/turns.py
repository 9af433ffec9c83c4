"""A turn of a conversation (dialogue state), as a text that its asker holds: nothing is kept for it, so nothing must be shared or swept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.dialogue.followup import has_topic
from orchestrator.model import DialogueTurn, Part
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Answer, Ask, FollowUp, Outcome

LONGEST = 1000  # characters of a question that are gone on from
LONGEST_TOKEN = 5000  # characters; ours have a few hundred
LASTING = timedelta(days=1)
LOST = DialogueTurn("")
SIGNATURE = 16  # bytes
DIGEST = 6  # bytes of a result's name: enough to know it again among those of one answer

TAKEN = Said("Taken as: {text}")
AGAIN = Said("Taken as: {text} — without what you did not mean")
FORGOTTEN = Said("What was asked before is not known any more, so this was taken by itself.")


def turn_of(answer: Answer, ask: Ask) -> DialogueTurn | None:
    """What the next question may go on from; ``None`` where this one is about nothing."""
    if not has_topic(answer.query):
        return None
    first = next((each.numbers for each in answer.statements if each.part is Part.CLAIM), ())
    led = [each for each in answer.results if each.number in first] or answer.results[:1]
    names = tuple(dict.fromkeys(_name(hit) for each in led for hit in (each.hit, *each.also)))
    return DialogueTurn(ask.text[:LONGEST], names, ask.follow.left_out if ask.follow else (), answer.query.fresh)


def unwanted(outcome: Outcome, left_out: Sequence[str]) -> Outcome:
    """An outcome without the results that somebody did not mean."""
    if not left_out or not outcome.hits:
        return outcome
    lists = (
        replace(each, hits=tuple(hit for hit in each.hits if _name(hit) not in left_out)) for each in outcome.lists
    )
    return replace(outcome, lists=tuple(lists))


def taken_as(followed: FollowUp | None, text: str) -> Said:
    """What a follow-up was made of, for whoever asked; nothing where a question stands by itself. ``text``: as it is asked."""
    if followed is None:
        return UNSAID
    if followed.lost:
        return FORGOTTEN
    return (AGAIN if followed.carried == text and followed.left_out else TAKEN).filled(text=text)


def turn_text(turn: DialogueTurn) -> str:
    """A turn as text, for a store that belongs to its asker."""
    return json.dumps([turn.text, turn.led, turn.left_out, turn.fresh], ensure_ascii=False, separators=(",", ":"))


def turn_from(text: str) -> DialogueTurn | None:
    """The turn of a text; ``None`` where it is none."""
    try:
        asked, *lists = json.loads(text)
        led, left_out, fresh = (tuple(map(str, each)) for each in lists)
    except (ValueError, TypeError):
        return None
    return DialogueTurn(asked, led, left_out, fresh) if isinstance(asked, str) and asked else None


class ConversationTokens:
    """Turns as texts that only whoever asked can go on from, for a day. ``secret``: shared by all processes of an installation.

    ``clock`` is aware. The text holds the asker's own words and nothing of any answer.
    """

    def __init__(self, secret: Callable[[], bytes], clock: Callable[[], datetime]) -> None:
        self._ask = secret
        self._clock = clock
        self._known = b""

    def before(self, ask: Ask) -> DialogueTurn | None:
        """The turn that a question goes on from, by the text that came with it; ``None`` where none did."""
        return self.read(ask.conversation, ask.principal.id) if ask.conversation else None

    def after(self, answer: Answer, ask: Ask) -> str:
        """What the next question is to bring; where this one was about nothing, what it had brought itself."""
        turn = turn_of(answer, ask)
        return self.written(turn, ask.principal.id) if turn else ask.conversation

    def written(self, turn: DialogueTurn, principal: str) -> str:
        """The turn for its asker."""
        until = int((self._clock() + LASTING).timestamp())
        payload = _base64(f"{until}\n{turn_text(turn)}".encode("utf-8", "replace"))
        return f"{payload}.{self._signed(payload, principal)}"

    def read(self, token: str, principal: str) -> DialogueTurn:
        """The turn that somebody was given; :data:`LOST` where it is not theirs, or over."""
        payload, _, signature = token[:LONGEST_TOKEN].partition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signed(payload, principal).encode()):
            return LOST
        until, _, text = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode().partition("\n")
        return (turn_from(text) if self._clock().timestamp() < int(until) else None) or LOST

    def _signed(self, payload: str, principal: str) -> str:
        self._known = self._known or self._ask()
        told = f"conversation:{principal}\n{payload}".encode("utf-8", "replace")
        return _base64(hmac.digest(self._known, told, "sha256")[:SIGNATURE])


def _name(hit: Hit) -> str:
    told = f"{hit.source}\n{hit.id}".encode("utf-8", "surrogatepass")
    return _base64(hashlib.sha256(told).digest()[:DIGEST])


def _base64(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()
