"""The bot in a living Slack, over real sockets: what people say goes in, what the app says comes out."""

import json
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from orchestrator.learning import judgments_of, read_use
from orchestrator.sandbox import default_corpus, parse_fault
from orchestrator.surfaces.bot import bot as bot_module
from tests.conformance.marks import requirement
from tests.e2e.bot_workplace import read, told, workplace
from tests.pretend.slack import addressed

CORPUS = default_corpus()
KO = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
EN = "What did we decide about the API migration?"


@pytest.fixture
async def work(tmp_path, index_url):
    """Slack and Notion behind the bot, which is in the channel `platform`."""
    async with workplace(
        CORPUS, tmp_path, index_url, sources=["slack", "notion", "linear"], bot={"open": ["notion"]}
    ) as work:
        work.user = work.slack.life.id_of("minsu.kim")
        work.channel = work.slack.life.channel_called("platform")
        work.slack.life.invite(work.channel, work.slack.bot_user)
        yield work


def calls(work, *names):
    return [(name, arguments) for name, arguments in work.slack.calls if name in names]


@requirement("6.1", "Chat bot: asked in Slack by a mention, it answers with citations in the thread", where="orchestrator/surfaces/bot")  # fmt: skip
@pytest.mark.parametrize(
    ("question", "lead", "waiting", "wider"),
    [
        (KO, "결정된 내용:", "질문을 읽고 있습니다…", "[더 넓게 찾기]"),
        (EN, "What was decided:", "Reading the question…", "[Search wider]"),
    ],
)
async def test_a_mention_is_one_message_that_becomes_the_answer(work, question, lead, waiting, wider):
    ts, (post,) = await work.ask(work.user, work.channel, work.mention(question))
    assert (post.channel, post.thread, post.only) == (work.channel, ts, "")
    assert told(post.versions[0]) == waiting
    shown = read(post)
    assert shown.startswith(lead)
    assert re.search(r"” \[\d\] <https://", shown)
    assert wider in shown
    assert [name for name, _ in calls(work, "chat.postMessage", "chat.update", "chat.postEphemeral")] == [
        "chat.postMessage",
        *["chat.update"] * (len(post.versions) - 1),
    ]


@pytest.mark.parametrize(("first", "then"), [(KO, "그건 누가 정했어?"), (EN, "who decided that?")])
async def test_a_thread_keeps_what_it_is_about_without_another_mention(work, first, then):
    ts, _ = await work.ask(work.user, work.channel, work.mention(first))
    _, (post,) = await work.ask(work.user, work.channel, then, thread=ts)
    assert post.thread == ts
    assert "마이그레이션" in read(post) or "migration" in read(post)
    assert ("API 마이그레이션 누가 정했어?" if "그건" in then else f"API migration {then}") in read(post)
    other = work.slack.life.id_of("priya.nair")
    _, posts = await work.ask(other, work.channel, "점심 뭐 먹을까요", thread=ts)
    assert posts == []  # people may talk in the thread


@pytest.mark.parametrize(
    ("first", "then", "taken"),
    [
        (KO, "Slack에서만", "API 마이그레이션 source:slack"),
        (EN, "only in 슬랙, please", "API migration source:chat"),
        (KO, "그럼 그 전에는 언제였어?", "API 마이그레이션 그럼 언제였어?"),
        (EN, "한국어로 답해줘", "API migration 알려 주세요"),
        (KO, "in English please", "what is known about API 마이그레이션?"),
    ],
)
async def test_the_same_is_asked_otherwise(work, first, then, taken):
    direct = work.slack.life.direct(work.user)
    await work.ask(work.user, direct, first)
    _, (post,) = await work.ask(work.user, direct, then)
    shown = read(post)
    assert taken in shown
    if "source:" in taken:
        listed = [line for line in shown.splitlines() if re.match(r"\[\d+\]", line)]
        assert listed
        assert all(" · Slack" in line for line in listed)
    if "English" in then or "한국어" in then:
        wider = "[Search wider]" if "English" in then else "[더 넓게 찾기]"
        assert wider in shown


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("고마워요!", "별말씀을요"),
        ("thanks!", "You're welcome"),
        ("help", "Mention me in a channel"),
        ("안녕하세요", "다이렉트 메시지"),
        ("in Korean please", "물어보시는 말로 답합니다"),
    ],
)
async def test_what_asks_nothing_is_answered_and_not_searched(work, text, reply):
    before = len(work.sandbox.requests)
    _, (post,) = await work.ask(work.user, work.channel, work.mention(text))
    assert post.only == work.user
    assert reply in read(post)
    assert len(work.sandbox.requests) == before


async def test_elsewhere_there_is_nothing_to_go_on_from(work):
    await work.ask(work.user, work.channel, work.mention(EN))
    _, (post,) = await work.ask(work.user, work.channel, work.mention("who decided that?"))
    assert "Taken as" not in read(post)
    _, posts = await work.ask(work.user, work.channel, "who decided that?", thread="1.000001")
    assert posts == []


@requirement("6.2", "Chat bot: asked by direct message, and by a slash command", where="orchestrator/surfaces/bot/slack")  # fmt: skip
async def test_a_direct_message_needs_no_mention_and_goes_on(work):
    direct = work.slack.life.direct(work.user)
    _, (post,) = await work.ask(work.user, direct, EN)
    assert (post.channel, post.thread) == (direct, "")
    assert read(post).startswith("What was decided:")
    _, (second,) = await work.ask(work.user, direct, "그건 누가 정했어?")
    assert "API migration 누가 정했어?" in read(second)
    _, (other,) = await work.ask(
        work.slack.life.id_of("priya.nair"), work.slack.life.direct("U01PNA0E3"), "who decided that?"
    )
    assert "Taken as" not in read(other)


@requirement("6.2")
async def test_a_slash_command_is_answered_to_the_asker_alone(work):
    before = len(work.slack.life.posts)
    assert (await work.slack.command(work.user, work.channel, EN)).status == 200
    await work.settled()
    (post,) = work.slack.life.posts[before:]
    assert post.only == work.user
    assert len(post.versions) == 2  # a reply address is good for five
    assert read(post).startswith("What was decided:")
    assert not calls(work, "chat.postMessage", "chat.update")
    (more,) = await work.press(work.user, post, "fedsearch.more")
    assert more.only == work.user
    _, (mention,) = await work.ask(work.user, work.channel, work.mention("who decided that?"))
    assert "Taken as" not in read(mention)  # what was asked alone is known to nobody else
    before = len(work.slack.life.posts)
    for user in ("U01PNA0E3", work.user):
        await work.slack.command(user, work.channel, "who decided that?")
        await work.settled()
    others, own = work.slack.life.posts[before:]
    assert "Taken as" not in read(others)
    assert "Taken as: API migration who decided that?" in read(own)


async def test_a_message_is_asked_about(work):
    before = len(work.slack.life.posts)
    assert (await work.slack.shortcut(work.user, work.channel, KO)).status == 200
    await work.settled()
    (post,) = work.slack.life.posts[before:]
    assert post.only == work.user
    assert read(post).startswith("결정된 내용:")


@requirement("6.4", "Chat bot: buttons for why this, searching wider, and feedback", where="orchestrator/surfaces/bot/actions.py")  # fmt: skip
async def test_the_buttons(work, tmp_path):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(KO))
    other = work.slack.life.id_of("priya.nair")
    work.slack.life.invite(work.channel, other)
    (details,) = await work.press(other, post, "fedsearch.more")
    for at, action, says in (
        (post, "fedsearch.more", "나에게 보이는 모든 결과"),
        (details, "fedsearch.why", "왜"),
        (details, "fedsearch.receipt", "Slack: "),
        (post, "fedsearch.good", "감사합니다"),
    ):
        (shown,) = await work.press(other, at, action)
        assert shown.only == other
        if action != "fedsearch.why":
            assert says in read(shown)
    (wider,) = await work.press(other, post, "fedsearch.wider")
    assert (wider.only, wider.thread) == ("", post.thread)
    assert "넓게 찾음" in read(wider)
    assert "더 넓게 찾기" not in read(wider)
    judged = json.loads((tmp_path / "feedback.jsonl").read_text("utf-8"))
    assert (judged["question"], judged["verdict"]) == (KO, "right")
    assert judged["principal"] == "priya.nair@acme.example"
    (graded,) = judgments_of(
        read_use(tmp_path / "learning")
    )  # what the answer quotes, by whoever says that it was right
    assert {item.cited for item, grade in zip(graded.shown.items, graded.grades, strict=True) if grade} == {True}


@pytest.mark.parametrize(("question", "details"), [(KO, "[자세히]"), (EN, "[Details]")])
async def test_an_answer_is_three_lines_and_three_sources_and_the_rest_is_behind_one_button(work, question, details):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(question))
    before, _, after = read(post).partition("\n결과\n" if question == KO else "\nResults\n")
    assert 1 <= len(before.splitlines()) <= 3
    listed = [int(each) for each in re.findall(r"^\[(\d+)\]", after, re.MULTILINE)]
    assert len(listed) == 3
    assert listed == sorted(listed), "numbers follow the order shown"
    assert {int(each) for each in re.findall(r"\[(\d+)\]", before)} <= set(listed), "what is cited is there"
    assert details in read(post)
    (whole,) = await work.press(work.user, post, "fedsearch.more")
    assert len(re.findall(r"^\[(\d+)\]", read(whole), re.MULTILINE)) > 3
    assert before.splitlines()[1] in read(whole)


@requirement("6.4")
async def test_wider_asks_what_has_not_been_asked(tmp_path, index_url):
    few = {"search": {"enough": 1, "ahead": 0}}
    async with workplace(
        CORPUS, tmp_path, index_url, sources=["slack", "notion"], bot={"open": ["notion"]}, more=few
    ) as work:
        user = work.slack.life.id_of("minsu.kim")
        direct = work.slack.life.direct(user)
        _, (post,) = await work.ask(user, direct, KO)
        asked = len(work.sandbox.requests)
        await work.ask(user, direct, KO)
        assert len(work.sandbox.requests) == asked  # remembered for the same person
        await work.press(user, post, "fedsearch.wider")
        assert len(work.sandbox.requests) > asked


@requirement("6.3", "Chat bot: the readings of a question that is asked back are buttons", where="orchestrator/surfaces/bot/slack/workspace.py orchestrator/surfaces/bot/actions.py")  # fmt: skip
async def test_a_question_that_may_mean_several_things_is_asked_back(work):
    _, (post,) = await work.ask(work.user, work.channel, work.mention("마이그레이션"))
    assert "어느 것을 찾으세요?" in read(post)
    options = [each for each in _buttons(post) if each["action_id"].startswith("fedsearch.ask")]
    assert [each["text"]["text"] for each in options] == ["API", "메일", "운영"]
    (answer,) = await work.press(work.user, post, options[0]["action_id"])
    assert answer.thread == post.thread
    assert json.loads(_buttons(answer)[0]["value"])[0] == "API 마이그레이션"


async def test_what_cannot_be_asked_is_said(work):
    _, (empty,) = await work.ask(work.user, work.channel, work.mention(""))
    assert empty.only == work.user
    assert "Ask me something" in read(empty)
    _, (long,) = await work.ask(work.user, work.channel, work.mention("가" * 1001))
    assert "1000자" in read(long)
    _, (unknown,) = await work.ask(work.user, work.channel, work.mention("source:nonsense API"))
    assert read(unknown) != "Reading the question…"


async def test_nobody_is_addressed_whatever_is_asked(work):
    hostile = "<!channel> <!here> &lt;!channel&gt; @here @channel <!subteam^S012345|@devs> <@U01PJH0C1> API migration?"
    ts, _ = await work.ask(work.user, work.channel, work.mention(hostile))
    await work.ask(work.user, work.channel, work.mention("<!everyone> who decided that? @everyone"), thread=ts)
    versions = [version for post in work.slack.life.posts for version in post.versions]
    assert len(versions) >= 4
    for version in versions:
        assert addressed(version) == []
        assert not version.get("link_names")
        assert not re.search(r"<!|@(?:here|channel|everyone)\b", told(version) + version["text"])


async def test_edits_keep_their_pace_and_the_last_one_arrives(tmp_path, index_url):
    faults = dict([parse_fault("notion=delay:0.9")])
    setup = workplace(
        CORPUS, tmp_path, index_url, sources=["slack", "notion"], bot={"open": ["notion"], "every": 0.2}, faults=faults
    )
    async with setup as work:
        user, channel = work.slack.life.id_of("minsu.kim"), work.slack.life.channel_called("platform")
        work.slack.life.invite(channel, work.slack.bot_user)
        await work.ask(user, channel, work.mention("warm up"))
        work.slack.limits["chat.update"] = 1
        _, (post,) = await work.ask(user, channel, work.mention(EN))
        assert read(post).startswith("What was decided:")
        listed = [re.findall(r"^\[(\d+)\]", told(version), re.MULTILINE) for version in post.versions]
        assert len(listed[-1]) == 3
        for numbers in listed:
            assert numbers == sorted(numbers, key=int), "numbers follow the order shown, whichever source came first"
        assert all(later - earlier >= 0.2 for earlier, later in zip(post.at[1:], post.at[2:-1], strict=False))


async def test_a_bot_and_an_edit_ask_nothing(work):
    event = {"type": "app_mention", "text": work.mention(EN), "ts": "1.1", "channel": work.channel, "event_ts": "1.1"}
    for more in (
        {"user": "U1", "bot_id": "B1"},
        {"user": work.user, "edited": {"ts": "1.2"}},
        {"user": work.slack.bot_user},
    ):
        await work.slack.deliveries.event(work.slack.wrapped({**event, **more}))
    await work.settled()
    assert work.slack.life.posts == []


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
async def test_what_somebody_says_with_a_file_or_to_all_is_said_all_the_same(work, subtype):
    direct = work.slack.life.direct(work.user)
    ts = work.slack.life.stamp()
    event = {"type": "message", "channel_type": "im", "channel": direct, "user": work.user, "ts": ts, "event_ts": ts}
    await work.slack.deliveries.event(work.slack.wrapped({**event, "text": EN, "subtype": subtype}))
    await work.settled()
    (post,) = work.slack.life.posts
    assert read(post).startswith("What was decided:")


async def test_people_of_other_companies_are_answered_nowhere_and_judge_nothing(work, tmp_path):
    stranger = work.slack.life.id_of("priya.nair")
    work.slack.life.invite(work.channel, stranger)
    ts, (post,) = await work.ask(work.user, work.channel, work.mention(EN))
    work.slack.life.strangers.add(stranger)
    _, posts = await work.ask(stranger, work.channel, "who decided that?", thread=ts)
    assert posts == []  # nobody asked the bot
    _, (refusal,) = await work.ask(stranger, work.channel, work.mention("who decided that?"), thread=ts)
    assert read(refusal) == "Only members of this workspace can ask here."
    for action in ("fedsearch.good", "fedsearch.more"):
        (shown,) = await work.press(stranger, post, action)
        assert read(shown) == "Only members of this workspace can ask here."
    assert not (tmp_path / "feedback.jsonl").exists()


async def test_its_home_tells_each_in_their_language_how_to_ask(work):
    homes, other = work.slack.methods.views.homes, work.slack.life.id_of("priya.nair")
    work.slack.life.languages[work.user] = "ko-KR"
    for user in (work.user, other):
        assert (await work.slack.open_home(user)).status == 200
    await work.settled()
    korean, english = (told(homes[user]) for user in (work.user, other))
    assert "묻는 소스: Notion, Slack." in korean
    assert "I ask: Notion, Slack." in english
    assert "Not shown by the bot: Linear." in english
    work.slack.life.strangers.add(other)
    await work.slack.open_home(other)
    await work.settled()
    assert told(homes[other]) == "Only members of this workspace can ask here."
    homes.clear()
    await work.slack.open_home(other, tab="messages")
    await work.settled()
    assert homes == {}


def _buttons(post):
    return [each for block in post.shown["blocks"] if block["type"] == "actions" for each in block["elements"]]


# ---- buttons that are pressed twice, late, by others, and that find trouble


def at(work, moment):
    """The bot's clock, from now on."""
    object.__setattr__(work.opened.services, "clock", lambda zone: moment.astimezone(ZoneInfo(zone or "Asia/Seoul")))


async def pressed_at_once(work, person, post, *names):
    """What several presses bring about that come before the first of them is done."""
    before = len(work.slack.life.posts)
    for name in names:
        assert (await work.slack.press(person, post, name)).status == 200
    await work.settled()
    return work.slack.life.posts[before:]


@pytest.mark.parametrize("action", ["more", "wider"])
async def test_a_button_that_is_pressed_twice_at_once_is_done_once_and_later_again(work, action):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(KO))
    name = f"fedsearch.{action}"
    assert len(await pressed_at_once(work, work.user, post, name, name)) == 1
    assert len(await work.press(work.user, post, name)) == 1
    other = work.slack.life.id_of("priya.nair")
    work.slack.life.invite(work.channel, other)
    assert len(await work.press(other, post, name)) == 1


async def test_two_people_who_press_at_once_are_both_answered(work):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(KO))
    other, before = work.slack.life.id_of("priya.nair"), len(work.slack.life.posts)
    work.slack.life.invite(work.channel, other)
    for person in (work.user, other):
        await work.slack.press(person, post, "fedsearch.more")
    await work.settled()
    assert {each.only for each in work.slack.life.posts[before:]} == {work.user, other}


@pytest.mark.parametrize(
    ("question", "asked", "note", "wide"),
    [
        ("지난주 Okta 진행 상황", "2026-11-25", "2026-11-25에 물은 그대로입니다", "넓게 찾음"),
        ("status of the Okta rollout last week", "2026-11-25", "As it was asked on 2026-11-25", "searched wider"),
    ],
)
async def test_a_button_of_an_old_answer_is_about_the_week_that_it_was_asked_in(work, question, asked, note, wide):
    then = datetime.fromisoformat(f"{asked}T10:00:00+09:00")
    at(work, then)
    _, (post,) = await work.ask(work.user, work.channel, work.mention(question))
    (fresh,) = await work.press(work.user, post, "fedsearch.more")
    assert note not in read(fresh)
    at(work, then + timedelta(days=24))
    (old,) = await work.press(work.user, post, "fedsearch.more")
    assert note in read(old)
    named = re.compile(r"^\[\d+\] .*$", re.MULTILINE)
    assert named.findall(read(fresh)) == named.findall(read(old)) != []
    for action in ("fedsearch.why", "fedsearch.receipt"):
        (told_anew,) = await work.press(work.user, old, action)
        assert note in read(told_anew)
    (again,) = await work.press(work.user, post, "fedsearch.wider")
    assert note in read(again)
    assert wide in read(again)
    (further,) = await work.press(work.user, again, "fedsearch.more")
    assert note in read(further), "what is made of it is as old"


async def test_a_button_of_a_version_that_did_not_say_when_is_about_now(work):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(KO))
    for button in _buttons(post):
        button["value"] = json.dumps(json.loads(button["value"])[:3])
    (details,) = await work.press(work.user, post, "fedsearch.more")
    assert "물은 그대로" not in read(details)
    assert "[1]" in read(details)


@pytest.mark.parametrize(("locale", "says"), [("ko-KR", "다시 물어"), ("en-US", "please ask again")])
async def test_a_button_that_says_nothing_is_told_in_the_language_of_whoever_presses(work, locale, says):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(KO))
    presser = work.slack.life.id_of("david.park")
    work.slack.life.languages[presser] = locale
    work.slack.life.invite(work.channel, presser)
    for button in _buttons(post):
        button["value"] = "v0"
    (told_so,) = await work.press(presser, post, "fedsearch.more")
    assert (told_so.only, says in read(told_so)) == (presser, True)


@pytest.mark.parametrize("action", ["fedsearch.more", "fedsearch.good"])
async def test_whoever_presses_is_told_where_it_fails(work, action, monkeypatch):
    _, (post,) = await work.ask(work.user, work.channel, work.mention(KO))

    def broken(*_, **__):
        raise RuntimeError("a bug")

    object.__setattr__(work.opened.services, "judged", broken)
    monkeypatch.setattr(bot_module, "Inquiry", broken)
    (told_so,) = await work.press(work.user, post, action)
    assert told_so.only == work.user
    assert "문제가 생겼습니다" in read(told_so)
