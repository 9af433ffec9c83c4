"""A vendor's own MCP server: each person finds what is theirs, and signs in by OAuth 2.1. Server and authorization server are the official SDK's."""

import secrets
import socket
import time
from contextlib import asynccontextmanager

import aiohttp
import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.routes import build_metadata
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.e2e.conftest import until

LASTS = 3600


class Handbook(OAuthAuthorizationServerProvider):
    """Keeps in memory what the SDK's authorization server wants kept. ``person``: who is at the browser now."""

    def __init__(self):
        self.clients, self.codes, self.access, self.refresh = {}, {}, {}, {}
        self.person = "david"
        self.lasts = LASTS
        self.renewed = 0
        self.calls = []

    async def get_client(self, client_id):
        if client_id.startswith(
            "http"
        ):  # a document that says who that is (CIMD): the SDK's server does not read it by itself
            async with aiohttp.ClientSession() as session, session.get(client_id) as reply:
                said = OAuthClientInformationFull.model_validate(await reply.json())
            assert said.client_id == client_id
            self.clients[client_id] = said.model_copy(update={"scope": "read write"})  # who names none may what all may
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        code = secrets.token_urlsafe(24)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + LASTS,
            client_id=client.client_id,
            subject=self.person,
            **params.model_dump(exclude={"state", "scopes"}),
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        found = self.codes.get(authorization_code)
        return found if found and found.client_id == client.client_id else None

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        return self.granted(authorization_code)

    async def load_refresh_token(self, client, refresh_token):
        found = self.refresh.get(refresh_token)
        return found if found and found.client_id == client.client_id else None

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        del self.refresh[refresh_token.token]  # each is good once
        self.renewed += 1
        return self.granted(refresh_token)

    async def load_access_token(self, token):
        return self.access.get(token)

    async def revoke_token(self, token):
        for kept in (self.access, self.refresh):
            for each in [name for name, given in kept.items() if given.subject == token.subject]:
                del kept[each]

    def granted(self, to):
        """New tokens of both kinds; a token's resource is what was asked for (RFC 8707)."""
        said = {"client_id": to.client_id, "scopes": to.scopes, "resource": to.resource, "subject": to.subject}
        access = AccessToken(token=secrets.token_urlsafe(16), expires_at=int(time.time()) + LASTS, **said)
        refresh = RefreshToken(token=secrets.token_urlsafe(16), **said)
        self.access[access.token], self.refresh[refresh.token] = access, refresh
        return OAuthToken(
            access_token=access.token,
            expires_in=self.lasts,
            refresh_token=refresh.token,
            scope=" ".join(to.scopes),
        )

    def found(self, query: str):
        who = get_access_token().subject
        self.calls.append(who)
        page = {"id": f"{who}-1", "title": f"Travel handbook of {who}", "text": f"{query}: travel is booked by {who}"}
        return {"results": [{**page, "url": f"https://handbook.example/{who}"}]}


@asynccontextmanager
async def signed_server(**description):
    """The server on a port of this machine, with ``url`` and the ``book`` that it keeps. ``description``: what its authorization server says of itself besides or, where that is ``None``, does not."""
    book = Handbook()
    with socket.create_server(("127.0.0.1", 0)) as door:
        root = f"http://127.0.0.1:{door.getsockname()[1]}"
        auth = AuthSettings(
            issuer_url=root,
            resource_server_url=f"{root}/mcp",
            required_scopes=["read"],
            validate_token_resource=True,
            client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["read", "write"]),
            revocation_options=RevocationOptions(enabled=True),
        )
        server = MCPServer("handbook", auth_server_provider=book, auth=auth)

        @server.tool()
        def search(query: str) -> dict:
            """What the asking person may read."""
            return book.found(query)

        app = server.streamable_http_app()
        if description:
            told = build_metadata(root, None, auth.client_registration_options, auth.revocation_options)
            said = {**told.model_dump(mode="json", exclude_none=True), **description}
            page = JSONResponse({name: value for name, value in said.items() if value is not None})
            app.routes.insert(0, Route("/.well-known/oauth-authorization-server", page))
        running = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        import asyncio

        task = asyncio.create_task(running.serve(sockets=[door]))
        try:
            await until(lambda: running.started or task.done())
            book.root, book.url = root, f"{root}/mcp"
            yield book
        finally:
            running.should_exit = True
            await task
