"""What can be set for a mailbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

from pydantic import BeforeValidator, Field, SecretStr, ValidationInfo, field_validator, model_validator

from connectors.manifest import SourceSettings, by_commas
from connectors.text import is_loopback
from translators.said import Said

PORTS = {"tls": 993, "starttls": 143, "none": 143}
EVERYWHERE = ("*",)
ADDRESS_FORM = "base_url must be imaps://host:993 or imap://host:143; or leave it out and set host"

Security = Literal["tls", "starttls", "none"]


Names = Annotated[tuple[str, ...], BeforeValidator(by_commas)]


class ImapSettings(SourceSettings):
    r"""Settings of one account on a mail server.

    ``host``, ``port`` and ``security`` (``tls`` from the first byte, ``starttls``, or ``none``, which only a server
    on this machine may be given) say where it is; ``base_url`` says the same as one address,
    ``imaps://user@host:port``. ``username`` is whose mailbox, ``token`` the password. ``mechanism``: how to sign in,
    ``xoauth2`` with an access token. ``addresses``: the account's own mail addresses, where the user name is none or
    not the only one. ``mailboxes``: which are searched, by name or special use (``\Sent``); ``*`` is every one
    but junk and trash. Where there is one for ``\All``, it stands for all of them. ``mails_read``: of how many of the best mails the text is read.
    ``mail_bytes``: how much of one mail is fetched. ``max_text``: characters kept of it. ``people_from``: newest mails
    of each mailbox in which people's names and addresses are looked up.
    """

    host: str = ""
    port: int | None = Field(default=None, ge=1, le=65535)
    security: Security = "tls"
    username: str = ""
    mechanism: Literal["auto", "password", "xoauth2"] = "auto"
    addresses: Names = ()
    mailboxes: Names = Field(default=EVERYWHERE, min_length=1)
    mails_read: int = Field(default=20, ge=0, le=50)
    mail_bytes: int = Field(default=131_072, ge=1024, le=160_000)
    max_text: int = Field(default=20_000, ge=1)
    people_from: int = Field(default=200, ge=0, le=1000)

    @model_validator(mode="before")
    @classmethod
    def _from_address(cls, given: Any) -> Any:
        """``base_url`` taken apart; what is set by itself goes before it."""
        url = given.get("base_url") if isinstance(given, Mapping) else None
        if not isinstance(url, str) or not _is_address(url):
            return given
        parts = urlsplit(url)
        safe = parts.scheme == "imaps" or not is_loopback(parts.hostname or "")
        said: dict[str, Any] = {
            "host": parts.hostname,
            "port": parts.port,
            "security": "tls" if parts.scheme == "imaps" else "starttls" if safe else "none",
            "username": unquote(parts.username or ""),
        }
        return {**{name: value for name, value in said.items() if value}, **given}

    @field_validator("base_url")
    @classmethod
    def _is_http(cls, url: str) -> str:
        """In place of the check that other sources have: this one speaks no HTTP."""
        if url and not _is_address(url):
            raise ValueError(ADDRESS_FORM)
        return url

    @field_validator("token")
    @classmethod
    def _is_header_safe(cls, token: SecretStr | None) -> SecretStr | None:
        """In place of the check that other sources have: a password may hold blanks and letters of any script."""
        if token is None or not (value := token.get_secret_value().strip("\r\n")):
            return None
        if not value.isprintable():
            raise ValueError(Said("the token holds line breaks or control characters; copy it again"))
        return SecretStr(value)

    @field_validator("host")
    @classmethod
    def _is_host(cls, host: str) -> str:
        if any(sign in host for sign in "/@ \r\n") or not host.isprintable():
            raise ValueError(Said("host must be the bare name of a mail server, like imap.example.org"))
        return host

    @field_validator("security")
    @classmethod
    def _is_secure(cls, security: Security, info: ValidationInfo) -> Security:
        if security == "none" and not is_loopback(info.data.get("host", "")):
            raise ValueError(
                Said(
                    "none would send the password for all to read and is for a server on this machine; use tls or starttls"
                )
            )
        return security

    @property
    def server(self) -> tuple[str, int]:
        """Host and port."""
        return self.host, self.port or PORTS[self.security]

    @property
    def own(self) -> tuple[str, ...]:
        """The account's own mail addresses, as far as they are known."""
        known = (*self.addresses, *([self.username] if "@" in self.username else []))
        return tuple(dict.fromkeys(address.casefold() for address in known))

    @property
    def by_token(self) -> bool:
        """Whether an access token is what signs in, and not a password."""
        return self.mechanism == "xoauth2" or (self.mechanism == "auto" and self.oauth is not None)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    bare = not (parts.query or parts.fragment or parts.password or parts.path.strip("/"))
    return parts.scheme in ("imap", "imaps") and bool(parts.hostname) and bare and port != 0 and url.isprintable()
