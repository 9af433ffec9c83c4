"""Gmail's REST API: authentication, parameters, routes and errors."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

from . import render
from .batch import answer_parts, read_parts
from .errors import GmailError, error_reply
from .search import MailSearch
from .store import Mailbox

TOKEN = "ya29.sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
METADATA_TOKEN = "ya29.sandbox-metadata"  # noqa: S105
"""A token with the scope gmail.metadata: no `q`, no bodies."""

MAX_RESULTS = 500
ESTIMATE_CAP = 201
"""Gmail's estimate of many results is famously this."""

_STANDARD = frozenset(
    {"alt", "fields", "key", "prettyPrint", "quotaUser", "userIp", "callback", "access_token", "oauth_token",
     "uploadType", "upload_protocol", "$.xgafv"}
)  # fmt: skip
_FORMATS = ("full", "metadata", "minimal", "raw")
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="https://accounts.google.com/"'}
_ID = re.compile(r"[0-9a-fA-F]{1,16}", re.ASCII)

Parameters = Mapping[str, Sequence[str]]


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
        asked = _recorded(request)
        try:
            if request.path in ("/batch", "/batch/gmail/v1"):
                return self._batch(request)
            value, hits = self._single(request)
        except GmailError as error:
            reply = error_reply(error, _CHALLENGE if error.code == HTTPStatus.UNAUTHORIZED else {})
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
        return error_reply(GmailError(status, message), retry_header(fault))

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return error_reply(GmailError(413, "Request payload size exceeds the limit: 1048576 bytes."))

    def origins(self) -> Mapping[str, str]:
        """By message id, and by URL where the corpus has one."""
        mails = self._mailbox.mails
        return {mail.id: mail.row.id for mail in mails} | {m.row.url: m.row.id for m in mails if m.row.url}

    def _batch(self, request: WireRequest) -> WireReply:
        if request.method != "POST":
            raise GmailError(405, "Only POST is allowed.")
        return answer_parts(read_parts(request), request, self.answer)

    def _single(self, request: WireRequest) -> tuple[dict[str, Any], int]:
        parameters = _parameters(request)
        for pattern, known, route in self._routes:
            if found := pattern.fullmatch(request.path):
                if request.method != "GET":
                    raise GmailError(405, "Only GET is allowed.")
                metadata = self._admit(request, parameters)
                self._check_user(found["user"])
                _check_names(parameters, known)
                return route(_Call(found["id"], parameters, metadata))
        raise GmailError(404, "The requested URL was not found on this server.")

    def _admit(self, request: WireRequest, parameters: Parameters) -> bool:
        """Whether the token may read metadata only."""
        token = request.bearer or _one(parameters, "access_token") or _one(parameters, "oauth_token")
        if not token:
            raise GmailError(401, "Request is missing required authentication credential.", "required")
        if token not in self.tokens:
            raise GmailError(401, "Request had invalid authentication credentials. Expected OAuth 2 access token.")
        return token == METADATA_TOKEN

    def _check_user(self, user: str) -> None:
        if user not in ("me", self._mailbox.owner.email):
            raise GmailError(403, f"Delegation denied for {self._mailbox.owner.email}")

    def _list(self, call: _Call) -> tuple[dict[str, Any], int]:
        parameters = call.parameters
        query = _one(parameters, "q")
        if call.metadata and query:
            raise GmailError(403, "Metadata scope does not support 'q' parameter")
        labels = parameters.get("labelIds", ())
        known = {*self._mailbox.user_labels.values(), *(label["id"] for label in render.labels(self._mailbox))}
        for label in labels:
            if label not in known:
                raise GmailError(400, f"Invalid label: {label}")
        hidden = _flag(parameters, "includeSpamTrash")
        found = self._search.find(query, labels=labels, hidden=hidden, now=self._clock())
        size, start = _size(parameters), _start(parameters)
        shown = [render.listed(mail) for mail in found[start : start + size]]
        value: dict[str, Any] = {"messages": shown} if shown else {}
        if start + size < len(found):
            value["nextPageToken"] = f"{start + size:020d}"
        return value | {"resultSizeEstimate": min(len(found), ESTIMATE_CAP)}, len(found)

    def _get(self, call: _Call) -> tuple[dict[str, Any], int]:
        form = _one(call.parameters, "format") or "full"
        if form not in _FORMATS:
            raise GmailError(400, f"Invalid value at 'format' (type.googleapis.com/MessageFormat), \"{form[:100]}\"")
        if call.metadata and form in ("full", "raw"):
            raise GmailError(403, f"Metadata scope doesn't allow format {form.upper()}")
        if not _ID.fullmatch(call.id):
            raise GmailError(400, "Invalid id value")
        mail = self._mailbox.by_id.get(call.id.lower())
        if mail is None:
            raise GmailError(404, "Requested entity was not found.")
        return render.message(mail, form, call.parameters.get("metadataHeaders", ())), 1

    def _profile(self, _: _Call) -> tuple[dict[str, Any], int]:
        mails = self._mailbox.mails
        threads = len({mail.thread for mail in mails})
        latest = str(mails[0].date // 1000 + 1) if mails else "1"
        totals = {"messagesTotal": len(mails), "threadsTotal": threads, "historyId": latest}
        return {"emailAddress": self._mailbox.owner.email, **totals}, 0

    def _labels(self, _: _Call) -> tuple[dict[str, Any], int]:
        return {"labels": render.labels(self._mailbox)}, 0


def _parameters(request: WireRequest) -> Parameters:
    found: dict[str, list[str]] = {}
    for name, value in request.query():
        found.setdefault(name, []).append(value)
    return found


def _recorded(request: WireRequest) -> Mapping[str, Any]:
    secret = {"access_token", "oauth_token", "key"}
    shown = {name: values for name, values in _parameters(request).items() if name not in secret}
    return {name: values if name in ("labelIds", "metadataHeaders") else values[-1] for name, values in shown.items()}


def _check_names(parameters: Parameters, known: frozenset[str]) -> None:
    for name in parameters:
        if name not in known and name not in _STANDARD:
            problem = f'Unknown name "{name[:100]}": Cannot bind query parameter. Field could not be found.'
            raise GmailError(400, f"Invalid JSON payload received. {problem}")


def _one(parameters: Parameters, name: str) -> str:
    values = parameters.get(name, ())
    return values[-1] if values else ""


def _flag(parameters: Parameters, name: str) -> bool:
    value = _one(parameters, name) or "false"
    if value.casefold() not in ("true", "false"):
        raise GmailError(400, f"Invalid value at '{name}' (TYPE_BOOL), \"{value[:100]}\"")
    return value.casefold() == "true"


def _size(parameters: Parameters) -> int:
    text = _one(parameters, "maxResults") or "100"
    size = whole_number(text, 1, MAX_RESULTS)
    if size is None:
        raise GmailError(400, f"Invalid value at 'max_results' (1 to {MAX_RESULTS}), \"{text[:100]}\"")
    return size


def _start(parameters: Parameters) -> int:
    start = whole_number(_one(parameters, "pageToken") or "0", 0, 10**18)
    if start is None:
        raise GmailError(400, "Invalid pageToken")
    return start
