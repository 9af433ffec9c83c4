"""The Gmail emulator through Google's own client, in a thread as it must be."""

import asyncio
import json

import pytest
from google.auth.exceptions import RefreshError
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build, build_from_document
from googleapiclient.discovery_cache import get_static_doc
from googleapiclient.errors import BatchError, HttpError
from googleapiclient.http import BatchHttpRequest

from orchestrator.sandbox import Fault, Sandbox
from tests.corpora import corpus_of

ROWS = [
    {
        "id": f"m{n}",
        "source": "gmail",
        "kind": "mail",
        "title": f"결제 보고 {n}",
        "text": "본문",
        "author": "U01",
        "author_name": "이하늘",
        "to": ["U01"],
        "labels": ["INBOX"],
        "created": f"2026-03-0{n}T01:00:00Z",
    }
    for n in range(1, 6)
]


@pytest.fixture
async def sandbox(tmp_path):
    """Five mails, served."""
    async with Sandbox(corpus_of(tmp_path, ROWS)) as served:
        yield served


@pytest.fixture
def with_client(sandbox):
    """Run a function of (messages resource, endpoint) in a thread with Google's client."""
    endpoint = sandbox.endpoints["gmail"]

    def run(work, token):
        options = {"api_endpoint": endpoint.base_url}
        with build(
            "gmail", "v1", credentials=Credentials(token), static_discovery=True, client_options=options
        ) as service:
            return work(service.users().messages(), endpoint)

    return lambda work, token=endpoint.token: asyncio.to_thread(run, work, token)


async def test_listing_walks_all_pages(with_client, sandbox):
    def work(messages, _):
        request, found = messages.list(userId="me", q="subject:결제 after:2026/02/28", maxResults=2), []
        while request is not None:
            reply = request.execute()
            found += reply.get("messages", [])
            request = messages.list_next(request, reply)
        return found

    assert len({message["id"] for message in await with_client(work)}) == 5
    assert sandbox.requests[0].query["q"] == "subject:결제 after:2026/02/28"
    assert sandbox.requests[0].hits == 5


async def test_a_batch_of_gets_each_with_its_own_outcome(with_client, sandbox):
    outcomes = {}

    def work(messages, endpoint):
        ids = [message["id"] for message in messages.list(userId="me").execute()["messages"]]
        batch = BatchHttpRequest(
            lambda number, reply, error: outcomes.update({number: reply or error}), f"{endpoint.base_url}/batch"
        )
        for number in [*ids, "ffff"]:
            batch.add(
                messages.get(userId="me", id=number, format="metadata", metadataHeaders=["Subject", "From"]),
                request_id=number,
            )
        batch.execute()
        return ids

    ids = await with_client(work)
    assert outcomes[ids[0]]["payload"]["headers"] == [
        {"name": "From", "value": "이하늘 <이하늘@acme.example>"},
        {"name": "Subject", "value": "결제 보고 5"},
    ]
    assert isinstance(outcomes["ffff"], HttpError)
    assert outcomes["ffff"].resp["status"] == "404"
    assert len(sandbox.requests[-1].query["parts"]) == 6


async def test_the_client_s_own_batch_follows_the_root_url_of_its_document(sandbox):
    """`client_options.api_endpoint` does not move batches: only a document with another rootUrl does."""
    base, outcomes = sandbox.endpoints["gmail"].base_url, []

    def work():
        document = json.loads(get_static_doc("gmail", "v1")) | {"rootUrl": f"{base}/"}
        with build_from_document(document, credentials=Credentials("ya29.sandbox")) as service:
            messages = service.users().messages()
            batch = service.new_batch_http_request(callback=lambda _, reply, error: outcomes.append(reply or error))
            for message in messages.list(userId="me").execute()["messages"]:
                batch.add(messages.get(userId="me", id=message["id"]))
            batch.execute()

    await asyncio.to_thread(work)
    assert {outcome["snippet"] for outcome in outcomes} == {"본문"}
    assert sandbox.requests[-1].path == "/batch"


async def test_parts_of_a_batch_may_be_throttled(with_client, sandbox):
    sandbox.set_fault("gmail", Fault(retry_after=1, parts=True, every=2))
    outcomes = []

    def work(messages, endpoint):
        batch = BatchHttpRequest(
            lambda _, reply, error: outcomes.append(error.resp.status if error else 200),
            f"{endpoint.base_url}/batch/gmail/v1",
        )
        for message in messages.list(userId="me").execute()["messages"]:
            batch.add(messages.get(userId="me", id=message["id"]))
        batch.execute()

    await with_client(work)
    assert [int(outcome) for outcome in outcomes] == [200, 429, 200, 429, 200]


@pytest.mark.parametrize(
    ("token", "options", "status", "reason"),
    [
        ("ya29.sandbox-metadata", {"q": "x"}, 403, "forbidden"),
        ("ya29.sandbox", {"maxResults": 900}, 400, "invalidArgument"),
    ],
)
async def test_errors_reach_the_client_as_google_s(with_client, token, options, status, reason):
    def work(messages, _):
        with pytest.raises(HttpError) as caught:
            messages.list(userId="me", **options).execute()
        return caught.value

    error = await with_client(work, token)
    assert (error.status_code, error.error_details[0]["reason"]) == (status, reason)


async def test_a_wrong_token_makes_the_client_ask_for_a_new_one(with_client, sandbox):
    """Google's client answers a 401 by refreshing, which a bare token cannot do."""

    def work(messages, _):
        with pytest.raises(RefreshError):
            messages.list(userId="me").execute()

    await with_client(work, "ya29.wrong")
    assert sandbox.requests[-1].status == 401


async def test_throttling_reaches_the_client(with_client, sandbox):
    sandbox.set_fault("gmail", Fault(retry_after=2))

    def work(messages, _):
        with pytest.raises(HttpError) as caught:
            messages.list(userId="me").execute()
        return caught.value

    error = await with_client(work)
    assert (error.status_code, error.resp["retry-after"], error.error_details[0]["reason"]) == (
        429,
        "2",
        "rateLimitExceeded",
    )


async def test_a_malformed_batch_is_noticed_by_the_client(with_client, sandbox):
    def work(messages, endpoint):
        batch = BatchHttpRequest(batch_uri=f"{endpoint.base_url}/batch")
        batch.add(messages.get(userId="me", id="ffff"))
        sandbox.set_fault("gmail", Fault(malformed=True))
        with pytest.raises((BatchError, IndexError, KeyError, ValueError)):
            batch.execute()

    await with_client(work)
