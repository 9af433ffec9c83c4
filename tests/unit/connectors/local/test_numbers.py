"""The mission's numbers, as shipped and as set."""

import pytest
from pydantic import ValidationError

from connectors.local.numbers import default_numbers
from connectors.local.settings import LocalSettings

RECENCY = default_numbers().recency


def test_given_numbers():
    numbers = default_numbers()
    assert (numbers.rrf.k, numbers.rerank.top, RECENCY.missing) == (60, 30, 0.5)
    assert {name: (each.weight, each.half_life) for name, each in RECENCY.sources.items()} == {
        "slack": (0.6, 7), "gmail": (0.5, 14), "linear": (0.4, 14), "notion": (0.2, 30), "unknown": (0.3, 14),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "age", "recency"),
    [("slack", 7, 0.5), ("slack", 14, 0.25), ("slack", 30, 0.055), ("gmail", 14, 0.5), ("linear", 14, 0.5),
     ("notion", 30, 0.5), ("files", 14, 0.5), ("slack", -3, 1.0)],
)  # fmt: skip
def test_decay(source, age, recency):
    assert RECENCY.decay(source).recency(age) == pytest.approx(recency, abs=0.005)


def test_mixed_what_is_old_falls_behind_and_boosted_it_stays():
    mixed, boosted = (RECENCY.model_copy(update={"form": form}) for form in ("mix", "boost"))
    assert mixed == RECENCY
    assert mixed.final(0.8, 1.0, 0.6) == pytest.approx(0.92)
    assert mixed.final(0.9, 0.0, 0.6) < mixed.final(0.6, 0.0, 0.3), "old slack behind an old file"
    assert boosted.final(0.9, 0.0, 0.6) > boosted.final(0.6, 0.0, 0.3)
    assert boosted.final(0.8, 1.0, 0.6) > boosted.final(0.9, 0.0, 0.6)
    assert boosted.final(1.0, 1.0, 0.6) == pytest.approx(1.0)


def test_the_form_is_a_setting():
    chosen = LocalSettings.model_validate({"kind": "local", "recency_form": "boost"}).numbers.recency
    assert chosen == RECENCY.model_copy(update={"form": "boost"})


def test_preview_of_the_decay():
    assert list(RECENCY.preview("slack")) == [0, 1, 7, 14, 30, 60, 90]
    assert RECENCY.preview("notion")[30] == pytest.approx(0.5)


def test_settings_replace_and_add():
    settings = LocalSettings.model_validate(
        {
            "kind": "local",
            "url_weight": 0.9,
            "recency": {"slack": {"weight": 0.1, "half_life": 3}, "jira": {"weight": 0, "half_life": 9}},
        }
    )
    numbers = settings.numbers
    assert numbers.url.weight == 0.9
    assert numbers.recency.decay("slack").half_life == 3
    assert numbers.recency.decay("jira").weight == 0
    assert numbers.recency.decay("gmail") == RECENCY.decay("gmail")
    with pytest.raises(ValidationError):
        LocalSettings.model_validate({"kind": "local", "recency": {"slack": {"weight": 2, "half_life": 3}}})
