"""How events reach the bot: signed requests and sockets, repeated, replayed, forged, broken off."""

import asyncio
import json
import logging
import time

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from connectors.errors import Misconfigured
from orchestrator.assembly.bot import open_bot, secrets_of
from orchestrator.sandbox import default_corpus
from orchestrator.settings import load_settings
from orchestrator.surfaces.bot.slack import SlackSecrets
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from tests.clock import HANGING
from tests.e2e.bot_workplace import read, workplace

CORPUS = default_corpus()
EN = "What did we decide about the API migration?"
JSON = {"Content-Type": "application/json"}


@pytest.fixture(params=["http", "socket"])
async def work(request, tmp_path, index_url):
    """The bot by either transport."""
    async with workplace(CORPUS, tmp_path, index_url, sources=["slack"], transport=request.param) as work:
        yield ready(work)


@pytest.fixture
async def http(tmp_path, index_url):
    """The bot by requests."""
    async with workplace(CORPUS, tmp_path, index_url, sources=["slack"]) as work:
        yield ready(work)


@pytest.fixture
async def socket(tmp_path, index_url):
    """The bot by a socket."""
    async with workplace(CORPUS, tmp_path, index_url, sources=["slack"], transport="socket") as work:
        yield ready(work)


def ready(work):
    work.user, work.channel = work.slack.life.id_of("minsu.kim"), work.slack.life.channel_called("platform")
    work.slack.life.invite(work.channel, work.slack.bot_user)
    return work


def event(work, **more):
    ts = work.slack.life.stamp()
    plain = {"type": "app_mention", "user": work.user, "text": work.mention(EN), "ts": ts, "channel": work.channel}
    return work.slack.wrapped({**plain, "event_ts": ts, **more})


async def test_by_either_transport_each_kind_is_acknowledged_and_answered_once(work):
    _, posts = await work.ask(work.user, work.channel, work.mention(EN))  # comes as a mention and as a message
    assert len(posts) == 1
    command = await work.slack.command(work.user, work.channel, EN)
    shortcut = await work.slack.shortcut(work.user, work.channel, EN)
    pressed = await work.slack.press(work.user, posts[0], "fedsearch.more")
    await work.settled()
    assert [each.status for each in (command, shortcut, pressed)] == [200, 200, 200]
    assert len(work.slack.life.posts) == 4
    assert not command.said  # nothing is said with the acknowledgement


async def test_a_repeated_event_is_acknowledged_and_done_once(work):
    body = event(work)
    assert [(await work.slack.deliveries.event(body)).status for _ in range(3)] == [200, 200, 200]
    await work.settled()
    assert (await work.slack.deliveries.event(body)).status == 200
    await work.settled()
    assert len(work.slack.life.posts) == 1


async def test_a_repetition_whose_first_delivery_was_lost_is_answered(http):
    body = json.dumps(event(http)).encode()
    retry = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert (await http.slack.deliveries.sent(body, {**JSON, **retry})).status == 200
    assert (await http.slack.deliveries.sent(body, {**JSON, "X-Slack-Retry-Num": "2"})).status == 200
    await http.settled()
    assert len(http.slack.life.posts) == 1


@pytest.mark.parametrize(
    ("age", "signed", "changed"),
    [(301, "", b""), (-400, "", b""), (0, "v0=" + "0" * 64, b""), (0, "nonsense", b""), (None, "", b" ")],
)
async def test_what_is_forged_or_old_is_refused(http, age, signed, changed):
    body = json.dumps(event(http)).encode()
    if age is None:  # a body that was changed after it was signed
        fresh = await http.slack.deliveries.sent(body + changed, JSON, signed=_signature(http, body))
    else:
        fresh = await http.slack.deliveries.sent(body, JSON, at=int(time.time()) - age, signed=signed)
    await http.settled()
    assert fresh.status == 401
    assert http.slack.life.posts == []


def _signature(work, body):
    import hashlib
    import hmac

    mark = f"v0:{int(time.time())}:".encode() + body
    return "v0=" + hmac.new(work.slack.signing_secret.encode(), mark, hashlib.sha256).hexdigest()


async def test_a_button_is_replayed_in_vain(http):
    _, (post,) = await http.ask(http.user, http.channel, http.mention(EN))
    sent = []
    real = http.slack.deliveries.sent

    async def kept(body, headers, **more):
        sent.append((body, headers))
        return await real(body, headers, **more)

    http.slack.deliveries.sent = kept
    await http.press(http.user, post, "fedsearch.wider")
    assert (await real(*sent[0])).status == 200
    await http.settled()
    assert len(http.slack.life.posts) == 2


async def test_what_slack_sends_besides(http):
    challenge = json.dumps({"type": "url_verification", "challenge": "3eZbrw1aB", "token": "x"}).encode()
    assert "3eZbrw1aB" in (await http.slack.deliveries.sent(challenge, JSON)).said
    assert (await http.slack.deliveries.sent(b"{" * 100, JSON)).status == 400
    assert (await http.slack.deliveries.sent(b"\xff\xfe", JSON)).status == 400
    assert (await http.slack.deliveries.sent(b"[1]", JSON)).status == 400
    assert (await http.slack.deliveries.sent(b"x" * 900_000, JSON)).status in {0, 413}
    url = http.slack.deliveries.request_url
    async with aiohttp.ClientSession() as client, client.get(url.replace("/slack/events", "/healthz")) as reply:
        assert reply.status == 200
    _, (post,) = await http.ask(http.user, http.channel, http.mention(EN))
    assert read(post).startswith("What was decided:")


async def test_a_socket_that_breaks_is_made_anew(socket):
    first = socket.slack.deliveries.sockets[0]
    await first.socket.send_json({"type": "disconnect", "reason": "refresh_requested"})
    async with asyncio.timeout(HANGING):
        while not socket.slack.deliveries.sockets or socket.slack.deliveries.sockets[-1] is first:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
    _, posts = await socket.ask(socket.user, socket.channel, socket.mention(EN))
    assert len(posts) == 1


async def test_a_message_that_could_not_be_edited_is_said_anew(http):
    http.slack.limits["chat.update"] = 3
    _, posts = await http.ask(http.user, http.channel, http.mention(EN))
    assert len(posts) == 2
    assert read(posts[-1]).startswith("What was decided:")


async def test_fifty_at_once_are_each_answered(http):
    asked = [http.slack.say(http.user, http.channel, http.mention(f"{EN} ({n})")) for n in range(50)]
    delivered = await asyncio.gather(*asked)
    assert {each.status for _, both in delivered for each in both} == {200}
    await http.settled()
    assert len(http.slack.life.posts) == 50
    assert {read(post)[:17] for post in http.slack.life.posts} == {"What was decided:"}


async def test_tokens_are_nowhere_to_be_read(tmp_path, index_url, caplog, capsys):
    settings = load_settings(
        {"bot": {"token": "xoxb-very-secret", "app_token": "xapp-very-secret", "signing_secret": "very-secret"}}, {}
    )
    secrets = secrets_of(settings)
    assert "very-secret" not in repr(settings) + repr(secrets) + str(settings.bot)
    assert secrets == SlackSecrets("xoxb-very-secret", "xapp-very-secret", "very-secret")
    async with workplace(CORPUS, tmp_path, index_url, sources=["slack"]) as work:
        wrong = load_settings(
            {
                "sources": {"slack": {"base_url": work.sandbox.endpoints["slack"].base_url, "token": "xoxp-sandbox"}},
                "bot": {"base_url": work.slack.base_url, "token": "xoxb-very-secret"},
            },
            {},
        )
        with pytest.raises(Misconfigured, match=r"bot\.token: invalid_auth") as refused:
            async with open_bot(wrong):
                pass
        logger = quiet_logger()
        logger.warning("Failed to fetch oauth.v2.access result with code: 12.very-secret - error: x")
        logger.warning("Failed (error: %s) wss://a.b/?ticket=abc xapp-very-secret", "xoxb-very-secret")
        try:
            raise ValueError("https://hooks.slack.com/commands/T/very-secret")  # noqa: TRY301
        except ValueError:
            logger.exception("Failed to connect (error: https://hooks.slack.com/very-secret)")
        said = caplog.text + str(refused.value) + "".join(capsys.readouterr())
    assert "very-secret" not in said
    assert "ticket=abc" not in said
    assert "ValueError" in said
    assert logging.getLogger("fedsearch.slack").level == logging.WARNING


async def test_the_sandbox_is_as_strict_as_slack(http):
    """Through Slack's own client: who is not let in is not."""
    client = AsyncWebClient("xoxb-sandbox-app", base_url=http.slack.base_url)
    wrong = AsyncWebClient("xoxb-other", base_url=http.slack.base_url)
    leadership = http.slack.life.channel_called("leadership")
    for call, code in (
        (wrong.auth_test(), "invalid_auth"),
        (client.apps_connections_open(app_token="xoxb-sandbox-app"), "not_allowed_token_type"),
        (client.chat_postMessage(channel=leadership, text="x"), "channel_not_found"),
        (client.chat_postMessage(channel=http.slack.life.channel_called("sales"), text="x"), "not_in_channel"),
        (client.api_call("chat.postMessage", json={"channel": http.channel}), "no_text"),
        (client.chat_postMessage(channel=http.channel, text="x", blocks=[{"type": "divider"}] * 51), "invalid_blocks"),
        (client.chat_update(channel=http.channel, ts="1.1", text="x"), "message_not_found"),
        (client.chat_postEphemeral(channel=http.channel, user="U01PNA0E3", text="x"), "user_not_in_channel"),
        (client.conversations_members(channel=leadership), "channel_not_found"),
        (client.views_open(trigger_id="x", view={"type": "modal"}), "invalid_trigger_id"),
        (client.search_messages(query="x"), "unknown_method"),
    ):
        with pytest.raises(Exception, match=code):
            await call
