"""People and places as vendors write them in their own texts."""

from __future__ import annotations

import pytest

from translators.names import at_home, person_mentioned, place_mentioned, with_people_named
from translators.query import Container, Person

SLACK, ATLASSIAN = ("slack", "slack_rts"), ("jql", "cql")
ID = "5b10ac8d82e05b22cc7d4ef5"


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("<@U0123ABC>", Person("", native_id="U0123ABC", dialects=SLACK)),
        ("<@W77ABC|Minsu Kim>", Person("Minsu Kim", native_id="W77ABC", dialects=SLACK)),
        ("U0123ABCD", Person("", native_id="U0123ABCD", dialects=SLACK)),
        (f"[~accountid:{ID}]", Person("", native_id=ID, dialects=ATLASSIAN)),
        (f"[~accountid:557058:{ID}]", Person("", native_id=f"557058:{ID}", dialects=ATLASSIAN)),
        ("<users/1234>", Person("", native_id="1234", dialects=("gchat",))),
    ],
)
def test_a_mention_is_whom_it_names(text: str, person: Person) -> None:
    assert person_mentioned(text) == person


@pytest.mark.parametrize("text", ["dana", "@dana", "URGENT", "WEBHOOKS", "<@U1> from:me", "[~dana", "<#C012>", ""])
def test_other_names_are_no_mentions(text: str) -> None:
    assert person_mentioned(text) is None


def test_a_channel_is_a_place() -> None:
    assert place_mentioned("<#C0123|결제-개발>") == Container("결제-개발", native_id="C0123", dialects=SLACK)
    assert place_mentioned("C0123ABCD") == Container("", native_id="C0123ABCD", dialects=SLACK)
    assert place_mentioned("general") is None


def test_in_a_text_people_are_named_where_anybody_knows_them() -> None:
    names = {"U0123ABC": "김민수", ID: "Sarah Kim"}.get
    assert with_people_named("<@U0123ABC>가 뭐라고 했어?", names) == "김민수가 뭐라고 했어?"
    assert with_people_named(f"issues of [~accountid:{ID}]", names) == "issues of Sarah Kim"
    assert with_people_named("<@U999ABC|Dana> said", names) == "Dana said"
    assert with_people_named("<@U999ABC> said", names) == "<@U999ABC> said"


def test_an_id_goes_to_its_own_source_alone() -> None:
    mentioned = Person("", native_id="U0123ABC", dialects=SLACK)
    assert at_home(mentioned, "slack") == Person("", native_id="U0123ABC")
    assert at_home(mentioned, "linear") == Person("U0123ABC")
    assert at_home(Person("Dana", native_id="x"), "linear") == Person("Dana", native_id="x")
