"""IMAP: the mailboxes of one account on any mail server, searched by the server and read without a trace."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from connectors.auth import signer_for
from connectors.contract import Call, Credential, Fact, Health, Hit, HitPage, LeftOut, SourceDirectory, known_facts
from connectors.errors import NO_TOKEN, SILENT, Misconfigured, Rejected, SourceError, Unauthenticated, Unavailable
from connectors.imap import criteria, mailboxes, searching
from connectors.imap.connection import ImapConnection, Pool, connect
from connectors.imap.errors import BrokenOff, CommandRefused, error_of
from connectors.imap.gathering import Looking
from connectors.imap.searching import NEWEST, OLDEST, FoundMail, MailSearch
from connectors.imap.settings import ImapSettings
from connectors.manifest import load_manifest
from connectors.text import clip, quote
from translators.match import fold
from translators.query import Kind, Person
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from connectors.imap.mail import Mail
    from connectors.imap.mailboxes import Mailbox
    from translators.translator import Json

ResultT = TypeVar("ResultT")

FURTHEST = 500  # mails of one question, over all its pages
PATIENCE = 0.9  # of a question's time, for being signed in
LONGEST_SIGN_IN = 30.0  # seconds; Dovecot and Postfix hold back refusals for 2 to 15
HELD_BACK = Said(
    "the mail server has not answered the sign-in within {seconds:.3g} s, as many do where name or password are wrong; "
    "check username and token, or ask again"
)
LIST, LIST_USES = b'LIST "" "*"', b'LIST "" "*" RETURN (SPECIAL-USE)'


@contextmanager
def _broken_off(connection: ImapConnection) -> Iterator[None]:
    """Whatever fails, nothing more is said on the connection; refusals become errors of ours."""
    try:
        yield
    except BaseException as failure:
        connection.abort()
        if isinstance(failure, CommandRefused):
            raise error_of(failure.status) from None
        raise


class ImapSource:
    """One account. A hit is one mail; mailboxes are opened read-only, so that nothing becomes seen."""

    manifest = load_manifest("connectors.imap")
    settings_type = ImapSettings

    def __init__(self, name: str, settings: ImapSettings) -> None:
        self.name = name
        self.settings = settings
        self._signer = signer_for(name, self.manifest, settings)
        self._tls: ssl.SSLContext | None = None
        self._pool: Pool | None = None
        self._late: dict[str, asyncio.Task[ImapConnection]] = {}  # signing in, by secret, for whoever asks next

    async def prepare(self) -> None:
        """Read the certificates that are trusted, off the event loop."""
        if self._tls is None and self.settings.security != "none":
            self._tls = await asyncio.to_thread(ssl.create_default_context)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """Mails of every mailbox in one order; those of the page with their text, as far as time allows."""
        limit = self.manifest.limits.hits(call.limit)
        start = _offset(call.cursor)
        wanted = self._wanted(native)
        deadline = asyncio.get_running_loop().time() + call.timeout

        async def look(connection: ImapConnection) -> HitPage:
            boxes, missing = self._places(connection, native.args.get("mailbox"))
            if not boxes:
                return HitPage(notes=tuple(each.said for each in missing), asked=False)
            looking = Looking(connection, wanted, self.settings, call)
            gathered = await looking.gather(boxes, start + limit)
            page, late = await looking.read(gathered.mails[start : start + limit], deadline)
            more = gathered.more or len(gathered.mails) > start + limit
            cursor = str(start + limit) if more and page and start + limit < FURTHEST else None
            hits = (self._hit(each, wanted, rank) for rank, each in enumerate(page, 1))
            missing = (*missing, *gathered.left_out)
            return HitPage(tuple(hits), cursor, gathered.total, (*gathered.notes, *late), missing)

        return await self._ask(look, call)

    def conversation(self, hit: Hit) -> NativeQuery | None:
        """The mail that began the thread of another, and all that refer to it."""
        if not (first := hit.facts.get("thread")):
            return None
        of_thread: Json = ["OR", ["HEADER", "Message-ID", str(first)], ["HEADER", "References", str(first)]]
        return NativeQuery(self.manifest.dialect, "", {"criteria": [of_thread], "sort": OLDEST})

    async def directory(self, call: Call) -> SourceDirectory:
        """Its mailboxes, and the people on the newest mails of those in which most mail is."""

        async def look(connection: ImapConnection) -> SourceDirectory:
            boxes, _ = self._places(connection, None)
            mails: list[Mail] = []
            for box in mailboxes.everyday(boxes) if self.settings.people_from else ():
                try:
                    place = await searching.examine(connection, box, call)
                    newest = await searching.newest(connection, place, self.settings.people_from, call)
                except CommandRefused as refusal:
                    raise error_of(refusal.status) from None
                mails += [each.mail for each in newest]
            return mailboxes.directory(connection.mailboxes, mails)

        return await self._ask(look, call)

    async def probe(self, call: Call) -> Health:
        """Sign in and open the first mailbox."""

        async def look(connection: ImapConnection) -> Health:
            boxes, _ = self._places(connection, None)
            try:
                place = await searching.examine(connection, boxes[0], call)
            except CommandRefused as refusal:
                raise error_of(refusal.status) from None
            return Health(
                ok=True, detail=f"{place.exists} mails in {place.box.container.name}", account=self.settings.username
            )

        return await self._ask(look, call)

    async def aclose(self) -> None:
        """Take leave of the server."""
        pool, self._pool = self._pool, None
        late, self._late = self._late, {}
        for signing in late.values():
            signing.cancel()
        await asyncio.gather(*late.values(), return_exceptions=True)
        if pool is not None:
            await pool.aclose()

    # ---- connections

    async def _ask(self, look: Callable[[ImapConnection], Awaitable[ResultT]], call: Call) -> ResultT:
        """With a signed-in connection, in the time there is; no secret in whatever is said of a failure."""
        secret = ""
        try:
            async with asyncio.timeout(call.timeout):
                secret = await self._secret(call)
                try:
                    return await self._with(look, secret, call)
                except Unauthenticated:
                    other = None if call.credential or self._signer is None else await self._signer.after(secret)
                    if other is None:
                        raise
                    secret = other
                return await self._with(look, secret, call)
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
        except SourceError as failure:
            raise failure.without(secret) from None

    async def _with(self, look: Callable[[ImapConnection], Awaitable[ResultT]], secret: str, call: Call) -> ResultT:
        if self._pool is None:
            self._pool = Pool(self._connect, self.manifest.limits.concurrency)
        pool = self._pool
        try:
            async with pool.connection(Credential(secret), call) as connection:
                return await look(connection)
        except BrokenOff as failure:
            if not failure.rested:
                raise
        pool.drop_rested()
        async with pool.connection(Credential(secret), call) as connection:
            return await look(connection)

    async def _connect(self, credential: Credential, call: Call) -> ImapConnection:
        """A connection that is signed in and knows the mailboxes; it may have been begun for the question before."""
        until, late = (
            asyncio.get_running_loop().time() + PATIENCE * call.timeout,
            self._late.pop(credential.secret, None),
        )
        if late is not None and late.done():
            refused = late.exception()
            if isinstance(refused, Unauthenticated):
                raise refused
            if refused is None and late.result().alive:
                return late.result()
        racing = {late} if late is not None and not late.done() else set()
        try:
            racing.add(asyncio.create_task(self._signed_in(await self._greeted(call), credential, call)))
            left = until - asyncio.get_running_loop().time()
            done, racing = await asyncio.wait(racing, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                late = self._late[credential.secret] = racing.pop()
                late.add_done_callback(lambda done: done.cancelled() or done.exception())
                raise Unavailable(HELD_BACK.filled(seconds=call.timeout))
            racing |= done
            found = done.pop()
            racing.discard(found)
            return found.result()
        finally:
            for signing in racing:
                signing.cancel()

    async def _greeted(self, call: Call) -> ImapConnection:
        """A connection on which a name and a password may be said."""
        settings = self.settings
        await self.prepare()
        await call.turn()
        connection = await connect(settings, self._tls if settings.security == "tls" else None)
        with _broken_off(connection):
            await connection.greet()
            if settings.security == "starttls" and self._tls is not None:
                await connection.encrypt(self._tls, settings.host, call.turn)
        return connection

    async def _signed_in(self, connection: ImapConnection, credential: Credential, call: Call) -> ImapConnection:
        """A wrong password is refused late by many servers, often after the question: the next one is told."""
        with _broken_off(connection):
            try:
                async with asyncio.timeout(LONGEST_SIGN_IN):
                    await connection.sign_in(self.settings, credential.secret, call.turn)
                    await call.turn()
                    uses = {"SPECIAL-USE", "LIST-EXTENDED"} <= connection.capabilities
                    connection.mailboxes = mailboxes.listed(await connection.run(LIST_USES if uses else LIST))
            except TimeoutError:
                raise Unavailable(HELD_BACK.filled(seconds=LONGEST_SIGN_IN)) from None
        return connection

    async def _secret(self, call: Call) -> str:
        if not (self.settings.host and self.settings.username):
            missing = "username" if self.settings.host else "host"
            raise Misconfigured(
                Said("{name} does not say whose mail it is; set {missing}").filled(name=self.name, missing=missing)
            )
        if self.settings.oauth is not None and not self.settings.oauth.token_url:
            raise Misconfigured(
                Said("{name} does not say who renews its access token; set oauth.token_url").filled(name=self.name)
            )
        own = call.credential.secret if call.credential else ""
        secret = own or (await self._signer.secret() if self._signer else "")
        if not secret:
            raise Unauthenticated(NO_TOKEN.filled(name=self.name, help=self.manifest.auth.help))
        return secret

    # ---- searching

    def _wanted(self, native: NativeQuery) -> MailSearch:
        order = OLDEST if native.args.get("sort") == OLDEST else NEWEST
        return MailSearch(native.args.get("criteria", []), order, self.settings.own, native.text)

    def _places(self, connection: ImapConnection, asked: object) -> tuple[Sequence[Mailbox], tuple[LeftOut, ...]]:
        """The mailboxes to look into, and which are not there."""
        if isinstance(asked, str):
            box = mailboxes.named(asked, connection.mailboxes)
            return ([box], ()) if box else ([], (_lacking(asked),))
        found, missing = mailboxes.chosen(self.settings.mailboxes, connection.mailboxes)
        if not found:
            there = ", ".join(box.name for box in connection.mailboxes[:20]) or "none"
            raise Misconfigured(
                Said("no mailbox that {name} is set to search is there; there are: {said}").filled(
                    name=self.name, said=quote(there)
                )
            )
        return found, tuple(_lacking(name) for name in missing)

    # ---- hits

    def _hit(self, found: FoundMail, wanted: MailSearch, rank: int) -> Hit:
        mail = found.mail
        text, uncut = clip(mail.text, self.settings.max_text)
        return Hit(
            self.name,
            found.id,
            Kind.MAIL,
            title=mail.subject,
            snippet=text,
            complete=mail.whole and uncut and not _stands_in_addresses(mail, wanted),
            author=self._author(mail.author),
            container=found.place.box.container,
            created=found.created,
            rank=rank,
            facts=_facts(found),
        )

    def _author(self, who: Person | None) -> Person | None:
        return replace(who, me=True) if who and who.email and who.email.casefold() in self.settings.own else who

    def __repr__(self) -> str:
        return f"ImapSource({self.name!r}, {self.settings.host!r})"


def _lacking(name: str) -> LeftOut:
    return LeftOut(Said("there is no mailbox {said}").filled(said=quote(name)))


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 6 and int(cursor) < FURTHEST):  # noqa: PLR2004
        raise Rejected(Said("there is no such page"), cursor)
    return int(cursor)


def _stands_in_addresses(mail: Mail, wanted: MailSearch) -> bool:
    """Whether a word may have been found in names and addresses, which are no part of the text that is shown."""
    shown = fold(f"{mail.subject}\n{mail.text}")
    addresses = fold("\n".join(f"{who.name} {who.email or ''}" for who in mail.people))
    return any(
        fold(text) in addresses and fold(text) not in shown for text in criteria.texts(wanted.criteria, name="TEXT")
    )


def _facts(found: FoundMail) -> Mapping[str, Fact]:
    mail = found.mail
    facts: dict[str, Fact] = {
        "message_id": mail.message_id,
        "thread": mail.thread,
        "to": tuple(map(str, mail.to)),
        "cc": tuple(map(str, mail.cc)),
        "attachments": mail.attachments,
    }
    return known_facts(facts)


SOURCE = ImapSource
