"""Google Drive's REST API, as far as searching and reading needs it, over the files of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.drive import render
from orchestrator.sandbox.drive.grammar import QueryError, parse
from orchestrator.sandbox.drive.search import ORDER_KEYS, FileSearch, full_texts
from orchestrator.sandbox.drive.store import DOCUMENT, EDITORS, PRESENTATION, SPREADSHEET, File, Library
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.google import (
    FieldError,
    GoogleError,
    Mask,
    Parameters,
    answer_parts,
    check_names,
    error_reply,
    flag,
    limited,
    mask_of,
    masked,
    one,
    parameters_of,
    read_parts,
    recorded,
    token_of,
    wrong_token,
)
from orchestrator.sandbox.wire import (
    Situation,
    WireReply,
    WireRequest,
    cursor,
    json_reply,
    place_of,
    retry_header,
    whole_number,
)

TOKEN = "ya29.sandbox-drive"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
METADATA_TOKEN = "ya29.sandbox-drive-metadata"  # noqa: S105
"""A token with the scope drive.metadata.readonly: neither contents nor a search in them."""
MOST_FILES, MOST_DRIVES = 1000, 100
MOST_EXPORTED = 10 * 1024 * 1024
EXPORTS = {
    DOCUMENT: frozenset({"text/plain", "text/markdown", "text/html"}),
    PRESENTATION: frozenset({"text/plain"}),
    SPREADSHEET: frozenset({"text/csv", "text/tab-separated-values"}),
}
"""The text formats that each editor's files can be had in."""
_FILES = frozenset(
    {"q", "pageSize", "pageToken", "orderBy", "corpora", "driveId", "includeItemsFromAllDrives", "supportsAllDrives",
     "spaces", "includeLabels", "includePermissionsForView"}
)  # fmt: skip
_DRIVES = "supportsAllDrives"
_SORTING = "Sorting is not supported for queries with fullText terms. Results are always in descending relevance order."
__all__ = ["EMULATOR", "DriveEmulator"]


@dataclass(frozen=True, slots=True)
class _Call:
    """One accepted request; `metadata` if its token may read no more than that."""

    id: str
    parameters: Parameters
    metadata: bool


Route = Callable[[_Call], tuple[dict[str, Any] | str, int]]


class DriveEmulator:
    """Drive over the files of a corpus."""

    source = "drive"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, METADATA_TOKEN)
        self._library = Library(situation.corpus.of(self.source), situation.corpus.people, situation.owner)
        self._search = FileSearch(self._library)
        base = "/drive/v3"
        self._routes: Sequence[tuple[re.Pattern[str], frozenset[str], Route]] = (
            (re.compile(f"{base}/files(?P<id>)"), _FILES, self._list),
            (re.compile(f"{base}/files/(?P<id>[^/]+)"), frozenset({_DRIVES}), self._get),
            (re.compile(f"{base}/files/(?P<id>[^/]+)/export"), frozenset({"mimeType"}), self._export),
            (re.compile(f"{base}/drives(?P<id>)"), frozenset({"pageSize", "pageToken"}), self._drives),
            (re.compile(f"{base}/about(?P<id>)"), frozenset(), self._about),
        )

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        request = _overridden(request)
        asked = recorded(request)
        try:
            if request.path == "/batch/drive/v3":
                return self._batch(request)
            value, hits = self._single(request)
        except GoogleError as error:
            return replace(error_reply(error), asked=asked)
        if isinstance(value, str):  # with a mark and line ends of the kind that Google sends
            body = f"\ufeff{value}".replace("\n", "\r\n").encode()
            kind = f"{one(parameters_of(request), 'mimeType')}; charset=utf-8"
            return WireReply(200, body, {"Content-Type": kind}, asked, hits)
        return json_reply(200, value, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 `rateLimitExceeded` (with `Retry-After` if the fault names one), or another of Google's errors."""
        status = fault.refusal or 500
        throttled = status == HTTPStatus.TOO_MANY_REQUESTS
        message = "Rate Limit Exceeded" if throttled else f"A fault of the sandbox: HTTP {status}."
        return error_reply(GoogleError(status, message), retry_header(fault))

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return error_reply(GoogleError(413, "Request payload size exceeds the limit: 1048576 bytes."))

    def origins(self) -> Mapping[str, str]:
        """By file id, by the link that is served, and by the corpus's own."""
        rows = [(file, file.row) for file in self._library.files if file.row]
        names = [(name, row.id) for file, row in rows for name in (file.id, file.link, row.url)]
        return {name: identity for name, identity in names if name}

    def _batch(self, request: WireRequest) -> WireReply:
        if request.method != "POST":
            raise GoogleError(405, "Only POST is allowed.")
        return answer_parts(read_parts(request), request, self._part)

    def _part(self, request: WireRequest) -> WireReply:
        if request.path.endswith("/export"):
            return error_reply(GoogleError(403, "Media download is not supported in a batch.", "downloadNotSupported"))
        return self.answer(request)

    def _single(self, request: WireRequest) -> tuple[dict[str, Any] | str, int]:
        parameters = parameters_of(request)
        for pattern, known, route in self._routes:
            if found := pattern.fullmatch(request.path):
                if request.method != "GET":
                    raise GoogleError(405, "Only GET is allowed.")
                token = token_of(request, parameters)
                if token not in self.tokens:
                    raise wrong_token()
                check_names(parameters, known)
                return route(_Call(found["id"], parameters, token == METADATA_TOKEN))
        raise GoogleError(404, "The requested URL was not found on this server.")

    def _list(self, call: _Call) -> tuple[dict[str, Any], int]:
        parameters = call.parameters
        mask = _mask(parameters, render.FILE_LIST, render.DEFAULT_LIST)
        query = one(parameters, "q")
        self._check_query(query, parameters, metadata=call.metadata)
        found = self._search.find(query, self._within(parameters), _order(parameters))
        size = _size(parameters, "100", MOST_FILES)
        start = _start(parameters)
        shown = [render.file(file, self._library) for file in found[start : start + size]]
        value: dict[str, Any] = {"kind": "drive#fileList", "incompleteSearch": False, "files": shown}
        if start + size < len(found):
            value["nextPageToken"] = cursor(start + size, *_scope(parameters))
        return masked(value, mask), len(found)

    def _check_query(self, query: str, parameters: Parameters, *, metadata: bool) -> None:
        try:
            texts = full_texts(parse(query))
        except QueryError as error:
            raise GoogleError(400, "Invalid Value", "invalid", "q") from error
        if texts and one(parameters, "orderBy"):
            raise GoogleError(403, _SORTING, "forbidden", "orderBy")
        if texts and metadata:
            raise _no_scope()

    def _within(self, parameters: Parameters) -> Callable[[File], bool]:
        """Which files a request is about at all."""
        corpora, drive = one(parameters, "corpora") or "user", one(parameters, "driveId")
        everywhere = all([flag(parameters, "includeItemsFromAllDrives"), flag(parameters, _DRIVES)])
        if corpora not in ("user", "domain", "drive", "allDrives"):
            raise GoogleError(400, "Invalid Value", "invalid", "corpora")
        if bool(drive) is not (corpora == "drive"):
            problem = "The driveId parameter must be specified if and only if corpora is set to drive."
            raise GoogleError(403, problem, "teamDriveIdRequired", "driveId")
        if corpora in ("drive", "allDrives") and not everywhere:
            problem = f"The {corpora} corpora needs includeItemsFromAllDrives and supportsAllDrives."
            raise GoogleError(403, problem, "teamDrivesParametersRequired", "corpora")
        if drive and drive not in self._library.drives:
            raise GoogleError(404, f"Shared drive not found: {drive}", "notFound", "driveId")
        if drive:
            return lambda file: file.drive == drive
        return lambda file: not file.drive or corpora == "allDrives"

    def _get(self, call: _Call) -> tuple[dict[str, Any], int]:
        mask = _mask(call.parameters, render.FILE, render.DEFAULT_FILE)
        file = self._known(call.id, in_drives=flag(call.parameters, _DRIVES))
        return masked(render.file(file, self._library), mask), 1

    def _export(self, call: _Call) -> tuple[str, int]:
        file = self._known(call.id, in_drives=True)
        if call.metadata:
            raise _no_scope()
        wanted = one(call.parameters, "mimeType")
        if not wanted:
            raise GoogleError(400, "Required parameter: mimeType", "required", "mimeType")
        if not file.mime.startswith(EDITORS):
            raise GoogleError(403, "Export only supports Docs Editors files.", "fileNotExportable")
        if wanted not in EXPORTS.get(file.mime, ()):
            raise GoogleError(400, "The requested conversion is not supported.", "badRequest", "convertTo")
        if file.size > MOST_EXPORTED:
            raise GoogleError(403, "This file is too large to be exported.", "exportSizeLimitExceeded")
        return file.text, 1

    def _drives(self, call: _Call) -> tuple[dict[str, Any], int]:
        mask = _mask(call.parameters, render.DRIVE_LIST, render.DRIVE_LIST)
        drives = list(self._library.drives.items())
        size, start = _size(call.parameters, "10", MOST_DRIVES), _start(call.parameters)
        shown = [render.drive(identity, name) for identity, name in drives[start : start + size]]
        value: dict[str, Any] = {"kind": "drive#driveList", "drives": shown}
        if start + size < len(drives):
            value["nextPageToken"] = cursor(start + size, *_scope(call.parameters))
        return masked(value, mask), 0

    def _about(self, call: _Call) -> tuple[dict[str, Any], int]:
        if not one(call.parameters, "fields"):
            raise GoogleError(400, "The 'fields' parameter is required for this method.", "required", "fields")
        value = {"kind": "drive#about", "user": render.user(self._library.account, self._library)}
        return masked(value, _mask(call.parameters, render.ABOUT, render.ABOUT)), 0

    def _known(self, identity: str, *, in_drives: bool) -> File:
        file = self._library.by_id.get(identity)
        if file is None or (file.drive and not in_drives):
            raise GoogleError(404, f"File not found: {identity[:100]}.", "notFound", "fileId")
        return file


def _overridden(request: WireRequest) -> WireRequest:
    """A request whose address was too long for one: Google's client posts its parameters and says what it meant."""
    if request.method != "POST" or request.headers.get("x-http-method-override") != "GET":
        return request
    return replace(request, method="GET", query_string=request.body.decode("utf-8", "replace"), body=b"")


def _no_scope() -> GoogleError:
    return GoogleError(
        403, "Insufficient Permission: Request had insufficient authentication scopes.", "insufficientPermissions"
    )


def _mask(parameters: Parameters, known: Mask, usual: Mask) -> Mask:
    text = one(parameters, "fields")
    try:
        return limited(mask_of(text), known) if text else usual
    except FieldError as error:
        problem = f"Invalid field selection {str(error)[:100]}"
        raise GoogleError(400, problem, "invalidParameter", "fields") from error


def _order(parameters: Parameters) -> Sequence[tuple[str, bool]]:
    keys = []
    for part in filter(None, one(parameters, "orderBy").split(",")):
        key, *direction = part.split()[:2] or [""]
        if key not in ORDER_KEYS or direction not in ([], ["desc"]):
            raise GoogleError(400, "Invalid Value", "invalid", "orderBy")
        keys.append((key, bool(direction)))
    return keys


def _size(parameters: Parameters, usual: str, most: int) -> int:
    size = whole_number(one(parameters, "pageSize") or usual, 1, 10**9)
    if size is None:
        raise GoogleError(400, f"Invalid value for pageSize; it must be within 1 and {most}", "invalid", "pageSize")
    return min(size, most)


def _scope(parameters: Parameters) -> Sequence[object]:
    """What a page token belongs to: everything but itself, the size of the page and the fields."""
    return sorted(
        (name, *values) for name, values in parameters.items() if name not in ("pageToken", "pageSize", "fields")
    )


def _start(parameters: Parameters) -> int:
    token = one(parameters, "pageToken")
    start = place_of(token, *_scope(parameters)) if token else 0
    if start is None:
        raise GoogleError(400, "Invalid Value", "invalid", "pageToken")
    return start


EMULATOR = DriveEmulator
