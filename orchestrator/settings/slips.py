"""What to say of a setting that there is none of: the one that was meant, where one is spelled almost so."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, get_args

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Sequence


def no_such_setting(model: type[BaseModel], place: Sequence[str | int]) -> str:
    """The message for an unknown key at ``place`` (pydantic's ``loc``) in ``model``."""
    *above, name = place
    found: type[BaseModel] | None = model
    for part in above:
        found = _inside(found, str(part)) if found is not None else None
    near = get_close_matches(str(name), found.model_fields, 1) if found is not None else []
    return "there is no such setting" + (f"; did you mean {near[0]}?" if near else "")


def _inside(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    """The table of settings called ``name``; ``None`` where there is none, or people name its keys themselves."""
    field = model.model_fields.get(name)
    kinds = (field.annotation, *get_args(field.annotation)) if field is not None else ()
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
