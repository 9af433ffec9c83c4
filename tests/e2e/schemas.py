"""Each shape of the API is compiled once a process, and not with each server that a test starts.

FastAPI compiles what every route takes and returns, for each of its statuses, twice: half a second of processor time, and the
same every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from fastapi._compat import v2
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

if TYPE_CHECKING:
    from collections.abc import Callable


def compiled_once() -> None:
    """Give FastAPI what it has been given for an equal type with equal attributes."""
    made: dict[Any, tuple[Any, TypeAdapter[Any]]] = {}

    def adapter(annotated: Any, *, config: Any = None) -> TypeAdapter[Any]:
        annotation, *metadata = get_args(annotated)
        key = (annotation, repr(annotation), *map(_told, metadata), repr(config))
        if key not in made:
            made[key] = (
                annotated,
                TypeAdapter(annotated, config=config),
            )  # what is named by its address stays where it is
        return made[key][1]

    compile_each: Callable[..., Any] = adapter
    v2.TypeAdapter = compile_each  # type: ignore[assignment,misc]


def _told(metadata: Any) -> str:
    attributes = getattr(metadata, "_attributes_set", {}) if isinstance(metadata, FieldInfo) else {}
    return f"{metadata!r} {attributes!r}"
