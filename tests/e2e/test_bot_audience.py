"""Mixed rights: whatever the bot shows in a place, everybody there could have found by themselves; nothing else leaks."""

import json
import re

import pytest

from orchestrator.sandbox import load_corpus, parse_fault
from tests.conformance.marks import requirement
from tests.e2e.bot_workplace import workplace

PEOPLE = [
    {"id": f"U0{name.upper()}", "name": name.capitalize(), "handle": name, "email": f"{name}@acme.example"}
    for name in ("alice", "bob", "carol", "dave", "guest")
]


def said(number, container, author, text, *, private=False):
    return {
        "id": f"slack-{number}",
        "source": "slack",
        "kind": "message",
        "text": text,
        "container": container,
        "author": f"U0{author.upper()}",
        "created": f"2026-11-{number:02d}T01:00:00Z",
        "private": private,
    }


def page(number, title, text):
    return {
        "id": f"notion-{number}",
        "source": "notion",
        "kind": "page",
        "title": title,
        "text": text,
        "author": "U0ALICE",
        "created": "2026-11-01T01:00:00Z",
        "updated": "2026-11-01T01:00:00Z",
    }


ISSUE = {
    "id": "linear-1",
    "source": "linear",
    "kind": "issue",
    "key": "FAL-1",
    "title": "Falcon budget CLOSEDISSUE",
    "text": "Falcon budget CLOSEDISSUE 팔콘 예산",
    "team": "FAL",
    "state": "Todo",
    "author": "U0ALICE",
    "created": "2026-11-01T01:00:00Z",
    "updated": "2026-11-01T01:00:00Z",
}
OPEN_ROWS = [
    said(1, "general", "alice", "The Falcon budget was decided: PUBLICFACT 팔콘 예산"),
    said(2, "general", "guest", "hello from the guest"),
    page(1, "Falcon budget handbook", "The Falcon budget rule OPENPAGE 팔콘 예산"),
]
SECRET_ROWS = [
    said(3, "board", "alice", "We decided the Falcon budget is BOARDSECRET 팔콘 예산", private=True),
    said(4, "board", "bob", "Agreed on the Falcon budget BOARDSECRET 팔콘 예산", private=True),
    said(5, "hr", "alice", "Falcon budget cuts HRSECRET decided 팔콘 예산", private=True),
    said(6, "hr", "carol", "Falcon budget HRSECRET2 팔콘 예산", private=True),
]
QUESTIONS = ("What did we decide about the Falcon budget?", "팔콘 예산 어떻게 정했나요?")
SECRETS = ("BOARDSECRET", "HRSECRET", "CLOSEDISSUE")


def corpus(folder, rows):
    folder.mkdir(exist_ok=True)
    (folder / "rows.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    (folder / "people.jsonl").write_text("\n".join(map(json.dumps, PEOPLE)), "utf-8")
    return load_corpus(folder)


def placed(work):
    """The app in every channel, people where they wrote, and a public channel of all."""
    life = work.slack.life
    for channel in life.channels:
        life.invite(channel, work.slack.bot_user)
    work.general = life.channel_called("general")
    life.invite(work.general, "U0BOB", "U0CAROL", "U0DAVE")
    life.remove(work.general, "U0GUEST")
    return work


@pytest.fixture
async def work(tmp_path, index_url):
    """Public, private and closed things about one matter, every source asked by the owner's sign-in, who sees all."""
    everything = corpus(tmp_path / "corpus", [*OPEN_ROWS, *SECRET_ROWS, ISSUE])
    async with workplace(everything, tmp_path, index_url, bot={"open": ["notion"], "every": 0.1}) as work:
        placed(work)
        work.board = work.slack.life.channel_called("board")
        work.hr = work.slack.life.channel_called("hr")
        yield work


def everything_said(posts):
    """All that was ever shown, earlier versions, summaries and what buttons carry included, without the questions."""
    text = json.dumps([post.versions for post in posts], ensure_ascii=False)
    for question in QUESTIONS:
        text = text.replace(question, "")
    return text


def public(work):
    return [post for post in work.slack.life.posts if not post.only]


def private(work, user):
    return [post for post in work.slack.life.posts if post.only == user]


@requirement("6.5", "Chat bot: in a channel nothing is shown that some of its members may not see", where="orchestrator/surfaces/bot/rights.py orchestrator/surfaces/bot/inquiring.py")  # fmt: skip
@pytest.mark.parametrize("question", QUESTIONS)
async def test_in_a_public_channel_only_what_is_public(work, question):
    await work.ask("U0ALICE", work.general, work.mention(question))
    shown = everything_said(public(work))
    assert "PUBLICFACT" in shown
    assert "OPENPAGE" in shown
    assert not [secret for secret in SECRETS if secret in shown]
    whispered = everything_said(private(work, "U0ALICE"))
    assert "BOARDSECRET" in whispered
    assert "HRSECRET" in whispered
    assert "CLOSEDISSUE" not in whispered  # one sign-in for everybody: nobody knows whether Alice may see it
    assert {post.only for post in work.slack.life.posts} == {"", "U0ALICE"}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_each_asker_is_told_only_what_they_may_see(work, question):
    await work.ask("U0BOB", work.general, work.mention(question))
    whispered = everything_said(private(work, "U0BOB"))
    assert "BOARDSECRET" in whispered
    assert "HRSECRET" not in whispered
    await work.ask("U0DAVE", work.general, work.mention(question))
    assert private(work, "U0DAVE") == []


@requirement("6.5")
async def test_in_a_private_channel_what_all_of_it_may_see(work):
    await work.ask("U0ALICE", work.board, work.mention(QUESTIONS[0]))
    shown = everything_said(public(work))
    assert "BOARDSECRET" in shown  # it was said there
    assert "HRSECRET" not in shown  # Bob is not in that
    assert "HRSECRET" in everything_said(private(work, "U0ALICE"))
    two = work.slack.life.open_channel("alice-and-carol", "U0ALICE", "U0CAROL", private=True)
    await work.ask("U0ALICE", two, work.mention(QUESTIONS[0]))
    beside = everything_said([post for post in public(work) if post.channel == two])
    assert "HRSECRET" in beside  # both are in that channel
    assert "BOARDSECRET" not in beside


@requirement("6.5")
@pytest.mark.parametrize(("slow", "first"), [("notion", "PUBLICFACT"), ("slack", "Falcon budget handbook")])
async def test_what_is_shown_on_the_way_leaks_nothing_either(tmp_path, index_url, slow, first):
    everything = corpus(tmp_path / "corpus", [*OPEN_ROWS, *SECRET_ROWS, ISSUE])
    bot, faults = {"open": ["notion"], "every": 0.1}, dict([parse_fault(f"{slow}=delay:0.8")])
    async with workplace(everything, tmp_path, index_url, bot=bot, faults=faults) as work:
        placed(work)
        await work.ask("U0ALICE", work.general, work.mention(QUESTIONS[0]))
        (post,) = public(work)
        assert len(post.versions) == 3  # waiting, so far, the answer
        so_far = json.dumps(post.versions[1])
        assert first in so_far
        assert "1 of 2 sources have answered" in so_far
        assert not [secret for secret in SECRETS if secret in everything_said([post])]


async def test_a_public_channel_is_everybodys_whoever_is_in_it_now(work):
    small = work.slack.life.open_channel("small", "U0ALICE", "U0BOB")
    await work.ask("U0ALICE", small, work.mention(QUESTIONS[0]))
    shown = everything_said(public(work))
    assert "PUBLICFACT" in shown
    assert "BOARDSECRET" not in shown  # both may see it, and whoever joins tomorrow may not


async def test_what_was_said_in_a_place_shared_with_others_stays_there(work):
    work.slack.life.shared.add(work.general)
    await work.ask("U0ALICE", work.board, work.mention(QUESTIONS[0]))
    shown = everything_said(public(work))
    assert "BOARDSECRET" in shown
    assert "PUBLICFACT" not in shown


async def test_who_comes_and_goes_counts_from_the_next_question_on(work):
    two = work.slack.life.open_channel("pair", "U0ALICE", "U0BOB", group=True)
    await work.ask("U0ALICE", two, work.mention(QUESTIONS[0]))
    assert "BOARDSECRET" in everything_said(public(work))
    before = len(work.slack.life.posts)
    work.slack.life.invite(two, "U0DAVE")
    await work.ask("U0ALICE", two, work.mention(QUESTIONS[0]))  # within the minute that pages are remembered
    after = [post for post in work.slack.life.posts[before:] if not post.only]
    assert "PUBLICFACT" in everything_said(after)
    assert "BOARDSECRET" not in everything_said(after)
    work.slack.life.remove(work.board, "U0BOB")
    before = len(work.slack.life.posts)
    await work.ask("U0BOB", work.slack.life.direct("U0BOB"), QUESTIONS[0])
    assert "BOARDSECRET" not in everything_said(work.slack.life.posts[before:])


async def test_buttons_and_follow_ups_go_by_who_presses_and_where(work):
    ts, (post, whisper) = await work.ask("U0ALICE", work.general, work.mention(QUESTIONS[0]))
    (details,) = await work.press("U0DAVE", post, "fedsearch.more")
    for at, action in ((details, "why"), (details, "receipt"), (post, "wider"), (post, "bad")):
        await work.press("U0DAVE", at, f"fedsearch.{action}")
    assert not [secret for secret in SECRETS if secret in everything_said(private(work, "U0DAVE"))]
    for text in ("who decided that?", "그건 누가 정했어?"):
        await work.ask("U0BOB", work.general, text, thread=ts)
    (more,) = await work.press("U0ALICE", whisper, "fedsearch.more")
    assert more.only == "U0ALICE"
    assert "HRSECRET" in everything_said([more])
    assert len(public(work)) == 4
    assert not [secret for secret in SECRETS if secret in everything_said(public(work))]
    assert "HRSECRET" not in everything_said(private(work, "U0BOB"))


async def test_alone_with_the_bot_each_sees_their_own(work):
    for user, sees, never in (
        ("U0ALICE", {"PUBLICFACT", "OPENPAGE", "BOARDSECRET", "HRSECRET"}, {"CLOSEDISSUE"}),
        ("U0DAVE", {"PUBLICFACT", "OPENPAGE"}, {"BOARDSECRET", "HRSECRET", "CLOSEDISSUE"}),
    ):
        _, posts = await work.ask(user, work.slack.life.direct(user), QUESTIONS[0])
        shown = everything_said([*posts, *await work.press(user, posts[0], "fedsearch.more")])
        assert {word for word in sees if word in shown} == sees
        assert not [word for word in never if word in shown]
    before = len(work.slack.life.posts)
    await work.slack.command("U0DAVE", work.general, QUESTIONS[1])
    await work.settled()
    assert not [secret for secret in SECRETS if secret in everything_said(work.slack.life.posts[before:])]


async def test_guests_and_outsiders_make_less_of_it(work):
    life = work.slack.life
    life.guests.add("U0GUEST")
    place = life.open_channel("with-guest", "U0ALICE", "U0GUEST", private=True)
    await work.ask("U0ALICE", place, work.mention(QUESTIONS[0]))
    shown = everything_said([post for post in public(work) if post.channel == place])
    assert not [each for each in ("PUBLICFACT", "OPENPAGE", *SECRETS) if each in shown]  # a guest is in none of those
    assert "Shown here: only what everybody who reads here may see." in shown
    _, (post,) = await work.ask("U0GUEST", life.direct("U0GUEST"), QUESTIONS[0])
    assert not [each for each in ("PUBLICFACT", "OPENPAGE", *SECRETS) if each in everything_said([post])]
    life.shared.add(work.general)
    before = len(life.posts)
    await work.ask("U0ALICE", work.general, work.mention(QUESTIONS[0]))
    shared = everything_said([post for post in life.posts[before:] if not post.only])
    assert "it is not known who reads here" in shared
    assert "PUBLICFACT" not in shared
    life.strangers.add("U0DAVE")
    _, (refused,) = await work.ask("U0DAVE", life.direct("U0DAVE"), QUESTIONS[0])
    assert "Only members of this workspace" in everything_said([refused])


@pytest.mark.parametrize("method", ["conversations.members", "conversations.info"])
async def test_where_slack_does_not_say_who_reads_nothing_is_assumed(work, method):
    work.slack.limits[method] = 100
    await work.ask("U0ALICE", work.general, work.mention(QUESTIONS[0]))
    shown = everything_said(public(work))
    assert not [each for each in ("PUBLICFACT", "OPENPAGE", *SECRETS) if each in shown]
    assert "it is not known who reads here" in shown


def wire(work):
    """All that the app said to everybody in the end, without how long it took, and without moments."""
    said = [[post.shown["text"], post.shown["blocks"]] for post in public(work)]
    return re.sub(r"\d+\.\d ?(s|초)", "N", json.dumps(said, ensure_ascii=False))


@pytest.mark.parametrize("question", QUESTIONS)
async def test_a_public_channel_cannot_tell_whether_there_are_secrets(tmp_path, index_url, question):
    """The same questions to two workplaces that differ in secrets only: what all can read is the same to the letter."""
    seen = []
    for name, rows in (("with", [*OPEN_ROWS, *SECRET_ROWS, ISSUE]), ("without", [*OPEN_ROWS, ISSUE])):
        bot = {"open": ["notion"], "every": 30}
        async with workplace(corpus(tmp_path / name, rows), tmp_path / f"{name}-data", index_url, bot=bot) as work:
            placed(work)
            await work.ask("U0ALICE", work.general, work.mention(question))
            await work.ask("U0ALICE", work.general, work.mention("Zephyr HRSECRET layoffs"))
            assert len(public(work)) == 2
            last = json.dumps(public(work)[-1].shown)
            assert "Nothing that may be shown here was found." in last  # and not that nothing was found
            assert "was found in" not in last
            seen.append(wire(work))
    assert seen[0] == seen[1]


async def test_without_anything_that_may_be_shown_the_bot_does_not_start(tmp_path):
    from connectors.errors import Misconfigured

    with pytest.raises(Misconfigured, match=r"bot\.open"):
        async with workplace(corpus(tmp_path / "corpus", [ISSUE]), tmp_path):
            pass
    with pytest.raises(Misconfigured, match="no source is called 'notin'"):
        async with workplace(corpus(tmp_path / "corpus", [ISSUE]), tmp_path, bot={"open": ["notin"]}):
            pass
