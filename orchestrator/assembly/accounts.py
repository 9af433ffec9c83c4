"""Who may ask beside the holders of API keys, and people's own accounts: where kept, how connected, and the sources that are asked by them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from orchestrator.assembly.sources import UNRATED, missing_of, sources_of, title_of
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from connectors.contract import Connector
    from connectors.manifest import Limits, SourceSettings
    from connectors.oauth import Grantor
    from orchestrator.access import ClientDocument, Connecting, ProviderSignIn, Seal, Tokens, TrustedProxy, Vault
    from orchestrator.gather import Gate, Ledger, OwnSource, People, Source
    from orchestrator.gather.people import Account
    from orchestrator.settings import Settings
    from storage.database import Database

NO_SECRET = Said(
    "people's accounts have nowhere to be kept: set accounts.secret (`fedsearch accounts key` makes a key)"
)
NO_ADDRESS = Said("people cannot come back from signing in: set accounts.address to how browsers reach this server")
CONNECT = Said("connect your account of {vendor} at {page}")
NO_DOCUMENT = Said(
    "setting accounts.client_document: give the whole address of the document, https:// and a path, such as https://search.example.com/accounts/client.json"
)
CONNECTIONS = 4  # to the database


def seal_of(settings: Settings) -> Seal:
    """The keys of the vault. Raises :class:`Misconfigured`."""
    from orchestrator.access import Seal, keys_of

    return Seal(keys_of(settings.accounts.secret.get_secret_value()))


def database_of(settings: Settings, connections: int = CONNECTIONS, *, copying: bool = True) -> Database:
    """The way to the local index's PostgreSQL server, for what else is kept there. Nothing is opened yet.

    ``copying``: a backup of an embedded one is written before it is brought up from an older version.
    """
    from storage.opening import database_at

    url = settings.index.database_url.get_secret_value()
    return database_at(url, settings.storage.path, connections, copying=copying)


def vault_of(settings: Settings, seal: Seal) -> Vault:
    """Where accounts are kept: beside the local index. Nothing is opened yet."""
    from orchestrator.access import Vault

    return Vault(database_of(settings), seal)


@record
class OwnKind:
    """A configured source that each person asks by an account of their own."""

    name: str
    kind: type[Connector]
    options: SourceSettings

    def grantor(self, settings: Settings, vault: Vault) -> Grantor:
        """Whom people sign in to for it."""
        from connectors.mcp_client.settings import McpSettings
        from connectors.oauth import Vendor
        from orchestrator.access import DiscoveredReach, SelfDescribed
        from orchestrator.websearch.pages.addresses import AddressPolicy

        options, said = self.options, self.options.application
        title = title_of(self.name, self.kind, options)
        if (ways := self.kind.manifest.auth.sign_in) is not None and said is not None:
            return Vendor(options.title or self.kind.manifest.title, ways, said)
        issuer = options.issuer if isinstance(options, McpSettings) else ""
        named = (options.base_url, issuer, *((said.authorize_url, said.token_url, said.revoke_url) if said else ()))
        web = settings.web
        reach = DiscoveredReach(title, named, AddressPolicy(frozenset(web.ports), web.networks))
        kept, document = vault.registrations, document_of(settings)
        return SelfDescribed(
            self.name, title, options.base_url, kept, reach, issuer=issuer, said=said, document=document
        )


def document_of(settings: Settings) -> ClientDocument | None:
    """Where vendors may read who we are: where settings say, else at this server as far as others than this machine reach it. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from connectors.text import private_way
    from orchestrator.access import CLIENT_DOCUMENT, ClientDocument

    said, address = settings.accounts.client_document, settings.accounts.address.rstrip("/")
    if said and not (private_way(said) and _is_document(said)):
        raise Misconfigured(NO_DOCUMENT)
    own = f"{address}{CLIENT_DOCUMENT}" if address.startswith("https://") else ""
    return ClientDocument(said or own, wanted=bool(said)) if said or own else None


def _is_document(url: str) -> bool:
    """Whether it can be what a vendor calls us: with a path, and without a fragment, a name or a password (draft-ietf-oauth-client-id-metadata-document)."""
    parts = urlsplit(url)
    return bool(parts.path.strip("/")) and "#" not in url and "@" not in parts.netloc


def own_kinds(settings: Settings) -> Iterator[OwnKind]:
    """Every source that people ask by accounts of their own and that lacks nothing for it."""
    for name, kind, options in sources_of(settings):
        if options.enabled and options.credential == "person" and not missing_of(kind, options):
            yield OwnKind(name, kind, options)


def nowhere_to_keep(settings: Settings) -> Said:
    """Why nobody can connect an account, for whoever runs this; empty where people can."""
    if not settings.accounts.secret.get_secret_value():
        return NO_SECRET
    return UNSAID if settings.accounts.address else NO_ADDRESS


def connecting_of(settings: Settings) -> Connecting | None:
    """How people connect accounts, where any source is asked by them. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from connectors.text import private_way

    if next(own_kinds(settings), None) is None or nowhere_to_keep(settings):
        return None
    if not private_way(settings.accounts.address):
        raise Misconfigured(
            Said("setting accounts.address: begin it with https:// (http:// is taken on this machine alone)")
        )
    return accounts_of(settings)


def accounts_of(settings: Settings) -> Connecting:
    """The accounts that there are, and the vendors that they are at. Raises :class:`Misconfigured`."""
    from orchestrator.access import Connecting

    seal = seal_of(settings)
    vault = vault_of(settings, seal)
    vendors = {own.name: own.grantor(settings, vault) for own in own_kinds(settings)}
    return Connecting(vault, seal, vendors, settings.accounts.address, _now, document=document_of(settings))


def people_of(settings: Settings, ledger: Ledger, *, rated: bool, expected: float = 0.0) -> People | None:
    """The sources that people ask by accounts of their own, where there are any. Raises :class:`Misconfigured`.

    ``expected``: questions a minute of all of them together that are reckoned with before any have come.
    """
    from orchestrator.gather import Gate, OwnSource, People

    if nowhere_to_keep(settings):
        return None
    vault = vault_of(settings, seal_of(settings))
    page = f"{settings.accounts.address.rstrip('/')}/accounts"
    own: dict[str, OwnSource] = {}
    for each in own_kinds(settings):
        grantor = each.grantor(settings, vault)
        advice = CONNECT.filled(vendor=grantor.name, page=page)
        limits = each.options.described(each.kind.manifest).limits
        limits = limits if rated else limits.model_copy(update=UNRATED)
        gate = Gate(limits, f"{each.name}:together", ledger, expected) if limits.together else None
        own[each.name] = OwnSource(Opening(each, grantor, vault, advice, ledger, limits, gate), advice)
    if not own:
        return None
    said = settings.accounts
    return People(own, vault, most=said.people, idle=said.idle, ttl=settings.directory.ttl)


@record
class Opening:
    """Makes a source for one person: a connector and a breaker of their own, and a gate, unless the vendor counts ``together``."""

    own: OwnKind
    grantor: Grantor
    vault: Vault
    advice: Said
    ledger: Ledger
    limits: Limits
    together: Gate | None = None

    def __call__(self, principal: str, account: Account) -> Source:
        """Nothing is sent yet."""
        from connectors.auth import PersonallySigned
        from orchestrator.access import Connection, PersonalToken
        from orchestrator.gather import Breaker, Gate, Source

        assert isinstance(account, Connection)
        own, whose = self.own, hashlib.sha256(principal.encode()).hexdigest()[:16]
        alone = own.options.model_copy(update={"token": None, "oauth": None, "service_account": None})
        connector = own.kind(own.name, alone)  # type: ignore[call-arg]
        assert isinstance(connector, PersonallySigned)
        connector.signed_by(PersonalToken(self.vault, self.grantor, account, self.advice, _now))
        gate = self.together or Gate(self.limits, f"{own.name}:{whose}", self.ledger)
        return Source(connector, gate, Breaker(f"{own.name}:{whose}:{account.id}", self.ledger), account=account.id)


def _now() -> datetime:
    from datetime import UTC, datetime

    return datetime.now(UTC)


def tokens_of(settings: Settings) -> Tokens | None:
    """People's tokens, where an issuer is set. Raises :class:`Misconfigured`."""
    said = settings.oidc
    only_page = bool(said.client_id) and not said.audience  # people sign in on the page, and programs bring keys
    return _tokens_for(settings, said.audience) if said.issuer and not only_page else None


def sign_in_of(settings: Settings, secret: Callable[[], bytes]) -> ProviderSignIn | None:
    """How people sign in on the page through their identity provider, where this program has a client id there.

    ``secret`` is what the page's cookies are signed with. Raises :class:`Misconfigured`.
    """
    import hmac
    from datetime import UTC, datetime

    from connectors.errors import Misconfigured
    from connectors.manifest import Application
    from orchestrator.access import ProviderSignIn, Seal, Tickets

    said, address = settings.oidc, settings.accounts.address
    if not said.client_id:
        return None
    if not said.issuer or not address:
        raise Misconfigured(
            Said("oidc.client_id wants oidc.issuer, and accounts.address: how browsers reach this server")
        )
    application = Application(client_id=said.client_id, client_secret=said.client_secret, scopes=said.ask_for)

    def tickets() -> Tickets:
        # What signs cookies seals tickets too, under a key of their own.
        return Tickets(
            Seal([hmac.digest(secret(), b"sign-in tickets", "sha256")]), "sign-in", lambda: datetime.now(UTC)
        )

    return ProviderSignIn(said.issuer, application, _tokens_for(settings, said.client_id), address, tickets)


def _tokens_for(settings: Settings, audience: str) -> Tokens:
    """What tokens for ``audience`` allow."""
    import time
    from datetime import UTC, datetime

    from orchestrator.access import SigningKeys, TokenRules, Tokens, scopes_of

    said = settings.oidc
    rules = TokenRules(
        issuer=said.issuer,
        audience=audience,
        algorithms=said.algorithms,
        leeway=said.leeway,
        groups=said.groups,
        scopes=scopes_of(said.scopes, "oidc.scopes"),
        grants={group: scopes_of(names, f"oidc.grants.{group}") for group, names in said.grants.items()},
    )
    return Tokens(rules, SigningKeys(said.issuer, time.monotonic), lambda: datetime.now(UTC))


def proxy_of(settings: Settings) -> TrustedProxy | None:
    """The proxy that is believed, where one is set. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.access import TrustedProxy, scopes_of

    said = settings.proxy
    if not said.header:
        return None
    if not said.addresses:
        raise Misconfigured(Said("set proxy.addresses: without it anybody could say in proxy.header who they are"))
    return TrustedProxy(said.header.lower(), said.addresses, scopes_of(said.scopes, "proxy.scopes"))


def page_secret(settings: Settings) -> bytes:
    """What sessions and conversations are signed with, and digests made, by all processes of an installation."""
    from orchestrator.access import kept_secret

    given = settings.server.page_secret
    return given.get_secret_value().encode() if given else kept_secret(settings.storage.path / "page.secret")
