"""Ways out over real sockets: an SMTP server, a program behind HTTP, files; what fails is tried again, then shown."""

import asyncio
import base64
import json
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from aiosmtpd.smtp import SMTP
from pydantic import SecretStr

from connectors.errors import Misconfigured, Rejected, Throttled, Unauthenticated, Unavailable
from orchestrator.assembly.digests import digest_service
from orchestrator.digests import Clock, message_of
from orchestrator.digests.content import Digest, DigestEntry, DigestSection, Group, Origin, SectionKind, Why
from orchestrator.digests.delivery import kept_destination
from orchestrator.digests.delivery.file import ToFile
from orchestrator.digests.delivery.mail import ByMail
from orchestrator.digests.delivery.slack import ToSlack
from orchestrator.digests.delivery.webhook import ToWebhook, signed
from orchestrator.sandbox import default_corpus
from orchestrator.settings import load_settings
from orchestrator.settings.digests import DigestSettings, Smtp
from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e.digest_office import is_signed
from tests.pretend.slack import LiveSlack
from tests.pretend.slack.blocks import addressed
from tests.unit.orchestrator.digests.world import START, Diary, engine_over, event

AT = datetime(2026, 11, 20, 9, tzinfo=ZoneInfo("Asia/Seoul"))
SECRET = SecretStr("whsec_" + base64.b64encode(b"a key of ours").decode())


def message(text="요청을 검토해 주세요", title="주간 다이제스트"):
    origin = Origin("slack", "1", "", "https://acme.slack.com/archives/C1/p1", "박지현", "Slack 결제", AT)
    section = DigestSection(
        SectionKind.ACTIONS, (Group("", (DigestEntry(text, origin, why=Why.REQUEST, quoted=True),)),)
    )
    return message_of(Digest("team", title, "ko", "Asia/Seoul", "weekly", AT, AT, (section,), (), 1, 1))


# ---- mail


class Post:
    """A mail server's side: keeps what comes, refuses what it is told to."""

    def __init__(self):
        self.mails, self.refusal = [], None

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - aiosmtpd calls it so
        if self.refusal:
            return self.refusal
        self.mails.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=default)))
        return "250 kept"


@pytest_asyncio.fixture
async def post():
    it = Post()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(it), "127.0.0.1", 0)
    it.port = server.sockets[0].getsockname()[1]
    yield it
    server.close()
    await server.wait_closed()


def smtp(post, **changes):
    told = {"host": "127.0.0.1", "port": post.port, "security": "none", "user": "", "timeout": 5.0}
    return Smtp.model_validate({**told, "sender": "fedsearch <digests@acme.example>", **changes})


@requirement("6.11")
async def test_mail_has_html_and_text_and_one_id_however_often_it_is_sent(post):
    for _ in range(2):
        await ByMail(smtp(post))("mailto:jihyun@acme.example", message(), "k1", AT)
    (to, first), (_, second) = post.mails
    assert to == ["jihyun@acme.example"]
    assert first["Message-ID"] == second["Message-ID"] == "<k1@acme.example>"
    assert first["Subject"] == "주간 다이제스트"
    assert first["Auto-Submitted"] == "auto-generated"
    assert "요청을 검토해 주세요" in first.get_body(("plain",)).get_content()
    assert "<li>" in (page := first.get_body(("html",)).get_content())
    assert "요청을 검토해 주세요" in page


async def test_a_title_cannot_add_headers_to_a_mail(post):
    await ByMail(smtp(post))("mailto:a@acme.example", message(title="x\r\nBcc: eve@evil.example"), "k", AT)
    ((to, mail),) = post.mails
    assert to == ["a@acme.example"]
    assert mail["Bcc"] is None
    for address in ("mailto:a@acme.example%0d%0aBcc:eve@evil.example", "mailto:a@acme.example,eve@evil.example"):
        with pytest.raises(Misconfigured, match="no mail address"):
            await ByMail(smtp(post))(address, message(), "k", AT)
    assert len(post.mails) == 1


@pytest.mark.parametrize(("reply", "error"), [("451 later", Unavailable), ("554 never", Rejected)])
async def test_what_a_mail_server_refuses_for_now_is_tried_again(post, reply, error):
    post.refusal = reply
    with pytest.raises(error, match="SMTP"):
        await ByMail(smtp(post))("mailto:a@acme.example", message(), "k", AT)


async def test_a_mail_server_that_is_away_cannot_log_in_or_is_reached_in_the_open(post):
    with pytest.raises(Misconfigured, match="this machine only"):
        await ByMail(smtp(post, host="mail.acme.example"))("mailto:a@acme.example", message(), "k", AT)
    with pytest.raises(Misconfigured, match=r"smtp\.host"):
        await ByMail(smtp(post, host="", sender=""))("mailto:a@acme.example", message(), "k", AT)
    with pytest.raises((Misconfigured, Unauthenticated)) as refused:
        await ByMail(smtp(post, user="u", password="hunter22"))("mailto:a@acme.example", message(), "k", AT)
    assert "hunter22" not in str(refused.value)
    with pytest.raises(Misconfigured, match="security"):
        await ByMail(smtp(post, security="starttls"))("mailto:a@acme.example", message(), "k", AT)
    with pytest.raises(Unavailable):
        await ByMail(smtp(post, port=1))("mailto:a@acme.example", message(), "k", AT)


# ---- webhooks


async def test_a_webhook_is_signed_over_id_time_and_body(hook):
    await ToWebhook(SECRET, lambda: 1_795_000_000.9)(hook.url, message(), "k1", AT)
    ((headers, body),) = hook.came
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == ("k1", "1795000000")
    assert is_signed(headers, body, b"a key of ours")
    told = json.loads(body)
    assert (told["id"], told["type"], told["data"]["name"]) == ("k1", "fedsearch.digest", "team")
    assert "요청을 검토해 주세요" in told["text"]


def test_the_signature_is_that_of_the_standards_own_example():
    """https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries (the vector all its libraries share)."""
    body = b'{"test": 2432232314}'
    made = signed("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330.0, body)
    assert made["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    ("status", "error"),
    [(503, Unavailable), (429, Throttled), (410, Rejected), (302, Exception), (401, Unauthenticated)],
)
async def test_what_a_webhook_answers_becomes_an_error_without_its_address(hook, status, error):
    hook.status, hook.headers = status, {"Retry-After": "7", "Location": "http://127.0.0.1:1/"}
    with pytest.raises(error) as failed:
        await ToWebhook(SECRET)(hook.url, message(), "k", AT)
    assert "t0psecretpath" not in str(failed.value)
    assert getattr(failed.value, "retry_after", 7.0) == 7.0


async def test_a_webhook_that_is_away_unsigned_or_in_the_open_is_refused_without_its_address():
    away = "http://127.0.0.1:1/t0psecretpath"
    with pytest.raises(Unavailable) as failed:
        await ToWebhook(SECRET)(away, message(), "k", AT)
    assert "t0psecretpath" not in str(failed.value)
    with pytest.raises(Misconfigured, match="https"):
        await ToWebhook(SECRET)("http://example.com/t0psecretpath", message(), "k", AT)
    with pytest.raises(Misconfigured, match="secret"):
        await ToWebhook(None)(away, message(), "k", AT)
    assert "t0psecretpath" not in kept_destination("https://example.com/t0psecretpath?x=1").shown


# ---- files


@requirement("6.11")
async def test_files_by_their_ending_and_never_half(tmp_path):
    way = ToFile(tmp_path)
    for ending, begins in {".md": "# 주간", ".html": "<!doctype html>", ".txt": "주간", ".json": "{"}.items():
        await way(f"file:{{name}}/{{date}}{ending}", message(), "k", AT)
        assert (tmp_path / "team" / f"2026-11-20{ending}").read_text("utf-8").startswith(begins)
    assert len(list((tmp_path / "team").iterdir())) == 4, "nothing else is left beside them"
    (tmp_path / "full").write_text("a file, no folder")
    with pytest.raises(Unavailable):
        await way("file:full/x.md", message(), "k", AT)


# ---- the outbox


async def test_a_delivery_is_tried_again_then_given_up_then_seen_and_revived(store, tmp_path, hook):
    settings = load_settings(
        {
            "storage": {"data_dir": str(tmp_path)},
            "scheduled": {"attempts": 3, "again": 0.01},
            "digests": {"team": {"deliver": [hook.url, "file:x.md"], "secret": "s3cret-s3cret"}},
        },
        {},
    )
    diary = Diary("chat", [event("chat", 1, START)])
    async with engine_over(diary) as engine:
        service = digest_service(settings, engine, store.database, Clock(lambda: START + timedelta(hours=1)))
        hook.status = 503
        run = await service.runs.now("team")
        first = {each.place: each for each in await service.deliver("team", run.due)}
        assert first["file:x.md"].status == "sent"
        (waiting,) = (each for each in first.values() if each.status == "waiting")
        assert (waiting.attempts, "503" in waiting.problem, "t0psecretpath" in waiting.place) == (1, True, False)
        jobs = "SELECT count(*) FROM procrastinate_jobs WHERE queue_name = 'deliver' AND scheduled_at IS NOT NULL"
        assert await store.database.run(lambda each: each.fetchval(jobs)) == 1, "the next attempt waits for its time"
        async with asyncio.timeout(HANGING):
            task = asyncio.create_task(service.work())
            while not (standing := await service.standings())[0].dead:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        (dead,) = standing[0].dead
        assert (dead.attempts, len(hook.came)) == (3, 3)
        hook.status = 204
        assert await service.run_repository.again(dead.key)
        assert {each.status for each in await service.deliver("team", run.due)} == {"sent"}
        assert not await service.run_repository.again(dead.key)
        assert len({headers["webhook-id"] for headers, _ in hook.came}) == 1


async def test_what_cannot_help_is_given_up_at_once_and_what_is_no_longer_wanted_too(store, tmp_path, hook):
    def desk_with(engine, *deliver):
        told = {"deliver": list(deliver), "secret": "s3cret-s3cret"}
        settings = load_settings({"storage": {"data_dir": str(tmp_path)}, "digests": {"team": told}}, {})
        return digest_service(settings, engine, store.database, Clock(lambda: START + timedelta(hours=1)))

    async with engine_over(Diary("chat", [])) as engine:
        hook.status = 410
        service = desk_with(engine, hook.url)
        run = await service.runs.now("team")
        (gone,) = await service.deliver("team", run.due)
        assert (gone.status, gone.attempts) == ("dead", 1)
        later = desk_with(engine, hook.url)
        later._clock = later.runs._clock = Clock(lambda: START + timedelta(hours=2))
        run = await later.runs.now("team")
        (out,) = await desk_with(engine).deliver("team", run.due)
        assert (out.status, "settings" in out.problem) == ("dead", True)


# ---- Slack


def texts(value):
    """Every text in blocks."""
    if isinstance(value, dict):
        yield from ([value["text"]] if isinstance(value.get("text"), str) else ())
        yield from (text for each in value.values() for text in texts(each))
    if isinstance(value, list):
        yield from (text for each in value for text in texts(each))


@requirement("6.11", "Digests: delivered to a channel, by mail, or to a file", where="orchestrator/digests/delivery")  # fmt: skip
async def test_a_channel_gets_a_digest_that_addresses_nobody():
    wished = DigestSettings()
    async with LiveSlack(default_corpus()) as slack:
        channel = "C01PAY0003"
        slack.life.invite(channel, slack.bot_user)
        way = ToSlack(SecretStr(slack.bot_token), slack.base_url, wished)
        hostile = "<!channel> @here *결정* <@U1> <https://evil.example|click> 검토해 주세요"
        await way(f"slack:{channel}", message(hostile, title="<!everyone> 주간"), "k", AT)
        (post,) = slack.life.posts
        assert addressed(post.shown) == []
        assert post.channel == channel
        shown = "".join(texts(post.shown["blocks"])).replace("\u2060", "")
        assert hostile in shown
        assert "요청받음" in shown
        for wrong, error in {"slack:C0NOWHERE": Rejected, "slack:U0NOBODY": Rejected}.items():
            with pytest.raises(error, match="Slack refused"):
                await way(wrong, message(), "k", AT)
        with pytest.raises(Unauthenticated, match=r"bot\.token"):
            await ToSlack(SecretStr("xoxb-wrong"), slack.base_url, wished)(f"slack:{channel}", message(), "k", AT)


async def test_what_one_person_may_read_goes_to_them_and_to_no_channel():
    personal = DigestSettings(person="minsu.kim@acme.example")
    async with LiveSlack(default_corpus()) as slack:
        way = ToSlack(SecretStr(slack.bot_token), slack.base_url, personal)
        await way("slack:U01KMS0A1", message(), "k", AT)
        (post,) = slack.life.posts
        assert post.channel.startswith("D")
        slack.life.posts.clear()
        with pytest.raises(Misconfigured, match="USER-ID"):
            await way("slack:C01PAY0003", message(), "k", AT)
        assert slack.life.posts == []
    with pytest.raises(Misconfigured, match=r"bot\.token"):
        await ToSlack(None, "https://slack.com/api/", personal)("slack:U1", message(), "k", AT)
    with pytest.raises(Unavailable):
        await ToSlack(SecretStr("xoxb-x"), "http://127.0.0.1:1/api/", personal)("slack:U1", message(), "k", AT)


async def test_a_name_that_was_anothers_once_tells_nothing_of_theirs(store, tmp_path):
    """A digest or saved search is given to somebody else by changing one line of the settings (law 7)."""

    def desk_for(person):
        team = {"person": person, "deliver": ["file:/nowhere/at/all/x.md"]}
        search = {"person": person, "question": "API 마이그레이션은 언제 시작하나요?"}
        told = {"storage": {"data_dir": str(tmp_path)}, "digests": {"team": team}, "searches": {"start": search}}
        return digest_service(
            load_settings(told, {}), engine, store.database, Clock(lambda: START + timedelta(hours=1))
        )

    async with engine_over(Diary("chat", [])) as engine:
        first = desk_for("kim")
        await first.runs.now("team")
        await first.runs.now("search/start")
        second = desk_for("lee")
        assert [(each.last, each.waiting, each.dead) for each in await second.standings()] == [(None, (), ())] * 2
        run_repository = second.run_repository
        assert await run_repository.latest("search/start", "kim") is not None
        assert await run_repository.latest("search/start", "lee") is None
        assert (await first.standings())[1].waiting or (await first.standings())[0].waiting
