"""What is wrong with a part of what was sent or set, for people: pydantic has it in English only, and in terms of its own."""

from __future__ import annotations

from typing import Any

from translators.said import Said, quoting

NUMBER = Said("must be a number")
WHOLE = Said("must be a whole number")
YES_NO = Said("must be true or false")
TEXT = Said("must be text")
LIST = Said("must be a list")
OBJECT = Said("must be a JSON object")
MOMENT = Said("write a moment as 2026-11-20T10:00:00+09:00")
ONE_OF = Said("must be one of: {expected}")
SAID = {
    "missing": Said("is missing"),
    "extra_forbidden": Said("is no key that this takes"),
    "json_invalid": Said("is no valid JSON in UTF-8"),
    "string_type": TEXT,
    "string_unicode": TEXT,
    "string_pattern_mismatch": Said("must hold more than blanks"),
    "string_too_short": Said("must have at least {min_length} characters"),
    "string_too_long": Said("must have at most {max_length} characters"),
    "too_short": Said("must have at least {min_length} entries"),
    "too_long": Said("must have at most {max_length} entries"),
    "int_type": WHOLE,
    "int_parsing": WHOLE,
    "int_parsing_size": WHOLE,
    "int_from_float": WHOLE,
    "float_type": NUMBER,
    "float_parsing": NUMBER,
    "finite_number": NUMBER,
    "bool_type": YES_NO,
    "bool_parsing": YES_NO,
    "list_type": LIST,
    "tuple_type": LIST,
    "dict_type": OBJECT,
    "model_type": OBJECT,
    "model_attributes_type": Said("must be a JSON object, sent with `Content-Type: application/json`"),
    "greater_than": Said("must be more than {gt}"),
    "greater_than_equal": Said("must be at least {ge}"),
    "less_than": Said("must be less than {lt}"),
    "less_than_equal": Said("must be at most {le}"),
    "literal_error": ONE_OF,
    "enum": ONE_OF,
    "datetime_type": MOMENT,
    "datetime_parsing": MOMENT,
    "datetime_from_date_parsing": MOMENT,
    "datetime_object_invalid": MOMENT,
    "timezone_aware": Said("must say its offset, as in 2026-11-20T10:00:00+09:00"),
}


def field_problem(error: Any) -> Said:
    """What pydantic found, of a field that whoever tells it names beside. Never the value: it may hold a secret sent to the wrong place."""
    told = dict(error.get("ctx") or {})
    if error["type"] == "value_error":
        said = next(iter(getattr(told.get("error"), "args", ())), "")
        return said if isinstance(said, Said) else quoting(str(error["msg"]).removeprefix("Value error, "))
    known = SAID.get(error["type"])
    if known is None:
        return quoting(str(error["msg"]))
    if "expected" in told:
        told["expected"] = str(told["expected"]).replace(" or ", ", ")
    return known.filled(**told) if told else known
