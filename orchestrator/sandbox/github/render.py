"""Things, files and people as GitHub's REST API writes them (https://docs.github.com/en/rest/search/search), and its refusals."""

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from orchestrator.sandbox.github.store import WEB, File, Thing, User
from orchestrator.sandbox.index import Text, words

DOCUMENTATION = "https://docs.github.com/rest"


class RestError(Exception):
    """A request that is refused with a status and a body."""

    def __init__(self, status: int, message: str, errors: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.body: Mapping[str, Any] = {
            "message": message,
            **({"errors": list(errors)} if errors else {}),
            "documentation_url": DOCUMENTATION,
            "status": str(status),
        }


def invalid(message: str = "", *, field: str = "q", code: str = "invalid") -> RestError:
    """422: a search that cannot be made."""
    error = {"resource": "Search", "field": field, "code": code}
    return RestError(422, "Validation Failed", [{"message": message, **error} if message else error])


FRAGMENT = 200
"""Characters of a fragment, about."""

BIG_FILE = 1024 * 1024
_USER_LINKS = (
    "followers",
    "following",
    "gists",
    "starred",
    "subscriptions",
    "organizations",
    "repos",
    "events",
    "received_events",
)
_REPOSITORY_LINKS = (
    "archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents",
    "contributors", "deployments", "downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks",
    "issue_comment", "issue_events", "issues", "keys", "labels", "languages", "merges", "milestones", "notifications",
    "pulls", "releases", "stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees",
)  # fmt: skip


def instant(moment: datetime) -> str:
    """A moment to the second, in UTC."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


class Renderer:
    """Writes what one API serves; `api` is its address."""

    def __init__(self, api: str) -> None:
        self._api = api

    def user(self, user: User) -> dict[str, Any]:
        """A simple user."""
        api = f"{self._api}/users/{user.login}"
        return {
            "login": user.login,
            "id": user.number,
            "node_id": f"U_{user.number:x}",
            "avatar_url": f"https://avatars.githubusercontent.com/u/{user.number}",
            "gravatar_id": "",
            "url": api,
            "html_url": f"{WEB}/{user.login}",
            "type": "User",
            "site_admin": False,
            **{f"{name}_url": f"{api}/{name}" for name in _USER_LINKS},
        }

    def owner(self, user: User) -> dict[str, Any]:
        """The user behind the token."""
        counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
        nothing = dict.fromkeys(("company", "blog", "location", "email", "hireable", "bio"))
        times = dict.fromkeys(("created_at", "updated_at"), "2020-01-01T00:00:00Z")
        return {**self.user(user), "name": user.name, **nothing, **counts, **times}

    def issue(self, thing: Thing, found: Sequence[Text] = (), *, matches: bool = False) -> dict[str, Any]:
        """An issue or a pull request; with `matches`, the pieces of text in which `found` stands."""
        repository = f"{self._api}/repos/{thing.repository}"
        url = f"{repository}/issues/{thing.number}"
        item: dict[str, Any] = {
            "url": url,
            "repository_url": repository,
            "labels_url": f"{url}/labels{{/name}}",
            "comments_url": f"{url}/comments",
            "events_url": f"{url}/events",
            "html_url": thing.url,
            "id": thing.number * 7919 + len(thing.repository),
            "node_id": thing.node,
            "number": thing.number,
            "title": thing.title,
            "user": self.user(thing.author) if thing.author else None,
            "labels": [_label(name) for name in thing.labels],
            "state": "closed" if thing.closed else "open",
            "state_reason": "completed" if thing.closed and thing.kind == "issue" else None,
            "locked": False,
            "assignee": self.user(thing.assignees[0]) if thing.assignees else None,
            "assignees": [self.user(user) for user in thing.assignees],
            "milestone": None,
            "comments": len(thing.comments),
            "created_at": instant(thing.created),
            "updated_at": instant(thing.updated),
            "closed_at": instant(thing.completed or thing.updated) if thing.closed else None,
            "author_association": "MEMBER",
            "body": thing.body,
        }
        if thing.kind == "pull":
            links = {"url": f"{repository}/pulls/{thing.number}", "html_url": thing.url}
            merged = instant(thing.completed or thing.updated) if thing.merged else None
            item |= {
                "draft": thing.draft,
                "pull_request": {
                    **links,
                    "diff_url": f"{thing.url}.diff",
                    "patch_url": f"{thing.url}.patch",
                    "merged_at": merged,
                },
            }
        if matches:
            item["text_matches"] = list(self._matches_of_thing(thing, found, url))
        return item

    def comment(self, thing: Thing, place: int) -> dict[str, Any]:
        """A comment on an issue."""
        comment = thing.comments[place]
        issue = f"{self._api}/repos/{thing.repository}/issues/{thing.number}"
        return {
            "id": comment.number,
            "node_id": f"IC_{comment.number}",
            "url": f"{self._api}/repos/{thing.repository}/issues/comments/{comment.number}",
            "html_url": f"{thing.url}#issuecomment-{comment.number}",
            "issue_url": issue,
            "body": comment.body,
            "user": self.user(comment.author) if comment.author else None,
            "created_at": instant(comment.created),
            "updated_at": instant(comment.created),
            "author_association": "MEMBER",
        }

    def file(self, file: File, found: Sequence[Text] = (), *, matches: bool = False) -> dict[str, Any]:
        """A file in a search."""
        repository = f"{self._api}/repos/{file.repository}"
        url = f"{repository}/contents/{quote(file.path)}?ref={file.ref}"
        item: dict[str, Any] = {
            "name": file.path.rpartition("/")[2],
            "path": file.path,
            "sha": file.sha,
            "url": url,
            "git_url": f"{repository}/git/blobs/{file.sha}",
            "html_url": file.url,
            "repository": self._repository(file.repository),
            "score": 1.0,
        }
        if matches:
            item["text_matches"] = [
                _match(url, "FileContent", "content", *piece) for piece in _pieces(file.text, found)
            ]
        return item

    def contents(self, file: File) -> dict[str, Any]:
        """A file as it is read; the content of a big one is left out."""
        content = file.text.encode()
        big = len(content) > BIG_FILE
        item = self.file(file)
        address = {name: item[name] for name in ("name", "path", "sha", "url", "git_url", "html_url")}
        return {
            **address,
            "type": "file",
            "size": len(content),
            "encoding": "none" if big else "base64",
            "content": "" if big else base64.encodebytes(content).decode(),
            "download_url": f"https://raw.githubusercontent.com/{file.repository}/{file.ref}/{quote(file.path)}",
            "_links": {"self": item["url"], "git": item["git_url"], "html": item["html_url"]},
        }

    def _repository(self, name: str) -> dict[str, Any]:
        api, owner = f"{self._api}/repos/{name}", name.partition("/")[0]
        number = int.from_bytes(name.encode()[:4], "big")
        return {
            "id": number,
            "node_id": f"R_{number:x}",
            "name": name.partition("/")[2],
            "full_name": name,
            "owner": self.user(User(owner, owner, number)),
            "private": True,
            "html_url": f"{WEB}/{name}",
            "description": None,
            "fork": False,
            "url": api,
            **{f"{link}_url": f"{api}/{link}" for link in _REPOSITORY_LINKS},
        }

    def _matches_of_thing(self, thing: Thing, found: Sequence[Text], url: str) -> Iterable[Mapping[str, Any]]:
        for name, text in (("title", thing.title), ("body", thing.body)):
            yield from (_match(url, "Issue", name, *piece) for piece in _pieces(text, found))
        for comment in thing.comments:
            address = f"{self._api}/repos/{thing.repository}/issues/comments/{comment.number}"
            yield from (_match(address, "IssueComment", "body", *piece) for piece in _pieces(comment.body, found))


def pieces(text: str, found: Sequence[Text]) -> list[str]:
    """The pieces of a text in which words stand."""
    return [piece for piece, _ in _pieces(text, found)]


def _pieces(text: str, found: Sequence[Text]) -> list[tuple[str, re.Match[str]]]:
    """Around the first place of the first of the words; cut at blanks, and one for each text."""
    for wanted in (word for each in found for word in words(each.text)):
        match = re.search(re.escape(wanted), text, re.IGNORECASE)
        if match is None:
            continue
        start = text.rfind(" ", 0, max(0, match.start() - FRAGMENT // 2)) + 1
        end = text.find(" ", match.end() + FRAGMENT // 2)
        piece = text[start : end if end >= 0 else len(text)][: 2 * FRAGMENT]
        inside = re.search(re.escape(wanted), piece, re.IGNORECASE)
        return [(piece, inside)] if inside else []
    return []


def _match(url: str, kind: str, name: str, piece: str, inside: re.Match[str]) -> dict[str, Any]:
    return {
        "object_url": url,
        "object_type": kind,
        "property": name,
        "fragment": piece,
        "matches": [{"text": inside[0], "indices": [inside.start(), inside.end()]}],
    }


def _label(name: str) -> dict[str, Any]:
    return {
        "id": len(name),
        "node_id": f"LA_{len(name)}",
        "url": "",
        "name": name,
        "color": "ededed",
        "default": False,
        "description": None,
    }
