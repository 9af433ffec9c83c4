"""What stands for everybody to read about who we are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from connectors.errors import Misconfigured
from orchestrator.access import new_key
from orchestrator.assembly.accounts import accounts_of, document_of
from orchestrator.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path


def test_it_names_the_sources_whose_vendors_read_it_and_no_other(tmp_path: Path) -> None:
    handbook = {
        "kind": "mcp_client", "title": "Handbook", "base_url": "https://handbook.example/mcp",
        "arguments": {"query": "{text}"}, "credential": "person",
    }  # fmt: skip
    application = {"client_id": "by-hand", "client_secret": "of-slack"}
    told = {
        "storage": {"data_dir": str(tmp_path)},
        "accounts": {"address": "https://search.example", "secret": new_key()},
        "sources": {"handbook": handbook, "slack": {"credential": "person", "application": application}},
    }
    connecting = accounts_of(load_settings(told, {}))
    assert connecting.title("slack") == "Slack"
    document = connecting.document
    assert document is not None
    assert document["client_id"] == "https://search.example/accounts/client.json"
    assert document["redirect_uris"] == ["https://search.example/accounts/handbook/callback"]


@pytest.mark.parametrize(
    "said",
    [
        "http://search.example/c.json",
        "https://search.example/",
        "https://x@search.example/c",
        "https://search.example/c#",
    ],
)
def test_what_no_vendor_takes_as_our_name_is_refused(said: str) -> None:
    with pytest.raises(Misconfigured, match="client_document"):
        document_of(load_settings({"accounts": {"client_document": said}}, {}))
