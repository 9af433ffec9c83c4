"""The methods of the Web API that an app needs to talk: https://docs.slack.dev/reference/methods"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.slack import render
from orchestrator.sandbox.slack.arguments import SlackError, cut
from orchestrator.sandbox.slack.store import WORKSPACE
from tests.pretend.slack.blocks import checked
from tests.pretend.slack.state import BOT, BOT_ID, BOT_USER, Life, Post
from tests.pretend.slack.views import Views

Arguments = Mapping[str, Any]


class Methods:
    """Answers calls of an app that is in the workspace, with Slack's bodies; raises `SlackError`."""

    def __init__(self, life: Life, zone: ZoneInfo) -> None:
        self._life = life
        self._zone = zone
        self.views = Views(life)
        self._methods: Mapping[str, Callable[[Arguments], dict[str, Any]]] = {
            "auth.test": self._auth_test,
            "users.info": self._users_info,
            "users.list": self._users_list,
            "conversations.info": self._info,
            "conversations.members": self._members,
            "conversations.open": self._open,
            "chat.postMessage": self._post,
            "chat.postEphemeral": self._whisper,
            "chat.update": self._update,
            "chat.delete": self._delete,
            "views.open": self.views.open,
            "views.push": self.views.push,
            "views.update": self.views.update,
            "views.publish": self.views.publish,
        }

    def answer(self, name: str, arguments: Arguments) -> dict[str, Any]:
        """The body of a reply, without `ok`."""
        if name not in self._methods:
            raise SlackError("unknown_method", req_method=name)
        return self._methods[name](arguments)

    # ---- people and conversations

    def _auth_test(self, _: Arguments) -> dict[str, Any]:
        who = {"user": BOT.handle, "user_id": BOT_USER, "bot_id": BOT_ID}
        return {
            "url": f"{WORKSPACE}/",
            "team": "Acme",
            "team_id": self._life.team,
            "is_enterprise_install": False,
            **who,
        }

    def _users_info(self, arguments: Arguments) -> dict[str, Any]:
        person = self._life.person(str(arguments.get("user", "")))
        locale = str(arguments.get("include_locale", "")).casefold() in ("1", "true")
        return {"user": self._member(person, locale=locale)}

    def _users_list(self, arguments: Arguments) -> dict[str, Any]:
        everyone = [self._member(each) for each in (*self._life.workspace.members.values(), BOT)]
        shown, rest = cut(everyone, _as_text(arguments), "users.list", default=len(everyone))
        return {"members": list(shown), "cache_ts": int(time.time()), "response_metadata": {"next_cursor": rest}}

    def _member(self, person: Person, *, locale: bool = False) -> dict[str, Any]:
        shown = render.member(person, self._zone, datetime.now(self._zone), restricted=False)
        user = shown["id"]
        shown |= {"team_id": self._life.team, "is_restricted": user in self._life.guests, "is_bot": user == BOT_USER}
        if user in self._life.strangers:
            shown |= {"is_stranger": True, "team_id": "T0OTHER000"}
        return shown | ({"locale": self._life.languages.get(user, "en-US")} if locale else {})

    def _info(self, arguments: Arguments) -> dict[str, Any]:
        name = self._conversation(arguments)
        if name in self._life.directs:
            user = self._life.directs[name]
            return {
                "channel": {"id": name, "is_im": True, "user": user, "is_org_shared": False, "is_user_deleted": False}
            }
        channel = self._life.channels[name]
        shown = render.channel(channel, member=self._life.is_in(name, BOT_USER))
        shown |= {"is_mpim": name in self._life.groups, "is_ext_shared": name in self._life.shared}
        return {"channel": shown | {"is_shared": name in self._life.shared}}

    def _members(self, arguments: Arguments) -> dict[str, Any]:
        name = self._conversation(arguments)
        page, rest = cut(self._life.members(name), _as_text(arguments), "members", name, default=100)
        return {"members": list(page), "response_metadata": {"next_cursor": rest}}

    def _open(self, arguments: Arguments) -> dict[str, Any]:
        users = str(arguments.get("users", "")).split(",")
        if len(users) != 1:
            raise SlackError("invalid_user_combination")
        self._life.person(users[0])
        return {"channel": {"id": self._life.direct(users[0])}}

    def _conversation(self, arguments: Arguments) -> str:
        name = str(arguments.get("channel", ""))
        private = name in self._life.channels and self._life.channels[name].private
        known = name in self._life.channels or name in self._life.directs
        if not known or (private and not self._life.is_in(name, BOT_USER)):
            raise SlackError("channel_not_found")
        return name

    # ---- messages

    def _post(self, arguments: Arguments) -> dict[str, Any]:
        name = self._conversation(arguments)
        if not self._life.is_in(name, BOT_USER):
            raise SlackError("not_in_channel")
        post = self._kept(Post(name, self._life.stamp(), str(arguments.get("thread_ts") or "")), arguments)
        return {"channel": name, "ts": post.ts, "message": {"ts": post.ts, "bot_id": BOT_ID, **checked(arguments)}}

    def _whisper(self, arguments: Arguments) -> dict[str, Any]:
        name, user = self._conversation(arguments), str(arguments.get("user", ""))
        if not self._life.is_in(name, user):
            raise SlackError("user_not_in_channel")
        thread = str(arguments.get("thread_ts") or "")
        return {"message_ts": self._kept(Post(name, self._life.stamp(), thread, only=user), arguments).ts}

    def _update(self, arguments: Arguments) -> dict[str, Any]:
        post = self._life.post(self._conversation(arguments), str(arguments.get("ts", "")))
        self._kept(post, arguments, new=False)
        return {"channel": post.channel, "ts": post.ts, "text": checked(arguments)["text"]}

    def _delete(self, arguments: Arguments) -> dict[str, Any]:
        post = self._life.post(self._conversation(arguments), str(arguments.get("ts", "")))
        post.deleted = True
        return {"channel": post.channel, "ts": post.ts}

    def _kept(self, post: Post, arguments: Arguments, *, new: bool = True) -> Post:
        checked(arguments)
        post.versions.append(dict(arguments))
        post.at.append(time.perf_counter())
        if new:
            self._life.posts.append(post)
        return post


def _as_text(arguments: Arguments) -> dict[str, str]:
    return {name: str(value) for name, value in arguments.items()}
