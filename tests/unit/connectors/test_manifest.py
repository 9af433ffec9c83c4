"""Manifests and settings refuse what cannot work, and say it without secrets."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from connectors.errors import Misconfigured
from connectors.manifest import Auth, SourceSettings, load_manifest
from connectors.registry import load_source, source_kinds
from translators.said import said_in


@pytest.mark.parametrize("kind", ["gmail", "linear", "notion", "slack"])
def test_manifests_of_ours(kind: str) -> None:
    """Each is named like its folder and points at the vendor over TLS."""
    manifest = load_manifest(f"connectors.{kind}")
    assert manifest.name == kind
    assert manifest.default_url.startswith("https://")
    assert load_source(kind).manifest == manifest
    assert kind in source_kinds()


def test_an_unknown_kind_is_told_with_those_that_there_are() -> None:
    """A spelling mistake is seen at once."""
    with pytest.raises(Misconfigured, match=r"slak.*slack"):
        load_source("slak")


@pytest.mark.parametrize(
    "url",
    ["ftp://a.b", "slack.com", "https://", "https://user:pass@host/", "https://host/?a=b", "https://host/#f", "https://a b/",
     "javascript:alert(1)", "http:///path"],
)  # fmt: skip
def test_an_address_that_cannot_be_one_is_refused(url: str) -> None:
    """And not repeated: it may hold a password."""
    with pytest.raises(ValidationError) as caught:
        SourceSettings.model_validate({"kind": "x", "base_url": url})
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "https://slack.com/api/", "http://127.0.0.1:8000", "https://wiki.intra/rest"])
def test_an_address_is_kept(url: str) -> None:
    """As it was given."""
    assert SourceSettings.model_validate({"kind": "x", "base_url": url}).base_url == url


@pytest.mark.parametrize("token", ["two words", "line\nbreak inside", "비밀", "tab\there"])
def test_a_token_with_characters_that_no_token_has_is_refused(token: str) -> None:
    """Copied wrongly, or an attempt to write a header; not repeated in either case."""
    with pytest.raises(ValidationError) as caught:
        SourceSettings.model_validate({"kind": "x", "token": token})
    assert token not in str(caught.value)


def test_blanks_around_a_token_are_an_accident() -> None:
    """And nothing but blanks is no token."""
    settings = SourceSettings.model_validate({"kind": "x", "token": " xoxp-1\n"})
    assert settings.token is not None
    assert settings.token.get_secret_value() == "xoxp-1"
    assert SourceSettings.model_validate({"kind": "x", "token": "  "}).token is None


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("slack", {"team": "not a team"}),
        ("slack", {"directory_pages": 0}),
        ("notion", {"version": "latest"}),
        ("notion", {"pages_read": 101}),
        ("gmail", {"mails_read": -1}),
        ("linear", {"max_text": 0}),
        ("linear", {"no_such": 1}),
    ],
)
def test_settings_of_ours_refuse_what_cannot_work(kind: str, settings: dict[str, object]) -> None:
    """Unknown keys included."""
    with pytest.raises(ValidationError):
        load_source(kind).settings_type.model_validate({"kind": kind, **settings})


def test_what_people_read_may_be_said_in_both_languages() -> None:
    """One text stands for both; half a pair is refused."""
    assert said_in(Auth.model_validate({"help": "make a key"}).help, "ko") == "make a key"
    both = Auth.model_validate({"help": {"en": "make a key", "ko": "키를 만드세요"}}).help
    assert (both, said_in(both, "ko")) == ("make a key", "키를 만드세요")
    for half in ({"en": "make a key"}, {"en": "make a key", "ko": "키를 만드세요", "fr": "une clé"}, 3):
        with pytest.raises(ValidationError, match="one for each language"):
            Auth.model_validate({"help": half})


@pytest.mark.parametrize("where", ["application", "oauth"])
@pytest.mark.parametrize("empty", ["", " "])
def test_nobody_is_sent_to_a_vendor_that_could_not_tell_who_asks(where: str, empty: str) -> None:
    """A variable that is set to nothing is not a registration."""
    with pytest.raises(ValidationError, match="it is empty"):
        SourceSettings.model_validate(
            {"kind": "x", where: {"client_id": empty, **({"refresh_token": "r"} if where == "oauth" else {})}}
        )
