"""Sources set up on a page: tried over the server's own engine, written where the settings are read from, asked at once."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import json
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from orchestrator.assembly.accounts import page_secret
from orchestrator.assembly.searching import make_sources
from orchestrator.assembly.setting_up import NO_CODE, refresh_token_of, setup_tiles, vendor_of
from orchestrator.assembly.sources import configured_of, every_configured
from orchestrator.documents.sources import SetupTrial, SourceWish
from storage.loading import load
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from connectors.manifest import Application
    from orchestrator.access import Caller, FirstRun, Seal, Tickets
    from orchestrator.access.sign_in import Departure
    from orchestrator.assembly.reloading import LiveSources
    from orchestrator.documents.sources import Configured, SetupTile
    from orchestrator.engine import Engine
    from orchestrator.settings import KeptSecret, SecretsKept, Settings

PURPOSE = "setup"
HOLDING = timedelta(minutes=30)  # that what was typed can be kept
LIMIT = 5  # results of a trial
PATIENCE = 10.0  # seconds of one: its connections are new, and somebody who waits for it wants to see what there is
# Settings that start a program of this machine or open a folder of it: whoever has a shell here may set those, a page may not.
BY_HAND = frozenset({"command", "data_dir", "database_url"})
ONLY_BY_HAND = Said(
    "a source of the kind {kind} starts a program or opens a folder of this machine; set it up by a file here"
)
WORST_FIRST: tuple[SecretsKept, ...] = ("open", "sealed", "keyring")
NOT_BEGUN = Said("that was not begun in this browser, or took longer than ten minutes; begin again")
NO_FILE_NAME = Said("a source is called by small letters, digits and underscores, with a letter first")


class SetupDesk:
    """See :class:`orchestrator.surfaces.page.services.SourceSetup`. ``engine``: that of the running server."""

    def __init__(
        self,
        settings: Settings,
        live: LiveSources,
        engine: Callable[[], Engine],
        clock: Callable[[], datetime],
        first: FirstRun | None,
    ) -> None:
        self.first = first
        self._settings = settings
        self._live = live
        self._site = live.site
        self._engine = engine
        self._clock = clock
        self._pretending = asyncio.Lock()

    @property
    def address(self) -> str:
        return self._settings.accounts.address.rstrip("/")

    def tiles(self) -> tuple[SetupTile, ...]:
        return setup_tiles()

    def configured(self) -> tuple[Configured, ...]:
        return every_configured(self._site.read())

    def said(self, name: str) -> Mapping[str, Any]:
        return {
            key: value for key, value in self._raw(name).items() if not isinstance(value, dict) or key == "application"
        }

    def has_secret(self, name: str, setting: str) -> bool:
        found: Any = self._raw(name)
        for part in setting.split("."):
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return bool(found)

    def text(self, name: str) -> str:
        return self._site.source_text(name)

    def wrong(self, wishes: Sequence[SourceWish]) -> str:
        from connectors.errors import SourceError

        try:
            settings = self._with(wishes)
        except SourceError as failure:
            return failure.message
        for wish in wishes:
            raw = settings.sources.get(wish.name, {})
            found = configured_of(wish.name, raw)
            if found.invalid:
                return found.problem
            if _is_by_hand(found.kind):
                return ONLY_BY_HAND.filled(kind=found.kind)
        return ""

    async def tried(self, wishes: Sequence[SourceWish], question: str, caller: Caller) -> SetupTrial:
        settings = await asyncio.to_thread(self._with, wishes)
        return await self._asked(settings.alone(*(wish.name for wish in wishes)), question, caller, self._clock())

    async def begin(self, wishes: Sequence[SourceWish], noted: Callable[[str], Awaitable[None]]) -> None:
        for wish in wishes:
            if await asyncio.to_thread(self._begins, wish):
                await noted(wish.name)
                await asyncio.to_thread(self._site.keep_source, wish.name, wish.values)

    async def keep(self, wishes: Sequence[SourceWish]) -> tuple[Sequence[str], SecretsKept | None]:
        told = await asyncio.to_thread(self._kept, wishes)
        await self._live.reload(self._engine())
        return told

    async def switch(self, name: str, *, on: bool) -> None:
        await asyncio.to_thread(self._site.keep_source, name, {"enabled": on})
        await self._live.reload(self._engine())

    async def remove(self, name: str, noted: Callable[[], Awaitable[None]]) -> None:
        await asyncio.to_thread(self._site.files_of_source, name)
        await noted()
        await asyncio.to_thread(self._site.forget_source, name)
        await self._live.reload(self._engine())

    async def pretend(self, question: str, caller: Caller) -> SetupTrial:
        await load("graphql", "orchestrator.sandbox")  # the extra first, which the sandbox wants when it is opened
        from orchestrator.sandbox import Sandbox, default_corpus

        corpus = await asyncio.to_thread(default_corpus)
        now = corpus.newest or self._clock()  # the present of that workplace
        async with self._pretending, Sandbox(corpus, now=now) as sandbox:
            ends = {name: {"base_url": end.base_url, "token": end.token} for name, end in sandbox.endpoints.items()}
            return await self._asked(self._settings.pretending(ends), question, caller, now)

    def hold(self, wishes: Sequence[SourceWish], browser: str) -> str:
        until = (datetime.now(UTC) + HOLDING).timestamp()
        told = [until, [[wish.name, dict(wish.values), dict(wish.secrets), wish.text] for wish in wishes]]
        return base64.urlsafe_b64encode(self._seal.seal(json.dumps(told).encode(), PURPOSE, browser)).decode("ascii")

    def held(self, sealed: str, browser: str) -> tuple[SourceWish, ...]:
        from orchestrator.access import CannotOpen

        try:
            until, wishes = json.loads(self._seal.open(base64.urlsafe_b64decode(sealed), PURPOSE, browser))
        except (binascii.Error, ValueError, CannotOpen):
            return ()
        return tuple(SourceWish(*wish) for wish in wishes) if datetime.now(UTC).timestamp() < until else ()

    def leave(self, kinds: Sequence[str], client_id: str, secret: str, back: str, browser: str) -> Departure:
        from connectors.oauth import new_verifier
        from orchestrator.access.sign_in import Departure

        vendor, _ = vendor_of(kinds, self._application(kinds[0], client_id, secret))
        verifier = new_verifier()
        state, ticket = self._tickets.issue((verifier, back, browser, client_id, secret, *kinds))
        return Departure(vendor.authorize_url(back, state, verifier), state, ticket)

    async def returned(self, state: str, code: str, ticket: str, browser: str) -> tuple[SourceWish, ...]:
        from connectors.errors import Unauthenticated
        from orchestrator.access.tickets import BadTicket

        try:
            verifier, back, owner, client_id, secret, *kinds = self._tickets.read(ticket, state)
            self._tickets.use(state)
        except (BadTicket, ValueError):
            raise Unauthenticated(NOT_BEGUN) from None
        if not hmac.compare_digest(owner.encode(), browser.encode()):
            raise Unauthenticated(NOT_BEGUN)
        application = await asyncio.to_thread(self._application, kinds[0], client_id, secret)
        vendor, _ = vendor_of(kinds, application)
        if not code:
            raise Unauthenticated(NO_CODE.filled(title=vendor.name))
        granted = refresh_token_of(await vendor.redeem(code, back, verifier, datetime.now(UTC)), vendor.name)
        elsewhere = {"token_url": application.token_url} if application.token_url else {}
        secrets = {"oauth.refresh_token": granted, **({"oauth.client_secret": secret} if secret else {})}
        return tuple(SourceWish(kind, {"oauth": {"client_id": client_id, **elsewhere}}, secrets) for kind in kinds)

    def cookie(self, state: str) -> str:
        from orchestrator.access.tickets import cookie_of

        return cookie_of(PURPOSE, state, private=self._settings.accounts.address.startswith("https://"))

    async def _asked(self, settings: Settings, question: str, caller: Caller, now: datetime) -> SetupTrial:
        from connectors.errors import SourceError
        from orchestrator.documents.sources import source_states
        from orchestrator.model import Ask, BadAsk, NoSources

        try:
            async with self._engine().trying(partial(make_sources, settings)) as engine:
                states = tuple((await source_states(engine))["sources"])
                if not question or not any(each["status"] == "ok" for each in states):
                    return SetupTrial(states)
                ask = Ask(question, now, caller.principal, limit=LIMIT, budget=max(PATIENCE, settings.search.budget))
                try:
                    await engine.understand(ask)  # loads what would pass for the source's time
                    return SetupTrial(states, await engine.search(ask))
                except (BadAsk, NoSources) as failure:
                    return SetupTrial(states, problem=str(failure))
        except SourceError as failure:  # of settings that are none
            return SetupTrial((), problem=failure.message)

    def _begins(self, wish: SourceWish) -> bool:
        """Whether it is to be written down as far as it goes, since it is new and cannot be asked yet."""
        raw = self._raw(wish.name)
        changed = any(raw.get(key) != value for key, value in wish.values.items())
        return changed and not wish.text and bool(configured_of(wish.name, raw).problem)

    def _kept(self, wishes: Sequence[SourceWish]) -> tuple[Sequence[str], SecretsKept | None]:
        """The files that were written, the key of sealed ones last, and how the secrets among them are kept."""
        files: list[Path] = []
        secrets: list[KeptSecret] = []
        for wish in wishes:
            is_off = self._raw(wish.name).get("enabled") is False
            if wish.text:
                files.append(self._site.keep_source_text(wish.name, wish.text))
            if values := {**wish.values, **({"enabled": True} if is_off else {})}:
                files.append(self._site.keep_source(wish.name, values))
            for setting, secret in wish.secrets.items():
                secrets.append(self._site.keep_secret(f"sources.{wish.name}.{setting}", secret))
        ways = {each.how for each in secrets}
        how = next((way for way in WORST_FIRST if way in ways), None)
        keys = [each.key.path for each in secrets if each.how in {"sealed", "open"}]
        return tuple(dict.fromkeys(map(str, (*files, *(each.file for each in secrets), *keys)))), how

    def _with(self, wishes: Sequence[SourceWish]) -> Settings:
        """The settings as they would be. Raises :class:`Misconfigured`."""
        from connectors.errors import Misconfigured
        from orchestrator.settings import nested, parse_source

        told: dict[str, Any] = {}
        for wish in wishes:
            if not (
                wish.name.isascii()
                and wish.name.isidentifier()
                and wish.name == wish.name.lower()
                and wish.name[0] != "_"
            ):
                raise Misconfigured(NO_FILE_NAME)
            text = parse_source(wish.text, f"{wish.name}.toml") if wish.text else {}
            told[wish.name] = {**text, "enabled": True, **wish.values}
        secrets = nested(
            (("sources", wish.name, *setting.split(".")), secret)
            for wish in wishes
            for setting, secret in wish.secrets.items()
        )
        declared = frozenset(wish.name for wish in wishes if wish.text)
        return self._site.read({"sources": told}, secrets, without=declared)

    def _raw(self, name: str) -> Mapping[str, Any]:
        return self._site.read().sources.get(name, {})

    def _application(self, kind: str, client_id: str, secret: str) -> Application:
        from connectors.manifest import Application

        said = self._raw(kind).get("application", {})
        return Application.model_validate(
            {**said, "client_id": client_id, **({"client_secret": secret} if secret else {})}
        )

    @cached_property
    def _seal(self) -> Seal:
        """What signs cookies seals this too, under a key of its own."""
        from orchestrator.access import Seal

        return Seal([hmac.digest(page_secret(self._settings), b"setup", "sha256")])

    @cached_property
    def _tickets(self) -> Tickets:
        from orchestrator.access import Tickets

        return Tickets(self._seal, PURPOSE, lambda: datetime.now(UTC))


def _is_by_hand(kind: str) -> bool:
    """Whether settings of this kind reach for this machine itself."""
    from connectors.registry import load_source

    return not BY_HAND.isdisjoint(load_source(kind).settings_type.model_fields)
