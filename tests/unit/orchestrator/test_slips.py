"""A setting that is misspelled, a source that is not there: the message says what was meant, or what to do."""

import pytest

from connectors.manifest import SourceSettings
from orchestrator.assembly.sources import absent
from orchestrator.settings import Settings, load_settings, no_such_setting


@pytest.mark.parametrize(
    ("model", "place", "said"),
    [
        (SourceSettings, ("tokenn",), "; did you mean token?"),
        (SourceSettings, ("application", "client_idd"), "; did you mean client_id?"),
        (Settings, ("search", "limitt"), "; did you mean limit?"),
        (Settings, ("serch",), "; did you mean search?"),
        (SourceSettings, ("colour",), ""),
        (Settings, ("search", "nothing", "here"), ""),
    ],
)
def test_the_setting_that_was_meant_is_named(model, place, said):
    assert no_such_setting(model, place) == f"there is no such setting{said}"


@pytest.mark.parametrize(
    ("sources", "name", "said"),
    [
        ({}, "slack", "it is not set up: FEDSEARCH_SOURCES__SLACK__TOKEN: "),
        ({}, "local", "it is not set up: put something in: `fedsearch index add"),
        ({"slack": {"enabled": False}}, "slack", "it is switched off: sources.slack.enabled = true"),
        ({}, "slak", ""),
    ],
)
def test_a_source_that_is_not_asked_is_told_how_to_have(sources, name, said):
    told = absent(load_settings({"sources": sources}, {}), name)
    assert told.startswith(said)
    assert bool(told) == bool(said)
