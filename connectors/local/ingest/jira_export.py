"""Issues from files: what Jira's search replies in JSON, and what it exports as CSV.

https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/,
https://support.atlassian.com/jira-cloud-administration/docs/export-issues/
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from connectors.comments import Comment, spoken, voices
from connectors.jira.adf import from_adf
from connectors.local.ingest.decoding import moment_of, rows_of
from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.passages import DocumentSection
from connectors.text import plain_line, plain_text
from connectors.trackers import state_of
from translators.query import Container, Kind, Person, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KEY, SUMMARY = frozenset({"issue key", "이슈 키"}), frozenset({"summary", "요약"})
# By the column's name in English and in Korean, as sites in either language export it.
COLUMNS = {
    "key": KEY, "summary": SUMMARY, "description": {"description", "설명"}, "status": {"status", "상태"},
    "category": {"status category", "상태 카테고리"}, "type": {"issue type", "이슈 유형"},
    "project": {"project name", "프로젝트 이름"}, "project_key": {"project key", "프로젝트 키"},
    "assignee": {"assignee", "담당자"}, "reporter": {"reporter", "creator", "보고자"}, "created": {"created", "생성일", "만듦"},
    "updated": {"updated", "업데이트", "업데이트됨"}, "comment": {"comment", "comments", "댓글"},
    "assignee_id": {"assignee id", "담당자 id"}, "reporter_id": {"reporter id", "보고자 id"},
}  # fmt: skip
COMMENT_PARTS = 3


def is_jira_csv(text: str) -> bool:
    """Whether the first line names the columns that every export of issues has."""
    names = {each.strip().lower() for each in next(rows_of(text[:50_000]), [])}
    return bool(names & KEY and names & SUMMARY)


def read_jira_csv(text: str) -> Iterator[DocumentDraft]:
    """A draft for each row. Columns that stand several times (comments) are all read."""
    rows = rows_of(text)
    names = [each.strip().lower() for each in next(rows, [])]
    places = {field: [place for place, name in enumerate(names) if name in called] for field, called in COLUMNS.items()}
    for row in rows:
        told = {
            field: [row[place] for place in where if place < len(row) and row[place].strip()]
            for field, where in places.items()
        }
        if told["key"]:
            yield _from_row({field: values[0] if values else "" for field, values in told.items()}, told["comment"])


def read_jira_json(raw: bytes) -> Iterator[DocumentDraft]:
    """A draft for each issue. Raises :class:`Skip` where the file holds none."""
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError):
        raise Skip(Reason.BROKEN, "it is not JSON, or damaged") from None
    issues = told.get("issues") if isinstance(told, dict) else told
    known = [each for each in issues if _is_issue(each)] if isinstance(issues, list) else []
    if not known:
        raise Skip(Reason.WRONG_TYPE, "of JSON, only exports of Jira and Slack are read")
    for issue in known:
        yield _from_json(issue)


def _is_issue(each: Any) -> bool:
    return isinstance(each, dict) and isinstance(each.get("fields"), dict) and bool(each.get("key"))


def _from_row(told: Mapping[str, str], comments: Sequence[str]) -> DocumentDraft:
    named = {told[f"{role}_id"]: told[role] for role in ("assignee", "reporter")}
    said = [_comment(each, named) for each in comments]
    status = told["category"] or told["status"]
    return DocumentDraft(
        f"{told['key']} {plain_line(told['summary'])}",
        _sections(plain_text(told["description"]) or told["summary"], said),
        key=plain_line(told["key"]),
        kind=Kind.ISSUE,
        author=Person(plain_line(told["reporter"])) if told["reporter"] else None,
        assignee=Person(plain_line(told["assignee"])) if told["assignee"] else None,
        container=_container(told["project"], told["project_key"]),
        state=(state_of(status) or State.OPEN) if status else None,
        created=moment_of(told["created"]),
        updated=moment_of(told["updated"]),
        facts={**{name: plain_line(told[name]) for name in ("status", "type") if told[name]}, **_voices(said)},
    )


def _from_json(issue: Mapping[str, Any]) -> DocumentDraft:
    fields, key = issue["fields"], plain_line(str(issue["key"]))
    status = _dict(fields.get("status"))
    category = str(_dict(status.get("statusCategory")).get("key") or "")
    comments = _dict(fields.get("comment")).get("comments") or ()
    said = [
        Comment(_person(each.get("author")), _text(each.get("body"))) for each in comments if isinstance(each, dict)
    ]
    summary = plain_line(str(fields.get("summary") or ""))
    project = _dict(fields.get("project"))
    kinds = {"status": status.get("name"), "type": _dict(fields.get("issuetype")).get("name")}
    return DocumentDraft(
        f"{key} {summary}".strip(),
        _sections(
            _text(fields.get("description")) or summary or key,
            said,
        ),
        key=key,
        kind=Kind.ISSUE,
        url=_address(str(issue.get("self") or ""), key),
        author=_person(fields.get("reporter") or fields.get("creator")),
        assignee=_person(fields.get("assignee")),
        container=_container(str(project.get("name") or ""), str(project.get("key") or "")),
        state=(State.DONE if category == "done" else State.OPEN) if category else None,
        created=moment_of(fields.get("created")),
        updated=moment_of(fields.get("updated")),
        facts={**{name: plain_line(str(value)) for name, value in kinds.items() if value}, **_voices(said)},
    )


def _comment(told: str, named: Mapping[str, str]) -> Comment:
    """A cell of ``moment;who;words``, as exports have it; who is an id, which only the issue's own people have names for."""
    parts = told.split(";", COMMENT_PARTS - 1)
    if len(parts) < COMMENT_PARTS:
        return Comment(None, plain_text(told))
    who = plain_line(parts[1])
    return Comment(Person(plain_line(named.get(who) or who)), plain_text(parts[-1]))


def _sections(text: str, comments: Sequence[Comment]) -> tuple[DocumentSection, ...]:
    return (
        DocumentSection(text),
        *(DocumentSection(spoken(each.who, each.words), ("Comments",)) for each in comments if each.words),
    )


def _voices(comments: Sequence[Comment]) -> dict[str, tuple[str, ...]]:
    names = voices(each.who for each in comments if each.words)
    return {"voices": names} if names else {}


def _text(said: object) -> str:
    return from_adf(said) if isinstance(said, dict) else plain_text(str(said or ""))


def _person(user: object) -> Person | None:
    told = _dict(user)
    name = told.get("displayName") or told.get("name")
    known = told.get("accountId") or told.get("name")
    return (
        Person(plain_line(str(name)), str(known) if known else None, told.get("emailAddress") or None) if name else None
    )


def _container(name: str, key: str) -> Container | None:
    return Container(plain_line(name or key), plain_line(key) or None) if name or key else None


def _address(itself: str, key: str) -> str:
    parts = urlsplit(itself)
    return f"{parts.scheme}://{parts.netloc}/browse/{key}" if parts.scheme == "https" and parts.hostname else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
