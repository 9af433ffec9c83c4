"""What was tuned is a layer of settings: under a person's own, and taken back byte for byte."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.errors import Misconfigured
from orchestrator.assembly.searching import ranking_of
from orchestrator.learning import tuned_text, undo_tuned, write_tuned
from orchestrator.settings import effective, load_settings, read_layers

FACTUAL = {"keywords": 0.2, "freshness": 0.3, "authority": 0.3, "completeness": 0.2}
NUMBERS = {"weights": {"factual": FACTUAL}, "learned": {"formula": 3.5, "weights": {"talk": 2.5}}}


def text(numbers=NUMBERS) -> str:
    return tuned_text(numbers, date(2026, 11, 20), 300, 12)


def test_settings_read_it_under_those_of_a_person(tmp_path) -> None:
    environment = {"FEDSEARCH_DATA_DIR": str(tmp_path), "FEDSEARCH_RANKING__NUMBERS__LEARNED__FORMULA": "2.0"}
    write_tuned(load_settings(environment=environment).storage.tuned, text())
    settings = load_settings(environment=environment)
    ranking = ranking_of(settings)
    assert ranking.weights["factual"].model_dump() == FACTUAL
    assert (ranking.learned.formula, ranking.learned.weights.talk) == (2.0, 2.5)
    origins = {each.key: each.origin for each in effective(read_layers(environment=environment))}
    assert origins["ranking.numbers.weights.factual.freshness"] == str(tmp_path / "tuned.toml")
    assert origins["ranking.numbers.learned.formula"] == "environment"


def test_it_sets_nothing_but_numbers_of_ranking(tmp_path) -> None:
    environment = {"FEDSEARCH_DATA_DIR": str(tmp_path)}
    write_tuned(tmp_path / "tuned.toml", text() + '[server]\naudit = "/tmp/x"\n[ranking]\nprofile = "formula"\n')
    settings = load_settings(environment=environment)
    assert (settings.server.audit, settings.ranking.profile) == ("", "factors")
    assert settings.ranking.numbers == NUMBERS
    (tmp_path / "tuned.toml").write_text("[ranking", "utf-8")
    with pytest.raises(Misconfigured, match=r"tuned\.toml is not valid TOML"):
        load_settings(environment=environment)


def test_each_undo_puts_back_what_stood_there(tmp_path) -> None:
    path = tmp_path / "data" / "tuned.toml"
    versions = [text(), text({"weights": {"factual": FACTUAL}}) + "# by hand, 손으로\r\n"]
    for each in versions:
        write_tuned(path, each)
    assert path.read_bytes() == versions[1].encode()
    assert path.stat().st_mode & 0o077 == 0
    assert undo_tuned(path)
    assert path.read_bytes() == versions[0].encode()
    assert undo_tuned(path)
    assert not path.exists()
    assert not undo_tuned(path)
    assert not list(path.parent.iterdir())
