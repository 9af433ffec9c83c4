"""Microsoft 365: mail, Teams messages, files and sites by Microsoft Graph's search, as the person who is signed in."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlsplit

from connectors.contract import Call, Health, HitPage, LeftOut, SourceDirectory
from connectors.errors import BadReply, Forbidden, Rejected, SourceError
from connectors.http import DETAILS_SHARE, HttpRequest, HttpSource, Page, Reply
from connectors.manifest import load_manifest
from connectors.microsoft365.asking import ENTITIES, GraphSearch, SearchHits, listed, merged, names_me, searches
from connectors.microsoft365.hits import site_of, whole_mail, whole_message
from connectors.microsoft365.settings import Microsoft365Settings
from connectors.microsoft365.teams import ChannelNames, conversation, conversation_of, is_conversation, readings
from connectors.microsoft365.wire import Account, ChatMessage, Listing, Mail, Site, error_of
from connectors.paging import read_list
from connectors.text import absolute_url
from connectors.wire import read, read_each
from translators.query import Person
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from connectors.contract import Hit
    from translators.query import Container


# ---- who is signed in, asked once for each credential: KQL has no word for whoever asks

SELECTED = "displayName,mail,userPrincipalName"
KEPT = 256
REQUEST = HttpRequest("GET", "me", {"$select": SELECTED})


class Identities:
    """Accounts by credential, of which only a digest is kept; the oldest is forgotten."""

    def __init__(self) -> None:
        self._known: dict[bytes, Account] = {}

    async def of(self, secret: str, send: Callable[[HttpRequest], Awaitable[Reply]]) -> Account:
        """Whose ``secret`` it is."""
        key = sha256(secret.encode()).digest()
        if key not in self._known:
            account = account_in(await send(REQUEST))
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = account
        return self._known[key]


def account_in(reply: Reply) -> Account:
    """The account in a reply of ``/me``."""
    account = read(Account, reply.data, "Microsoft 365")
    if not (account.mail or account.userPrincipalName):
        raise BadReply(Said("Microsoft 365 did not say who is signed in"))
    return account


NOT_SEARCHED = Said("{title} could not be searched ({why})")
CONVERSATION = "conversation"
"""The argument that asks for the mails of a conversation."""
PEOPLE = HttpRequest("GET", "users", {"$select": SELECTED, "$top": "999"})
SITES = HttpRequest("GET", "sites", {"search": "*", "$select": "displayName,name,webUrl", "$top": "200"})
MAIL = (
    "id,subject,body,from,sender,toRecipients,receivedDateTime,sentDateTime,hasAttachments,importance,conversationId,"
    "internetMessageId,webLink"
)


class Microsoft365Source(HttpSource):
    """One account. A hit is a mail, a Teams message, a file or folder, an item of a list, or a site."""

    manifest = load_manifest("connectors.microsoft365")
    settings_type = Microsoft365Settings
    settings: Microsoft365Settings

    def __init__(self, name: str, settings: Microsoft365Settings) -> None:
        super().__init__(name, settings)
        self._identities = Identities()
        self._channels = ChannelNames()

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """The first of the requests for a page; there is one for each of :func:`searches`."""
        if "fetch" in native.args:
            return _fetch(native)
        if CONVERSATION in native.args:
            return _of_conversation(native, page.limit)
        if is_conversation(native):
            return readings(native)[0]
        asked = self._searches(native, page)
        if not asked:
            raise Rejected(Said("nothing of what is asked for is searched"), str(native))
        return self._requests(asked[:1], native, page.limit)[0]

    def parse(self, reply: Reply) -> HitPage:
        """The hits of one search on a first page."""
        return merged(
            [listed(GraphSearch(tuple(ENTITIES.values()), "", 0), reply, None)], self.manifest.limits.page, ()
        )

    def error(self, reply: Reply) -> SourceError | None:
        """Graph says the code in the body."""
        return error_of(reply)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """All searches at once; one that fails is left out, unless all do."""
        if "fetch" in native.args:
            return self._ranked(await self._fetched(native, call))
        if CONVERSATION in native.args:
            return self._ranked(await self._conversation(native, call))
        if is_conversation(native):
            return self._ranked(self._channels.named(await conversation(self, native, self.settings.max_text, call)))
        deadline = asyncio.get_running_loop().time() + call.timeout
        page = Page(max(1, min(call.limit, self.manifest.limits.page)), call.cursor)
        me = await self._me(call) if names_me(native) else None
        asked = self._searches(native, page, me)
        if not asked:
            return HitPage(
                notes=(
                    Said("nothing of this kind is searched, only {names}").filled(
                        names=", ".join(self.settings.search)
                    ),
                )
            )
        parts: list[SearchHits] = []
        failures: list[tuple[GraphSearch, SourceError]] = []
        for each, reply in await self._outcomes(asked, native, page.limit, call):
            try:
                parts.append(listed(each, _reply(reply), me))
            except SourceError as failure:
                failures.append((each, failure))
        if not parts:
            raise failures[0][1]
        missing = [
            LeftOut.by(failure, NOT_SEARCHED.filled(title=each.title, why=failure.message))
            for each, failure in failures
        ]
        found = merged(parts, page.limit, missing)
        if unknown := self._channels.unknown(found.hits):
            self._channels.hear(unknown, await self._completed(tuple(unknown.values()), call, deadline))
        return self._ranked(self._channels.named(found))

    def conversation(self, hit: Hit) -> NativeQuery | None:
        """The mails of a conversation, the thread of a message in a channel, what stands beside one in a chat."""
        of_mail = hit.facts.get("conversation")
        if of_mail:
            return NativeQuery(self.manifest.dialect, "", {CONVERSATION: str(of_mail)})
        return conversation_of(hit, self.manifest.dialect)

    async def directory(self, call: Call) -> SourceDirectory:
        """People by name, with their principal names and addresses, and sites by name, with their addresses."""
        accounts, no_accounts = await self._listed("people", PEOPLE, call)
        sites, no_sites = await self._listed("sites", SITES, call)
        people, unread = read_each(Account, accounts, _person, "people")
        places, unnamed = read_each(Site, sites, _place, "sites")
        return SourceDirectory(people, places, (*no_accounts, *unread, *no_sites, *unnamed))

    async def probe(self, call: Call) -> Health:
        """Who is signed in; proves address and token, not the rights."""
        who = account_in(await self.send(REQUEST, call))
        return Health(
            ok=True, detail=f"searches {', '.join(self.settings.search)}", account=who.userPrincipalName or who.mail
        )

    # -- searching

    def _searches(self, native: NativeQuery, page: Page, me: Account | None = None) -> tuple[GraphSearch, ...]:
        return searches(native, page, [ENTITIES[each] for each in self.settings.search], me)

    def _requests(self, asked: Sequence[GraphSearch], native: NativeQuery, limit: int) -> list[HttpRequest]:
        newest = native.args.get("sort") == "newest"
        return [each.request(limit, newest=newest, region=self.settings.region) for each in asked]

    async def _outcomes(
        self, asked: Sequence[GraphSearch], native: NativeQuery, limit: int, call: Call
    ) -> list[tuple[GraphSearch, Reply | SourceError]]:
        """Each with its own turn and its own renewal of the sign-in. What is late must not cost what is there."""
        share = call.timeout if len(asked) == 1 else call.timeout * DETAILS_SHARE
        requests = self._requests(asked, native, limit)
        replies = await self.send_each(requests, call, within=share, sent=str(native))
        return list(zip(asked, replies, strict=True))

    async def _me(self, call: Call) -> Account:
        _, secret = await self.signed(call)
        return await self._identities.of(secret, lambda request: self.send(request, call))

    def _ranked(self, page: HitPage) -> HitPage:
        return replace(
            page, hits=tuple(replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(page.hits, 1))
        )

    async def _conversation(self, native: NativeQuery, call: Call) -> HitPage:
        """Its mails, the oldest first; Graph sorts no list that it filters by this."""
        limit = min(call.limit, self.manifest.limits.page)
        listed = read(Listing, (await self.send(_of_conversation(native, limit), call)).data, "Microsoft 365")
        most = self.settings.max_text
        hits, notes = read_each(Mail, listed.value, lambda mail: whole_mail(mail, "", most), "mails")
        return HitPage(tuple(sorted(hits, key=lambda hit: (hit.created is None, hit.created))), notes=notes)

    # -- one thing by its address

    async def _fetched(self, native: NativeQuery, call: Call) -> HitPage:
        """The thing, or nobody's and a note: it may be gone, or not for these eyes."""
        try:
            reply = await self.send(_fetch(native), call, sent=str(native))
        except (Forbidden, Rejected) as refusal:
            return HitPage(notes=(Said("the link could not be read ({why})").filled(why=refusal.message),))
        parts, most = _parts(native), self.settings.max_text
        if "message" in parts:
            return HitPage((whole_mail(read(Mail, reply.data, "Microsoft 365"), parts["message"], most),))
        return HitPage((whole_message(read(ChatMessage, reply.data, "Microsoft 365"), parts["chatMessage"], most),))

    # -- names

    async def _listed(self, what: str, first: HttpRequest, call: Call) -> tuple[list[object], tuple[str, ...]]:
        """All pages of a list, within reason; none of them and a note where there is no right to it.

        Of the address of a next page only the parameters are taken, so that nothing is sent anywhere else.
        """

        async def page(request: HttpRequest | None) -> tuple[Sequence[object], HttpRequest | None]:
            listed = read(Listing, (await self.send(request or first, call)).data, "Microsoft 365")
            following = dict(parse_qsl(urlsplit(listed.next).query)) if listed.next else None
            return listed.value, None if following is None else replace(first, params=following)

        return await read_list(page, self.settings.directory_pages, what)


def _parts(native: NativeQuery) -> Mapping[str, str]:
    parts: Any = native.args["fetch"]
    return {name: str(value) for name, value in parts.items()}


def _fetch(native: NativeQuery) -> HttpRequest:
    parts = {name: quote(value, safe=":@=") for name, value in _parts(native).items()}
    match parts:
        case {"message": item}:
            return HttpRequest("GET", f"me/messages/{item}", {"$select": MAIL})
        case {"team": team, "channel": channel, "parent": parent, "chatMessage": item}:
            return HttpRequest("GET", f"teams/{team}/channels/{channel}/messages/{parent}/replies/{item}")
        case {"team": team, "channel": channel, "chatMessage": item}:
            return HttpRequest("GET", f"teams/{team}/channels/{channel}/messages/{item}")
        case {"chat": chat, "chatMessage": item}:
            return HttpRequest("GET", f"chats/{chat}/messages/{item}")
        case _:
            raise Rejected(
                Said("this names nothing that Microsoft 365 can be asked for"),
                str(native),
            )


def _of_conversation(native: NativeQuery, most: int) -> HttpRequest:
    """https://learn.microsoft.com/en-us/graph/api/user-list-messages ; in OData a quote is doubled."""
    told = str(native.args[CONVERSATION]).replace("'", "''")
    asked = {"$filter": f"conversationId eq '{told}'", "$select": MAIL, "$top": str(most)}
    return HttpRequest("GET", "me/messages", asked)


def _reply(outcome: Reply | SourceError) -> Reply:
    if isinstance(outcome, SourceError):
        raise outcome
    return outcome


def _person(account: Account) -> Person | None:
    known = account.userPrincipalName or account.mail
    return Person(account.displayName, known, account.mail or known) if account.displayName and known else None


def _place(site: Site) -> Container | None:
    name = site.displayName or site.name
    return site_of(absolute_url(site.webUrl), name) if name else None


SOURCE = Microsoft365Source
