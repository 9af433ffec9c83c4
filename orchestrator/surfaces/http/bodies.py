"""What callers send, and how it becomes an Ask."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AliasChoices,
    AliasGenerator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from orchestrator.dialogue import LONGEST_TOKEN
from orchestrator.model import Ask
from orchestrator.settings.fields import MOMENT
from orchestrator.surfaces.http.problems import Refused
from translators.said import Said

if TYPE_CHECKING:
    from fastapi import Request

    from orchestrator.model import Principal
    from orchestrator.surfaces.http.services import Services

LONGEST_TRACEPARENT = 100  # characters; version 00 has 55, later ones may have more
LONGEST_QUESTION = 10_000  # characters; the engine reads the beginning and says so
NUMBERS = frozenset({int, float, int | None, float | None})
FIRST_YEAR, LAST_YEAR = 1970, 2199  # outside, "last year" and time zones leave the calendar

Text = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_QUESTION, pattern=r"\S")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
NAMING = ("source", "id")  # what a result is named by
VERDICTS = ("right", "wrong", "outdated", "incomplete")  # what somebody thought; else it is what they did
NO_YEAR = Said("/body/now: years {first} to {last} can be reckoned with")
NO_ZONE = Said("/body/zone: there is no such time zone; write one like Asia/Seoul")
HALF_NAMED = Said("name a result by its source and its id, or leave out both to judge the whole answer")
EXAMPLE: JsonValue = {"question": "API 마이그레이션 일정에 대해 무엇을 결정했나요?", "limit": 5}


def _written(value: object) -> object:
    """A number would be taken for seconds since 1970, and hide a mistake."""
    if isinstance(value, str | datetime | None):
        return value
    raise ValueError(MOMENT)


Moment = Annotated[AwareDatetime, BeforeValidator(_written)]


def _spellings(name: str) -> str | AliasChoices:
    """``max_results``, as it is described, and ``maxResults``."""
    return AliasChoices(name, to_camel(name)) if "_" in name else name


class Body(BaseModel):
    """What callers send: known keys only, in snake_case or camelCase, and nothing of it repeated in errors.

    Numbers, and yes or no, are what JSON has for them: text would be taken for one, and hide a mistake. ``as_text``: they
    come in an address, where all is text.
    """

    as_text: ClassVar[bool] = False

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        alias_generator=AliasGenerator(validation_alias=_spellings),
    )

    @field_validator("*", mode="before")
    @classmethod
    def _as_described(cls, value: object, info: ValidationInfo) -> object:
        wanted: object = None if cls.as_text else cls.model_fields[info.field_name or ""].annotation
        if wanted is bool and not isinstance(value, bool):
            raise ValueError(Said("must be true or false, without quotation marks"))
        if wanted in NUMBERS and isinstance(value, str | bool):
            raise ValueError(Said("must be a number, without quotation marks"))
        return value


class Question(Body):
    """A question and its circumstances."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    question: Text = Field(
        description="In Korean or English; filters may be typed by hand: from: in: after: before: type:"
    )
    sources: list[Name] = Field(default_factory=list, max_length=100, description="Ask only these; empty: all")
    zone: str | None = Field(default=None, max_length=64, description="IANA time zone of the asker, e.g. Asia/Seoul")
    now: Moment | None = Field(default=None, description="Ask as if at this moment")


class Search(Question):
    """A question to be answered."""

    limit: int = Field(default=10, ge=1, le=100, description="Results wanted")
    budget: float | None = Field(
        default=None,
        gt=0,
        le=60,
        description="Seconds for everything; left out: as many as a question has on this server",
    )
    conversation: str = Field(
        default="",
        max_length=LONGEST_TOKEN,
        description="What the answer before gave under this name, so that this question may go on from that one",
    )


class SearchParameters(Search):
    """The same in an address."""

    as_text = True


class Feedback(Body):
    """What a reader thought of a result, or of the whole answer where no result is named; or that they opened or copied it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"question": "Where is the API spec?", "source": "notion", "id": "1f2e", "verdict": "right"}],
            "anyOf": [
                {"properties": {name: {"type": "string"} for name in NAMING}, "required": [*NAMING]},
                {"properties": {**{name: {"type": "null"} for name in NAMING}, "verdict": {"enum": [*VERDICTS]}}},
            ],
        }
    )

    question: Text
    verdict: Literal["right", "wrong", "outdated", "incomplete", "opened", "copied"]
    source: Name | None = None
    id: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None
    comment: Annotated[str, StringConstraints(max_length=2000)] = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """Half a result's name is none: nothing could be learnt from it later."""
        if (self.source is None) != (self.id is None):
            raise ValueError(HALF_NAMED)
        if self.source is None and self.verdict not in VERDICTS:
            raise ValueError(Said("name the result that was opened or copied by its source and its id"))
        return self


def ask_of(body: Question, principal: Principal, services: Services, language: str = "") -> Ask:
    """The question as the engine takes it, from somebody who reads ``language``. Raises :class:`Refused` for a zone that does not exist."""
    moment = _moment(body, services)
    if not isinstance(body, Search):
        return Ask(body.question, moment, principal, tuple(body.sources), language=language)
    budget = min(body.budget or services.limits.usual, services.limits.budget)
    return Ask(
        body.question, moment, principal, tuple(body.sources), body.limit, budget,
        conversation=body.conversation, language=language,
    )  # fmt: skip


def traced(ask: Ask, request: Request) -> Ask:
    """The same question as part of what its caller traces, by the ``traceparent`` of the request."""
    return replace(ask, trace=request.headers.get("traceparent", "")[:LONGEST_TRACEPARENT])


def _moment(body: Question, services: Services) -> datetime:
    moment = body.now or services.clock()
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise Refused(422, "bad_moment", NO_YEAR.filled(first=FIRST_YEAR, last=LAST_YEAR))
    if body.zone is None:
        return moment
    try:
        return moment.astimezone(ZoneInfo(body.zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused(422, "no_such_zone", NO_ZONE) from None
