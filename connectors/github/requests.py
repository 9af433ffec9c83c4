"""The requests that GitHub is sent: searches, reading one thing, and documents of GraphQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from connectors.http import HttpRequest
from translators.records import record

if TYPE_CHECKING:
    from connectors.github.lanes import LaneCursor, SearchLane
    from translators.translator import Json, NativeQuery

WITH_MATCHES, PLAIN = "application/vnd.github.text-match+json", "application/vnd.github+json"

# Our GraphQL documents by file name without ending; read here, since reading files would stop the event loop later.
DOCUMENTS = {
    path.name.removesuffix(".graphql"): path.read_text("utf-8")
    for path in resources.files("connectors.github").joinpath("documents").iterdir()
}


@record
class Requests:
    """Requests to one GitHub in one version of its API."""

    base_url: str
    version: str

    def searching(self, lane: SearchLane, place: LaneCursor, size: int, native: NativeQuery) -> HttpRequest:
        """https://docs.github.com/en/rest/search/search ; discussions can be searched by GraphQL only."""
        if lane.scope == "discussions":
            after = {"after": place.position} if place.position else {}
            return self.graphql("discussions", {"query": lane.query, "first": size, **after})
        asked = {"q": lane.query, "per_page": str(size), "page": place.position or "1"}
        if lane.scope == "code":
            return self._get("search/code", asked, WITH_MATCHES, lane.bucket)
        order = {name: str(native.args[name]) for name in ("sort", "order") if name in native.args}
        return self._get("search/issues", {**asked, "advanced_search": "true", **order}, WITH_MATCHES, lane.bucket)

    def reading(self, thing: Mapping[str, Any]) -> HttpRequest:
        """One thing by its number, whichever it is, or one file by its path."""
        owner, _, name = str(thing["repo"]).partition("/")
        if "number" in thing:
            return self.graphql("thing", {"owner": owner, "name": name, "number": int(thing["number"])})
        address = f"repos/{owner}/{name}/contents/{quote(str(thing['path']))}"
        return self._get(address, {"ref": str(thing["ref"])}, PLAIN)

    def comments(self, nodes: Sequence[str], most: int) -> HttpRequest:
        """What was said last below some things, by their node's id: https://docs.github.com/en/graphql/reference/queries#nodes ."""
        return self.graphql("comments", {"ids": list(nodes), "most": most})

    def graphql(self, document: str, variables: Mapping[str, Json]) -> HttpRequest:
        """A server of one's own has its REST API at ``/api/v3`` and GraphQL beside that, at ``/api/graphql``."""
        path = "../graphql" if urlsplit(self.base_url).path.rstrip("/").endswith("/api/v3") else "graphql"
        return HttpRequest("POST", path, json={"query": DOCUMENTS[document], "variables": variables}, bucket="graphql")

    def _get(self, path: str, params: Mapping[str, str], accept: str, bucket: str = "") -> HttpRequest:
        headers = {"Accept": accept, "X-GitHub-Api-Version": self.version}
        return HttpRequest("GET", path, params, headers=headers, bucket=bucket)


def thing_of(native: NativeQuery) -> Mapping[str, Any] | None:
    """The one thing that a query is for, if it is."""
    thing = native.args.get("fetch")
    return thing if isinstance(thing, Mapping) else None
