"""Dovecot as a child process over a folder of mails: https://doc.dovecot.org/2.3/.

Rows of a corpus are mails there (RFC 5322, MIME), written in the ways that mail programs differ in.
"""

import asyncio
import contextlib
import grp
import os
import pwd
import re
import shutil
import socket
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import cache
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from zlib import crc32

from orchestrator.sandbox.corpus import DOMAIN, Directory, Person, Row
from orchestrator.sandbox.index import composed

INBOX, SENT, ARCHIVE, DRAFTS, JUNK, TRASH = "INBOX", "Sent", "Archive", "Drafts", "Junk", "Trash"
BY_LABEL = {"SENT": SENT, "DRAFT": DRAFTS, "SPAM": JUNK, "TRASH": TRASH, "INBOX": INBOX}
PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
UNFIT = re.compile(r"[\x00-\x1f\x7f/]|^[.~]+|^(?:cur|new|tmp)$", re.IGNORECASE)
"""What no name of a mailbox may hold, be or begin with: it becomes that of a folder."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail: the mailbox it lies in, when it came (seconds since 1970), and its bytes."""

    mailbox: str
    received: float
    raw: bytes


def message_id(row_id: str) -> str:
    """The Message-ID of a row, with its angle brackets."""
    plain = row_id if PLAIN_ID.fullmatch(row_id) else f"row-{crc32(row_id.encode()):08x}"
    return f"<{plain}@mail.{DOMAIN}>"


def letter(row: Row, people: Directory, owner: Person) -> Letter:
    """A row as a mail in the owner's account."""
    made = EmailMessage(policy=SMTP)
    made["From"] = _address(row.author, row.author_name, people)
    for name in ("to", "cc"):
        if listed := [_address(identity, "", people) for identity in row.listed(name)]:
            made[name.title()] = listed
    made["Subject"] = _one_line(row.title)
    made["Message-ID"] = message_id(row.id)
    if first := row.said("thread"):
        made["In-Reply-To"] = made["References"] = message_id(first)
    moment = row.created
    if moment is not None:
        made["Date"] = format_datetime(moment)
    _write(made, composed(row.text), crc32(row.id.encode()))
    for name in row.listed("attachments"):
        made.add_attachment(b"attached", maintype="application", subtype="octet-stream", filename=_one_line(name))
    return Letter(mailbox_of(row, owner), _seconds(moment), made.as_bytes())


def mailbox_of(row: Row, owner: Person) -> str:
    """Where a mail lies: where the row says, else by its labels and its sender."""
    if named := UNFIT.sub("-", _one_line(row.container)):
        return named
    labels = {label.upper() for label in row.listed("labels")}
    known = [place for label, place in BY_LABEL.items() if label in labels]
    if known or row.author in (owner.id, owner.email):
        return known[0] if known else SENT
    return ARCHIVE if labels else INBOX


def _write(made: EmailMessage, text: str, number: int) -> None:
    """Each mail program has its ways; a number says whose, so that the same row is always the same mail."""
    match number % 4:
        case 0 if _is_wansung(text):
            made.set_content(text, charset="euc-kr", cte="base64")
        case 1:
            made.set_content(text, cte="quoted-printable")
        case 2:
            made.set_content(text)
            html = "".join(f"<p>{escape(line)}</p>\n" for line in text.split("\n"))
            made.add_alternative(f"<html><body>{html}</body></html>", subtype="html")
        case _:
            made.set_content(text, cte="base64")


def _is_wansung(text: str) -> bool:
    try:
        text.encode("euc-kr")
    except UnicodeEncodeError:
        return False
    return True


def _address(identity: str, name: str, people: Directory) -> Address:
    person = people.find(identity)
    shown = person.name if person else name or identity
    at = person.email if person else f"unknown@{DOMAIN}"
    user, _, domain = at.rpartition("@")
    try:
        return Address(_one_line(shown), user or "unknown", domain if user else DOMAIN)
    except ValueError:  # an address that no mail can bear
        return Address(_one_line(shown), "unknown", DOMAIN)


def _seconds(moment: datetime | None) -> float:
    return max(0.0, moment.timestamp()) if moment else 0.0


def _one_line(text: str) -> str:
    return " ".join(composed(text).split())


def in_order(letters: Iterable[Letter]) -> Sequence[Letter]:
    """As they came."""
    return sorted(letters, key=lambda each: each.received)


HOST = "127.0.0.1"
PATIENCE, GRACE = 15.0, 3.0
"""Seconds for it to begin, and to end."""

ATTEMPTS = 3
"""A port that was free may be taken by the time it is used."""

PLACES = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")
WORLD_READABLE = 0o755
SPECIAL_USES = {SENT: "\\Sent", ARCHIVE: "\\Archive", DRAFTS: "\\Drafts", JUNK: "\\Junk", TRASH: "\\Trash"}
CONFIGURATION = """\
base_dir = "{folder}/run"
state_dir = "{folder}/run"
log_path = "{folder}/log"
protocols = imap
listen = {host}
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
mail_fsync = never
mail_max_userip_connections = 100
first_valid_uid = 1
first_valid_gid = 1
mail_location = "maildir:{folder}/mail:LAYOUT=fs:UTF-8"
{users}
service imap-login {{
  {chroot}
  service_count = 0
  client_limit = 200
  inet_listener imap {{
    address = {host}
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  {chroot}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home
}}
namespace inbox {{
  inbox = yes
  separator = /
{mailboxes}
}}
"""


@cache
def executable() -> str:
    """Where the program is; empty if it is not installed."""
    return shutil.which("dovecot", path=os.pathsep.join([os.environ.get("PATH", ""), *PLACES])) or ""


@cache
def missing() -> str:
    """Why there can be no IMAP server here; empty if there can. Asks the program for its version."""
    if not (program := executable()):
        return "Dovecot is not installed (on Debian and Ubuntu: apt-get install dovecot-imapd)"
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.split()  # noqa: S603
    if not told or not told[0].startswith("2.3."):
        return f"this is written for Dovecot 2.3, and {told[0] if told else 'another program'} is installed"
    return ""


def write_mails(folder: Path, letters: Iterable[Letter]) -> None:
    """A Maildir (https://cr.yp.to/proto/maildir.html) in ``folder``/mail; a file's time is when its mail came."""
    root = folder / "mail"
    (folder / "home").mkdir()
    count: Counter[str] = Counter()
    for name in {INBOX, *SPECIAL_USES}:
        _make(root, name)
    for number, letter in enumerate(letters):
        cur = _make(root, letter.mailbox)
        path = cur / f"{1_000_000_000 + number}.M{number}P1.sandbox:2,"
        path.write_bytes(letter.raw)
        os.utime(path, (letter.received, letter.received))
        count[letter.mailbox] += 1
    if os.geteuid() == 0:
        _give_to_mail(folder)


def _make(root: Path, mailbox: str) -> Path:
    place = root if mailbox.upper() == INBOX else root / mailbox
    for part in ("cur", "new", "tmp"):
        (place / part).mkdir(parents=True, exist_ok=True)
    return place / "cur"


def _give_to_mail(folder: Path) -> None:
    """Dovecot's own processes give up being root before they touch a mail."""
    folder.chmod(WORLD_READABLE)
    for place in (folder / "mail", folder / "home"):
        for path in (place, *place.rglob("*")):
            shutil.chown(path, "mail", "mail")


@contextlib.asynccontextmanager
async def running(letters: Iterable[Letter], password: str) -> AsyncIterator[int]:
    """The port of a server for as long as the context lasts. Raises `OSError` if it does not start."""
    folder = Path(await asyncio.to_thread(mkdtemp, prefix="fedsearch-imap-"))
    try:
        await asyncio.to_thread(write_mails, folder, letters)
        process, port = await _started(folder, password)
        try:
            yield port
        finally:
            await _stopped(process)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _started(folder: Path, password: str) -> tuple[asyncio.subprocess.Process, int]:
    for _ in range(ATTEMPTS):
        port = _free_port()
        await asyncio.to_thread((folder / "conf").write_text, _configuration(folder, port, password), "utf-8")
        command = (executable(), "-F", "-c", str(folder / "conf"))
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*command, stdin=quiet, stdout=quiet, stderr=quiet)
        if await _answers(process, port):
            return process, port
        await _stopped(process)
    log = folder / "log"
    said = await asyncio.to_thread(log.read_text, "utf-8", "replace") if log.exists() else "nothing was logged"
    raise OSError(f"Dovecot did not start: {' '.join(said.split())[-500:]}")


async def _answers(process: asyncio.subprocess.Process, port: int) -> bool:
    """Whether a greeting comes before the process ends or patience does."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while process.returncode is None and asyncio.get_running_loop().time() < deadline:
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection(HOST, port)
                greeting = await reader.readline()
                writer.transport.abort()
        except (OSError, TimeoutError):
            greeting = b""
        if greeting.startswith(b"* OK"):
            return process.returncode is None
        await asyncio.sleep(0.05)
    return False


async def _stopped(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(GRACE):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _configuration(folder: Path, port: int, password: str) -> str:
    uses = (f'  mailbox "{name}" {{\n    special_use = {use}\n  }}' for name, use in SPECIAL_USES.items())
    return CONFIGURATION.format(
        folder=folder, host=HOST, port=port, password=password, mailboxes="\n".join(uses), **_users()
    )


def _users() -> Mapping[str, object]:
    """Whose processes they are: only root may become somebody else and lock itself into a folder."""
    if os.geteuid() == 0:
        return {"users": "", "chroot": "", "uid": "mail", "gid": "mail"}
    me, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    users = f"default_internal_user = {me}\ndefault_internal_group = {group}\ndefault_login_user = {me}"
    return {"users": users, "chroot": "chroot =", "uid": os.getuid(), "gid": os.getgid()}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port
