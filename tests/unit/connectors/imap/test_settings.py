"""Where the mail server is, and that no password goes there in the clear."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from connectors.imap.settings import EVERYWHERE, ImapSettings


def made(**given: Any) -> ImapSettings:
    return ImapSettings.model_validate({"kind": "imap", **given})


@pytest.mark.parametrize(
    ("given", "server", "security", "username"),
    [
        ({"host": "imap.a.example"}, ("imap.a.example", 993), "tls", ""),
        ({"host": "imap.a.example", "security": "starttls"}, ("imap.a.example", 143), "starttls", ""),
        ({"host": "imap.a.example", "port": 1993, "username": "u"}, ("imap.a.example", 1993), "tls", "u"),
        ({"host": "localhost", "security": "none"}, ("localhost", 143), "none", ""),
        ({"host": "::1", "security": "none", "port": 1143}, ("::1", 1143), "none", ""),
        ({"base_url": "imaps://imap.a.example"}, ("imap.a.example", 993), "tls", ""),
        ({"base_url": "imaps://u%40a.example@imap.a.example:1993/"}, ("imap.a.example", 1993), "tls", "u@a.example"),
        ({"base_url": "imap://imap.a.example"}, ("imap.a.example", 143), "starttls", ""),
        ({"base_url": "imap://127.0.0.1:1143"}, ("127.0.0.1", 1143), "none", ""),
        ({"base_url": "imap://127.0.0.1", "security": "starttls"}, ("127.0.0.1", 143), "starttls", ""),
        ({"base_url": "imaps://a.example", "username": "me"}, ("a.example", 993), "tls", "me"),
    ],
)
def test_the_server(given: dict[str, Any], server: tuple[str, int], security: str, username: str) -> None:
    settings = made(**given)
    assert (settings.server, settings.security, settings.username) == (server, security, username)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"host": "imap.a.example", "security": "none"}, "use tls or starttls"),
        ({"base_url": "imap://a.example", "security": "none"}, "use tls or starttls"),
        ({"base_url": "https://a.example"}, "imaps://host:993"),
        ({"base_url": "imaps://"}, "imaps://host:993"),
        ({"base_url": "imaps://u:secret@a.example"}, "imaps://host:993"),
        ({"base_url": "imaps://a.example/INBOX"}, "imaps://host:993"),
        ({"base_url": "imaps://a.example:99999"}, "imaps://host:993"),
        ({"host": "imaps://a.example"}, "bare name"),
        ({"host": "a b"}, "bare name"),
        ({"token": "a\nb"}, "copy it again"),
        ({"mailboxes": []}, "at least 1"),
        ({"port": 0}, "greater than or equal to 1"),
    ],
)
def test_settings_that_cannot_work_say_what_to_set(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said) as caught:
        made(**given)
    assert "secret" not in str(caught.value)


def test_a_password_may_be_of_several_words_in_any_script() -> None:
    settings = made(token="열려라 참깨\n")
    assert settings.token is not None
    assert settings.token.get_secret_value() == "열려라 참깨"
    assert "참깨" not in repr(settings)
    assert made(token="\n").token is None
    assert made().token is None


def test_names_may_come_in_one_line_of_the_environment() -> None:
    assert made(mailboxes="INBOX, \\Sent,공지").mailboxes == ("INBOX", "\\Sent", "공지")
    assert made().mailboxes == EVERYWHERE


def test_whose_mail_it_is() -> None:
    assert made(username="Sarah@A.example").own == ("sarah@a.example",)
    assert made(username="sarah", addresses=["S@a.example", "s@a.example"]).own == ("s@a.example",)
    assert made(username="sarah").own == ()


def test_how_to_sign_in() -> None:
    oauth = {"client_id": "c", "refresh_token": "r"}
    assert not made(token="x").by_token
    assert made(oauth=oauth).by_token
    assert made(token="x", mechanism="xoauth2").by_token
    assert not made(oauth=oauth, mechanism="password").by_token
