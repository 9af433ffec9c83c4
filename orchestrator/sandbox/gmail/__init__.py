"""Gmail's REST API, as far as searching and reading needs it, over the mail of a corpus."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.sandbox.gmail import render
from orchestrator.sandbox.gmail.search import MailSearch
from orchestrator.sandbox.gmail.store import Mailbox
from orchestrator.sandbox.google import GoogleCall, GoogleEmulator, GoogleError, GoogleMethod, Parameters
from orchestrator.sandbox.wire import Situation, WireRequest, whole_number

TOKEN = "ya29.sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
METADATA_TOKEN = "ya29.sandbox-metadata"  # noqa: S105
"""A token with the scope gmail.metadata: no `q`, no bodies."""
MAX_RESULTS = 500
ESTIMATE_CAP = 201
"""Gmail's estimate of many results is famously this."""
_THREAD_FORMATS = ("full", "metadata", "minimal")
_FORMATS = (*_THREAD_FORMATS, "raw")
_ID = re.compile(r"[0-9a-fA-F]{1,16}", re.ASCII)
__all__ = ["EMULATOR", "GmailEmulator"]


class GmailEmulator(GoogleEmulator):
    """Gmail over the mail of a corpus."""

    source = "gmail"
    batches = frozenset({"/batch", "/batch/gmail/v1"})
    lists = frozenset({"labelIds", "metadataHeaders"})
    quota = ("Quota exceeded for quota metric 'Queries'.", "")

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, METADATA_TOKEN)
        self._clock = situation.clock
        self._mailbox = Mailbox(situation.corpus.of(self.source), situation.corpus.people, situation.owner)
        self._search = MailSearch(self._mailbox)
        user = "/gmail/v1/users/[^/]+"
        self.methods = (
            GoogleMethod(
                re.compile(f"{user}/messages(?P<step>)"),
                self._list,
                frozenset({"q", "maxResults", "pageToken", "labelIds", "includeSpamTrash"}),
            ),
            GoogleMethod(
                re.compile(f"{user}/messages/(?P<step>[^/]+)"), self._get, frozenset({"format", "metadataHeaders"})
            ),
            GoogleMethod(
                re.compile(f"{user}/threads/(?P<step>[^/]+)"), self._thread, frozenset({"format", "metadataHeaders"})
            ),
            GoogleMethod(re.compile(f"{user}/profile(?P<step>)"), self._profile),
            GoogleMethod(re.compile(f"{user}/labels(?P<step>)"), self._labels),
        )

    def origins(self) -> Mapping[str, str]:
        """By message id, and by URL where the corpus has one."""
        mails = self._mailbox.mails
        return {mail.id: mail.row.id for mail in mails} | {m.row.url: m.row.id for m in mails if m.row.url}

    def admit(self, request: WireRequest, parameters: Parameters) -> bool:
        """To the owner's mail, and to nobody else's."""
        narrow = super().admit(request, parameters)
        if request.path.split("/")[4] not in ("me", self._mailbox.owner.email):
            raise GoogleError(403, f"Delegation denied for {self._mailbox.owner.email}")
        return narrow

    def _list(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        query = call.one("q")
        if call.narrow and query:
            raise GoogleError(403, "Metadata scope does not support 'q' parameter")
        labels = call.parameters.get("labelIds", ())
        known = {*self._mailbox.user_labels.values(), *(label["id"] for label in render.labels(self._mailbox))}
        for label in labels:
            if label not in known:
                raise GoogleError(400, f"Invalid label: {label}")
        hidden = call.flag("includeSpamTrash")
        found = self._search.find(query, labels=labels, hidden=hidden, now=self._clock())
        size, start = _size(call), _start(call)
        shown = [render.listed(mail) for mail in found[start : start + size]]
        value: dict[str, Any] = {"messages": shown} if shown else {}
        if start + size < len(found):
            value["nextPageToken"] = f"{start + size:020d}"
        return value | {"resultSizeEstimate": min(len(found), ESTIMATE_CAP)}, len(found)

    def _get(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        form = _format(call, _FORMATS)
        mail = self._mailbox.by_id.get(call.step.lower())
        if mail is None:
            raise GoogleError(404, "Requested entity was not found.")
        return render.message(mail, form, call.parameters.get("metadataHeaders", ())), 1

    def _thread(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        """All mails of a thread, the oldest first."""
        form = _format(call, _THREAD_FORMATS)
        mails = [mail for mail in reversed(self._mailbox.mails) if mail.thread == call.step.lower()]
        if not mails:
            raise GoogleError(404, "Requested entity was not found.")
        wanted = call.parameters.get("metadataHeaders", ())
        history = str(max(mail.date for mail in mails) // 1000 + 1)
        shown = [render.message(mail, form, wanted) for mail in mails]
        return {"id": mails[0].thread, "historyId": history, "messages": shown}, len(mails)

    def _profile(self, _: GoogleCall) -> tuple[dict[str, Any], int]:
        mails = self._mailbox.mails
        threads = len({mail.thread for mail in mails})
        latest = str(mails[0].date // 1000 + 1) if mails else "1"
        totals = {"messagesTotal": len(mails), "threadsTotal": threads, "historyId": latest}
        return {"emailAddress": self._mailbox.owner.email, **totals}, 0

    def _labels(self, _: GoogleCall) -> tuple[dict[str, Any], int]:
        return {"labels": render.labels(self._mailbox)}, 0


def _format(call: GoogleCall, known: Sequence[str]) -> str:
    """How a mail is to be shown. Raises `GoogleError` for what there is not, or not for this token."""
    form = call.one("format") or "full"
    if form not in known:
        raise GoogleError(400, f"Invalid value at 'format' (type.googleapis.com/MessageFormat), \"{form[:100]}\"")
    if call.narrow and form in ("full", "raw"):
        raise GoogleError(403, f"Metadata scope doesn't allow format {form.upper()}")
    if not _ID.fullmatch(call.step):
        raise GoogleError(400, "Invalid id value")
    return form


def _size(call: GoogleCall) -> int:
    text = call.one("maxResults") or "100"
    size = whole_number(text, 1, MAX_RESULTS)
    if size is None:
        raise GoogleError(400, f"Invalid value at 'max_results' (1 to {MAX_RESULTS}), \"{text[:100]}\"")
    return size


def _start(call: GoogleCall) -> int:
    start = whole_number(call.one("pageToken") or "0", 0, 10**18)
    if start is None:
        raise GoogleError(400, "Invalid pageToken")
    return start


EMULATOR = GmailEmulator
