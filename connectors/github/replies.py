"""GitHub's replies as pages of hits (of its searches, of one thing that was read, of one file), and its things in our words."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.comments import Comment, read_comments, with_comments
from connectors.contract import Fact, Hit, HitPage, LeftOut, known_facts
from connectors.errors import SourceError
from connectors.github.errors import graphql_errors, left_out
from connectors.github.names import data_of
from connectors.github.wire import Contents, Data, Discussed, Edge, File, Issue, Node, Remark, SearchReply
from connectors.markup import from_markdown
from connectors.text import clip, plain_text, quote
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person, State
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from connectors.github.wire import Actor, Label, Match
    from connectors.http import Reply

KINDS = MappingProxyType({"Discussion": Kind.THREAD, "Issue": Kind.ISSUE, "PullRequest": Kind.PULL_REQUEST})
MOST_LABELS = 10
MOST_MATCHES = 3
OWN = frozenset({"title", "body"})
GAP = "\n…\n"


def issue_hit(issue: Issue, *, comments: bool, most: int) -> Hit:
    """An issue or pull request that a search found; what matched in its comments follows its own text."""
    repository = issue.repository
    text, whole = clip(from_markdown(issue.body), most)
    found = [from_markdown(match.fragment) for match in issue.text_matches if match.object_type == "IssueComment"]
    assignees = issue.assignees or ()
    state = State.DONE if issue.state == "closed" else State.OPEN if issue.state == "open" else None
    facts: dict[str, Fact] = {
        "state": _state_word(issue),
        "state_reason": issue.state_reason,
        "draft": issue.draft,
        "labels": _labels(issue.labels),
        "milestone": issue.milestone.title if issue.milestone else "",
        "comments": issue.comments,
        "node_id": issue.node_id if issue.comments else "",
        **_where(repository, issue.number, assignees),
    }
    return Hit(
        source="",
        id=f"{repository}#{issue.number}",
        kind=Kind.PULL_REQUEST if issue.pull_request else Kind.ISSUE,
        title=issue.title,
        url=issue.html_url,
        snippet=_with_matches(text, found),
        complete=whole and not comments,
        author=_person(issue.user),
        assignee=_sole(assignees),
        container=_container(repository),
        state=state,
        created=issue.created_at,
        updated=issue.updated_at,
        score=issue.score,
        facts=known_facts(facts),
    )


def node_hit(node: Node, matches: Iterable[Match], *, comments: bool, most: int) -> Hit | None:
    """A discussion, or whatever was read by its number; nothing for what is none of ours."""
    if node.typename not in KINDS:
        return None
    repository = node.repository.full_name
    text, whole = clip(node.bodyText, most)
    found = [from_markdown(match.fragment) for match in matches if match.property not in OWN]
    assignees = node.assignees.nodes if node.assignees else ()
    facts: dict[str, Fact] = {
        "state": "merged" if node.merged else "closed" if node.closed else "open",
        "state_reason": node.stateReason.lower(),
        "draft": node.isDraft,
        "answered": node.isAnswered or False,
        "category": node.category.name if node.category else "",
        "labels": _labels(node.labels.nodes if node.labels else ()),
        "milestone": node.milestone.title if node.milestone else "",
        "comments": node.comments.totalCount,
        "node_id": node.id if node.comments.totalCount else "",
        "upvotes": node.upvoteCount,
        **_where(repository, node.number, assignees),
    }
    return Hit(
        source="",
        id=f"{repository}#{node.number}",
        kind=KINDS[node.typename],
        title=node.title,
        url=node.url,
        snippet=_with_matches(text, found),
        complete=whole and not comments,
        author=_person(node.author),
        assignee=_sole(assignees),
        container=_container(repository),
        state=State.DONE if node.closed else State.OPEN,
        created=node.createdAt,
        updated=node.updatedAt,
        facts=known_facts(facts),
    )


def discussed_hit(hit: Hit, read: Discussed, most: int) -> Hit:
    """A thing with what was said below it behind its text, in place of what matched there.

    Of an issue that is all there is; a pull request has reviews besides, a discussion answers to comments.
    """
    comments = read_comments(Remark, read.comments.nodes, _dated, None)
    text, told, whole = with_comments(from_markdown(read.body), comments, most)
    every = read.typename == "Issue" and read.comments.totalCount <= len(comments)
    return replace(hit, snippet=text, complete=whole and every, facts=known_facts({**hit.facts, "voices": told}))


def _dated(remark: Remark) -> tuple[datetime, Comment]:
    return remark.createdAt, Comment(_person(remark.author), from_markdown(remark.body))


def file_hit(file: File) -> Hit:
    """A file that a search found, with the pieces in which something matched."""
    repository = file.repository.full_name
    pieces = (plain_text(match.fragment) for match in file.text_matches if match.property == "content")
    return Hit(
        source="",
        id=f"{repository}/{file.path}",
        kind=Kind.CODE,
        title=file.path,
        url=file.html_url,
        snippet=GAP.join(filter(None, pieces)),
        container=_container(repository),
        updated=file.last_modified_at,
        score=file.score,
        facts=known_facts({"repository": repository, "path": file.path, "language": file.language}),
    )


def contents_hit(contents: Contents, most: int) -> Hit | None:
    """A file that was read by its address. One of more than a megabyte comes without its text, and so does a picture."""
    if contents.type != "file":
        return None
    text, repository = _decoded(contents), contents.repository
    shown, whole = clip(plain_text(text or ""), most)
    return Hit(
        source="",
        id=f"{repository}/{contents.path}",
        kind=Kind.CODE,
        title=contents.path,
        url=contents.html_url,
        snippet=shown,
        complete=whole and text is not None,
        container=_container(repository),
        facts=known_facts({"repository": repository, "path": contents.path}),
    )


def _decoded(contents: Contents) -> str | None:
    if contents.encoding != "base64":
        return None
    try:
        return base64.b64decode(contents.content).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _container(repository: str) -> Container:
    """A repository is called by its name; its owner is part of its id."""
    return Container(repository.rpartition("/")[2], repository)


def _person(actor: Actor | None) -> Person | None:
    """Nobody where the account was deleted. A login is the id, and the name where no other is told."""
    return Person(actor.name or actor.login, actor.login) if actor else None


def _sole(assignees: Iterable[Actor]) -> Person | None:
    """The assignee, if there is one; of several none can stand for the others."""
    people = tuple(assignees)
    return _person(people[0]) if len(people) == 1 else None


def _labels(labels: Iterable[Label]) -> tuple[str, ...]:
    return tuple(label.name for label in labels if label.name)[:MOST_LABELS]


def _state_word(issue: Issue) -> str:
    return "merged" if issue.pull_request and issue.pull_request.merged_at else issue.state


def _where(repository: str, number: int, assignees: Iterable[Actor]) -> dict[str, Fact]:
    return {"repository": repository, "number": number, "assignees": tuple(each.login for each in assignees)}


def _with_matches(text: str, pieces: Iterable[str]) -> str:
    """The text, and what matched elsewhere behind a gap."""
    return GAP.join((text, *list(filter(None, pieces))[:MOST_MATCHES])).strip()


IN_PART = LeftOut(Said("GitHub ran out of time and lists only a part of what there is"))
LESS = Said("GitHub left something out: {why}")
# https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
NEXT = re.compile(r'[?&]page=(\d++)[^<>]*+>;[^,]*\brel="next"')


@record
class Replies:
    """Reads replies; see :class:`connectors.github.settings.GitHubSettings` for ``comments`` and ``max_text``."""

    comments: bool
    max_text: int

    def page(self, reply: Reply) -> HitPage:
        """The hits of a reply; ``cursor`` is the position of the next page of the same search."""
        if isinstance(reply.data, list):  # the address of a file led to a folder
            return HitPage()
        body = reply.members
        if "data" in body:
            found = self._of_graphql(reply, body["data"])
        elif "content" in body:
            found = self._of_contents(reply)
        else:
            found = self._of_search(reply)
        return replace(found, left_out=(*found.left_out, *left_out(reply.headers)))

    def discussed(self, reply: Reply | SourceError) -> tuple[Mapping[str, Discussed], tuple[Said, ...]]:
        """The things of a reply that were read for their comments, by their node's id; what could not be is told. Raises what failed."""
        if isinstance(reply, SourceError):
            raise reply
        nodes = (each for each in read(Data, data_of(reply), "GitHub").nodes if each)
        found, notes = read_each(Discussed, nodes, lambda each: each, "things")
        return {each.id: each for each in found}, notes

    def _of_search(self, reply: Reply) -> HitPage:
        found = read(SearchReply, reply.data, "GitHub")
        if any(isinstance(item, Mapping) and "path" in item for item in found.items):
            made, notes = read_each(File, found.items, file_hit, "files")
        else:
            made, notes = read_each(Issue, found.items, self._issue, "results")
        following = NEXT.search(reply.headers.get("link", ""))
        cut = (IN_PART,) if found.incomplete_results else ()
        return HitPage(made, following[1] if following else None, found.total_count, notes, cut)

    def _of_graphql(self, reply: Reply, data: object) -> HitPage:
        said, errors = read(Data, data, "GitHub"), graphql_errors(reply)
        told = tuple(LeftOut(LESS.filled(why=quote(each.message))) for each in errors[:1])
        if said.search is not None:
            made, notes = read_each(Edge, said.search.edges, self._edge, "discussions")
            return HitPage(made, said.search.pageInfo.next, said.search.discussionCount, notes, told)
        things = (said.repository.issueOrPullRequest, said.repository.discussion) if said.repository else ()
        made, notes = read_each(Node, (thing for thing in things if thing is not None), self._node, "things")
        return HitPage(made, notes=notes, left_out=told)

    def _of_contents(self, reply: Reply) -> HitPage:
        hit = contents_hit(read(Contents, reply.data, "GitHub"), self.max_text)
        return HitPage(() if hit is None else (hit,))

    def _issue(self, issue: Issue) -> Hit:
        return issue_hit(issue, comments=self.comments, most=self.max_text)

    def _edge(self, edge: Edge) -> Hit | None:
        return node_hit(edge.node, edge.textMatches or (), comments=self.comments, most=self.max_text)

    def _node(self, node: Node) -> Hit | None:
        return node_hit(node, (), comments=self.comments, most=self.max_text)
