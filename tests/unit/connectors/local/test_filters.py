"""Conditions become statements in which nothing of a person's stands."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import Rejected
from connectors.local.filters import Conditions
from translators.hybrid import Hybrid
from translators.strategies import queries

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "all",
                    "any",
                    "not",
                    "words",
                    "without",
                    "author",
                    "container",
                    "kind",
                    "id",
                    "time",
                    "since",
                    "name",
                    "x",
                ]
            ),
            inner,
            max_size=2,
        )
    ),
    max_leaves=8,
)


@given(queries())
def test_no_text_of_a_question_stands_in_the_statement(query):
    """It consists of what is written in the module, and numbers of parameters."""
    native = Hybrid().translate(query, Hybrid.can).native
    values = []
    sql = Conditions(values, ("me",)).of(native.args.get("filter"))
    assert set(sql) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789 ().,$:@&>=<-'[]")
    assert all(f"${place}" in sql for place in range(1, len(values) + 1))


@given(JSON)
def test_what_the_dialect_does_not_have_is_rejected(condition):
    """And nothing else is raised."""
    with suppress(Rejected):
        assert isinstance(Conditions([]).of(condition), str)


@pytest.mark.parametrize(
    "condition", [{"words": ["a'b"]}, {"words": []}, {"author": {}}, {"time": {"since": "x"}}, {"kind": 3}, [1]]
)
def test_strange_conditions(condition):
    with pytest.raises(Rejected, match="does not know"):
        Conditions([]).of(condition)


def test_bottomless_conditions():
    condition = {"state": "open"}
    for _ in range(100):
        condition = {"not": condition}
    with pytest.raises(Rejected):
        Conditions([]).of(condition)
