"""What is read of a model: https://ai.google.dev/api/models . What it generates: ``reply``."""

from __future__ import annotations

from connectors.wire import Line, Wire


class Model(Wire):
    """A model, by its name among resources."""

    name: Line
