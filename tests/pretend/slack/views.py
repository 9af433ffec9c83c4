"""What an app shows beside messages: modals, and the home tab of one person.

https://docs.slack.dev/surfaces/modals · https://docs.slack.dev/surfaces/app-home
https://docs.slack.dev/reference/views · https://docs.slack.dev/reference/methods/views.open
"""

import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

from orchestrator.sandbox.slack.arguments import SlackError
from tests.pretend.slack.blocks import is_good
from tests.pretend.slack.state import Life

TRIGGER_SECONDS = 3.0
MOST_BLOCKS = 100
MOST_BYTES = 250_000
MOST_PUSHED = 3  # views on each other
LIMITS = {"callback_id": 255, "private_metadata": 3000, "external_id": 255}
LABELS = {"title": 24, "submit": 24, "close": 24}

Arguments = Mapping[str, Any]
View = dict[str, Any]


class Views:
    """`homes`: by person; `modals`: by view id. Raises `SlackError`."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._triggers: dict[str, float] = {}
        self.homes: dict[str, View] = {}
        self.modals: dict[str, View] = {}

    def trigger(self) -> str:
        """A trigger id, good for three seconds and one view."""
        name = f"{len(self._triggers)}.{secrets.token_hex(4)}"
        self._triggers[name] = time.monotonic() + TRIGGER_SECONDS
        return name

    def open(self, arguments: Arguments) -> dict[str, Any]:
        """views.open."""
        self._use_trigger(arguments)
        return self._kept(self._checked(arguments, "modal"), pushed=1)

    def push(self, arguments: Arguments) -> dict[str, Any]:
        """views.push: on the view that was opened last."""
        self._use_trigger(arguments)
        below = next(reversed(self.modals.values()), None)
        if below is None:
            raise SlackError("not_found")
        if below["pushed"] >= MOST_PUSHED:
            raise SlackError("push_limit_reached")
        return self._kept(self._checked(arguments, "modal"), pushed=below["pushed"] + 1)

    def update(self, arguments: Arguments) -> dict[str, Any]:
        """views.update: a modal by its id; with a `hash`, only where nobody changed it meanwhile."""
        known = self.modals.get(str(arguments.get("view_id", "")))
        if known is None:
            raise SlackError("not_found")
        if arguments.get("hash") not in (None, "", known["hash"]):
            raise SlackError("hash_conflict")
        return self._kept(self._checked(arguments, "modal"), pushed=known["pushed"], name=known["id"])

    def publish(self, arguments: Arguments) -> dict[str, Any]:
        """views.publish: one person's home."""
        user = str(arguments.get("user_id", ""))
        self._life.person(user)
        known = self.homes.get(user)
        if known and arguments.get("hash") not in (None, "", known["hash"]):
            raise SlackError("hash_conflict")
        view = self.homes[user] = self._named(self._checked(arguments, "home"), f"VHOME{user}")
        return {"view": view}

    def _use_trigger(self, arguments: Arguments) -> None:
        name = str(arguments.get("trigger_id", ""))
        until = self._triggers.get(name)
        if until is None:
            raise SlackError("invalid_trigger_id")
        if until == 0.0:
            raise SlackError("exchanged_trigger_id")
        if until < time.monotonic():
            raise SlackError("expired_trigger_id")
        self._triggers[name] = 0.0

    def _checked(self, arguments: Arguments, kind: str) -> View:
        view = arguments.get("view")
        if isinstance(view, str):  # as a form says it
            try:
                view = json.loads(view)
            except ValueError:
                raise SlackError("invalid_arguments") from None
        if not isinstance(view, Mapping) or view.get("type") != kind:
            raise SlackError("invalid_arguments")
        blocks = view.get("blocks")
        good = isinstance(blocks, list) and len(blocks) <= MOST_BLOCKS and all(map(is_good, blocks))
        good = good and all(len(str(view.get(name) or "")) <= most for name, most in LIMITS.items())
        good = good and all(_is_label(view.get(name), most) for name, most in LABELS.items())
        if not good or (kind == "modal" and "title" not in view):
            raise SlackError("invalid_arguments")
        if len(json.dumps(view, ensure_ascii=False).encode()) > MOST_BYTES:
            raise SlackError("view_too_large")
        return dict(view)

    def _kept(self, view: View, *, pushed: int, name: str = "") -> dict[str, Any]:
        named = self._named(view, name or f"V{len(self.modals):09d}") | {"pushed": pushed}
        self.modals[named["id"]] = named
        return {"view": {key: value for key, value in named.items() if key != "pushed"}}

    def _named(self, view: View, name: str) -> View:
        return {**view, "id": name, "team_id": self._life.team, "hash": secrets.token_hex(8)}


def _is_label(label: object, most: int) -> bool:
    if label is None:
        return True
    plain = isinstance(label, Mapping) and label.get("type") == "plain_text"
    return plain and isinstance(label, Mapping) and 0 < len(str(label.get("text") or "")) <= most
