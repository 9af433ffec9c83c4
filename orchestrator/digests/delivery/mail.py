"""By mail, as HTML and plain text, over SMTP (RFC 5321)."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import TYPE_CHECKING
from urllib.parse import unquote

from connectors.errors import Misconfigured, Rejected, SourceError, Unauthenticated, Unavailable
from connectors.text import plain_line, quote
from translators.said import Said

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.digests.message import DigestMessage
    from orchestrator.settings.digests import Smtp

LASTING = 500  # replies from here on are final: RFC 5321, 4.2.1
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class ByMail:
    """``mailto:ADDRESS``."""

    def __init__(self, settings: Smtp) -> None:
        self._settings = settings

    async def __call__(self, address: str, message: DigestMessage, key: str, at: datetime) -> None:
        if not self._settings.host:
            raise Misconfigured(Said("there is no mail server to send by; set smtp.host and smtp.sender"))
        mail = letter(self._settings.sender, unquote(address.removeprefix("mailto:")), message, key, at)
        try:
            await asyncio.to_thread(self._send, mail)
        except SourceError:
            raise
        except smtplib.SMTPAuthenticationError:
            raise Unauthenticated("the mail server does not take smtp.user and its password") from None
        except smtplib.SMTPNotSupportedError as failure:
            raise Misconfigured(
                Said("the mail server cannot do that: {why}; see smtp.security").filled(why=quote(failure))
            ) from None
        except smtplib.SMTPException as failure:
            raise _error(failure) from None
        except (OSError, ssl.SSLError) as failure:
            raise Unavailable(
                Said("the mail server cannot be reached: {why}").filled(why=quote(failure.strerror or failure))
            ) from None

    def _send(self, mail: EmailMessage) -> None:
        told = self._settings
        if told.security == "none" and told.host not in LOCAL:
            raise Misconfigured(
                Said("smtp.security is none, which is for a server on this machine only; take starttls or tls")
            )
        kind = smtplib.SMTP_SSL if told.security == "tls" else smtplib.SMTP
        with kind(told.host, told.port, timeout=told.timeout) as server:
            if told.security == "starttls":
                server.starttls(context=ssl.create_default_context())
            if told.user:
                server.login(told.user, told.password.get_secret_value() if told.password else "")
            server.send_message(mail)


def letter(sender: str, to: str, message: DigestMessage, key: str, at: datetime) -> EmailMessage:
    """The mail. Its Message-ID is the delivery's: what comes twice is shown once by most programs. Raises :class:`Misconfigured`."""
    mail = EmailMessage()
    name, address = parseaddr(sender)
    mail["From"] = _mailbox(plain_line(name), address, "smtp.sender")
    mail["To"] = _mailbox("", to, repr(to))
    mail["Subject"] = plain_line(message.title)
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{key}@{address.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"  # RFC 3834: no replies of absent people, please
    mail.set_content(message.plain)
    mail.add_alternative(message.html, subtype="html")
    return mail


def _mailbox(name: str, address: str, called: str) -> Address:
    try:
        return Address(name, addr_spec=address)
    except (ValueError, IndexError):
        raise Misconfigured(Said("{called} is no mail address").filled(called=called)) from None


def _error(failure: smtplib.SMTPException) -> SourceError:
    codes = [failure.smtp_code] if isinstance(failure, smtplib.SMTPResponseException) else []
    if isinstance(failure, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in failure.recipients.values()]
    said = f"the mail server refused it (SMTP {codes[0]})" if codes else "the mail server broke off"
    return Rejected(said) if codes and min(codes) >= LASTING else Unavailable(said)
