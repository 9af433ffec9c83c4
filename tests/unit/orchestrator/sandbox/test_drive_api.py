"""Google Drive's REST API around the search: tokens, errors, paging, single files, exports, batches."""

import json
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox import Fault
from orchestrator.sandbox.drive import METADATA_TOKEN
from orchestrator.sandbox.wire import WireRequest

FILES = "/drive/v3/files"
EVERYWHERE = {"corpora": "allDrives", "includeItemsFromAllDrives": "true", "supportsAllDrives": "true"}
LINKED = "1A2b3C4d5E6f7G8h9I0jK1A2b3C4d5E6f7G8h9I0jKlMn"


@pytest.fixture
def drive(ask):
    """A document with a link of its own, twelve more, a PDF in a shared drive."""
    rows = [
        {"id": f"f{n:02d}", "kind": "document", "title": f"file {n}", "text": f"text {n} 본문\nnext", "author": "U02SARAH", "created": f"2026-03-01T00:{n:02d}:00Z"}
        for n in range(12)
    ]  # fmt: skip
    rows.append({"id": "own", "kind": "document", "title": "계획", "text": "내용", "author": "U01HANEUL", "url": f"https://docs.google.com/document/d/{LINKED}/edit",
                 "created": "2026-03-02T00:00:00Z", "description": "Plans of the year", "container": "Plans"})  # fmt: skip
    rows.append({"id": "pdf", "kind": "pdf", "title": "a.pdf", "text": "pdf", "team": "Legal", "author": "U03BORA"})
    return ask("drive", rows)


def reason(reply):
    """Status, reason and parameter of an error."""
    error = json.loads(reply.body)["error"]
    assert error["code"] == reply.status
    return reply.status, error["errors"][0]["reason"], error["errors"][0].get("location", "")


def test_pages_end(drive):
    """Every file once; the last page has no token; a page may be shorter or longer from one to the next."""
    seen, token = [], ""
    for size in (3, 5, 100):
        page = drive.json(FILES, query={"q": "name contains 'file'", "pageSize": size, "pageToken": token})
        seen += [file["name"] for file in page["files"]]
        token = page.get("nextPageToken", "")
    assert seen == [f"file {n}" for n in reversed(range(12))]
    assert token == ""
    assert page["kind"] == "drive#fileList"
    assert page["files"][0].keys() == {"kind", "id", "name", "mimeType"}


def test_a_whole_file(drive):
    """Everything that the vendor documents and a corpus can tell."""
    file = drive.json(f"{FILES}/{LINKED}", query={"fields": "*"})
    assert file["name"] == "계획"
    assert file["description"] == "Plans of the year"
    assert file["webViewLink"] == f"https://docs.google.com/document/d/{LINKED}/edit?usp=drivesdk"
    assert (file["createdTime"], file["size"]) == ("2026-03-02T00:00:00.000Z", "6")
    (owner,) = file["owners"]
    assert (owner["displayName"], owner["emailAddress"], owner["me"]) == ("이하늘", "haneul@acme.example", True)
    assert (file["ownedByMe"], file["shared"], "driveId" in file, "sharedWithMeTime" in file) == (
        True,
        False,
        False,
        False,
    )
    folder = drive.json(f"{FILES}/{file['parents'][0]}", query={"fields": "name,mimeType,size"})
    assert folder == {"name": "Plans", "mimeType": "application/vnd.google-apps.folder"}


def test_what_lies_in_a_shared_drive_belongs_to_nobody(drive):
    """And is seen only by those who say that they know of shared drives."""
    (file,) = drive.json(FILES, query={"q": "name = 'a.pdf'", "fields": "files(id,owners,driveId,parents,ownedByMe,lastModifyingUser/displayName)", **EVERYWHERE})["files"]  # fmt: skip
    (legal,) = drive.json("/drive/v3/drives", query={"fields": "drives(id,name)"})["drives"]
    assert legal["name"] == "Legal"
    assert file == {"id": file["id"], "driveId": legal["id"], "parents": [legal["id"]], "lastModifyingUser": {"displayName": "최보라"}}  # fmt: skip
    assert reason(drive(f"{FILES}/{file['id']}")) == (404, "notFound", "fileId")
    assert drive(f"{FILES}/{file['id']}", query={"supportsAllDrives": "true"}).status == 200


def test_shared_drives_have_pages_too(ask):
    drive = ask("drive", [{"id": str(n), "team": f"T{n}", "author": "U01HANEUL"} for n in range(3)])
    first = drive.json("/drive/v3/drives", query={"pageSize": 2})
    rest = drive.json("/drive/v3/drives", query={"pageSize": 2, "pageToken": first["nextPageToken"]})
    assert [each["name"] for each in (*first["drives"], *rest["drives"])] == ["T0", "T1", "T2"]
    assert "nextPageToken" not in rest


def test_an_export_is_text(drive):
    """With the mark and the line ends that Google writes."""
    (file,) = drive.json(FILES, query={"q": "name = 'file 7'"})["files"]
    reply = drive(f"{FILES}/{file['id']}/export", query={"mimeType": "text/plain"})
    assert reply.body.decode("utf-8") == "\ufefftext 7 본문\r\nnext"
    assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("name", "wanted", "expected"),
    [
        ("file 7", "", (400, "required", "mimeType")),
        ("file 7", "text/csv", (400, "badRequest", "convertTo")),
        ("a.pdf", "text/plain", (403, "fileNotExportable", "")),
    ],
)
def test_exports_that_are_refused(drive, name, wanted, expected):
    (file,) = drive.json(FILES, query={"q": f"name = '{name}'", **EVERYWHERE})["files"]
    query = {"mimeType": wanted} if wanted else {}
    assert reason(drive(f"{FILES}/{file['id']}/export", query=query)) == expected


def test_an_export_of_more_than_ten_megabytes_is_refused(ask):
    text = "x" * (10 * 1024 * 1024 + 1)
    drive = ask("drive", [{"id": "huge", "kind": "slides", "title": "huge", "text": text, "author": "U03BORA"}])
    (file,) = drive.json(FILES, query={"q": "name = 'huge'", **EVERYWHERE})["files"]
    export = drive(f"{FILES}/{file['id']}/export", query={"mimeType": "text/plain"})
    assert reason(export) == (403, "exportSizeLimitExceeded", "")


def test_the_metadata_scope_knows_no_contents(drive):
    """Neither to read nor to search."""
    token = METADATA_TOKEN
    assert drive(FILES, query={"q": "name contains 'file'"}, token=token).status == 200
    assert reason(drive(FILES, query={"q": "fullText contains 'x'"}, token=token)) == (
        403,
        "insufficientPermissions",
        "",
    )
    export = drive(f"{FILES}/{LINKED}/export", query={"mimeType": "text/plain"}, token=token)
    assert reason(export) == (403, "insufficientPermissions", "")


def test_who_the_account_is(drive):
    """Only if it is said what of it is wanted."""
    assert drive.json("/drive/v3/about", query={"fields": "user(emailAddress,me)"}) == {"user": {"emailAddress": "haneul@acme.example", "me": True}}  # fmt: skip
    assert reason(drive("/drive/v3/about")) == (400, "required", "fields")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"q": "fullText contains 'x'", "orderBy": "name"}, (403, "forbidden", "orderBy")),
        ({"q": "not fullText contains 'x' or starred", "orderBy": "name"}, (403, "forbidden", "orderBy")),
        ({"orderBy": "author"}, (400, "invalid", "orderBy")),
        ({"orderBy": "name asc"}, (400, "invalid", "orderBy")),
        ({"pageSize": "0"}, (400, "invalid", "pageSize")),
        ({"pageToken": "x"}, (400, "invalid", "pageToken")),
        ({"pageToken": "~!!~000000000000" + "0" * 10}, (400, "invalid", "pageToken")),
        ({"fields": "files(title)"}, (400, "invalidParameter", "fields")),
        ({"corpora": "everything"}, (400, "invalid", "corpora")),
        ({"corpora": "allDrives"}, (403, "teamDrivesParametersRequired", "corpora")),
        (
            {"corpora": "allDrives", "includeItemsFromAllDrives": "true"},
            (403, "teamDrivesParametersRequired", "corpora"),
        ),
        ({"driveId": "0A"}, (403, "teamDriveIdRequired", "driveId")),
        ({**EVERYWHERE, "corpora": "drive"}, (403, "teamDriveIdRequired", "driveId")),
        ({**EVERYWHERE, "corpora": "drive", "driveId": "0A"}, (404, "notFound", "driveId")),
        ({"supportsAllDrives": "perhaps"}, (400, "invalidArgument", "")),
        ({"maxResults": "10"}, (400, "invalidArgument", "")),
    ],
)
def test_parameters_that_are_refused(drive, query, expected):
    assert reason(drive(FILES, query=query)) == expected


def test_a_page_token_belongs_to_its_query(drive):
    """Another question with the same token is refused."""
    token = drive.json(FILES, query={"q": "name contains 'file'", "pageSize": 2})["nextPageToken"]
    assert reason(drive(FILES, query={"q": "starred", "pageToken": token})) == (400, "invalid", "pageToken")


@pytest.mark.parametrize(("token", "expected"), [(None, "required"), ("ya29.wrong", "authError")])
def test_tokens_that_are_refused(drive, token, expected):
    reply = drive(FILES, token=token)
    assert reason(reply) == (401, expected, "")
    assert "WWW-Authenticate" in reply.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", FILES, 405),
        ("GET", "/drive/v2/files", 404),
        ("GET", "/batch/drive/v3", 405),
        ("GET", f"{FILES}/nothing", 404),
    ],
)
def test_requests_that_are_refused(drive, method, path, status):
    assert drive(path, method=method).status == status


def test_an_address_that_was_too_long(drive):
    """Google's client posts its parameters and says that it meant to get."""
    body = urlencode({"q": "name = 'file 7'"}).encode()
    reply = drive(FILES, method="POST", headers={"X-HTTP-Method-Override": "GET"}, body=body)
    assert [file["name"] for file in json.loads(reply.body)["files"]] == ["file 7"]
    assert reply.asked == {"q": "name = 'file 7'"}


def test_a_batch_reads_names_and_no_contents(drive):
    """Each part with an outcome of its own."""
    parts = [f"{FILES}/{LINKED}?fields=name", "/drive/v3/drives", f"{FILES}/{LINKED}/export?mimeType=text%2Fplain"]
    body = "".join(
        f"--b\r\nContent-Type: application/http\r\nContent-ID: <{n}>\r\n\r\nGET {part} HTTP/1.1\r\n\r\n\r\n"
        for n, part in enumerate(parts)
    )
    headers = {"Content-Type": "multipart/mixed; boundary=b"}
    reply = drive("/batch/drive/v3", method="POST", headers=headers, body=f"{body}--b--".encode())
    text = reply.body.decode()
    assert '{"name":"계획"}' in text
    assert [line for line in text.splitlines() if line.startswith("HTTP/")] == ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 403 Forbidden"]  # fmt: skip


@pytest.mark.parametrize(("fault", "status", "why"), [(Fault(retry_after=3), 429, "rateLimitExceeded"), (Fault(status=503), 503, "backendError"), (Fault(), 500, "backendError")])  # fmt: skip
def test_faults_speak_google_s_language(drive, fault, status, why):
    reply = drive.served.refuse(fault)
    assert reason(reply) == (status, why, "")
    assert reply.headers.get("Retry-After") == ("3" if fault.retry_after else None)
    assert reason(drive.served.too_large()) == (413, "uploadTooLarge", "")


def test_the_record_holds_no_secret(drive):
    reply = drive(FILES, token=None, query={"access_token": drive.served.tokens[0], "q": "starred"})
    assert reply.status == 200
    assert reply.asked == {"q": "starred"}


def test_origins_by_id_and_by_address(drive):
    origins = drive.served.origins()
    assert origins[LINKED] == origins[f"https://docs.google.com/document/d/{LINKED}/edit"] == "own"
    assert set(origins.values()) == {f"f{n:02d}" for n in range(12)} | {"own", "pdf"}


def test_no_request_is_a_server_error(drive):
    """Whatever comes is answered or refused."""
    paths = st.sampled_from(["/batch/drive/v3", FILES, f"{FILES}/{LINKED}", f"{FILES}/{LINKED}/export", "/drive/v3/drives", "/drive/v3/about"])  # fmt: skip

    @given(
        st.sampled_from(["GET", "POST", "PUT", "HEAD", "X"]),
        paths | st.text(max_size=30),
        st.text(max_size=60),
        st.sampled_from(["", "multipart/mixed; boundary=a", "\xff;="]),
        st.binary(max_size=100) | st.just(b"--a\r\n\r\n--a--"),
    )
    def check(method, path, query, kind, body):
        headers = {"authorization": f"Bearer {drive.served.tokens[0]}", "content-type": kind}
        assert drive.served.answer(WireRequest(method, path, query, headers, body)).status < 500

    check()
