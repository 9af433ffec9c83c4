"""Google Drive: files of one account and of the shared drives that it sees, found by Drive's own search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectors.contract import Call, Fact, Health, Hit, HitPage, LeftOut, SourceDirectory, known_facts
from connectors.drive.reads import FILES, SHARED_DRIVE, Reads, drives_request
from connectors.drive.settings import DriveSettings
from connectors.drive.wire import About, DriveList, File, FileList, Named, People, User
from connectors.google import GoogleSource
from connectors.google_api import GoogleApi, refused_place
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.paging import read_list
from connectors.text import clip
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.errors import SourceError
    from translators.translator import NativeQuery

API = GoogleApi("drive", "v3", "Google Drive")
SCOPE = "https://www.googleapis.com/auth/drive.readonly"
USER = "displayName,emailAddress,me"
FIELDS = (
    "id,name,mimeType,description,webViewLink,createdTime,modifiedTime,size,parents,driveId,starred,trashed,"
    f"owners({USER}),lastModifyingUser({USER})"
)
FOLDER, SHORTCUT = "application/vnd.google-apps.folder", "application/vnd.google-apps.shortcut"
MOST_FILES = 1000  # a page
NOT_FOUND = 404
UNSEARCHED = LeftOut(Said("Google Drive did not search all shared drives; name one to search it whole"))
LATEST = Said("only the {count} folders that were changed last were read")


class DriveSource(GoogleSource):
    """One account. A hit is one file; the best few of Google's own documents with their text."""

    manifest = load_manifest("connectors.drive")
    completes = True
    api = API
    scope = SCOPE
    settings_type = DriveSettings
    settings: DriveSettings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``files.list``, or ``files.get`` for the file that is named by its id."""
        if "fileId" in native.args:
            asked = {"fields": FIELDS, "supportsAllDrives": "true"}
            return HttpRequest("GET", f"{FILES}/{native.args['fileId']}", asked)
        more = {name: str(native.args[name]) for name in ("orderBy",) if name in native.args}
        if page.cursor is not None:
            more["pageToken"] = page.cursor
        question = self._narrowed(native.text)
        return self._list(question, f"incompleteSearch,files({FIELDS})", page.limit, native.args.get("driveId"), **more)

    def parse(self, reply: Reply) -> HitPage:
        """The files of a page, or the one file that was asked for; one that is not there is no hit."""
        if reply.status == NOT_FOUND:
            return HitPage(remarks=(Said("this account sees no file with this id"),))
        if isinstance(reply.data, Mapping) and "id" in reply.data:
            hit, faults = read_each(File, (reply.data,), self._hit, "files")
            return HitPage(hit, notes=faults)
        listed = read(FileList, reply.data, API.title)
        hits, notes = read_each(File, listed.files, self._hit, "files", self.known)
        return HitPage(
            hits, listed.nextPageToken or None, notes=notes, left_out=(UNSEARCHED,) * listed.incompleteSearch
        )

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """Names of folders and shared drives, and texts."""
        return Reads.of(page.hits, self.settings.texts).requests()

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """The hits with the places that they lie in, and with texts."""
        return Reads.of(page.hits, self.settings.texts).into(page, replies, self.settings.max_text)

    def error(self, reply: Reply) -> SourceError | None:
        """Google says the reason in the body. That a file is not there is an answer, and no error."""
        if reply.status == NOT_FOUND and refused_place(reply) == "fileId":
            return None
        return super().error(reply)

    async def directory(self, call: Call) -> SourceDirectory:
        """Shared drives and folders, and whoever owns or last changed the files that were changed last."""
        drives, few_drives = await self._shared_drives(call)
        folders, few_folders = await self._folders(call)
        people, few_people = await self._people(call)
        places = [Container(each.name, f"{SHARED_DRIVE}{each.id}") for each in drives]
        places += [Container(each.name, each.id) for each in folders]
        return SourceDirectory(people, tuple(places), (*few_drives, *few_folders, *few_people))

    async def probe(self, call: Call) -> Health:
        """Whose account it is."""
        reply = await self.send(HttpRequest("GET", "drive/v3/about", {"fields": f"user({USER})"}), call)
        who = read(About, reply.data, API.title).user
        return Health(ok=True, account=who.emailAddress or who.displayName)

    def _narrowed(self, text: str) -> str:
        """The question, without what nobody looks for. A shortcut leads to a file that is found by itself."""
        hidden = [SHORTCUT] if self.settings.folders else [SHORTCUT, FOLDER]
        conditions = [f"({text})"] if text else []
        conditions += [] if self.settings.trash else ["trashed = false"]
        return " and ".join([*conditions, *(f"mimeType != '{kind}'" for kind in hidden)])

    def _list(self, question: str, fields: str, limit: int, drive: object = None, **more: str) -> HttpRequest:
        where = {"corpora": self.settings.corpora} if drive is None else {"corpora": "drive", "driveId": str(drive)}
        shared = {} if where["corpora"] == "domain" else {"includeItemsFromAllDrives": "true"}
        asked = {
            "q": question,
            "pageSize": str(limit),
            "fields": f"nextPageToken,{fields}",
            "supportsAllDrives": "true",
        }
        return HttpRequest("GET", FILES, {**asked, **where, **shared, **(more or {})})

    def _hit(self, file: File) -> Hit:
        return Hit(
            source="",
            id=file.id,
            kind=Kind.FILE,
            title=file.name,
            url=file.webViewLink or f"https://drive.google.com/open?id={file.id}",
            snippet=clip(file.description, self.settings.max_text)[0],
            author=next((_person(owner) for owner in file.owners), None),
            created=file.createdTime,
            updated=file.modifiedTime,
            facts=_facts(file),
        )

    async def _shared_drives(self, call: Call) -> tuple[list[Named], tuple[str, ...]]:
        async def page(token: str | None) -> tuple[Sequence[Named], str | None]:
            listed = read(DriveList, (await self.send(drives_request(token), call)).data, API.title)
            found = read_each(Named, listed.drives, lambda drive: drive, "shared drives")[0]
            return found, listed.nextPageToken or None

        return await read_list(page, self.settings.directory_pages, "shared drives", refusals=())

    async def _folders(self, call: Call) -> tuple[list[Named], tuple[str, ...]]:
        question = f"mimeType = '{FOLDER}' and trashed = false"

        async def page(more: Mapping[str, str] | None) -> tuple[Sequence[Named], Mapping[str, str] | None]:
            asked = self._list(question, "files(id,name)", MOST_FILES, orderBy="modifiedTime desc", **(more or {}))
            listed = await self._listed(asked, call)
            found = read_each(Named, listed.files, lambda folder: folder, "folders")[0]
            return found, {"pageToken": listed.nextPageToken} if listed.nextPageToken else None

        return await read_list(page, self.settings.directory_pages, "folders", refusals=(), more=LATEST)

    async def _people(self, call: Call) -> tuple[tuple[Person, ...], tuple[str, ...]]:
        fields = f"files(owners({USER}),lastModifyingUser({USER}))"
        latest = self._list("trashed = false", fields, MOST_FILES, orderBy="modifiedTime desc")
        listed = await self._listed(latest, call)
        files = read_each(People, listed.files, lambda file: file, "files")[0]
        users = [user for file in files for user in (*file.owners, file.lastModifyingUser) if user is not None]
        known = {(user.emailAddress, user.displayName): _person(user) for user in users if user.emailAddress}
        note = Said("people are those who own or changed the {count} files that were changed last").filled(
            count=len(files)
        )
        return tuple(known.values()), (note,) if listed.nextPageToken else ()

    async def _listed(self, request: HttpRequest, call: Call) -> FileList:
        return read(FileList, (await self.send(request, call)).data, API.title)


def _person(user: User) -> Person:
    """An address is what Drive's queries know people by, so it is their id."""
    address = user.emailAddress or None
    return Person(user.displayName or user.emailAddress, address, address, me=user.me)


def _facts(file: File) -> Mapping[str, Fact]:
    """``folder`` and ``drive`` hold ids until their names are known."""
    parent = next((parent for parent in file.parents if parent != file.driveId), None)
    changed_by = _person(file.lastModifyingUser).name if file.lastModifyingUser else ""
    facts: dict[str, Fact | None] = {
        "type": file.mimeType,
        "changed_by": changed_by,
        "size": file.size,
        "starred": file.starred,
        "trashed": file.trashed,
        "folder": parent,
        "drive": file.driveId,
    }
    return known_facts(facts)


SOURCE = DriveSource
