"""``fetch`` gives what was asked for and nothing that only looks like it."""

from __future__ import annotations

import pytest

from connectors.contract import Hit
from orchestrator.model import Result
from orchestrator.surfaces.mcp.server import is_at
from translators.query import Kind

HIT = Hit(
    "linear",
    "8f14e45f-ceea-467f-9c3b-1d2f00a1b2c3",
    Kind.ISSUE,
    "[PAY-12] 결제 API: retries in a loop",
    "https://linear.app/acme/issue/PAY-12/retries-in-a-loop",
)


@pytest.mark.parametrize(
    "address",
    [
        HIT.url,
        HIT.url.upper(),
        HIT.id,
        " PAY-12 ",
        "pay-12",
        "https://linear.app/acme/issue/PAY-12/retries-in-a-loop\n",
    ],
)
def test_by_its_address_its_id_or_its_key(address: str) -> None:
    assert is_at(Result(HIT, 1.0), address)


@pytest.mark.parametrize("address", ["PAY-1", "AY-12", "a", "결제", "retries in a loop", "https://linear.app", "", "/"])
def test_words_of_it_are_no_address(address: str) -> None:
    assert not is_at(Result(HIT, 1.0), address)


def test_what_has_neither_title_nor_address_is_found_by_its_id() -> None:
    bare = Result(Hit("slack", "C1:1700000000.000100", Kind.MESSAGE), 1.0)
    assert is_at(bare, "c1:1700000000.000100")
    assert not is_at(bare, "")
