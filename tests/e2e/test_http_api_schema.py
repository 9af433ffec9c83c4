"""The API against its own description: schemathesis makes requests from the OpenAPI document, right and wrong ones."""

import asyncio
import json
import threading
import urllib.request
from concurrent.futures import Future
from contextlib import contextmanager

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from orchestrator.access import new_key
from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e.workplace_accounts import slack_application
from tests.examples import STEADY


@contextmanager
def in_a_thread(make):
    """An async context kept open by a loop of its own."""
    entered, leave = Future(), None

    async def run():
        nonlocal leave
        leave = asyncio.Event()
        try:
            async with make() as it:
                entered.set_result((it, asyncio.get_running_loop()))
                await leave.wait()
        except BaseException as failure:
            if not entered.done():
                entered.set_exception(failure)
            raise

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    it, loop = entered.result(HANGING)
    try:
        yield it
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join(HANGING)


@pytest.fixture(scope="module")
def api(serve, tmp_path_factory, index_cluster):
    address = index_cluster.ensure()
    database = f"postgresql://{address.user}:{address.password}@/{address.database}?host={address.host}"

    def with_accounts(url, sandbox):
        slack = {"credential": "person", "application": slack_application(sandbox)}
        return {
            "index": {"database_url": database},
            "accounts": {"address": url, "secret": new_key()},
            "sources": {"slack": {"base_url": sandbox.endpoints["slack"].base_url, **slack}},
        }

    folder = tmp_path_factory.mktemp("api")
    with in_a_thread(lambda: serve(folder, rate=1_000_000, more=with_accounts)) as server:
        yield server


EXAMPLES = 5 if settings.default.max_examples <= STEADY else 50
"""Of right requests and of wrong ones to each operation; the more under `make contract`."""
ACCOUNTS = {"no_such_source", "no_account", "no_ticket"}
NOT_THERE = ACCOUNTS | {"no_digest", "name_taken", "too_many"}
BEYOND_ANY_SCHEMA = {
    "bad_ask", "no_such_zone", "bad_moment", "page_address", "idempotency_key_reused", "bad_definition", "not_allowed",
}  # fmt: skip


def names_what_is_not_there(reply):
    """A source, a zone, a century, an address that no schema can list: refused although its form is right."""
    beyond = NOT_THERE if reply.status_code in {404, 409} else BEYOND_ANY_SCHEMA
    return reply.status_code in {400, 404, 409, 422} and reply.json()["code"] in beyond


def wants_what_is_not_configured(reply):
    """This server has no search of the web: 503 is the right answer, and no fault."""
    return reply.status_code == 503 and reply.json()["code"] == "no_sources"


def is_too_large(reply):
    """Refused before it is read, by a status that schemathesis does not take for a refusal."""
    return reply.status_code == 413 and reply.json()["code"] == "too_large"


OPERATIONS = [
    "DELETE /v1/accounts/{source}",
    "DELETE /v1/digests/{name}",
    "DELETE /v1/kept",
    "GET /healthz",
    "GET /metrics",
    "GET /readyz",
    "GET /v1/accounts",
    "GET /v1/digests",
    "GET /v1/digests/{name}",
    "GET /v1/digests/{name}/definition",
    "GET /v1/kept",
    "GET /v1/search/stream",
    "GET /v1/sources",
    "PATCH /v1/digests/{name}",
    "POST /rerank",
    "POST /v1/accounts/{source}",
    "POST /v1/accounts/{source}/finish",
    "POST /v1/digests",
    "POST /v1/digests/{name}/run",
    "POST /v1/explain",
    "POST /v1/feedback",
    "POST /v1/rerank",
    "POST /v1/search",
    "POST /v1/search/stream",
    "POST /v1/understand",
    "POST /v1/web/answer",
    "POST /v1/web/page",
    "POST /v1/web/search",
]


@pytest.fixture(scope="module")
def operations(api):
    """Every operation of the description, by method and path."""
    schema = schemathesis.openapi.from_url(api.url + "/openapi.json")
    return {each.ok().label: each.ok() for each in schema.get_all_operations()}


def test_no_operation_is_left_out(operations):
    assert sorted(operations) == OPERATIONS


@requirement("6.18", "HTTP API: it describes itself by OpenAPI, and keeps to that", where="orchestrator/surfaces/http/app.py")  # fmt: skip
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_reply_is_as_described(operations, api, label, mode):
    """Right requests and wrong ones: no 5xx, no undescribed status, media type or shape, nobody in without a key."""

    @given(case=operations[label].as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def check(case):
        reply = case.call(headers=api.auth, timeout=HANGING)  # a budget may be a minute, spent on waiting for turns
        beyond = [positive_data_acceptance] if names_what_is_not_there(reply) else []
        beyond += [not_a_server_error] if wants_what_is_not_configured(reply) else []
        beyond += [negative_data_rejection] if is_too_large(reply) else []
        case.validate_response(reply, headers=api.auth, excluded_checks=beyond)

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "a right request can be made of every operation"


def test_the_description_has_examples_problems_and_keys(api):
    with urllib.request.urlopen(api.url + "/openapi.json") as reply:
        document = json.load(reply)
    search = document["paths"]["/v1/search"]["post"]
    assert search["security"]
    assert list(search["responses"]["422"]["content"]) == ["application/problem+json"]
    assert document["components"]["schemas"]["Search"]["examples"]
    assert "AnswerDocument" in document["components"]["schemas"]
