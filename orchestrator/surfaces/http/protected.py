"""Where a program signs in before it asks: the API and ``/mcp`` as protected resources (RFC 9728), as clients of MCP look for.

https://modelcontextprotocol.io/specification/2025-06-18/basic/authorization
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse
from starlette.routing import Route

from translators.records import record

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

WELL_KNOWN = "/.well-known/oauth-protected-resource"
AT_MCP = "/mcp"
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=300",
}  # clients in browsers read it too


@record
class ProtectedResource:
    """Whose tokens are taken here. ``address``: of this server, as programs reach it; ``issuer``: of the identity provider."""

    address: str
    issuer: str

    def described_at(self, path: str) -> str:
        """The address of the description of what stands at ``path``: between host and path (RFC 9728, 3.1)."""
        return f"{self.address}{WELL_KNOWN}{AT_MCP if path == AT_MCP else ''}"

    def description(self, path: str) -> dict[str, object]:
        """What stands at ``path``, and who signs people in for it (RFC 9728, 2)."""
        return {
            "resource": f"{self.address}{path}",
            "authorization_servers": [self.issuer],
            "bearer_methods_supported": ["header"],
            "resource_name": "fedsearch",
        }


def resource_routes(resource: ProtectedResource) -> list[Route]:
    """The descriptions, which anybody may read."""

    def described(path: str) -> Route:
        async def show(_: Request) -> Response:
            return JSONResponse(resource.description(path), headers=HEADERS)

        return Route(f"{WELL_KNOWN}{path}", show, methods=["GET"])

    return [described(""), described(AT_MCP)]
