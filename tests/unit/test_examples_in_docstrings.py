"""Examples in the docstrings of what programs import say what happens."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    "connectors.contract",
    "connectors.http",
    "connectors.registry",
    "connectors.slack.markup",
    "connectors.structure",
    "fedsearch",
    "orchestrator.assembly.searching",
    "orchestrator.documents.answer",
    "orchestrator.documents.receipt",
    "orchestrator.engine",
    "orchestrator.events",
    "orchestrator.model",
    "orchestrator.sandbox.faults",
    "orchestrator.settings.layers",
    "orchestrator.settings.sections",
    "orchestrator.understand.understanding",
    "orchestrator.websearch.query",
    "storage.errors",
    "translators.query",
    "translators.registry",
    "translators.split",
    "translators.translator",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted
    assert not found.failed
