"""Where alone an answer is wanted, as prose says it, and what only looks like it."""

from datetime import datetime

import pytest

from orchestrator.understand import understand
from translators.query import NEARLY_TYPED, Category

NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
CHAT, WIKI, MAIL, DRIVE, TRACKER = Category.CHAT, Category.WIKI, Category.MAIL, Category.DRIVE, Category.TRACKER


@pytest.mark.parametrize(
    ("question", "places", "keywords"),
    [
        ("Slack에서만 배포 동결", {"slack": CHAT}, ("배포", "동결")),
        ("노션에서만 연차 규정", {"노션": WIKI}, ("연차", "규정")),
        ("슬랙과 노션에서만 온보딩", {"슬랙": CHAT, "노션": WIKI}, ("온보딩",)),
        ("구글 드라이브에서만 예산안", {"구글 드라이브": DRIVE}, ("예산안",)),
        ("슬랙 채널에서만 배포 동결", {"슬랙": CHAT}, ("배포", "동결")),
        ("메일에서만 계약서 찾아줘", {"메일": MAIL}, ("계약서",)),
        ("only in Slack: deploy freeze", {"slack": CHAT}, ("deploy", "freeze")),
        ("what was said about pricing, Slack only", {"slack": CHAT}, ("pricing",)),
        ("search only the wiki for vacation policy", {"wiki": WIKI}, ("vacation", "policy")),
        ("just check Confluence for the runbook", {"confluence": WIKI}, ("runbook",)),
        ("deploy freeze in Slack and Notion only", {"slack": CHAT, "notion": WIKI}, ("deploy", "freeze")),
        ("only Jira tickets about login", {"jira": TRACKER}, ("login",)),
    ],
)
def test_only_there(question, places, keywords):
    query = understand(question, NOW)
    assert {names[0]: category for names, category in query.only.places} == places
    assert query.only.strength == NEARLY_TYPED
    assert query.only.words in question
    assert query.keywords == keywords


@pytest.mark.parametrize(
    "question",
    [
        "Slack에서 배포 동결",
        "Slack 알림만 안 와요",
        "Slack에서만이 아니라 노션에서도 찾아줘",
        "not only in Slack, the freeze is on every page",
        "deploy freeze in Slack",
        "the only Slack admin",
        "only admins may post in Slack",
        "이슈만 보여줘",
    ],
)
def test_not_only_there(question):
    assert understand(question, NOW).only is None
