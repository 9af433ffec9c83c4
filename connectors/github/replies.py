"""GitHub's replies as pages of hits: of its searches, of one thing that was read, and of one file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.contract import Hit, HitPage, LeftOut
from connectors.errors import SourceError
from connectors.github.errors import graphql_errors, left_out
from connectors.github.hits import contents_hit, file_hit, issue_hit, node_hit
from connectors.github.names import data_of
from connectors.github.wire import Contents, Data, Discussed, Edge, File, Issue, Node, SearchReply
from connectors.text import quote
from connectors.wire import read, read_each
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

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
        body = reply.data if isinstance(reply.data, Mapping) else {}
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
