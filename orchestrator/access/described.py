"""A vendor that says by itself who signs people in to it, and registers whoever asks: an MCP server (OAuth 2.1).

The server names its authorization server (RFC 9728), which describes itself (RFC 8414, OpenID Connect Discovery), reads who we are where we publish it
(draft-ietf-oauth-client-id-metadata-document) or takes registrations by a request (RFC 7591); tokens are asked for this server alone (RFC 8707).
https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from connectors.auth import exchange, why_refused
from connectors.errors import BadReply, Misconfigured, Unavailable
from connectors.exchange import BROKEN
from connectors.manifest import Application, SignIn
from connectors.oauth import Vendor
from connectors.text import is_loopback, quote
from orchestrator.access.registrations import KeptRegistration, Registration
from storage.loading import load
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata

    from connectors.exchange import Reply
    from orchestrator.access.reaching import DiscoveredReach
    from orchestrator.access.registrations import Registrations

DOCS = "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization"
PROBE = {"jsonrpc": "2.0", "id": 1, "method": "ping"}  # which a server that wants a token refuses as it would anything
EITHER = {"Accept": "application/json, text/event-stream"}
CLIENT_DOCUMENT = "/accounts/client.json"  # of a server, as it publishes who it is
OFFLINE = "offline_access"
# The form goes before the header: servers by the SDK of MCP want the secret there to end a grant.
BASIC, POST, PUBLIC = "client_secret_basic", "client_secret_post", "none"

SAYS_NOTHING = Said(
    "{name} does not say who signs people in to it (RFC 9728); is base_url the address of an MCP server?"
)
ANOTHER = Said("{name} describes another server than the one at base_url: {resource}")
NOT_NAMED = Said("{name} lets others sign people in than sources.….issuer says: {issuers}")
CALLED_OTHERWISE = Said("the sign-in service of {name} calls itself otherwise than it is called: {issuer}")
NO_PKCE = Said(
    "the sign-in service of {name} does not say that it knows PKCE (S256), without which a code could be stolen"
)
BY_HAND = Said("register fedsearch there by hand, with {back} to come back to, and set sources.….application.client_id")
NO_REGISTRATION = Said("the sign-in service of {name} takes no registrations by itself; {by_hand}")
NOT_REGISTERED = Said("the sign-in service of {name} does not register us ({said}); {by_hand}")
NO_CLIENT = Said("the sign-in service of {name} answered without a client_id")
TOO_LONG = Said("the sign-in service of {name} says more of itself than the address holds that people are sent to")
# Characters: servers read no address of more than twice as many, and who we are called stands there besides.
LONGEST = 4_000


@record
class ClientDocument:
    """Where it is published who we are, which is then what a vendor that reads it calls us. ``wanted``: rather than to be registered, since it is known that vendors reach it."""

    url: str
    wanted: bool

    def says(self, backs: Sequence[str]) -> dict[str, Any]:
        """What stands there; ``backs``: where people may be sent back to."""
        return {"client_id": self.url, **_about(backs, PUBLIC)}


@record
class _Found:
    """What stands for all who are led there; ``register_url`` and ``proofs``: where and how one may be registered; ``reads``: whether it reads who we are."""

    issuer: str
    names_itself: bool
    ways: SignIn
    scopes: tuple[str, ...]
    register_url: str
    proofs: tuple[str, ...]
    reads: bool

    def is_of(self, registration: Registration, back: str, client: str) -> bool:
        """Whether a registration was made for the same, and can lead others as well. ``client``: what we are to be called, empty for anything."""
        ours = not client or client == registration.client_id
        ways = registration.ways.model_copy(update={"proves_by": self.ways.proves_by})
        told = (registration.issuer, registration.names_itself, registration.scopes, registration.back)
        return ours and ways == self.ways and told == (self.issuer, self.names_itself, self.scopes, back)


class SelfDescribed:
    """Whom people sign in to for ``server``, found out whenever somebody begins (:class:`connectors.oauth.Grantor`).

    ``issuer``: which authorization server it is to be; ``said``: a registration that was made by hand; ``document``: where it is published who we are;
    ``reach``: where the addresses that are found may lead.
    """

    def __init__(
        self,
        source: str,
        name: str,
        server: str,
        registrations: Registrations,
        reach: DiscoveredReach,
        *,
        issuer: str = "",
        said: Application | None = None,
        document: ClientDocument | None = None,
    ) -> None:
        self.name = name
        self._source = source
        self._server = server
        self._registrations = registrations
        self._reach = reach
        self._issuer = issuer
        self._said = said
        self._client_document = document

    async def leading(self, back: str) -> Vendor:
        """As it was registered by hand, else by who we publish that we are, else registered anew, unless somebody else has just been led there."""
        await load("mcp.client.auth.utils", "mcp.shared.auth_utils")
        found = await self._look()
        known = self._said or self._published(found)
        async for kept in self._registrations.recent(self._source):
            if found.is_of(kept.registration, back, known.client_id if known else ""):
                return self._vendor(kept)
        registration = self._known(found, back, known) if known else await self._register(found, back)
        return self._vendor(await self._registrations.keep(self._source, registration))

    def _published(self, found: _Found) -> Application | None:
        """What a vendor calls us that reads who we are: where that is wanted, and where there is no other way."""
        document = self._client_document
        usable = document is not None and found.reads and (document.wanted or not found.register_url)
        return Application(client_id=document.url) if document is not None and usable else None

    async def remembered(self, client: str) -> Vendor:
        """As it described itself when the registration was made: what changes meanwhile is another sign-in."""
        return self._vendor(await self._registrations.of(self._source, client))

    def _vendor(self, kept: KeptRegistration) -> Vendor:
        told = kept.registration
        return Vendor(
            self.name, told.ways, told.application, kept.id, told.issuer, told.names_itself, opening=self._reach
        )

    # ---- what it says of itself

    async def _look(self) -> _Found:
        challenge = await self._challenged()
        resource = await self._resource(challenge)
        server = await self._authorization_server(resource)
        if "S256" not in (server.code_challenge_methods_supported or ()):
            raise Misconfigured(NO_PKCE.filled(name=self.name))
        ways = SignIn(
            authorize_url=str(server.authorization_endpoint),
            token_url=str(server.token_endpoint),
            revoke_url=str(server.revocation_endpoint or ""),
            resource=str(resource.resource) if resource else "",
            docs=DOCS,
        )
        scopes = self._scopes(challenge, resource, server)
        # Refuses what leads in the clear before anybody registers us.
        Vendor(self.name, ways, Application(client_id=self.name))
        issuer = str(server.issuer)
        self._refuse_long(issuer, ways.authorize_url, ways.token_url, ways.revoke_url, ways.resource, *scopes)
        return _Found(
            issuer=issuer,
            names_itself=bool(server.authorization_response_iss_parameter_supported),
            ways=ways,
            scopes=scopes,
            register_url=str(server.registration_endpoint or ""),
            proofs=tuple(server.token_endpoint_auth_methods_supported or (BASIC,)),
            reads=bool(server.client_id_metadata_document_supported),
        )

    async def _challenged(self) -> Reply | None:
        """How the server refuses who brings nothing (RFC 9728, 5.1)."""
        try:
            return await exchange(self._server, PROBE, EITHER, as_json=True, opening=self._reach)
        except (BadReply, Unavailable):  # it speaks to anybody, or not now, which the next request tells
            return None

    def _told(self, challenge: Reply | None, name: str) -> str:
        """A parameter of the refusal."""
        import httpx2
        from mcp.client.auth.utils import extract_field_from_www_auth

        if challenge is None or challenge.ok:
            return ""
        header = challenge.headers.get("www-authenticate", "")
        return extract_field_from_www_auth(httpx2.Response(401, headers={"WWW-Authenticate": header}), name) or ""

    async def _resource(self, challenge: Reply | None) -> ProtectedResourceMetadata | None:
        """What the server says of itself; none of servers of the first generation."""
        from mcp.client.auth.utils import build_protected_resource_metadata_discovery_urls
        from mcp.shared.auth import ProtectedResourceMetadata
        from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url

        where = self._told(challenge, "resource_metadata")
        for url in build_protected_resource_metadata_discovery_urls(where or None, self._server):
            try:
                found = ProtectedResourceMetadata.model_validate(await self._document(url))
            except ValidationError:
                continue
            if not check_resource_allowed(resource_url_from_server_url(self._server), str(found.resource)):
                raise Misconfigured(ANOTHER.filled(name=self.name, resource=quote(str(found.resource))))
            return found
        return None

    async def _authorization_server(self, resource: ProtectedResourceMetadata | None) -> OAuthMetadata:
        from mcp.client.auth.utils import build_oauth_authorization_server_metadata_discovery_urls
        from mcp.shared.auth import OAuthMetadata

        issuer = self._chosen(resource)
        for url in build_oauth_authorization_server_metadata_discovery_urls(issuer or None, self._server):
            try:
                found = OAuthMetadata.model_validate(await self._document(url))
            except ValidationError:
                continue
            if issuer and str(found.issuer) != issuer:  # RFC 8414, 3.3
                raise Misconfigured(CALLED_OTHERWISE.filled(name=self.name, issuer=quote(str(found.issuer))))
            return found
        raise Misconfigured(SAYS_NOTHING.filled(name=self.name))

    def _chosen(self, resource: ProtectedResourceMetadata | None) -> str:
        """The authorization server to go to; empty: the server itself may be one."""
        named = [str(each) for each in resource.authorization_servers] if resource else []
        if not self._issuer:
            return named[0] if named else ""
        wanted = self._issuer.rstrip("/")
        found = next((each for each in named if each.rstrip("/") == wanted), "" if named else self._issuer)
        if not found:
            raise Misconfigured(NOT_NAMED.filled(name=self.name, issuers=quote(", ".join(named))))
        return found

    def _scopes(
        self, challenge: Reply | None, resource: ProtectedResourceMetadata | None, server: OAuthMetadata
    ) -> tuple[str, ...]:
        """As settings say, else what the server wants of who brings nothing, else all that it knows; and to stay signed in."""
        if self._said is not None and self._said.scopes is not None:
            return self._said.scopes
        wanted = self._told(challenge, "scope").split() or (resource.scopes_supported if resource else None) or []
        staying = [OFFLINE] if wanted and OFFLINE in (server.scopes_supported or ()) else []
        return tuple(dict.fromkeys([*wanted, *staying]))

    async def _document(self, url: str) -> Any:
        """What is served there; nothing where it is not served. Raises :class:`Unavailable` and :class:`Misconfigured`."""
        try:
            reply = await exchange(url, None, method="GET", opening=self._reach)
        except BadReply:  # a page for people
            return None
        if reply.status >= BROKEN:
            host = quote(urlsplit(url).netloc)
            raise Unavailable(Said("{host} answered HTTP {status}").filled(host=host, status=reply.status))
        return reply.data if reply.ok else None

    # ---- registering

    def _known(self, found: _Found, back: str, said: Application) -> Registration:
        secret = said.client_secret.get_secret_value() if said.client_secret else ""
        return self._registration(found, back, said.client_id, secret, POST if POST in found.proofs else BASIC)

    async def _register(self, found: _Found, back: str) -> Registration:
        """RFC 7591, 3. Raises :class:`Misconfigured` where it is not done for everybody."""
        from mcp.shared.auth import OAuthClientInformationFull

        by_hand = BY_HAND.filled(back=back)
        if not found.register_url:
            raise Misconfigured(NO_REGISTRATION.filled(name=self.name, by_hand=by_hand))
        proof = next((each for each in (POST, BASIC) if each in found.proofs), PUBLIC)
        reply = await exchange(
            found.register_url, _about([back], proof, found.scopes), as_json=True, opening=self._reach
        )
        if reply.status >= BROKEN:
            raise Unavailable(
                Said("the sign-in service of {name} answered HTTP {status}").filled(name=self.name, status=reply.status)
            )
        if not reply.ok:
            raise Misconfigured(NOT_REGISTERED.filled(name=self.name, said=why_refused(reply), by_hand=by_hand))
        try:
            made = OAuthClientInformationFull.model_validate(reply.data)
        except ValidationError:
            raise BadReply(NO_CLIENT.filled(name=self.name)) from None
        granted = made.token_endpoint_auth_method or proof
        if granted not in {BASIC, POST, PUBLIC}:
            raise Misconfigured(NOT_REGISTERED.filled(name=self.name, said=quote(granted), by_hand=by_hand))
        secret = "" if granted == PUBLIC else made.client_secret or ""
        return self._registration(found, back, made.client_id, secret, granted)

    def _registration(self, found: _Found, back: str, client_id: str, secret: str, proof: str) -> Registration:
        self._refuse_long(client_id, secret)
        try:
            return Registration(
                issuer=found.issuer,
                names_itself=found.names_itself,
                ways=found.ways.model_copy(update={"proves_by": "basic" if proof == BASIC else "form"}),
                client_id=client_id,
                client_secret=secret,
                scopes=found.scopes,
                back=back,
            )
        except ValidationError:
            raise BadReply(NO_CLIENT.filled(name=self.name)) from None

    def _refuse_long(self, *told: str) -> None:
        """What goes into an address, and into a registration. Raises :class:`BadReply`."""
        if sum(map(len, told)) > LONGEST:
            raise BadReply(TOO_LONG.filled(name=self.name))


def _about(backs: Sequence[str], proof: str, scopes: Sequence[str] = ()) -> dict[str, Any]:
    """Who we are (RFC 7591, 2; ``application_type``: OpenID Connect Dynamic Client Registration 1.0, 2)."""
    native = any(is_loopback(urlsplit(back).hostname or "") for back in backs)
    return {
        "client_name": "fedsearch",
        "redirect_uris": list(backs),
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": proof,
        "application_type": "native" if native else "web",
        **({"scope": " ".join(scopes)} if scopes else {}),
    }
