"""Drive's JSON, and the fields that there are."""

from datetime import datetime
from hashlib import sha256
from typing import Any

from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.drive.store import EDITORS, FOLDER, File, Library
from orchestrator.sandbox.google import mask_of

_USER = "kind,displayName,me,permissionId,emailAddress,photoLink"
FILE = mask_of(
    "kind,id,name,mimeType,description,starred,trashed,explicitlyTrashed,parents,properties,appProperties,spaces,version,"
    "webContentLink,webViewLink,iconLink,viewedByMe,viewedByMeTime,createdTime,modifiedTime,modifiedByMeTime,modifiedByMe,"
    "sharedWithMeTime,driveId,shared,ownedByMe,originalFilename,fullFileExtension,fileExtension,md5Checksum,size,"
    "quotaBytesUsed,hasThumbnail,resourceKey,capabilities,permissions,"
    f"shortcutDetails(targetId,targetMimeType),owners({_USER}),lastModifyingUser({_USER}),sharingUser({_USER})"
)
FILE_LIST = {**mask_of("kind,incompleteSearch,nextPageToken"), "files": FILE}
DRIVE_LIST = mask_of("kind,nextPageToken,drives(kind,id,name,createdTime,hidden)")
ABOUT = mask_of(f"kind,user({_USER}),storageQuota,maxUploadSize")
DEFAULT_FILE = mask_of("kind,id,name,mimeType")
DEFAULT_LIST = mask_of("kind,incompleteSearch,nextPageToken,files(kind,id,name,mimeType)")


def file(shown: File, library: Library) -> dict[str, Any]:
    """A whole file; what a file does not have is left out."""
    own = shown.owner is not None and shown.owner.id == library.account.id
    value: dict[str, Any] = {
        "kind": "drive#file",
        "id": shown.id,
        "name": shown.name,
        "mimeType": shown.mime,
        "description": shown.description or None,
        "starred": shown.starred,
        "trashed": shown.trashed,
        "explicitlyTrashed": shown.trashed,
        "parents": list(shown.parents) or None,
        "spaces": ["drive"],
        "version": "1",
        "webViewLink": shown.link,
        "createdTime": _instant(shown.created),
        "modifiedTime": _instant(shown.modified),
        "driveId": shown.drive or None,
        "owners": [user(shown.owner, library)] if shown.owner else None,
        "ownedByMe": None if shown.drive else own,
        "lastModifyingUser": user(shown.changed_by, library) if shown.changed_by else None,
        "shared": None if shown.drive else shown.shared or len(shown.readers) > 1,
        "sharedWithMeTime": _instant(shown.created) if shown.shared else None,
        "size": None if shown.mime == FOLDER else str(shown.size),
        "originalFilename": None if shown.mime.startswith(EDITORS) else shown.name,
    }
    return {name: part for name, part in value.items() if part is not None}


def user(person: Person, library: Library) -> dict[str, Any]:
    """Somebody, as files show them."""
    return {
        "kind": "drive#user",
        "displayName": person.name,
        "me": person.id == library.account.id,
        "permissionId": str(int(sha256(person.id.encode()).hexdigest()[:16], 16)).zfill(20),
        "emailAddress": person.email,
    }


def drive(identity: str, name: str) -> dict[str, Any]:
    """A shared drive."""
    return {"kind": "drive#drive", "id": identity, "name": name, "hidden": False}


def _instant(moment: datetime) -> str:
    return f"{moment.isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"
