"""Faults and the words that ask for them."""

import pytest

from orchestrator.sandbox import Fault, parse_fault


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("slack=delay:30", ("slack", Fault(delay=30))),
        ("linear=status:500", ("linear", Fault(status=500))),
        ("gmail=throttle:2", ("gmail", Fault(retry_after=2))),
        ("notion=malformed", ("notion", Fault(malformed=True))),
        ("slack=hang", ("slack", Fault(hang=True))),
        ("slack=disconnect", ("slack", Fault(disconnect=True))),
        ("gmail=throttle:1+parts+every:3", ("gmail", Fault(retry_after=1, parts=True, every=3))),
        (" slack=delay:0.2+status:503 ", ("slack", Fault(delay=0.2, status=503))),
    ],
)
def test_faults_are_read(text, expected):
    assert parse_fault(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "slack", "slack=", "nobody=hang", "slack=explode", "slack=delay:soon", "slack=delay:-1", "slack=delay:nan",
     "slack=status:200", "slack=every:0", "slack=every:2", "slack=hang:3", "gmail=parts", "slack=throttle:1e9"],
)  # fmt: skip
def test_an_unreadable_fault_lists_the_choices(text):
    with pytest.raises(ValueError, match=r"sources: .*linear.*; faults: delay:SECONDS"):
        parse_fault(text)


def test_throttling_is_429_unless_a_status_is_named():
    assert Fault(retry_after=1).refusal == 429
    assert Fault(status=503, retry_after=1).refusal == 503
    assert Fault(delay=1).refusal is None
