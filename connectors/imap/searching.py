"""Searching opened mailboxes: which mails match, their headers, and the text of the best."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from connectors.errors import BadReply, Rejected
from connectors.imap import criteria, mail
from connectors.imap.errors import CommandRefused, error_of
from connectors.imap.mailboxes import OpenedMailbox
from connectors.imap.protocol import DataResponse, spaced, string, uid_set
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.contract import Call
    from connectors.imap.connection import ImapConnection
    from connectors.imap.mail import Mail
    from connectors.imap.mailboxes import Mailbox
    from connectors.imap.protocol import ResponsePiece, ResponseValue
    from translators.translator import Json

HEADER_ITEMS = f"(UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({' '.join(mail.HEADERS)})])".encode()
NEWEST, OLDEST = "newest", "oldest"
LONG_AGO, FAR_OFF = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
NO_TEXT = 0  # bytes of a mail of which the headers are fetched
LONGEST_RUN = 21  # characters of two UIDs and a colon
# What the email package raises on mails that nobody could have meant.
MALFORMED = (RecursionError, ValueError, LookupError, TypeError, AttributeError)


@record
class MailSearch:
    """What is looked for. ``order``: ``newest`` or ``oldest`` first. ``own``: the asker's addresses."""

    criteria: Json
    order: str
    own: tuple[str, ...]
    shown: str


@record
class FoundMail:
    """One mail in one mailbox, its headers read."""

    place: OpenedMailbox
    uid: int
    received: datetime | None
    size: int
    mail: Mail

    @property
    def created(self) -> datetime | None:
        """When it was sent by its own account, else when the server got it."""
        return self.mail.sent or self.received

    @property
    def id(self) -> str:
        """Its Message-ID, by which a copy in another mailbox is the same mail; else where it lies."""
        place = self.place
        return self.mail.message_id or f"{place.box.id};UIDVALIDITY={place.validity};UID={self.uid}"


async def examine(connection: ImapConnection, box: Mailbox, call: Call) -> OpenedMailbox:
    """Open a mailbox to read only, anew if it is open. Raises :class:`CommandRefused`."""
    await call.turn()
    connection.selected = None
    facts = {data.name: data for data in await connection.run(b"EXAMINE ", string(box.wire))}
    validity = facts.get("UIDVALIDITY")
    told = validity.values[0] if validity else b""
    exists = facts.get("EXISTS")
    stamp = told.decode("ascii", "replace") if isinstance(told, bytes) else ""
    connection.selected = OpenedMailbox(box, stamp, (exists and exists.number) or 0)
    return connection.selected


async def matching(
    connection: ImapConnection, wanted: MailSearch, most: int, call: Call
) -> tuple[list[int], int, bool]:
    """UIDs of the first ``most`` mails that match, how many do in all, and whether everything could be asked for.

    A server that searches no other character set than US-ASCII is asked again for what it can search. Raises
    :class:`CommandRefused`.
    """
    try:
        return *await _numbers(connection, wanted.criteria, wanted, most, call), True
    except CommandRefused as refusal:
        asked_too_much = isinstance(error_of(refusal.status), Rejected)
        if not asked_too_much or all(map(str.isascii, criteria.texts(wanted.criteria))):
            raise
    return *await _numbers(connection, criteria.widened(wanted.criteria), wanted, most, call), False


async def _numbers(
    connection: ImapConnection, keys: Json, wanted: MailSearch, most: int, call: Call
) -> tuple[list[int], int]:
    pieces = criteria.encoded_keys(keys, wanted.own)
    everywhere = all(map(str.isascii, criteria.texts(keys)))
    oldest = wanted.order == OLDEST
    await call.turn()
    if "SORT" in connection.capabilities:
        by = b"(DATE)" if oldest else b"(REVERSE DATE)"
        found = await connection.run(*_command(b"UID SORT", by, b"US-ASCII" if everywhere else b"UTF-8", pieces))
        uids = [uid for data in found if data.name == "SORT" for uid in _plain(data)]
        return uids[:most], len(uids)
    returned = [b"RETURN (ALL)"] if "ESEARCH" in connection.capabilities else []
    charset = [] if everywhere else [b"CHARSET UTF-8"]
    found = await connection.run(*_command(b"UID SEARCH", *returned, *charset, pieces))
    each = sorted(uid for data in found if data.name == "SEARCH" for uid in _plain(data))
    runs = [*((uid, uid) for uid in (each[:most] if oldest else each[-most:])), *_runs(found)]
    return _first(runs, most, oldest=oldest), max(len(each), sum(high - low + 1 for low, high in _runs(found)))


def _command(*parts: bytes | list[ResponsePiece]) -> list[ResponsePiece]:
    return spaced([part] if isinstance(part, bytes) else part for part in parts)


def _plain(data: DataResponse) -> list[int]:
    """``* SEARCH 2 84 882`` (RFC 3501) and ``* SORT …`` (RFC 5256)."""
    return [int(value) for value in data.values if isinstance(value, bytes) and value.isdigit()]


def _runs(responses: Iterable[DataResponse]) -> list[tuple[int, int]]:
    """``* ESEARCH (TAG "A4") UID ALL 4:18,21`` (RFC 4731): the first and the last of each run of UIDs."""
    runs: list[tuple[int, int]] = []
    for data in responses:
        words = [each if isinstance(each, bytes) else b"" for each in data.values] if data.name == "ESEARCH" else []
        told = next((value for key, value in pairwise(words) if key == b"ALL"), b"")
        for part in filter(None, told.split(b",")):
            ends = part.split(b":")
            if len(part) > LONGEST_RUN or len(ends) > 2 or not all(map(bytes.isdigit, ends)):  # noqa: PLR2004
                raise BadReply(Said("the mail server named the mails in a way that is not the documented one"))
            runs.append((min(map(int, ends)), max(map(int, ends))))
    return runs


def _first(runs: list[tuple[int, int]], most: int, *, oldest: bool) -> list[int]:
    """The lowest UIDs, or the highest, highest first."""
    found: list[int] = []
    for low, high in sorted(runs, reverse=not oldest):
        run = range(low, high + 1) if oldest else range(high, low - 1, -1)
        found += run[: most - len(found)]
    return list(dict.fromkeys(found))


# ---- reading mails


async def headers(
    connection: ImapConnection, place: OpenedMailbox, uids: Sequence[int], call: Call
) -> tuple[list[FoundMail], int]:
    """Those mails with their headers, in any order, and how many could not be read."""
    if not uids:
        return [], 0
    await call.turn()
    fetched = _attributes(await connection.run(b"UID FETCH ", uid_set(uids), b" ", HEADER_ITEMS))
    found, _ = await asyncio.to_thread(_found, place, [each for each in fetched if each.uid in set(uids)], NO_TEXT)
    return found, len(uids) - len(found)


async def bodies(
    connection: ImapConnection, place: OpenedMailbox, uids: Sequence[int], most: int, call: Call
) -> tuple[list[FoundMail], int]:
    """Those mails with as much of each as ``most`` bytes hold, and how many could not be read."""
    await call.turn()
    items = f" (UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{most}>)".encode()
    fetched = _attributes(await connection.run(b"UID FETCH ", uid_set(uids), items))
    return await asyncio.to_thread(_found, place, [each for each in fetched if each.uid in set(uids)], most)


async def newest(connection: ImapConnection, place: OpenedMailbox, most: int, call: Call) -> list[FoundMail]:
    """The headers of the mails that came last."""
    if not place.exists or not most:
        return []
    await call.turn()
    first = max(1, place.exists - most + 1)
    fetched = _attributes(await connection.run(f"FETCH {first}:* ".encode(), HEADER_ITEMS))
    return (await asyncio.to_thread(_found, place, fetched, NO_TEXT))[0]


@record
class _Fetched:
    uid: int
    received: bytes
    size: int
    raw: bytes | None


def _attributes(responses: Iterable[DataResponse]) -> list[_Fetched]:
    """FETCH replies that carry a mail; others tell of changes nobody asked about."""
    found: dict[int, _Fetched] = {}
    for data in responses:
        match data:
            case DataResponse("FETCH", int(), [[*pairs]]):
                named = {_name(key): value for key, value in zip(pairs[::2], pairs[1::2], strict=False)}
                uid = _number(named.get("UID"))
                if uid and "BODY" in named:
                    received, raw = named.get("INTERNALDATE"), named["BODY"]
                    found[uid] = _Fetched(
                        uid,
                        received if isinstance(received, bytes) else b"",
                        _number(named.get("RFC822.SIZE")),
                        raw if isinstance(raw, bytes) else None,
                    )
            case _:
                pass
    return list(found.values())


def _name(key: ResponseValue) -> str:
    return key.split(b"[", 1)[0].decode("ascii", "replace").upper() if isinstance(key, bytes) else ""


def _number(value: ResponseValue) -> int:
    return int(value) if isinstance(value, bytes) and value.isdigit() and len(value) <= 12 else 0  # noqa: PLR2004


def _found(place: OpenedMailbox, fetched: Sequence[_Fetched], most: int) -> tuple[list[FoundMail], int]:
    """CPU-bound: mails taken apart, of which ``most`` bytes were fetched, or the headers alone."""
    made: list[FoundMail] = []
    for each in fetched:
        if each.raw is None:
            continue
        try:
            read = mail.read(each.raw, cut=not 0 < each.size <= most)
        except MALFORMED:
            continue
        made.append(FoundMail(place, each.uid, mail.moment(each.received.decode("ascii", "replace")), each.size, read))
    return made, len(fetched) - len(made)


def merged(found: Iterable[FoundMail], order: str) -> list[FoundMail]:
    """Mails of several mailboxes in one order, a mail that lies in several once: where it was met first."""
    once = {each.id: each for each in reversed(list(found))}
    undated = FAR_OFF if order == OLDEST else LONG_AGO
    return sorted(once.values(), key=lambda each: (each.created or undated, each.uid), reverse=order != OLDEST)
