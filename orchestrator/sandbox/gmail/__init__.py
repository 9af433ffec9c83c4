"""Gmail's REST API, as far as searching and reading needs it, over the mail of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.gmail import render
from orchestrator.sandbox.gmail.search import MailSearch
from orchestrator.sandbox.gmail.store import Mailbox
from orchestrator.sandbox.google import (
    GoogleError,
    Parameters,
    answer_parts,
    check_names,
    error_reply,
    flag,
    one,
    parameters_of,
    read_parts,
    recorded,
    token_of,
    wrong_token,
)
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

TOKEN = "ya29.sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
METADATA_TOKEN = "ya29.sandbox-metadata"  # noqa: S105
"""A token with the scope gmail.metadata: no `q`, no bodies."""
MAX_RESULTS = 500
ESTIMATE_CAP = 201
"""Gmail's estimate of many results is famously this."""
_FORMATS = ("full", "metadata", "minimal", "raw")
_ID = re.compile(r"[0-9a-fA-F]{1,16}", re.ASCII)
__all__ = ["EMULATOR", "GmailEmulator"]


@dataclass(frozen=True, slots=True)
class _Call:
    """One accepted request; `metadata` if its token may read no more than that."""

    id: str
    parameters: Parameters
    metadata: bool


Route = Callable[[_Call], tuple[dict[str, Any], int]]


class GmailEmulator:
    """Gmail over the mail of a corpus."""

    source = "gmail"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, METADATA_TOKEN)
        self._clock = situation.clock
        self._mailbox = Mailbox(situation.corpus.of(self.source), situation.corpus.people, situation.owner)
        self._search = MailSearch(self._mailbox)
        user = r"/gmail/v1/users/(?P<user>[^/]+)"
        self._routes: Sequence[tuple[re.Pattern[str], frozenset[str], Route]] = (
            (
                re.compile(f"{user}/messages(?P<id>)"),
                frozenset({"q", "maxResults", "pageToken", "labelIds", "includeSpamTrash"}),
                self._list,
            ),
            (re.compile(f"{user}/messages/(?P<id>[^/]+)"), frozenset({"format", "metadataHeaders"}), self._get),
            (re.compile(f"{user}/profile(?P<id>)"), frozenset(), self._profile),
            (re.compile(f"{user}/labels(?P<id>)"), frozenset(), self._labels),
        )

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        asked = recorded(request, ("labelIds", "metadataHeaders"))
        try:
            if request.path in ("/batch", "/batch/gmail/v1"):
                return self._batch(request)
            value, hits = self._single(request)
        except GoogleError as error:
            reply = error_reply(error)
            return WireReply(reply.status, reply.body, reply.headers, asked)
        return json_reply(200, value, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 `rateLimitExceeded` (with `Retry-After` if the fault names one), or another of Google's errors."""
        status = fault.refusal or 500
        message = (
            "Quota exceeded for quota metric 'Queries'."
            if status == HTTPStatus.TOO_MANY_REQUESTS
            else f"A fault of the sandbox: HTTP {status}."
        )
        return error_reply(GoogleError(status, message), retry_header(fault))

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return error_reply(GoogleError(413, "Request payload size exceeds the limit: 1048576 bytes."))

    def origins(self) -> Mapping[str, str]:
        """By message id, and by URL where the corpus has one."""
        mails = self._mailbox.mails
        return {mail.id: mail.row.id for mail in mails} | {m.row.url: m.row.id for m in mails if m.row.url}

    def _batch(self, request: WireRequest) -> WireReply:
        if request.method != "POST":
            raise GoogleError(405, "Only POST is allowed.")
        return answer_parts(read_parts(request), request, self.answer)

    def _single(self, request: WireRequest) -> tuple[dict[str, Any], int]:
        parameters = parameters_of(request)
        for pattern, known, route in self._routes:
            if found := pattern.fullmatch(request.path):
                if request.method != "GET":
                    raise GoogleError(405, "Only GET is allowed.")
                metadata = self._admit(request, parameters)
                self._check_user(found["user"])
                check_names(parameters, known)
                return route(_Call(found["id"], parameters, metadata))
        raise GoogleError(404, "The requested URL was not found on this server.")

    def _admit(self, request: WireRequest, parameters: Parameters) -> bool:
        """Whether the token may read metadata only."""
        token = token_of(request, parameters)
        if token not in self.tokens:
            raise wrong_token()
        return token == METADATA_TOKEN

    def _check_user(self, user: str) -> None:
        if user not in ("me", self._mailbox.owner.email):
            raise GoogleError(403, f"Delegation denied for {self._mailbox.owner.email}")

    def _list(self, call: _Call) -> tuple[dict[str, Any], int]:
        parameters = call.parameters
        query = one(parameters, "q")
        if call.metadata and query:
            raise GoogleError(403, "Metadata scope does not support 'q' parameter")
        labels = parameters.get("labelIds", ())
        known = {*self._mailbox.user_labels.values(), *(label["id"] for label in render.labels(self._mailbox))}
        for label in labels:
            if label not in known:
                raise GoogleError(400, f"Invalid label: {label}")
        hidden = flag(parameters, "includeSpamTrash")
        found = self._search.find(query, labels=labels, hidden=hidden, now=self._clock())
        size, start = _size(parameters), _start(parameters)
        shown = [render.listed(mail) for mail in found[start : start + size]]
        value: dict[str, Any] = {"messages": shown} if shown else {}
        if start + size < len(found):
            value["nextPageToken"] = f"{start + size:020d}"
        return value | {"resultSizeEstimate": min(len(found), ESTIMATE_CAP)}, len(found)

    def _get(self, call: _Call) -> tuple[dict[str, Any], int]:
        form = one(call.parameters, "format") or "full"
        if form not in _FORMATS:
            raise GoogleError(400, f"Invalid value at 'format' (type.googleapis.com/MessageFormat), \"{form[:100]}\"")
        if call.metadata and form in ("full", "raw"):
            raise GoogleError(403, f"Metadata scope doesn't allow format {form.upper()}")
        if not _ID.fullmatch(call.id):
            raise GoogleError(400, "Invalid id value")
        mail = self._mailbox.by_id.get(call.id.lower())
        if mail is None:
            raise GoogleError(404, "Requested entity was not found.")
        return render.message(mail, form, call.parameters.get("metadataHeaders", ())), 1

    def _profile(self, _: _Call) -> tuple[dict[str, Any], int]:
        mails = self._mailbox.mails
        threads = len({mail.thread for mail in mails})
        latest = str(mails[0].date // 1000 + 1) if mails else "1"
        totals = {"messagesTotal": len(mails), "threadsTotal": threads, "historyId": latest}
        return {"emailAddress": self._mailbox.owner.email, **totals}, 0

    def _labels(self, _: _Call) -> tuple[dict[str, Any], int]:
        return {"labels": render.labels(self._mailbox)}, 0


def _size(parameters: Parameters) -> int:
    text = one(parameters, "maxResults") or "100"
    size = whole_number(text, 1, MAX_RESULTS)
    if size is None:
        raise GoogleError(400, f"Invalid value at 'max_results' (1 to {MAX_RESULTS}), \"{text[:100]}\"")
    return size


def _start(parameters: Parameters) -> int:
    start = whole_number(one(parameters, "pageToken") or "0", 0, 10**18)
    if start is None:
        raise GoogleError(400, "Invalid pageToken")
    return start


EMULATOR = GmailEmulator
