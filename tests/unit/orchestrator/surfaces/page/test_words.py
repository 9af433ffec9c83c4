"""Every word is there, and the one that a reader likes best is spoken."""

from __future__ import annotations

import re

import pytest

from orchestrator.model import Confidence, Status
from orchestrator.surfaces.page.rendering import HERE, said_by, spoken, templates
from orchestrator.surfaces.page.words import words
from translators.query import Category, Kind, QueryType, State
from translators.said import Said, said_in


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_value_that_is_shown_has_a_word(language: str) -> None:
    told = words(language)
    assert all(told[value] for kind in (Confidence, QueryType, State, Status) for value in kind)
    assert all(told[f"kind {kind}"] for kind in Kind)
    assert all(told[f"category {category}"] for category in Category)


def test_every_word_of_a_template_is_there() -> None:
    for name in templates().list_templates():
        asked = re.findall(r"""words\[["']([^"']+)["']\]""", (HERE / "templates" / name).read_text("utf-8"))
        assert set(asked) <= spoken("ko").keys(), name


def test_what_a_template_says_in_english_is_said_in_the_language_of_its_reader() -> None:
    assert "Set sources up" in said_by("setup.html")
    assert spoken("ko")["Set sources up"] == said_in(Said("Set sources up"), "ko") != "Set sources up"
    assert "untitled" not in said_by("setup_tried.html"), "it has a key"
