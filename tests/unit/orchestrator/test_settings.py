"""Settings come from layers, each value knows its origin, and no secret shows."""

import re
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from connectors.errors import Misconfigured
from connectors.registry import load_source, source_kinds
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import every_configured
from orchestrator.main import Root
from orchestrator.packaged import config_dir
from orchestrator.settings import (
    Settings,
    SettingsSite,
    effective,
    load_settings,
    read_layers,
    read_source,
    settings_from,
    site_file,
)
from orchestrator.settings.found import fingerprint
from orchestrator.settings.layers import SECRET_NAMES
from orchestrator.surfaces.cli import make_cli
from translators.said import said_in

HANGUL = re.compile("[가-힣]")


@pytest.fixture
def site(tmp_path):
    """A folder with a site file, a source and a secret."""
    (tmp_path / "fedsearch.toml").write_text(
        '[search]\nbudget = 4\nlimit = 7\n[locale]\nzone = "Asia/Seoul"\n', "utf-8"
    )
    (tmp_path / "sources.d").mkdir()
    (tmp_path / "sources.d" / "team-chat.toml").write_text('kind = "slack"\npriority = 2.0\n', "utf-8")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "sources__team_chat__token").write_text("xoxp-from-file\n", "utf-8")
    return {
        "FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml"),
        "FEDSEARCH_SECRETS_DIR": str(tmp_path / "secrets"),
    }


def test_defaults_alone_are_valid():
    settings = load_settings(environment={})
    assert settings.search.budget == 3.0
    assert settings.sources == {}


def test_each_layer_goes_over_the_one_before(site):
    environment = {**site, "FEDSEARCH_SEARCH__LIMIT": "9", "FEDSEARCH_SEARCH__BUDGET": "5"}
    settings = load_settings({"search": {"limit": 3}}, environment)
    assert (settings.search.budget, settings.search.limit, settings.search.enough) == (5.0, 3, 25)
    assert settings.locale.zone == "Asia/Seoul"
    assert settings.sources["team_chat"] == {"kind": "slack", "priority": 2.0, "token": "xoxp-from-file"}


def test_a_secret_that_cannot_be_read_costs_its_source_unless_it_is_said_otherwise(site, tmp_path):
    secret = tmp_path / "secrets" / "sources__team_chat__token"
    secret.write_bytes(b"\xff")
    (tmp_path / "secrets" / "sources__wiki__token").write_text("ntn_1", "utf-8")
    settings = load_settings(environment=site)
    assert settings.sources == {"wiki": {"token": "ntn_1"}}
    assert f"{secret} is not UTF-8" in settings.source_files["team_chat"]
    said = load_settings(environment={**site, "FEDSEARCH_SOURCES__TEAM_CHAT__TOKEN": "typed"})
    assert (said.sources["team_chat"]["token"], said.source_files["team_chat"]) == ("typed", "")
    secret.rename(tmp_path / "secrets" / "accounts__secret")
    with pytest.raises(Misconfigured, match="is not UTF-8"):
        load_settings(environment=site)


def test_whoever_may_read_a_file_is_followed_too(site, tmp_path):
    stamp = SettingsSite(environment=site).stamp()
    (tmp_path / "sources.d" / "team-chat.toml").chmod(0o600)
    assert SettingsSite(environment=site).stamp() != stamp


def test_merging_leaves_the_layers_as_they_were(tmp_path):
    """So that what was tuned can be left out, and what is left is what a person has set."""
    (tmp_path / "tuned.toml").write_text("[ranking.numbers.fusion]\nshare = 0.3\n", "utf-8")
    environment = {"FEDSEARCH_DATA_DIR": str(tmp_path), "FEDSEARCH_RANKING__NUMBERS__FUSION__K": "50"}
    layers = read_layers(environment=environment)
    assert settings_from(layers).ranking.numbers == {"fusion": {"share": 0.3, "k": "50"}}
    others = [layer for layer in layers if not layer.origin.endswith("tuned.toml")]
    assert settings_from(others).ranking.numbers == {"fusion": {"k": "50"}}


def test_every_value_names_the_layer_it_came_from_and_secrets_are_masked(site):
    shown = {each.key: each for each in effective(read_layers(environment={**site, "FEDSEARCH_SEARCH__LIMIT": "9"}))}
    assert shown["search.limit"].origin == "environment"
    assert shown["search.budget"].origin.endswith("fedsearch.toml")
    assert shown["search.enough"].origin == "built-in defaults"
    assert shown["sources.team_chat.kind"].origin.endswith("team-chat.toml")
    assert (shown["sources.team_chat.token"].value, shown["sources.team_chat.token"].origin) == (
        "•••",
        "secrets directory",
    )
    assert "xoxp" not in str(shown)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"FEDSEARCH_SEARCH__BUDGT": "5"}, ["search.budgt", "environment", "no such setting"]),
        ({"FEDSEARCH_SERACH__BUDGET": "5"}, ["serach"]),
        ({"FEDSEARCH_SEARCH__BUDGET": "soon"}, ["search.budget", "environment", "number"]),
        ({"FEDSEARCH_SEARCH__LIMIT": "-1"}, ["search.limit"]),
        ({"FEDSEARCH_SEARCH__MAX_TEXT": "5000"}, ["search.max_text", "2000"]),
        ({"FEDSEARCH_LOG__LEVEL": "LOUD"}, ["log.level"]),
        ({"FEDSEARCH_CONFIG": "/nonexistent/x.toml"}, ["FEDSEARCH_CONFIG", "does not exist"]),
        ({"FEDSEARCH_SECRETS_DIR": "/nonexistent"}, ["FEDSEARCH_SECRETS_DIR", "not a folder"]),
    ],
)
def test_a_wrong_setting_is_named_with_its_origin(environment, words):
    with pytest.raises(Misconfigured) as refusal:
        load_settings(environment=environment)
    assert all(word in refusal.value.message for word in words)
    assert HANGUL.search(said_in(refusal.value.message, "ko"))


def test_a_secret_in_a_settings_file_is_refused_without_repeating_it(site, tmp_path):
    (tmp_path / "fedsearch.toml").write_text('[sources.slack]\ntoken = "xoxp-oops"\n', "utf-8")
    with pytest.raises(Misconfigured) as refusal:
        load_settings(environment=site)
    assert "sources.slack.token" in refusal.value.message
    assert "xoxp-oops" not in refusal.value.message


@pytest.mark.parametrize("text", ["not = [toml", "x = '\\"], ids=["bracket", "quote"])
def test_broken_toml_names_the_file(site, tmp_path, text):
    (tmp_path / "fedsearch.toml").write_text(text, "utf-8")
    with pytest.raises(Misconfigured, match=r"fedsearch\.toml is not valid TOML"):
        load_settings(environment=site)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("not = [toml", "team-chat.toml is not valid TOML"),
        ("x = '\\", "team-chat.toml is not valid TOML"),
        (None, "team-chat.toml cannot be read"),
        ('kind = "slack"\ntoken = "xoxp-oops"', "token is a secret and does not belong in a settings file"),
        ('kind = "slack"\nchanels = 3', "there is no such setting"),
        ('kind = "slak"', "no kind of source is called"),
    ],
    ids=["bracket", "quote", "folder", "secret", "slip", "kind"],
)
def test_a_broken_file_of_a_source_costs_that_source_alone(site, tmp_path, text, wrong):
    """Though the secret of the broken one lies where it belongs; the others are asked, and it is told why it is not."""
    file = tmp_path / "sources.d" / "team-chat.toml"
    file.unlink()
    file.mkdir() if text is None else file.write_text(text, "utf-8")
    (tmp_path / "sources.d" / "wiki.toml").write_text('kind = "json_api"\nbase_url = "http://127.0.0.1:1"', "utf-8")
    settings = load_settings(environment={**site, "FEDSEARCH_SOURCES__WIKI__TOKEN": "x"})
    engine = build_engine(settings)
    missing = {each.name: each.missing for each in engine.profiles}
    assert missing.keys() == {"team_chat", "wiki"}
    assert wrong in missing["team_chat"]
    assert HANGUL.search(said_in(missing["team_chat"], "ko"))
    assert "xoxp" not in missing["team_chat"]
    assert not missing["wiki"]
    (problem,) = [each.problem for each in every_configured(settings) if each.name == "team_chat"]
    assert wrong in problem
    assert not any(each.key.startswith("source_files") for each in effective(read_layers(environment=site)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("not = [toml", "Invalid"),
        ('declared = "{declared}"\nfound.author = "perfect"', "found.author"),
        ('declared = "{declared}"\ntoken = "x"', "token"),
        ("\udcff", "is not UTF-8"),
    ],
    ids=["bracket", "value", "key", "encoding"],
)
def test_what_was_found_of_a_source_and_is_broken_costs_nothing_else(site, tmp_path, text, wrong):
    """The source is asked as its own file declares it."""
    environment = {**site, "FEDSEARCH_SOURCES__WIKI__TOKEN": "x"}
    file = tmp_path / "sources.d" / "wiki.toml"
    file.write_text('kind = "json_api"\nbase_url = "http://127.0.0.1:1"', "utf-8")
    found = tmp_path / "sources.d" / "found" / "wiki.toml"
    found.parent.mkdir()
    declared = fingerprint(read_source(file))
    found.write_text(text.replace("{declared}", declared), "utf-8", "surrogateescape")
    settings = load_settings(environment=environment)
    assert "wiki" in {each.name for each in build_engine(settings).profiles if not each.missing}
    assert settings.unread_findings["wiki"].count(str(found)) == 1
    assert wrong in settings.unread_findings["wiki"]
    told = CliRunner().invoke(make_cli(Root()), ["config"], env=environment)
    assert str(found) in told.stderr
    assert "unread_findings" not in told.stdout


def test_what_is_wrong_elsewhere_still_stops_everything(site):
    with pytest.raises(Misconfigured, match="no such setting"):
        build_engine(load_settings(environment={**site, "FEDSEARCH_SOURCES__SLACK__CHANELS": "3"}))


@pytest.mark.parametrize("name", ["storage", "sources", "source_files", "unread_findings"])
def test_a_value_where_a_table_is_due_is_told_with_its_key(tmp_path, name):
    file = tmp_path / "site.toml"
    file.write_text(f"{name} = 3", "utf-8")
    # a table of a stronger layer hid that value
    for above in ({}, {"FEDSEARCH_DATA_DIR": str(tmp_path)}, {"FEDSEARCH_SOURCES__SLACK__TOKEN": "x"}):
        with pytest.raises(Misconfigured, match=rf"setting {name} \(from .*site\.toml\)"):
            load_settings(environment={"FEDSEARCH_CONFIG": str(file), **above})


def test_the_secrets_of_a_validation_failure_stay_hidden():
    with pytest.raises(Misconfigured) as refusal:
        settings_from(read_layers(environment={"FEDSEARCH_SOURCES__SLACK": "x", "FEDSEARCH_SEARCH__TOKEN": "xoxp-1"}))
    assert "xoxp-1" not in refusal.value.message


def test_every_secret_is_masked_by_its_name():
    """Whoever adds a secret, here or to a source, gives it a name by which it is known before anything is validated."""
    models = [Settings, *(load_source(kind).settings_type for kind in source_kinds())]
    names = {name for model in models for name in _secrets_of(model)}
    assert {"token", "page_secret", "database_url"} <= names
    assert names <= SECRET_NAMES


def _secrets_of(model):
    """Names of the fields of a model, and of those within it, that hold a secret."""
    for name, field in getattr(model, "model_fields", {}).items():
        for each in _types(field.annotation):
            if each is SecretStr:
                yield name
            yield from _secrets_of(each)


def _types(annotation):
    """A type and the types that it is made of, as ``dict[str, int | None]``."""
    yield annotation
    for each in get_args(annotation):
        yield from _types(each)


def test_a_secret_that_can_be_guessed_is_refused():
    with pytest.raises(Misconfigured, match="32 characters"):
        load_settings({"server": {"page_secret": "short"}}, {})


def test_the_site_file_has_a_home_even_before_it_exists(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert site_file({}) == tmp_path / "fedsearch" / "fedsearch.toml"


def test_the_packaged_defaults_are_found():
    assert (config_dir() / "defaults.toml").is_file()


def test_settings_do_not_print_their_sources():
    settings = load_settings(environment={"FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp-1"})
    assert "xoxp-1" not in repr(settings)


def test_the_askers_zone():
    assert load_settings({"locale": {"zone": "Asia/Seoul"}}, {}).locale.timezone == ZoneInfo("Asia/Seoul")
    assert load_settings({}, {}).locale.timezone is None


@pytest.mark.parametrize("name", ["Mars/Phobos", "../../etc/passwd", "/etc/passwd", "a\x00b"])
def test_an_unknown_zone_is_refused_with_what_to_write(name):
    locale = load_settings({"locale": {"zone": name}}, {}).locale
    with pytest.raises(Misconfigured, match=r"there is no time zone.*Asia/Seoul"):
        _ = locale.timezone
