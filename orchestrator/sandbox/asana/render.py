"""Asana's JSON, cut down to the fields asked for, and its errors: https://developers.asana.com/docs/errors .

https://developers.asana.com/docs/inputoutput-options
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.asana.store import COMMENT, NAME, WORKSPACE, Named, Story, Task, User
from orchestrator.sandbox.wire import WireReply, json_reply

HELP = "The manual tells what each status means: https://developers.asana.com/docs/errors"
PHRASE = "6 sandy foxes dig quietly"
"""What stands in an error of the server, for Asana's support to find it by."""


class AsanaError(Exception):
    """A request that is refused, with the status of the reply."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


def refused(name: str, problem: str) -> AsanaError:
    """Something is wrong with a parameter."""
    return AsanaError(HTTPStatus.BAD_REQUEST, f"{name}: {problem}")


def unknown(kind: str, gid: str) -> AsanaError:
    """Nothing has this number, or nothing that the token's owner may see."""
    return AsanaError(HTTPStatus.NOT_FOUND, f"{kind}: Unknown object: {gid[:100]}")


def error_reply(error: AsanaError, asked: Mapping[str, Any] | None = None) -> WireReply:
    """The reply for an error: `help` where the caller is wrong, `phrase` where Asana is."""
    said = {"message": error.message}
    said |= {"phrase": PHRASE} if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR else {"help": HELP}
    return json_reply(error.status, {"errors": [said]}, headers=error.headers, asked=asked or {})


_ALWAYS = ("gid",)
_COMPACT = ("gid", "resource_type", "name", "resource_subtype")
_BY_NUMBER_ONLY = frozenset({"created_by"})
"""Objects whose short form has no name."""


def named(shown: Named) -> dict[str, Any]:
    """A project, section, tag, team or workspace."""
    return {"gid": shown.gid, "resource_type": shown.kind, "name": shown.name}


def user(shown: User) -> dict[str, Any]:
    """A user object in full; everybody here is in the one workspace."""
    return {**named(shown), "email": shown.email, "photo": None, "workspaces": [workspace()]}


def workspace() -> dict[str, Any]:
    """The workspace."""
    return {
        "gid": WORKSPACE,
        "resource_type": "workspace",
        "name": NAME,
        "is_organization": True,
        "email_domains": ["acme.example"],
    }


def task(shown: Task) -> dict[str, Any]:
    """A task object in full."""
    return {
        "gid": shown.gid,
        "resource_type": "task",
        "name": shown.name,
        "resource_subtype": shown.subtype,
        "notes": shown.notes,
        "completed": shown.completed,
        "completed_at": instant(shown.completed_at),
        "created_at": instant(shown.created_at),
        "modified_at": instant(shown.modified_at),
        "due_at": None,
        "due_on": shown.due_on.isoformat() if shown.due_on else None,
        "start_at": None,
        "start_on": None,
        "created_by": user(shown.created_by) if shown.created_by else None,
        "assignee": user(shown.assignee) if shown.assignee else None,
        "followers": [user(each) for each in shown.followers],
        "projects": [named(each.project) for each in shown.memberships],
        "memberships": [{"project": named(each.project), "section": named(each.section)} for each in shown.memberships],
        "tags": [named(each) for each in shown.tags],
        "parent": None,
        "dependencies": [_beside(each) for each in shown.dependencies],
        "dependents": [_beside(each) for each in shown.dependents],
        "num_likes": 0,
        "permalink_url": shown.url,
        "workspace": workspace(),
    }


def _beside(shown: Task) -> dict[str, Any]:
    """A task beside another one, with what is asked for of such."""
    return {
        "gid": shown.gid,
        "resource_type": "task",
        "name": shown.name,
        "resource_subtype": shown.subtype,
        "completed": shown.completed,
    }


def story(shown: Story) -> dict[str, Any]:
    """A comment, or what happened to a task."""
    return {
        "gid": shown.gid,
        "resource_type": "story",
        "resource_subtype": shown.subtype,
        "type": "comment" if shown.subtype == COMMENT else "system",
        "text": shown.text,
        "created_at": instant(shown.created_at),
        "created_by": user(shown.created_by) if shown.created_by else None,
    }


def whole(value: Mapping[str, Any]) -> dict[str, Any]:
    """A thing with all its fields, and other things in them in their short form."""
    return {name: _short(name, each) for name, each in value.items()}


def chosen(value: Mapping[str, Any], fields: str) -> dict[str, Any]:
    """A thing with the fields of a comma-separated list, in its short form without one; unknown fields are left out."""
    paths = [path for part in fields.split(",") if (path := part.strip())]
    return _picked(value, paths) if paths else {name: value[name] for name in _COMPACT if name in value}


def _picked(value: Mapping[str, Any], paths: Collection[str]) -> dict[str, Any]:
    inner: dict[str, list[str]] = {name: [] for name in _ALWAYS if name in value}
    for path in paths:
        head, _, rest = path.partition(".")
        if head in value:
            inner.setdefault(head, []).extend([rest] if rest else [])
    return {name: _below(name, value[name], rest) for name, rest in inner.items()}


def _below(name: str, value: Any, paths: Collection[str]) -> Any:
    match value:
        case list():
            return [_below(name, each, paths) for each in value]
        case dict() if paths:
            return _picked(value, paths)
        case _:
            return _short(name, value)


def _short(name: str, value: Any) -> Any:
    match value:
        case list():
            return [_short(name, each) for each in value]
        case dict() if "gid" in value:
            kept = [key for key in _COMPACT if key in value and not (key == "name" and name in _BY_NUMBER_ONLY)]
            return {key: value[key] for key in kept}
        case dict():
            return {key: _short(key, each) for key, each in value.items()}
        case _:
            return value


def instant(moment: datetime | None) -> str | None:
    """Times as Asana gives them: in UTC, with milliseconds."""
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
