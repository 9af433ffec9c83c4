"""Gmail's REST API around the search: tokens, errors, paging, messages, batches."""

import email
import json
from base64 import urlsafe_b64decode

import pytest

from orchestrator.sandbox import Fault
from orchestrator.sandbox.gmail.store import Address

MESSAGES = "/gmail/v1/users/me/messages"


@pytest.fixture
def gmail(ask):
    """Twelve mails in one thread, one with attachments."""
    rows = [
        {
            "id": f"m{n:02d}",
            "title": f"mail {n}",
            "text": f"text <b>{n}</b> 본문",
            "author": "U02SARAH",
            "to": ["U01HANEUL"],
            "thread": "m00",
            "created": f"2026-03-01T00:{n:02d}:00Z",
        }
        for n in range(12)
    ]
    rows.append(
        {
            "id": "full",
            "title": "결제\n보고",
            "text": "본문입니다",
            "author": "U03BORA",
            "to": ["U01HANEUL", "U02SARAH"],
            "cc": ["U02SARAH"],
            "labels": ["INBOX", "Infra"],
            "attachments": ["plan.pdf", "자료"],
            "created": "2026-03-02T00:00:00Z",
        }
    )
    return ask("gmail", rows)


@pytest.fixture
def newest(gmail):
    """The id of the newest mail."""
    return gmail.json(MESSAGES)["messages"][0]["id"]


@pytest.mark.parametrize(
    ("path", "token", "query", "status", "reason"),
    [
        (MESSAGES, None, {}, 401, "required"),
        (MESSAGES, "ya29.wrong", {}, 401, "authError"),
        (MESSAGES, "ya29.sandbox-metadata", {"q": "x"}, 403, "forbidden"),
        (MESSAGES, "", {"querry": "x"}, 400, "invalidArgument"),
        (MESSAGES, "", {"maxResults": "501"}, 400, "invalidArgument"),
        (MESSAGES, "", {"maxResults": "0"}, 400, "invalidArgument"),
        (MESSAGES, "", {"maxResults": "-1"}, 400, "invalidArgument"),
        (MESSAGES, "", {"maxResults": "many"}, 400, "invalidArgument"),
        (MESSAGES, "", {"pageToken": "x"}, 400, "invalidArgument"),
        (MESSAGES, "", {"labelIds": "Label_99"}, 400, "invalidArgument"),
        (MESSAGES, "", {"includeSpamTrash": "maybe"}, 400, "invalidArgument"),
        ("/gmail/v1/users/someone@else.example/messages", "", {}, 403, "forbidden"),
        (f"{MESSAGES}/zzz", "", {}, 400, "invalidArgument"),
        (f"{MESSAGES}/ffffffffffffffff", "", {}, 404, "notFound"),
        (f"{MESSAGES}/ffffffffffffffff", "", {"format": "short"}, 400, "invalidArgument"),
        (f"{MESSAGES}/ffffffffffffffff", "ya29.sandbox-metadata", {"format": "full"}, 403, "forbidden"),
        ("/gmail/v1/users/me/everything", "", {}, 404, "notFound"),
        ("/", "", {}, 404, "notFound"),
    ],
)
def test_errors_have_google_s_shape(gmail, path, token, query, status, reason):
    reply = gmail(path, token=token, query=query)
    error = json.loads(reply.body)["error"]
    assert (reply.status, error["code"], error["errors"][0]["reason"]) == (status, status, reason)
    assert error["errors"][0]["domain"] == "global"
    assert error["status"].isupper()
    assert ("WWW-Authenticate" in reply.headers) is (status == 401)


def test_only_get_reads(gmail):
    assert gmail(MESSAGES, method="POST").status == 405
    assert gmail("/batch").status == 405


def test_the_list_holds_two_ids_and_no_key_when_empty(gmail):
    listed = gmail.json(MESSAGES, query={"maxResults": 1})
    assert listed["messages"][0].keys() == {"id", "threadId"}
    assert gmail.json(MESSAGES, query={"q": "nothing"}) == {"resultSizeEstimate": 0}


def test_pages_go_once_through_everything(gmail):
    seen, token = [], ""
    while True:
        page = gmail.json(MESSAGES, query={"maxResults": 5, "pageToken": token})
        seen += [message["id"] for message in page["messages"]]
        token = page.get("nextPageToken", "")
        if not token:
            break
    assert len(set(seen)) == len(seen) == 13


def test_labels_and_threads(gmail, newest):
    labels = {label["name"]: label["id"] for label in gmail.json("/gmail/v1/users/me/labels")["labels"]}
    assert [message["id"] for message in gmail.json(MESSAGES, query={"labelIds": labels["Infra"]})["messages"]] == [
        newest
    ]
    both = [("labelIds", "INBOX"), ("labelIds", labels["Infra"])]
    assert len(gmail.json(MESSAGES, query=both)["messages"]) == 1
    threads = {message["threadId"] for message in gmail.json(MESSAGES, query={"q": "mail"})["messages"]}
    first = gmail.json(MESSAGES, query={"q": '"mail 0"'})["messages"][0]
    assert threads == {first["id"]}
    thread = gmail.json(f"/gmail/v1/users/me/threads/{first['id']}")
    assert (thread["id"], thread["messages"][0]["id"]) == (first["id"], first["id"]), "the oldest comes first"
    assert {message["threadId"] for message in thread["messages"]} == threads
    assert gmail(f"/gmail/v1/users/me/threads/{first['id']}", query={"format": "raw"}).status == 400
    assert gmail("/gmail/v1/users/me/threads/abc").status == 404
    profile = gmail.json("/gmail/v1/users/haneul@acme.example/profile")
    assert (profile["emailAddress"], profile["messagesTotal"], profile["threadsTotal"]) == (
        "haneul@acme.example",
        13,
        2,
    )


def test_formats(gmail, newest):
    path = f"{MESSAGES}/{newest}"
    full = gmail.json(path)
    headers = {header["name"]: header["value"] for header in full["payload"]["headers"]}
    assert headers["From"] == "최보라 <bora@acme.example>"
    assert headers["To"] == "이하늘 <haneul@acme.example>, Sarah Kim <sarah@acme.example>"
    assert (headers["Subject"], headers["Date"]) == ("결제 보고", "Mon, 02 Mar 2026 00:00:00 +0000")
    assert full["internalDate"] == "1772409600000"
    assert full["payload"]["mimeType"] == "multipart/mixed"
    assert urlsafe_b64decode(full["payload"]["parts"][0]["body"]["data"]).decode() == "본문입니다"
    assert [part["filename"] for part in full["payload"]["parts"]] == ["", "plan.pdf", "자료"]
    minimal = gmail.json(path, query={"format": "minimal"})
    assert "payload" not in minimal
    wanted = [("format", "metadata"), ("metadataHeaders", "subject"), ("metadataHeaders", "Message-ID")]
    metadata = gmail.json(path, query=wanted, token="ya29.sandbox-metadata")
    assert [header["name"] for header in metadata["payload"]["headers"]] == ["Subject", "Message-ID"]
    number = metadata["payload"]["headers"][1]["value"]
    assert gmail.json(MESSAGES, query={"q": f"rfc822msgid:{number}"})["messages"][0]["id"] == newest
    raw = email.message_from_bytes(
        urlsafe_b64decode(gmail.json(path, query={"format": "raw"})["raw"]), policy=email.policy.default
    )
    assert raw["Subject"] == "결제 보고"
    assert raw.get_content().strip() == "본문입니다"


def test_snippets_are_html(gmail):
    message = gmail.json(MESSAGES, query={"q": '"mail 3"'})["messages"][0]
    assert gmail.json(f"{MESSAGES}/{message['id']}")["snippet"] == "text &lt;b&gt;3&lt;/b&gt; 본문"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("이하늘", "이하늘 <a@b.example>"), ('Lee, "Sky"', '"Lee, \\"Sky\\"" <a@b.example>'), ("", "a@b.example")],
)
def test_names_with_punctuation_are_quoted_in_headers(name, shown):
    assert str(Address(name, "a@b.example")) == shown


def test_the_id_in_the_corpus_s_link_is_the_id(ask):
    asker = ask("gmail", [{"title": "x", "url": "https://mail.google.com/mail/u/0/#all/a1360b98e77eac9f"}])
    assert asker.json(MESSAGES)["messages"][0] == {"id": "a1360b98e77eac9f", "threadId": "a1360b98e77eac9f"}


def batch_of(*lines, boundary="xyz", extra=""):
    """A batch body asking each request line."""
    parts = [
        f"--{boundary}\nContent-Type: application/http\nContent-ID: <b + {n}>\n\n{line} HTTP/1.1\n{extra}\n"
        for n, line in enumerate(lines)
    ]
    return "\n".join(parts).encode() + f"\n--{boundary}--".encode()


def answers(reply):
    """The status and JSON of each part of a batch's reply, by Content-ID."""
    header = f"Content-Type: {reply.headers['Content-Type']}\r\n\r\n".encode()
    found = {}
    for part in email.message_from_bytes(header + reply.body).get_payload():
        head, _, body = part.get_payload(decode=True).partition(b"\r\n\r\n")
        found[part["Content-ID"]] = (int(head.split()[1]), json.loads(body))
    return found


@pytest.mark.parametrize("path", ["/batch", "/batch/gmail/v1"])
def test_a_batch_answers_each_part_for_itself(gmail, newest, path):
    body = batch_of(
        f"GET {MESSAGES}/{newest}?format=minimal",
        f"GET {MESSAGES}/ffff",
        "NONSENSE",
        "POST /batch",
        f"DELETE {MESSAGES}",
    )
    reply = gmail(path, method="POST", headers={"Content-Type": 'multipart/mixed; boundary="xyz"'}, body=body)
    found = answers(reply)
    assert [status for status, _ in found.values()] == [200, 404, 400, 400, 405]
    assert next(iter(found)) == "<response-b + 0>"
    assert found["<response-b + 0>"][1]["id"] == newest
    assert reply.hits == 1
    assert reply.asked["parts"][1] == f"{MESSAGES}/ffff"


def test_a_part_may_bring_its_own_token(gmail, newest):
    body = batch_of(f"GET {MESSAGES}/{newest}", extra="Authorization: Bearer ya29.wrong\n")
    found = answers(
        gmail("/batch", method="POST", headers={"Content-Type": "multipart/mixed; boundary=xyz"}, body=body)
    )
    assert found["<response-b + 0>"][0] == 401
    anonymous = answers(
        gmail(
            "/batch",
            method="POST",
            token=None,
            headers={"Content-Type": "multipart/mixed; boundary=xyz"},
            body=batch_of(f"GET {MESSAGES}/{newest}"),
        )
    )
    assert anonymous["<response-b + 0>"][0] == 401


def test_a_fault_may_strike_single_parts(gmail, newest):
    body = batch_of(*[f"GET {MESSAGES}/{newest}"] * 5)
    fault = Fault(retry_after=1, parts=True, every=2)
    found = answers(
        gmail(
            "/batch",
            method="POST",
            headers={"Content-Type": "multipart/mixed; boundary=xyz"},
            body=body,
            part_fault=fault,
        )
    )
    assert [status for status, _ in found.values()] == [200, 429, 200, 429, 200]


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{}"),
        ("multipart/mixed", b""),
        ("multipart/mixed; boundary=xyz", b""),
        ("multipart/mixed; boundary=xyz", batch_of(*["GET /"] * 101)),
    ],
)
def test_what_is_no_batch_is_refused(gmail, content_type, body):
    assert gmail("/batch", method="POST", headers={"Content-Type": content_type}, body=body).status == 400
