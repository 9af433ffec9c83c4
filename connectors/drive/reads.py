"""What is read beside a page of files: the names of the places they lie in, and the text of the best of them."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import ValidationError

from connectors.drive.wire import DriveList, Named
from connectors.errors import BadReply, SourceError
from connectors.http import HttpRequest, Reply
from connectors.text import clip, plain_text
from connectors.wire import read_each, read_replies, texts_not_read
from translators.query import Container
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.contract import Fact, Hit, HitPage

FILES, DRIVES = "drive/v3/files", "drive/v3/drives"
MOST_DRIVES = "100"
# https://developers.google.com/workspace/drive/api/guides/ref-export-formats ; of a spreadsheet only the first sheet.
EXPORTS = MappingProxyType(
    {
        "application/vnd.google-apps.document": "text/plain",
        "application/vnd.google-apps.presentation": "text/plain",
        "application/vnd.google-apps.spreadsheet": "text/csv",
    }
)
SHARED_DRIVE = "drive:"  # before the id of a shared drive, so that the dialect knows it from a folder


@record
class Reads:
    """Which folders are to be named, whether there are shared drives to be named, and which files' texts are wanted."""

    folders: tuple[str, ...]
    drives: bool
    texts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, hits: Sequence[Hit], texts: int) -> Reads:
        """For a page of hits; the text of the first ``texts`` at most."""
        folders = dict.fromkeys(str(hit.facts["folder"]) for hit in hits if "folder" in hit.facts)
        kinds = ((hit.id, EXPORTS.get(str(hit.facts.get("type")), "")) for hit in hits[:texts])
        return cls(tuple(folders), any("drive" in hit.facts for hit in hits), tuple(each for each in kinds if each[1]))

    def requests(self) -> tuple[HttpRequest, ...]:
        """Names first, then texts."""
        names = [_named(folder) for folder in self.folders]
        return (*names, *([drives_request()] if self.drives else ()), *(_export(*each) for each in self.texts))

    def into(self, page: HitPage, replies: Sequence[Reply | SourceError], max_text: int) -> HitPage:
        """``page`` with what the replies to :meth:`requests` say. A text that could not be read is told in a note."""
        after = len(self.folders) + self.drives
        folders = {folder: name for reply in replies[: len(self.folders)] for folder, name in _name_in(reply)}
        drives = {drive: name for reply in replies[len(self.folders) : after] for drive, name in _drives_in(reply)}
        files = (file for file, _ in self.texts)
        texts, failures = read_replies(files, replies[after:], lambda reply: clip(_text_in(reply), max_text)[0])
        hits = tuple(_completed(hit, folders, drives, texts.get(hit.id, "")) for hit in page.hits)
        return replace(page, hits=hits, notes=(*page.notes, *texts_not_read(failures, len(self.texts), "files")))


def drives_request(page_token: str | None = None) -> HttpRequest:
    """``drives.list``: names of shared drives."""
    asked = {"pageSize": MOST_DRIVES, "fields": "nextPageToken,drives(id,name)"}
    return HttpRequest("GET", DRIVES, asked if page_token is None else {**asked, "pageToken": page_token})


def _named(file: str) -> HttpRequest:
    return HttpRequest("GET", f"{FILES}/{file}", {"fields": "id,name", "supportsAllDrives": "true"})


def _export(file: str, kind: str) -> HttpRequest:
    return HttpRequest("GET", f"{FILES}/{file}/export", {"mimeType": kind}, headers={"Accept": kind})


def _name_in(reply: Reply | SourceError) -> tuple[tuple[str, str], ...]:
    """A folder that cannot be read has no name for us: it may be somebody else's, of which we see but one file."""
    if isinstance(reply, SourceError) or not reply.ok:
        return ()
    try:
        found = Named.model_validate(reply.data)
    except ValidationError:
        return ()
    return ((found.id, found.name),)


def _drives_in(reply: Reply | SourceError) -> tuple[tuple[str, str], ...]:
    if isinstance(reply, SourceError) or not reply.ok:
        return ()
    try:
        listed = DriveList.model_validate(reply.data)
    except ValidationError:
        return ()
    return read_each(Named, listed.drives, lambda drive: (drive.id, drive.name), "shared drives")[0]


def _text_in(reply: Reply | SourceError) -> str:
    if isinstance(reply, SourceError):
        raise reply
    if not isinstance(reply.data, str):
        raise BadReply(Said("something other than text came"))
    return plain_text(reply.data)


def _completed(hit: Hit, folders: Mapping[str, str], drives: Mapping[str, str], text: str) -> Hit:
    """Ids of places give way to their names: the folder is where a file is, else the shared drive."""
    folder, drive = (str(hit.facts.get(name, "")) for name in ("folder", "drive"))
    facts: dict[str, Fact] = {name: fact for name, fact in hit.facts.items() if name not in ("folder", "drive")}
    place: Container | None = None
    if name := drives.get(drive):
        facts["drive"] = name
        place = Container(name, f"{SHARED_DRIVE}{drive}")
    if name := folders.get(folder):
        place = Container(name, folder)
    return replace(hit, container=place, snippet=text or hit.snippet, facts=MappingProxyType(facts))
