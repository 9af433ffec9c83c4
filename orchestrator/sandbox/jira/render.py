"""Jira's JSON for issues, people and projects; descriptions as Atlassian Documents."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from orchestrator.sandbox.jira.store import CATEGORIES, SITE, Issue, Project, User

_API = f"{SITE}/rest/api/3"


def user(shown: User, zone: ZoneInfo) -> dict[str, Any]:
    """A user object."""
    return {
        "self": f"{_API}/user?accountId={shown.account}",
        "accountId": shown.account,
        "accountType": "atlassian",
        "emailAddress": shown.email,
        "displayName": shown.name,
        "active": True,
        "timeZone": zone.key,
    }


def project(shown: Project) -> dict[str, Any]:
    """A project object."""
    return {
        "self": f"{_API}/project/{shown.number}",
        "id": str(shown.number),
        "key": shown.key,
        "name": shown.name,
        "projectTypeKey": "software",
        "simplified": False,
        "style": "classic",
    }


def issue(shown: Issue, names: Collection[str], zone: ZoneInfo) -> dict[str, Any]:
    """An issue object with the fields asked for; with none (or `id` alone), only its number."""
    wanted = {name for name in names if not name.startswith("-")}
    if wanted <= {"id"}:
        return {"id": str(shown.number)}
    value = {"expand": "", "id": str(shown.number), "self": f"{_API}/issue/{shown.number}", "key": shown.key}
    every, shown_in_lists = "*all" in wanted, "*navigable" in wanted
    chosen = [
        name
        for name in FIELDS
        if (every or (shown_in_lists and name != "comment") or name in wanted) and f"-{name}" not in names
    ]
    return value | ({"fields": {name: FIELDS[name](shown, zone) for name in chosen}} if chosen else {})


def _comments(shown: Issue, zone: ZoneInfo) -> dict[str, Any]:
    """The field ``comment``: a page with all of them, oldest first."""
    told = [
        {
            "id": str(each.number),
            "self": f"{_API}/issue/{shown.number}/comment/{each.number}",
            **({"author": user(each.author, zone)} if each.author else {}),
            "body": document(each.text),
            "created": instant(each.created, zone),
            "updated": instant(each.created, zone),
        }
        for each in shown.comments
    ]
    address = f"{_API}/issue/{shown.number}/comment"
    return {"comments": told, "self": address, "maxResults": len(told), "total": len(told), "startAt": 0}


def _status(shown: Issue) -> dict[str, Any]:
    number, name, color = CATEGORIES[shown.category]
    category = {"id": number, "key": shown.category, "colorName": color, "name": name}
    return {"name": shown.status, "statusCategory": category}


def _links(shown: Issue) -> list[dict[str, Any]]:
    """The field ``issuelinks``: of each link the other issue, under the way in which this one stands to it."""
    return [
        {
            "id": f"{min(shown.number, other.number)}{max(shown.number, other.number)}",
            "type": {"id": "10000", "name": "Blocks", "inward": "is blocked by", "outward": "blocks"},
            way: _other(other),
        }
        for way, others in (("inwardIssue", shown.blocked_by), ("outwardIssue", shown.blocks))
        for other in others
    ]


def _other(issue: Issue) -> Mapping[str, Any]:
    """An issue as it comes along with another one."""
    return {
        "id": str(issue.number),
        "key": issue.key,
        "self": f"{_API}/issue/{issue.number}",
        "fields": {"summary": issue.summary, "status": _status(issue)},
    }


FIELDS: Mapping[str, Callable[[Issue, ZoneInfo], Any]] = {
    "summary": lambda shown, _: shown.summary,
    "description": lambda shown, _: document(shown.description) if shown.description else None,
    "project": lambda shown, _: project(shown.project),
    "reporter": lambda shown, zone: user(shown.reporter, zone) if shown.reporter else None,
    "creator": lambda shown, zone: user(shown.reporter, zone) if shown.reporter else None,
    "assignee": lambda shown, zone: user(shown.assignee, zone) if shown.assignee else None,
    "status": lambda shown, _: _status(shown),
    "issuetype": lambda shown, _: {"name": "Sub-task" if shown.whole else shown.kind, "subtask": bool(shown.whole)},
    "priority": lambda shown, _: {"name": shown.priority},
    "labels": lambda shown, _: list(shown.labels),
    "resolution": lambda shown, _: {"name": "Done"} if shown.category == "done" else None,
    "created": lambda shown, zone: instant(shown.created, zone),
    "updated": lambda shown, zone: instant(shown.updated, zone),
    "duedate": lambda shown, _: shown.due.isoformat() if shown.due else None,
    "resolutiondate": lambda shown, zone: instant(shown.resolved, zone) if shown.resolved else None,
    "parent": lambda shown, _: next(map(_other, shown.whole), None),
    "subtasks": lambda shown, _: [_other(each) for each in shown.parts],
    "issuelinks": lambda shown, _: _links(shown),
    "comment": _comments,
}


def instant(moment: datetime, zone: ZoneInfo) -> str:
    """Times as Jira gives them: in the account's zone, with milliseconds."""
    local = moment.astimezone(zone)
    return f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond // 1000:03d}{local:%z}"


def document(text: str) -> dict[str, Any]:
    """Markdown, as far as corpora use it, as an Atlassian Document: headings, lists, code blocks and paragraphs."""
    return {"type": "doc", "version": 1, "content": list(_blocks(text.split("\n")))}


def _blocks(lines: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    made: list[dict[str, Any]] = []
    code: list[str] | None = None
    for line in lines:
        if line.startswith("```"):
            if code is not None:
                made.append({"type": "codeBlock", "content": _texts("\n".join(code))})
            code = [] if code is None else None
        elif code is not None:
            code.append(line)
        elif line.startswith("#"):
            level = min(6, len(line) - len(line.lstrip("#")))
            made.append({"type": "heading", "attrs": {"level": level}, "content": _texts(line.lstrip("#").strip())})
        elif line.startswith(("- ", "* ")):
            item = {"type": "listItem", "content": [_paragraph(line[2:])]}
            if made and made[-1]["type"] == "bulletList":
                made[-1]["content"].append(item)
            else:
                made.append({"type": "bulletList", "content": [item]})
        elif line.strip():
            made.append(_paragraph(line))
    return made + ([{"type": "codeBlock", "content": _texts("\n".join(code))}] if code else [])


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": _texts(text)}


def _texts(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}] if text else []
