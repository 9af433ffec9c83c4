"""Views in the sandbox, through Slack's own client: what Slack's documentation refuses is refused."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from orchestrator.sandbox import default_corpus
from tests.pretend.slack import LiveSlack

SECTION = {"type": "section", "text": {"type": "plain_text", "text": "가"}}


def label(text):
    return {"type": "plain_text", "text": text}


def modal(**more):
    return {"type": "modal", "title": label("fedsearch"), "blocks": [SECTION], **more}


@pytest.fixture
async def slack():
    async with LiveSlack(default_corpus()) as slack:
        slack.client = AsyncWebClient(slack.bot_token, base_url=slack.base_url)
        slack.user = slack.life.id_of("minsu.kim")
        slack.trigger = slack.methods.views.trigger
        yield slack


async def refused(call):
    with pytest.raises(SlackApiError) as failure:
        await call
    return failure.value.response["error"]


async def test_a_trigger_opens_one_view_within_three_seconds(slack, monkeypatch):
    open_view = slack.client.views_open
    trigger = slack.trigger()
    assert (await open_view(trigger_id=trigger, view=modal()))["view"]["id"]
    assert await refused(open_view(trigger_id=trigger, view=modal())) == "exchanged_trigger_id"
    assert await refused(open_view(trigger_id="x", view=modal())) == "invalid_trigger_id"
    monkeypatch.setattr("tests.pretend.slack.views.TRIGGER_SECONDS", -1.0)
    assert await refused(open_view(trigger_id=slack.trigger(), view=modal())) == "expired_trigger_id"


@pytest.mark.parametrize(
    ("view", "code"),
    [
        ({"type": "home", "blocks": []}, "invalid_arguments"),
        ({"type": "modal", "blocks": [SECTION]}, "invalid_arguments"),
        (modal(title=label("가" * 25)), "invalid_arguments"),
        (modal(submit=label("")), "invalid_arguments"),
        (modal(blocks=[SECTION] * 101), "invalid_arguments"),
        (modal(blocks=[{"type": "section", "text": label("가" * 3001)}]), "invalid_arguments"),
        (modal(private_metadata="x" * 3001), "invalid_arguments"),
        (modal(blocks=[{"type": "section", "text": label("가" * 1000)}] * 90), "view_too_large"),
    ],
)
async def test_what_is_no_modal_is_refused(slack, view, code):
    assert await refused(slack.client.views_open(trigger_id=slack.trigger(), view=view)) == code


async def test_a_modal_is_changed_as_it_was_seen_and_three_stand_on_each_other(slack):
    first = (await slack.client.views_open(trigger_id=slack.trigger(), view=modal()))["view"]
    changed = await slack.client.views_update(view_id=first["id"], hash=first["hash"], view=modal(title=label("다시")))
    assert changed["view"]["title"]["text"] == "다시"
    stale = slack.client.views_update(view_id=first["id"], hash=first["hash"], view=modal())
    assert await refused(stale) == "hash_conflict"
    assert await refused(slack.client.views_update(view_id="V0", view=modal())) == "not_found"
    for _ in range(2):
        await slack.client.views_push(trigger_id=slack.trigger(), view=modal())
    assert await refused(slack.client.views_push(trigger_id=slack.trigger(), view=modal())) == "push_limit_reached"


async def test_a_home_is_one_persons(slack):
    home = {"type": "home", "blocks": [SECTION]}
    first = (await slack.client.views_publish(user_id=slack.user, view=home))["view"]
    await slack.client.views_publish(user_id=slack.user, view=home, hash=first["hash"])
    assert (
        await refused(slack.client.views_publish(user_id=slack.user, view=home, hash=first["hash"])) == "hash_conflict"
    )
    assert await refused(slack.client.views_publish(user_id="U0NOBODY", view=home)) == "user_not_found"
    assert await refused(slack.client.views_publish(user_id=slack.user, view=modal())) == "invalid_arguments"
    assert list(slack.methods.views.homes) == [slack.user]
