"""Keeps the sandbox's workplace consistent: everything it refers to exists, and every planted trap is still there."""

import json
import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Row = dict[str, Any]

WORKPLACE = Path(__file__).resolve().parents[4] / "orchestrator" / "sandbox" / "workplace"
MINIMUM = {"slack": 120, "notion": 45, "linear": 45, "gmail": 40}
TYPES = {"decision", "status", "document", "person", "factual", "temporal", "exploratory"}
STATES = {"Backlog", "Todo", "In Progress", "In Review", "Done", "Canceled"}
FIRST = datetime.fromisoformat("2025-09-01T00:00:00+09:00")
PRESENT = datetime.fromisoformat("2026-11-20T10:00:00+09:00")

HANGUL = re.compile("[가-힣]")
KEY = re.compile(r"(?<![A-Za-z0-9-])(?:PAY|PLAT|MOB|SEC|OPS)-\d+")
MENTION = re.compile(r"(?<![\w.])@([a-z]+(?:\.[a-z]+)?)")
CHANNEL = re.compile(r"(?<![\w/&])#([a-z가-힣][\w-]*)")
LINK = re.compile(r"https?://[^\s<>\"|)\]\x07]+")
OWN_HOSTS = ("https://www.notion.so/acme/", "https://linear.app/acme/", "https://acme.slack.com/")
ITEM_ID = re.compile(r"(?:slack|notion|linear|gmail)-\d{4}")


@cache
def load(name: str) -> list[Row]:
    """The rows of one file, in file order."""
    lines = (WORKPLACE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def items() -> list[Row]:
    """Every item of the four sources."""
    return [row for source in MINIMUM for row in load(source)]


def by_id() -> dict[str, Row]:
    """Every item, by its id."""
    return {row["id"]: row for row in items()}


def texts(row: Row) -> list[str]:
    """Everything a person can read in an item: title, body, comments."""
    return [row.get("title") or "", row["text"], *(comment["text"] for comment in row.get("comments", []))]


def moments(row: Row) -> list[str]:
    """Every point in time an item carries, as written."""
    stamps = [row.get(field) for field in ("created", "updated", "completed")]
    return [stamp for stamp in (*stamps, *(comment["created"] for comment in row.get("comments", []))) if stamp]


def containing(fragment: str) -> list[str]:
    """Ids of the items whose visible text contains the fragment."""
    return [row["id"] for row in items() if any(fragment in text for text in texts(row))]


def permalink(row: Row, root: Row) -> str:
    """The address Slack gives a message, from its channel and its time."""
    stamp, parent = (int(datetime.fromisoformat(r["created"]).timestamp()) for r in (row, root))
    address = f"https://acme.slack.com/archives/{row['container_id']}/p{stamp}000000"
    return address if row is root else f"{address}?thread_ts={parent}.000000&cid={row['container_id']}"


@pytest.mark.parametrize("source", MINIMUM)
def test_each_source_holds_enough_items_with_the_fields_every_row_has(source: str) -> None:
    kinds = {"slack": "message", "notion": "page", "linear": "issue", "gmail": "mail"}
    rows = load(source)
    assert len(rows) >= MINIMUM[source]
    for row in rows:
        assert (row["source"], row["kind"]) == (source, kinds[source])
        assert {"id", "text", "author", "author_name", "created", "url"} <= row.keys()
        assert row["url"].startswith("https://")


def test_ids_addresses_and_keys_are_unique() -> None:
    for field in ("id", "url"):
        repeated = [value for value, n in Counter(row[field] for row in items()).items() if n > 1]
        assert repeated == []
    keys = [row["key"] for row in load("linear")]
    assert len(set(keys)) == len(keys)
    for field in ("id", "handle", "email", "name"):
        assert len({person[field] for person in load("people")}) == len(load("people")), field


@pytest.mark.parametrize("source", MINIMUM)
def test_ids_count_up_in_order_of_time(source: str) -> None:
    rows = load(source)
    assert [row["id"] for row in rows] == [f"{source}-{n:04d}" for n in range(1, len(rows) + 1)]
    assert all(before["created"] <= after["created"] for before, after in pairwise(rows))


def test_every_moment_has_the_seoul_offset_and_lies_before_the_present() -> None:
    for row in items():
        for stamp in moments(row):
            moment = datetime.fromisoformat(stamp)
            assert moment.utcoffset() == timedelta(hours=9), row["id"]
            assert FIRST <= moment <= PRESENT, row["id"]
        assert min(moments(row)) == row["created"], row["id"]


def test_more_than_half_of_the_items_are_from_the_last_two_months() -> None:
    recent = [row for row in items() if row["created"] >= "2026-09-20"]
    assert len(recent) > len(items()) / 2
    assert len(recent) < len(items())


@pytest.mark.parametrize("source", MINIMUM)
def test_both_languages_have_a_fair_share_of_each_source(source: str) -> None:
    rows = load(source)
    korean = sum(bool(HANGUL.search(row["text"])) for row in rows) / len(rows)
    assert 0.4 <= korean <= 0.85


def test_people_named_in_items_exist_under_that_name() -> None:
    names = {person["id"]: person["name"] for person in load("people")}
    for row in items():
        for said in (row, *row.get("comments", [])):
            assert names[said["author"]] == said["author_name"], row["id"]
        if row.get("assignee"):
            assert names[row["assignee"]] == row["assignee_name"], row["id"]
        assert {*row.get("to", []), *row.get("cc", [])} <= names.keys(), row["id"]


def test_people_have_two_spellings_one_of_them_korean() -> None:
    for person in load("people"):
        assert bool(HANGUL.search(person["name"])) != bool(HANGUL.search(person["name_alt"])), person["id"]


def test_mentions_name_known_handles_and_channels() -> None:
    handles = {person["handle"] for person in load("people")}
    channels = {row["container"] for row in load("slack")}
    mentioned = [(row["id"], text) for row in items() for text in texts(row)]
    unknown = [(i, name) for i, text in mentioned for name in MENTION.findall(text) if name not in handles]
    lost = [(i, name) for i, text in mentioned for name in CHANNEL.findall(text) if name not in channels]
    assert (unknown, lost) == ([], [])


def test_slack_replies_follow_the_first_message_of_their_thread() -> None:
    known = by_id()
    replies = [row for row in load("slack") if "thread" in row]
    assert len(replies) >= 50
    for row in replies:
        root = known[row["thread"]]
        assert "thread" not in root, row["id"]
        assert root["container"] == row["container"], row["id"]
        assert root["created"] < row["created"], row["id"]


def test_slack_messages_are_distinct_to_the_second_and_have_the_permalink_of_their_time() -> None:
    known = by_id()
    places = Counter((row["container_id"], row["created"]) for row in load("slack"))
    assert max(places.values()) == 1
    for row in load("slack"):
        assert row["url"] == permalink(row, known[row["thread"] if "thread" in row else row["id"]]), row["id"]
        assert row.get("links", []) == list(dict.fromkeys(LINK.findall(row["text"]))), row["id"]


def test_each_channel_has_one_id_and_is_private_throughout_or_not_at_all() -> None:
    facts = defaultdict(set)
    for row in load("slack"):
        facts[row["container"]].add((row["container_id"], row.get("private", False)))
    assert len(facts) >= 14
    assert {len(known) for known in facts.values()} == {1}
    assert len({cid for known in facts.values() for cid, _ in known}) == len(facts)
    assert {name for name, known in facts.items() if any(private for _, private in known)} == {
        "leadership",
        "채용-위원회",
    }


def test_mails_of_one_thread_follow_its_first_mail_and_all_reach_the_owner_of_the_mailbox() -> None:
    known = by_id()
    owner = next(person["id"] for person in load("people") if person["name"] == "박지현")
    for row in load("gmail"):
        first = known[row["thread"]]
        assert first["thread"] == first["id"], row["id"]
        assert first["created"] <= row["created"], row["id"]
        assert owner in {row["author"], *row["to"], *row["cc"]}, row["id"]
        assert row["author"] not in row["to"], row["id"]
        assert ("SENT" in row["labels"]) == (row["author"] == owner), row["id"]


def test_issues_have_a_known_state_and_are_completed_exactly_when_done() -> None:
    for row in load("linear"):
        assert row["state"] in STATES, row["id"]
        assert (row["completed"] is not None) == (row["state"] == "Done"), row["id"]
        assert 0 <= row["priority"] <= 4, row["id"]
        assert row["key"].split("-")[0] == row["team"], row["id"]
        assert row["updated"] == max(moments(row)), row["id"]
    assert {row["state"] for row in load("linear")} == STATES


def test_issue_numbers_of_a_team_grow_with_time() -> None:
    numbers = defaultdict(list)
    for row in load("linear"):
        numbers[row["team"]].append(int(row["key"].split("-")[1]))
    assert all(found == sorted(found) for found in numbers.values())


def test_every_issue_key_in_a_text_exists_and_is_not_mentioned_before_it_does() -> None:
    created = {row["key"]: row["created"] for row in load("linear")}
    spoken = [(row, key) for row in items() for text in texts(row) for key in KEY.findall(text)]
    assert len(spoken) >= 100
    assert [(row["id"], key) for row, key in spoken if key not in created] == []
    said_once = [(row, key) for row, key in spoken if row["source"] in {"slack", "gmail"}]
    assert [(row["id"], key) for row, key in said_once if row["created"] < created[key]] == []


def test_every_link_to_our_own_tools_leads_to_an_item() -> None:
    addresses = {row["url"] for row in items()}
    links = [(row["id"], link.rstrip(".,;:")) for row in items() for text in texts(row) for link in LINK.findall(text)]
    own = [(i, link) for i, link in links if link.startswith(OWN_HOSTS)]
    assert {host for host in OWN_HOSTS if any(link.startswith(host) for _, link in own)} == set(OWN_HOSTS)
    assert [(i, link) for i, link in own if link not in addresses] == []


def test_questions_cover_every_type_in_both_languages() -> None:
    asked = Counter((row["lang"], row["type"]) for row in load("questions"))
    assert asked.keys() == {(lang, kind) for lang in ("ko", "en") for kind in TYPES}
    assert min(asked.values()) >= 2
    for row in load("questions"):
        assert bool(HANGUL.search(row["text"])) == (row["lang"] == "ko"), row["id"]


def test_questions_are_answered_by_known_items_anyone_in_the_company_may_read() -> None:
    known = by_id()
    ids = [row["id"] for row in load("questions")]
    assert len(set(ids)) == len(ids)
    for row in load("questions"):
        assert set(row["relevant"]) <= known.keys(), row["id"]
        assert set(row["relevant"].values()) <= {1, 2, 3}, row["id"]
        assert len(row["relevant"]) >= 2, row["id"]
        assert not any(known[i].get("private") for i in row["relevant"]), row["id"]


def test_every_question_but_the_ambiguous_one_has_a_full_answer() -> None:
    without = [row["text"] for row in load("questions") if 3 not in row["relevant"].values()]
    assert without == ["search for the migration"]


def test_the_readme_lists_every_question_and_only_items_that_exist() -> None:
    readme = (WORKPLACE / "README.md").read_text(encoding="utf-8")
    assert set(ITEM_ID.findall(readme)) <= by_id().keys()
    for row in load("questions"):
        answers = " ".join(f"{item}:{grade}" for item, grade in row["relevant"].items())
        assert f"| {row['id']} | {row['type']} | {row['text']} | {answers} |" in readme


@pytest.mark.parametrize(
    "fragment",
    [
        "<script>",
        "<!channel>",
        "\x1b[31m",
        "\u202e",
        "Ignore previous instructions",
        "ERR_CONN_4012",
        "migraton",
        "recieved",
        "결제서비스",
        "결제 서비스",
        "쿠버네티스",
        "k8s",
        "Kubernetes",
        "님",
    ],
)
def test_planted_text_is_still_there(fragment: str) -> None:
    assert containing(fragment) != []


@pytest.mark.parametrize("shared", ["9월 1일부터 남은 연차는 최대 5일까지", "Growth plan fee goes from 2.9% to 2.7%"])
def test_announcements_were_made_in_the_general_channel_and_again_by_mail(shared: str) -> None:
    said = [by_id()[item] for item in containing(shared)]
    assert {row["source"] for row in said} >= {"slack", "gmail"}


@pytest.mark.parametrize(
    ("title", "before", "after"),
    [
        ("GraphQL schema for Merchant API v2", "GraphQL", "REST"),
        ("API 마이그레이션 시작일", "11월 16일", "12월 7일"),
        ("마루 앱 3.0 출시", "10월 20일", "11월 12일"),
        ("운영 ledger-db PG17 전환", "11월 8일", "11월 22일"),
        ("성수 사무실 이전", "11월 28일", "12월 12일"),
    ],
)
def test_a_revised_decision_is_on_record_with_what_it_replaced(title: str, before: str, after: str) -> None:
    issue = next(row for row in load("linear") if row["title"].startswith(title))
    told = " ".join(texts(issue))
    assert before in told
    assert after in told
    assert len({by_id()[item]["source"] for item in containing(after)}) >= 3


@pytest.mark.parametrize(
    ("title", "claim"),
    [
        ("Merchant API v2 설계", "v2는 **GraphQL**로 만든다"),
        ("2026 Q4 로드맵", "**10월 20일**"),
        ("2026년 4분기 온콜 당번표", "| 11/16 ~ 11/23 | 정우진 |"),
        ("연차 규정 2025", "**이월할 수 없습니다**"),
        ("billing-gateway 개요", "**Owner: 김민수**"),
    ],
)
def test_stale_pages_still_claim_what_is_no_longer_true(title: str, claim: str) -> None:
    page = next(row for row in load("notion") if row["title"] == title)
    assert claim in page["text"]


def test_one_answer_stands_beyond_the_first_two_thousand_characters_of_a_page() -> None:
    page = next(row for row in load("notion") if row["title"] == "Engineering handbook")
    assert page["text"].index("maru-stg-2026.ovpn") > 2000


def test_what_only_private_channels_say_is_said_nowhere_else() -> None:
    for secret in ("후보자 A", "-1.8%", "$31.4k"):
        found = [by_id()[item] for item in containing(secret)]
        assert found, secret
        assert all(row.get("private") for row in found), secret


def test_the_latest_items_are_from_the_morning_of_the_present() -> None:
    latest = max(moment for row in items() for moment in moments(row))
    assert PRESENT - datetime.fromisoformat(latest) < timedelta(hours=1)
