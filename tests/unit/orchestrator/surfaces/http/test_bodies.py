"""A question over HTTP as the engine takes it: how long it may take."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from orchestrator.assembly.serving import api_services
from orchestrator.model import Principal
from orchestrator.settings import load_settings
from orchestrator.settings.fields import field_problem
from orchestrator.surfaces.http.bodies import Search, ask_of

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)


@pytest.mark.parametrize(("given", "seconds"), [({}, 7.0), ({"budget": 2.0}, 2.0), ({"budget": 60.0}, 20.0)])
def test_a_question_has_the_seconds_of_the_settings_unless_it_says_otherwise(
    tmp_path: Path, given: dict[str, float], seconds: float
) -> None:
    settings = load_settings(
        {"search": {"budget": 7.0}, "server": {"budget": 20.0}, "storage": {"data_dir": str(tmp_path)}}, {}
    )
    body = Search(question="what is new", now=NOW, **given)
    assert ask_of(body, Principal(), api_services(settings, None)).budget == seconds


def test_a_moment_without_an_offset_is_told_what_it_lacks() -> None:
    with pytest.raises(ValidationError) as wrong:
        Search.model_validate({"question": "what is new", "now": "2026-11-20"})
    said = field_problem(wrong.value.errors()[0])
    assert said == "must say its offset, as in 2026-11-20T10:00:00+09:00"
