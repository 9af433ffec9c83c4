"""Digests as people and programs reach them: the command line, the HTTP API, over the pretend workplace."""

import asyncio
import json
import os
import signal
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from orchestrator.access import Scope, newest_actions
from orchestrator.assembly.digests import open_digests
from orchestrator.digests.running import AGAIN
from orchestrator.sandbox import Sandbox, default_corpus, parse_fault
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e.program import COLD, WARM

ROOT = Path(__file__).resolve().parents[2]
NOW = "2026-11-20T10:00:00+09:00"
WEEK = """
[locale]
zone = "Asia/Seoul"
[ranking]
semantic = "off"
[digests.week]
name = "박지현"
language = "ko"
period = "weekly"
schedule = "0 9 * * 1"
deliver = ["file:{name}.md", "https://127.0.0.1:1/secretpath"]
[searches.start]
question = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
language = "ko"
deliver = ["file:{name}.html"]
"""


@asynccontextmanager
async def workplace(tmp_path, index_url, *faults, settings=WEEK):
    """An environment in which ``fedsearch`` finds the pretend workplace and a database."""
    (tmp_path / "site.toml").write_text(settings, "utf-8")
    async with Sandbox(default_corpus(), faults=dict(map(parse_fault, faults))) as sandbox:
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONIOENCODING": "utf-8",
            "FEDSEARCH_CONFIG": str(tmp_path / "site.toml"),
            "FEDSEARCH_DATA_DIR": str(tmp_path / "data"),
            "FEDSEARCH_INDEX__DATABASE_URL": index_url,
            "FEDSEARCH_DIGESTS__WEEK__SECRET": "s3cret-s3cret",
        }
        for name, end in sandbox.endpoints.items():
            environment[f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL"] = end.base_url
            environment[f"FEDSEARCH_SOURCES__{name.upper()}__TOKEN"] = end.token

        async def typed(*arguments):
            process = await asyncio.create_subprocess_exec(
                *WARM, "digest", *arguments, env=environment,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            async with asyncio.timeout(HANGING):
                out, err = await process.communicate()
            return process.returncode, out.decode(), err.decode()

        typed.environment = environment
        yield typed


@requirement("6.6", "Digests: daily, weekly, or since a date", where="orchestrator/digests/schedules.py orchestrator/surfaces/cli/digest.py")  # fmt: skip
async def test_since_any_time_in_both_languages_is_printed_and_kept_nowhere(tmp_path, index_url):
    async with workplace(tmp_path, index_url) as typed:
        code, shown, _ = await typed("run", "--since", "지난주", "--language", "ko", "--weekly", "--now", NOW)
        assert code == 0
        assert "2026-11-09 00:00 – 2026-11-20 10:00" in shown
        assert "결정된 내용" in shown
        assert shown.startswith("주간 다이제스트: 지난주\n")
        code, shown, _ = await typed("run", "week", "--since", "yesterday", "--format", "json", "--now", NOW)
        assert code == 0
        told = json.loads(shown)
        assert (told["kind"], told["language"], told["since"]) == ("digest", "ko", "2026-11-19T00:00:00+09:00")
        assert {"actions", "updates"} <= {each["kind"] for each in told["sections"]}
        assert {each["source"] for each in told["coverage"]} == {"gmail", "linear", "notion", "slack"}
        for said in ("banana", "2199-01-01"):
            code, shown, err = await typed("run", "--since", said)
            assert (code, shown) == (2, "")
            assert "names no time that has begun" in err
        _, listed, _ = await typed("list", "--json")
        assert [each["last"] for each in json.loads(listed)["digests"]] == [None, None]


async def test_days_begin_where_the_typed_moment_is(tmp_path, index_url):
    async with workplace(tmp_path, index_url, settings="") as typed:
        del typed.environment["FEDSEARCH_DIGESTS__WEEK__SECRET"]
        moment = "2026-11-20T10:00:00-05:00"
        code, shown, _ = await typed("run", "--since", "yesterday", "--format", "json", "--now", moment)
    assert code == 0
    assert json.loads(shown)["since"] == "2026-11-19T00:00:00-05:00"


@pytest.mark.parametrize(
    ("locale", "options", "begins", "listed"),
    [
        ("ko_KR.UTF-8", (), "일일 다이제스트: yesterday\n", "다음"),
        ("ko_KR.UTF-8", ("--language", "en"), "Daily digest: yesterday\n", "다음"),
        ("C.UTF-8", (), "Daily digest: yesterday\n", "next"),
    ],
)
async def test_without_a_language_it_is_the_terminals(tmp_path, index_url, locale, options, begins, listed):
    async with workplace(tmp_path, index_url) as typed:
        typed.environment["LC_ALL"] = locale
        code, shown, _ = await typed("run", "--since", "yesterday", "--now", NOW, *options)
        assert code == 0
        assert shown.startswith(begins), shown[:80]
        assert f"{listed} – · " in (await typed("list"))[1]


async def test_a_digest_without_a_source_to_read_is_none(tmp_path, index_url):
    async with workplace(tmp_path, index_url, settings="") as typed:
        kept = {
            name: value for name, value in typed.environment.items() if "SOURCES__" not in name and "WEEK" not in name
        }
        typed.environment.clear()
        typed.environment.update(kept)
        code, shown, err = await typed("run", "--since", "yesterday")
        assert (code, shown) == (3, "")
        assert "no source is configured" in err
        typed.environment["FEDSEARCH_SOURCES__SLACK__BASE_URL"] = "http://127.0.0.1:9/api/"
        code, shown, err = await typed("run", "--since", "yesterday")
    assert (code, shown) == (3, "")
    assert "Slack: no token" in err


@requirement("6.9", "Digests: gaps are named", where="orchestrator/digests/collecting.py orchestrator/digests/wording.py")  # fmt: skip
async def test_a_source_that_fails_is_named_with_what_was_read_of_it(tmp_path, index_url):
    async with workplace(tmp_path, index_url, "slack=throttle:600") as typed:
        code, shown, _ = await typed("run", "--since", "2026-11-18", "--now", NOW)
        assert code == 0
        assert shown.startswith("Digest: 2026-11-18\n"), "two days are not a day"
        assert "What is missing" in shown
        assert "Slack: read up to 2026-11-18 00:00 of 2026-11-20 10:00" in shown
        assert "PAY-142" in shown


async def test_run_delivers_keeps_and_lists_what_could_not_be_delivered(tmp_path, index_url):
    async with workplace(tmp_path, index_url) as typed:
        code, shown, _ = await typed("preview", "week", "--now", NOW)
        assert code == 0
        assert "Emily Chen" in shown
        code, shown, err = await typed("run", "week")
        assert code in {0, 1}  # of the real week, in which this workplace may have been silent
        assert "sent: file:{name}.md" in err
        assert "waiting: https://127.0.0.1/…" in err
        assert "secretpath" not in err
        assert (tmp_path / "data" / "digests" / "week.md").read_text("utf-8").startswith("# 주간 다이제스트")
        code, listed, _ = await typed("list")
        assert code == 0
        assert "waiting after 1 attempt: " in listed
        assert "secretpath" not in listed
        code, shown, err = await typed("run", "start")
        assert code == 0
        assert "12월 7일" in shown
        assert "<!doctype html>" in (tmp_path / "data" / "digests" / "start.html").read_text("utf-8")
        await asyncio.sleep(AGAIN)  # else a quick machine asks in the same second, and is refused
        code, _, err = await typed("run", "start")
        assert code == 1, "the answer is the same"
        assert "sent" not in err


async def test_slips_of_the_hand_are_told_in_a_line(tmp_path, index_url):
    async with workplace(tmp_path, index_url) as typed:
        for arguments, word in {
            ("run",): "--since",
            ("run", "nothing"): "week",
            ("preview", "nothing"): "week",
            ("run", "start", "--since", "yesterday"): "saved search",
            ("retry", "0000"): "digest list",
        }.items():
            code, shown, err = await typed(*arguments)
            assert (code, shown, len(err.strip().splitlines())) == (2, "", 1), err
            assert word in err
    bad = WEEK.replace('"0 9 * * 1"', '"every monday"')
    async with workplace(tmp_path, index_url, settings=bad) as typed:
        code, _, err = await typed("list")
        assert (code, "0 9 * * 1" in err) == (2, True)


async def test_what_nothing_is_set_up_to_deliver_is_told_when_it_is_defined(tmp_path, index_url):
    async with workplace(tmp_path, index_url) as typed:
        code, _, err = await typed("add", "mailed", "--set", "deliver=mailto:kim@acme.example,slack:C01")
        assert code == 0
        assert "no mail leaves here yet; set smtp.host" in err
        assert "nothing goes to Slack yet; put the app's bot token" in err


async def test_what_is_added_by_hand_is_listed_run_and_removed(tmp_path, index_url):
    async with workplace(tmp_path, index_url) as typed:
        told = (
            "--set",
            "period=weekly",
            "--set",
            "language=ko",
            "--set",
            "schedule=* * * * *",
            "--set",
            "deliver=file:{name}.txt",
        )
        code, full, err = await typed("add", "아침", "--person", "kim", "--set", "email=kim@acme.example", *told)
        assert (code, err) == (0, ""), err
        code, _, err = await typed("add", "아침", "--person", "kim")
        assert (code, "already" in err) == (2, True)
        for wrong in (
            ("--set", "period"),
            ("--set", "secret=hunter22"),
            ("--set", "period=hourly"),
            ("--set", "schedule=often"),
        ):
            code, _, err = await typed("add", "other", *wrong)
            assert (code, len(err.strip().splitlines()), "hunter22" in err) == (2, 1, False), err
        code, listed, _ = await typed("list", "--json")
        found = {each["name"]: each for each in json.loads(listed)["digests"]}
        assert (found["아침"]["origin"], found["아침"]["person"]) == ("person", "kim")
        assert {"week", "search/start"} < found.keys()
        _, shown, _ = await typed("list")
        assert "defined by kim" in shown
        code, shown, _ = await typed("preview", full.strip(), "--now", NOW)
        assert (code, shown.startswith("주간 다이제스트: 아침")) == (0, True)
        code, _, err = await typed("run", full.strip())
        assert "sent: file:{name}.txt" in err
        assert (tmp_path / "data" / "digests" / "아침.txt").exists()
        assert (await typed("remove", "아침"))[0] == 2, "it is not everybody's"
        assert (await typed("remove", "아침", "--person", "kim"))[0] == 0
        assert (await typed("remove", "week"))[0] == 2, "it stands in the settings"
        _, listed, _ = await typed("list", "--json")
        assert {each["name"] for each in json.loads(listed)["digests"]} == {"week", "search/start"}
        done = [(each.action, each.source) for each in newest_actions(tmp_path / "data" / "changes.jsonl", 9)]
        assert done == [("digest removed", "아침 (kim)"), ("digest defined", "아침 (kim)")]
        changes = tmp_path / "data" / "changes.jsonl"
        changes.unlink()
        changes.mkdir()
        assert (await typed("add", "저녁", "--person", "kim"))[0] == 2
        _, listed, _ = await typed("list", "--json")
        assert "저녁" not in listed, "what cannot be written down is not done"


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_the_weekly_digests_of_the_documents_are_what_the_command_makes(tmp_path, language):
    """By their shape: which sentences are shown changes with the readers of sentences, and `make digests` follows."""
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8", "FEDSEARCH_DATA_DIR": str(tmp_path)}
    process = await asyncio.create_subprocess_exec(
        *(COLD if language == "ko" else WARM), "digest", "demo", "--language", language, "--format", "markdown",
        env={**environment, "FEDSEARCH_CONFIG": ""}, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    made = (await process.communicate())[0].decode()
    kept = (ROOT / "docs" / "how-to" / f"a-weekly-digest-{language}.md").read_text("utf-8")
    outlines = [[line for line in text.splitlines() if line.startswith(("# ", "## ", "2026"))] for text in (made, kept)]
    assert process.returncode == 0
    assert outlines[0] == outlines[1]
    assert "PAY-142" in made.split("## ")[1], "what the reader has to do stands first"
    assert list(tmp_path.iterdir()) == [], "no database is started for it"


async def test_schedule_works_until_it_is_told_to_stop(tmp_path, index_url):
    """It was planned an hour ago by a process that is gone: what is due is made at once, and the next one planned."""
    often = WEEK.replace('"0 9 * * 1"', '"* * * * *"')
    async with workplace(tmp_path, index_url, settings=often) as typed:
        before = datetime.now(UTC) - timedelta(hours=1)
        async with open_digests(load_settings({}, typed.environment), now=before) as service:
            await service.runs.plan()
        process = await asyncio.create_subprocess_exec(
            *COLD, "digest", "schedule", env=typed.environment, stderr=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(HANGING):
                assert b"on schedule: week" in await process.stderr.readline()
                while not (tmp_path / "data" / "digests" / "week.md").exists():  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.1)
        finally:
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(HANGING):
                await process.communicate()
        assert process.returncode == 0
        _, listed, _ = await typed("list", "--json")
        (week,) = (each for each in json.loads(listed)["digests"] if each["name"] == "week")
        assert datetime.fromisoformat(week["last"]["made"]) >= before + timedelta(hours=1)
        assert datetime.fromisoformat(week["last"]["until"]) < datetime.fromisoformat(week["due"])
        assert datetime.fromisoformat(week["due"]) > before + timedelta(hours=1)


# ---- over HTTP


@pytest.fixture
def more(index_url):
    """Whose digests there are is known once the key is: see below."""
    return {
        "index": {"database_url": index_url},
        "locale": {"zone": "Asia/Seoul"},
        "digests": {
            "mine": {
                "person": "local",
                "name": "박지현",
                "period": "weekly",
                "language": "ko",
                "deliver": ["file:{name}.md"],
            },
            "theirs": {"person": "somebody else"},
        },
        "searches": {"start": {"person": "local", "question": "API 마이그레이션은 언제 시작하나요?", "language": "ko"}},
    }


@requirement("6.16", "HTTP API: digests", where="orchestrator/surfaces/http/digests.py")  # fmt: skip
async def test_own_digests_over_http(serve, tmp_path, more):
    async with serve(tmp_path, authenticated=False, more=more.items()) as server:
        async with server.get("/v1/digests") as reply:
            assert reply.status == 200
            assert [each["name"] for each in (await reply.json())["digests"]] == ["mine", "search/start"]
        async with server.get("/v1/digests/mine", params={"since": "2026-11-16"}) as reply:
            assert reply.status == 200
            shown = await reply.json()
            assert shown["content"]["events"] > 10
            assert shown["markdown"].startswith("# 주간")
        for name in ("start", "search/start"):  # as it stands in the settings, and as it is listed
            async with server.get(f"/v1/digests/{name}") as reply:
                assert (reply.status, (await reply.json())["content"]["kind"]) == (200, "alert")
            async with server.get(f"/v1/digests/{name}/definition") as reply:
                assert (reply.status, (await reply.json())["name"]) == (200, "search/start")
        async with server.post("/v1/digests/mine/run") as reply:
            assert reply.status == 200
            assert [each["status"] for each in (await reply.json())["deliveries"]] == ["sent"]
        for name in ("theirs", "nothing"):
            for ask in (server.get(f"/v1/digests/{name}"), server.post(f"/v1/digests/{name}/run")):
                async with ask as reply:
                    assert (reply.status, (await reply.json())["code"]) == (404, "no_digest")
        async with server.get("/v1/digests/mine", params={"since": "banana"}) as reply:
            assert (reply.status, (await reply.json())["code"]) == (400, "bad_ask")
        async with server.get("/v1/digests/start", params={"since": "yesterday"}) as reply:
            assert reply.status == 422


async def test_a_key_needs_the_scope_and_sees_no_digest_of_others(serve, tmp_path, more):
    async with serve(tmp_path, more=more.items()) as server:
        async with server.get("/v1/digests") as reply:
            assert (reply.status, await reply.json()) == (200, {"digests": []}), "the key is nobody's digest's person"
        _, text = server.ring.create("poor", [Scope.SEARCH, Scope.SOURCES], timedelta(days=1))
        async with server.get("/v1/digests", headers={"Authorization": f"Bearer {text}"}) as reply:
            assert (reply.status, (await reply.json())["code"]) == (403, "missing_scope")
