"""One question put to several mailboxes over one connection: the first mails of each, then the text of the best."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.contract import LeftOut
from connectors.errors import LATE, SourceError, Throttled, Unavailable
from connectors.http import DETAILS_SHARE
from connectors.imap import searching
from connectors.imap.errors import CommandRefused, error_of
from connectors.notes import Unread
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.contract import Call
    from connectors.imap.connection import ImapConnection
    from connectors.imap.mailboxes import Mailbox, OpenedMailbox
    from connectors.imap.searching import FoundMail, MailSearch
    from connectors.imap.settings import ImapSettings

NOT_SEARCHED = Said("{name} could not be searched ({why})")
NO_TIME = Said("no time was left")
SHARE = 0.6  # of the time, after which no further mailbox is looked into, so that what was found can be read
MOST_NAMES = 3  # of mailboxes that were left out; more are counted
FURTHER = Said("{names} and {count} more")
OTHER_SCRIPTS = Said("the mail server searches US-ASCII only: words in other scripts were not asked for")


@record
class Gathered:
    """Mails in order. ``total`` counts what matched, ``more`` says that not all of it was read."""

    mails: list[FoundMail]
    total: int
    more: bool
    notes: tuple[Said, ...]
    left_out: tuple[LeftOut, ...] = ()


@record
class _Part:
    found: list[FoundMail]
    total: int
    notes: tuple[Said, ...]


@record
class Looking:
    """Who looks for what, over which connection."""

    connection: ImapConnection
    wanted: MailSearch
    settings: ImapSettings
    call: Call

    async def gather(self, boxes: Sequence[Mailbox], most: int) -> Gathered:
        """The first ``most`` mails of each mailbox in one order, their headers read.

        A mailbox that cannot be searched is left out, as are those that time or our own limit leaves no turn for; if
        none can be searched, that is an error.
        """
        clock = asyncio.get_running_loop()
        until = clock.time() + self.call.timeout * SHARE
        parts: list[_Part] = []
        failures: list[tuple[Mailbox, SourceError]] = []
        stopped: SourceError | None = None
        for box in boxes:
            if stopped is None and parts and clock.time() > until:
                stopped = Unavailable(NO_TIME)
            found = stopped or await self._tried(box, most)
            if isinstance(found, _Part):
                parts.append(found)
                continue
            failures.append((box, found))
            stopped = found if isinstance(found, Throttled) or not self.connection.alive else stopped
        if failures and not parts:
            raise failures[0][1]
        notes = [note for part in parts for note in part.notes]
        missing = tuple(_left_out(why, boxes) for why, boxes in _by_reason(failures).items())
        mails = searching.merged((each for part in parts for each in part.found), self.wanted.order)
        total = sum(part.total for part in parts)
        return Gathered(mails, total, any(part.total > most for part in parts), tuple(dict.fromkeys(notes)), missing)

    async def _tried(self, box: Mailbox, most: int) -> _Part | SourceError:
        try:
            return await self._search(box, most)
        except CommandRefused as refusal:
            failure = error_of(refusal.status, self.wanted.shown)
            if isinstance(failure, Throttled):
                await self.call.throttled(failure)
            return failure
        except Throttled as failure:  # by our own limit
            return failure

    async def _search(self, box: Mailbox, most: int) -> _Part:
        connection, call = self.connection, self.call
        place = await searching.examine(connection, box, call)
        uids, total, everything = await searching.matching(connection, self.wanted, most, call)
        found, unread = await searching.headers(connection, place, uids, call)
        notes = () if everything else (OTHER_SCRIPTS,)
        return _Part(found, total, (*notes, Unread.of(unread, len(uids), "mails")) if unread else notes)

    async def read(self, mails: Sequence[FoundMail], deadline: float) -> tuple[list[FoundMail], tuple[Said, ...]]:
        """Mails, the best of them with their text, and a note where that is missing.

        Text must not cost the mails that it belongs to: it gets most of the time that is left, not all of it.
        """
        best = mails[: self.settings.mails_read]
        read: dict[str, FoundMail] = {}
        why = ""
        try:
            async with asyncio.timeout((deadline - asyncio.get_running_loop().time()) * DETAILS_SHARE):
                # The mailbox that is open comes first, so that it need not be opened again.
                for place in sorted({each.place: None for each in best}, key=self._is_closed):
                    read |= await self._read_at(place, best)
        except TimeoutError:
            why = LATE
        except (CommandRefused, SourceError) as failure:
            why = (error_of(failure.status) if isinstance(failure, CommandRefused) else failure).message
        missing = sum(each.id not in read for each in best)
        notes = (Unread.of(missing, len(best), "mails", why, text=True),) if missing else ()
        return [read.get(each.id, each) for each in mails], notes

    def _is_closed(self, place: OpenedMailbox) -> bool:
        return place != self.connection.selected

    async def _read_at(self, place: OpenedMailbox, best: Sequence[FoundMail]) -> Mapping[str, FoundMail]:
        if self._is_closed(place):
            opened = await searching.examine(self.connection, place.box, self.call)
            if opened.validity != place.validity:  # the numbers mean other mails now
                return {}
        uids = [each.uid for each in best if each.place == place]
        found, _ = await searching.bodies(self.connection, place, uids, self.settings.mail_bytes, self.call)
        return {each.id: each for each in found}


def _by_reason(failures: Sequence[tuple[Mailbox, SourceError]]) -> Mapping[SourceError, list[str]]:
    """The names of mailboxes by what kept us from searching them."""
    found: dict[SourceError, list[str]] = {}
    for box, failure in failures:
        found.setdefault(failure, []).append(box.container.name)
    return found


def _left_out(failure: SourceError, names: Sequence[str]) -> LeftOut:
    first = ", ".join(names[:MOST_NAMES])
    said = FURTHER.filled(names=first, count=len(names) - MOST_NAMES) if len(names) > MOST_NAMES else first
    return LeftOut.by(failure, NOT_SEARCHED.filled(name=said, why=failure.message))
