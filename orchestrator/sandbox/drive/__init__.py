"""Google Drive's REST API, as far as searching and reading needs it, over the files of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from orchestrator.sandbox.drive import render
from orchestrator.sandbox.drive.search import ORDER_KEYS, FileSearch, QueryError, full_texts, parse
from orchestrator.sandbox.drive.store import DOCUMENT, EDITORS, PRESENTATION, SPREADSHEET, File, Library
from orchestrator.sandbox.google import (
    GoogleCall,
    GoogleEmulator,
    GoogleError,
    GoogleMethod,
    error_reply,
    masked,
    paged,
    size_of,
)
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest

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
_SHOWING = frozenset({"pageToken", "pageSize", "fields"})
_SORTING = "Sorting is not supported for queries with fullText terms. Results are always in descending relevance order."
__all__ = ["EMULATOR", "DriveEmulator"]


class DriveEmulator(GoogleEmulator):
    """Drive over the files of a corpus."""

    source = "drive"
    batches = frozenset({"/batch/drive/v3"})
    quota = ("Rate Limit Exceeded", "")

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, METADATA_TOKEN)
        self._library = Library(situation.corpus.of(self.source), situation.corpus.people, situation.owner)
        self._search = FileSearch(self._library)
        base = "/drive/v3"
        self.methods = (
            GoogleMethod(re.compile(f"{base}/files(?P<step>)"), self._list, _FILES),
            GoogleMethod(re.compile(f"{base}/files/(?P<step>[^/]+)"), self._get, frozenset({_DRIVES})),
            GoogleMethod(re.compile(f"{base}/files/(?P<step>[^/]+)/export"), self._export, frozenset({"mimeType"})),
            GoogleMethod(re.compile(f"{base}/drives(?P<step>)"), self._drives, frozenset({"pageSize", "pageToken"})),
            GoogleMethod(re.compile(f"{base}/about(?P<step>)"), self._about),
        )

    def answer(self, request: WireRequest) -> WireReply:
        """The reply. Where an address was too long for one, Google's client posts its parameters and says what it meant."""
        if request.method == "POST" and request.headers.get("x-http-method-override") == "GET":
            request = replace(request, method="GET", query_string=request.body.decode("utf-8", "replace"), body=b"")
        return super().answer(request)

    def part(self, request: WireRequest) -> WireReply:
        """No contents."""
        if request.path.endswith("/export"):
            return error_reply(GoogleError(403, "Media download is not supported in a batch.", "downloadNotSupported"))
        return self.answer(request)

    def shown(self, value: dict[str, Any] | str, asked: Mapping[str, Any], hits: int) -> WireReply:
        """Contents with a mark and line ends of the kind that Google sends."""
        if not isinstance(value, str):
            return super().shown(value, asked, hits)
        body = f"\ufeff{value}".replace("\n", "\r\n").encode()
        return WireReply(200, body, {"Content-Type": f"{asked['mimeType']}; charset=utf-8"}, asked, hits)

    def origins(self) -> Mapping[str, str]:
        """By file id, by the link that is served, and by the corpus's own."""
        rows = [(file, file.row) for file in self._library.files if file.row]
        names = [(name, row.id) for file, row in rows for name in (file.id, file.link, row.url)]
        return {name: identity for name, identity in names if name}

    def _list(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        mask = call.mask(render.FILE_LIST, render.DEFAULT_LIST)
        query = call.one("q")
        self._check_query(query, call)
        found = self._search.find(query, self._within(call), _order(call))
        page = _page(call, "files", found, "100", MOST_FILES)
        shown = [render.file(file, self._library) for file in page["files"]]
        value = {"kind": "drive#fileList", "incompleteSearch": False, **page, "files": shown}
        return masked(value, mask), len(found)

    def _check_query(self, query: str, call: GoogleCall) -> None:
        try:
            texts = full_texts(parse(query))
        except QueryError as error:
            raise GoogleError(400, "Invalid Value", "invalid", "q") from error
        if texts and call.one("orderBy"):
            raise GoogleError(403, _SORTING, "forbidden", "orderBy")
        if texts and call.narrow:
            raise _no_scope()

    def _within(self, call: GoogleCall) -> Callable[[File], bool]:
        """Which files a request is about at all."""
        corpora, drive = call.one("corpora") or "user", call.one("driveId")
        everywhere = all([call.flag("includeItemsFromAllDrives"), call.flag(_DRIVES)])
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

    def _get(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        mask = call.mask(render.FILE, render.DEFAULT_FILE)
        file = self._known(call.step, in_drives=call.flag(_DRIVES))
        return masked(render.file(file, self._library), mask), 1

    def _export(self, call: GoogleCall) -> tuple[str, int]:
        file = self._known(call.step, in_drives=True)
        if call.narrow:
            raise _no_scope()
        wanted = call.one("mimeType")
        if not wanted:
            raise GoogleError(400, "Required parameter: mimeType", "required", "mimeType")
        if not file.mime.startswith(EDITORS):
            raise GoogleError(403, "Export only supports Docs Editors files.", "fileNotExportable")
        if wanted not in EXPORTS.get(file.mime, ()):
            raise GoogleError(400, "The requested conversion is not supported.", "badRequest", "convertTo")
        if file.size > MOST_EXPORTED:
            raise GoogleError(403, "This file is too large to be exported.", "exportSizeLimitExceeded")
        return file.text, 1

    def _drives(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        mask = call.mask(render.DRIVE_LIST, render.DRIVE_LIST)
        drives = [render.drive(identity, name) for identity, name in self._library.drives.items()]
        return masked({"kind": "drive#driveList", **_page(call, "drives", drives, "10", MOST_DRIVES)}, mask), 0

    def _about(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        if not call.one("fields"):
            raise GoogleError(400, "The 'fields' parameter is required for this method.", "required", "fields")
        value = {"kind": "drive#about", "user": render.user(self._library.account, self._library)}
        return masked(value, call.mask(render.ABOUT, render.ABOUT)), 0

    def _known(self, identity: str, *, in_drives: bool) -> File:
        file = self._library.by_id.get(identity)
        if file is None or (file.drive and not in_drives):
            raise GoogleError(404, f"File not found: {identity[:100]}.", "notFound", "fileId")
        return file


def _no_scope() -> GoogleError:
    return GoogleError(
        403, "Insufficient Permission: Request had insufficient authentication scopes.", "insufficientPermissions"
    )


def _order(call: GoogleCall) -> Sequence[tuple[str, bool]]:
    keys = []
    for part in filter(None, call.one("orderBy").split(",")):
        key, *direction = part.split()[:2] or [""]
        if key not in ORDER_KEYS or direction not in ([], ["desc"]):
            raise GoogleError(400, "Invalid Value", "invalid", "orderBy")
        keys.append((key, bool(direction)))
    return keys


def _page(call: GoogleCall, name: str, items: Sequence[Any], usual: str, most: int) -> dict[str, Any]:
    """A page of a list, which is what it is by everything asked but the page, its size and the fields."""
    asked = sorted((key, *values) for key, values in call.parameters.items() if key not in _SHOWING)
    return paged(name, items, size_of(call.one("pageSize") or usual, 1, most), call.one("pageToken"), asked)


EMULATOR = DriveEmulator
