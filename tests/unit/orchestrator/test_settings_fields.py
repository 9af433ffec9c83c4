"""What pydantic finds is told in our words, in every language."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import AwareDatetime, BaseModel, Field, ValidationError, field_validator
from pydantic_core.core_schema import ErrorType

from orchestrator.settings.fields import SAID, field_problem
from translators.said import Said, said_in


class Form(BaseModel, extra="forbid"):
    """One field of each kind."""

    name: Annotated[str, Field(min_length=2, max_length=4)] = "abc"
    count: Annotated[int, Field(ge=1, le=5)] = 1
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    is_on: bool = True
    words: Annotated[list[str], Field(min_length=1, max_length=2)] = ["a"]
    kind: Literal["daily", "weekly"] = "daily"
    at: AwareDatetime = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
    own: str = ""

    @field_validator("own")
    @classmethod
    def _refused(cls, value: str) -> str:
        raise ValueError(Said("must be a number") if value == "ours" else f"{value} is not ours")


@pytest.mark.parametrize(
    ("told", "english", "korean"),
    [
        ({"name": "a"}, "must have at least 2 characters", "2자 이상이어야 합니다"),
        ({"name": "abcde"}, "must have at most 4 characters", "4자 이하여야 합니다"),
        ({"name": 5}, "must be text", "텍스트여야 합니다"),
        ({"count": 0}, "must be at least 1", "1 이상이어야 합니다"),
        ({"count": 1.5}, "must be a whole number", "정수여야 합니다"),
        ({"share": 1}, "must be less than 1.0", "1.0보다 작아야 합니다"),
        ({"share": "much"}, "must be a number", "숫자여야 합니다"),
        ({"is_on": "perhaps"}, "must be true or false", "true 또는 false여야 합니다"),
        ({"words": []}, "must have at least 1 entries", "1개 이상이어야 합니다"),
        ({"words": 1}, "must be a list", "목록이어야 합니다"),
        ({"kind": "hourly"}, "must be one of: 'daily', 'weekly'", "다음 중 하나여야 합니다: 'daily', 'weekly'"),
        ({"at": "2026-11-20T10:00"}, "must say its offset, as in 2026-11-20T10:00:00+09:00", "오프셋을 적어야"),
        ({"nmae": "x"}, "is no key that this takes", "여기서 받지 않는 키입니다"),
        ({"own": "ours"}, "must be a number", "숫자여야 합니다"),
        ({"own": "theirs"}, "theirs is not ours", "theirs is not ours"),
    ],
)
def test_what_is_wrong_is_said_in_every_language(told: dict[str, Any], english: str, korean: str) -> None:
    with pytest.raises(ValidationError) as failure:
        Form.model_validate(told)
    said = field_problem(failure.value.errors()[0])
    assert said == english
    assert re.search(re.escape(korean), said_in(said, "ko"))


def test_all_that_is_told_anew_is_something_that_pydantic_finds() -> None:
    assert set(get_args(ErrorType)) >= SAID.keys()
