"""How exported issues stand, in the words of trackers."""

from __future__ import annotations

import pytest

from connectors.local.ingest.jira_export import read_jira_csv
from translators.query import State


@pytest.mark.parametrize(
    ("status", "state"),
    [("Done", State.DONE), ("해결됨", State.DONE), ("Cancelled", State.DONE), ("취소됨", State.DONE), ("In Review", State.OPEN), ("Live", State.OPEN), ("", None)],
)  # fmt: skip
def test_what_is_over_is_done_and_all_else_that_is_said_is_open(status: str, state: State | None) -> None:
    (draft,) = read_jira_csv(f"Issue key,Summary,Status\nPAY-1,Lease,{status}\n")
    assert draft.state is state
