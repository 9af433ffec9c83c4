"""``fedsearch web``, ``web-page`` and ``web-answer`` as people meet them: real processes, real sockets, pretend services."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e.program import WARM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "tests" / "data" / "web" / "pages.jsonl"

Done = subprocess.CompletedProcess[str]


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """No settings but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    return {**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT), "COLUMNS": "100", **more}


def run(environment: dict[str, str], *arguments: str) -> Done:
    return subprocess.run(
        [*WARM, *arguments], env=environment, cwd=environment["HOME"], stdin=subprocess.DEVNULL,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def services(home: Path) -> Iterator[dict[str, str]]:
    """The environment that points at SearXNG and Gemini as ``fedsearch sandbox`` serves them, over our pages."""
    rows = [json.loads(line) for line in PAGES.read_text("utf-8").splitlines()]
    corpus = home / "web.jsonl"
    copies = [
        {**row, "id": f"{source}-{row['id']}", "source": source} for source in ("searxng", "gemini") for row in rows
    ]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in copies), "utf-8")
    process = subprocess.Popen(
        [*WARM, "sandbox", "--corpus", str(corpus)], env=clean_environment(home), cwd=home,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert process.stdout is not None
    exports: dict[str, str] = {}
    for text in process.stdout:
        if match := re.fullmatch(r"export (\w+)=(\S+)\n", text):
            exports[match[1]] = match[2]
        if "Ctrl-C" in text:
            break
    yield exports
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=HANGING)


@pytest.fixture
def fedsearch(home: Path, services: dict[str, str]) -> Callable[..., Done]:
    """Run a command with SearXNG (or ``of``) configured."""

    def start(*arguments: str, of: str = "SEARXNG", **more: str) -> Done:
        chosen = {name: value for name, value in services.items() if f"__{of}__" in name}
        return run(clean_environment(home, **{**chosen, **more}), *arguments)

    return start


def tiers(done: Done) -> list[int]:
    return [each["tier"] for each in json.loads(done.stdout)["results"]]


@requirement("4.22", "Deep dive: by tier, with reliability, a summary and points; its sources at the end", where="orchestrator/websearch/formats.py orchestrator/surfaces/cli/web_view.py")  # fmt: skip
def test_a_deep_dive_official_first(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("web", "React Server Components", "--strategy", "official", "--format", "deep")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Tier 1: official documentation\n")
    assert "https://nextjs.org/docs/app/getting-started/server-and-client-components" in done.stdout
    assert "Tier 3" not in done.stdout
    assert "evil-mirror" not in done.stdout
    assert re.search(r"\nSources\n\n1  .+\n +http", done.stdout)
    assert "\x1b" not in done.stdout


@requirement("4.18")
@requirement("4.19")
@requirement("4.20")
def test_strategies_choose(fedsearch: Callable[..., Done]) -> None:
    question = ("web", "React Server Components", "--json", "--strategy")
    assert tiers(fedsearch(*question, "official")) == [1, 1, 2, 2, 2]
    wide = tiers(fedsearch(*question, "comprehensive"))
    assert [wide.count(tier) for tier in (1, 2, 3, 4)] == [2, 3, 3, 2]
    assert tiers(fedsearch(*question, "progressive")) == [1, 1, 2, 2, 2]
    widened = fedsearch(*question, "progressive", "--feedback", "show me an example")
    assert json.loads(widened.stdout)["keyword"] == "example"
    assert 3 in tiers(widened)
    assert tiers(fedsearch("web", "React Server Components", "--tier", "4", "--max", "2", "--json")) == [4, 4]


@requirement("4.23", "Progressive list: numbered, with what to explore next; its sources at the end", where="orchestrator/websearch/formats.py")  # fmt: skip
def test_a_korean_progressive_list(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("web", "카카오 로그인", "--strategy", "progressive", "--format", "progressive")
    assert done.returncode == 0
    assert "1등급 · 신뢰도 100/100 · 공식 문서" in done.stdout
    assert "더 찾아볼 것" in done.stdout
    assert "카카오 로그인 예제  3등급(커뮤니티)까지 보여 줍니다" in done.stdout
    assert done.stdout.index("더 찾아볼 것") < done.stdout.index("출처")


@requirement("4.21", "Quick answer: two or three sentences, and links with their tiers; its sources at the end", where="orchestrator/websearch/formats.py")  # fmt: skip
@pytest.mark.parametrize(
    ("question", "head", "tier"), [("React Server Components", "Sources", "tier 1"), ("카카오 로그인", "출처", "1등급")]
)
def test_a_quick_answer(fedsearch: Callable[..., Done], question: str, head: str, tier: str) -> None:
    done = fedsearch("web", question, "--format", "quick")
    assert done.returncode == 0
    answer, _, sources = done.stdout.partition(f"\n{head}\n")
    assert 1 <= len(re.findall(r"[.!?다]\s*\[\d+\]|\[\d+\]", answer)) <= 3
    assert "http" in sources
    assert tier in sources.lower()


def test_markdown_keeps_hostile_titles_text(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("web", "React Server Components", "--markdown", "--tier", "4")
    assert r"RSC in production\]\(javascript:alert(1)) \<b>" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_document(fedsearch: Callable[..., Done]) -> None:
    document = json.loads(fedsearch("web", "카카오 로그인", "--json").stdout)
    first = document["results"][0]
    assert (first["url"], first["tier"], first["reliability_score"]) == (
        "https://developers.kakao.com/docs/latest/ko/kakaologin/rest-api", 1, 100,
    )  # fmt: skip
    assert set(first) == {
        "number", "title", "url", "snippet", "tier", "reliability_score", "reason", "published", "found_by", "content",
    }  # fmt: skip
    assert set(document) == {"query", "strategy", "tiers", "keyword", "results", "found", "left_out", "warnings"}


@requirement("4.16")
def test_nothing_found_is_an_empty_list_and_a_warning(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("web", "zzqx vvbn", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["results"] == []
    assert done.stderr == "! nothing was found for “zzqx vvbn”\n"


@requirement("4.1")
@requirement("4.2")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("web", "ab"), "Search query must be at least 3 characters"),
        (("web", "react", "--max", "0"), "maxResults must be between 1 and 50, not 0"),
        (("web", "react", "--tier", "5"), "tier must be 1 (official), 2, 3 or 4 (blogs), not 5"),
        (("web-page", "http://127.0.0.1/"), "127.0.0.1 is not on the public internet"),
        (("web-page", "ftp://e.example/"), "that is not the address of a web page"),
        (("web-answer", " "), "the question is empty"),
    ],
)
def test_bad_input(fedsearch: Callable[..., Done], arguments: tuple[str, ...], message: str) -> None:
    done = fedsearch(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fedsearch: {message}")
    assert done.stderr.count("\n") == 1


def test_nobody_to_ask(home: Path, fedsearch: Callable[..., Done]) -> None:
    for arguments, message in (
        (("web", "react hooks"), "no web search is configured"),
        (("web-answer", "react"), "grounded answers come from Gemini"),
    ):
        done = run(clean_environment(home), *arguments)
        assert (done.returncode, done.stdout) == (3, "")
        assert message in done.stderr
    down = fedsearch("web", "react hooks", FEDSEARCH_SOURCES__SEARXNG__BASE_URL="http://127.0.0.1:9")
    assert (down.returncode, down.stdout) == (3, "")
    assert "cannot reach 127.0.0.1:9" in down.stderr


@requirement("5.4")
def test_a_korean_grounded_answer_has_its_markers_where_they_belong(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("web-answer", "카카오 로그인 리프레시 토큰", "--json", of="GEMINI")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    marked = re.findall(r"다\.(\[\d+\])(?= |$)", document["answer"])
    assert len(marked) == len(document["markers"]) == len(document["sources"]) >= 2
    for start, end in reversed(document["markers"]):
        document["answer"] = document["answer"][:start] + document["answer"][end:]
    assert document["answer"] == document["plain"]
    shown = fedsearch("web-answer", "카카오 로그인 리프레시 토큰", of="GEMINI").stdout
    assert "갱신됩니다.[" in shown
    assert "\n출처\n" in shown


def test_pages_of_gemini_are_judged_by_their_own_host(fedsearch: Callable[..., Done]) -> None:
    document = json.loads(fedsearch("web", "카카오 로그인", "--json", of="GEMINI").stdout)
    by_title = {each["title"]: each["tier"] for each in document["results"]}
    assert (by_title["developers.kakao.com"], by_title["velog.io"]) == (1, 4)


@requirement("4.10")
def test_a_chain_falls_on_to_who_answers_and_grounds_by_its_own_gemini(home: Path, services: dict[str, str]) -> None:
    chain = {name.replace("SOURCES__", "SOURCES__WEB__"): value for name, value in services.items()}
    by_gemini = run(clean_environment(home, **chain), "web", "카카오 로그인", "--json")
    assert {each["found_by"] for each in json.loads(by_gemini.stdout)["results"]} == {"Gemini"}
    grounded = run(clean_environment(home, **chain), "web-answer", "카카오 로그인")
    assert grounded.returncode == 0
    dead = {**chain, "FEDSEARCH_SOURCES__WEB__GEMINI__BASE_URL": "http://127.0.0.1:9"}
    fallen = run(clean_environment(home, **dead), "web", "카카오 로그인", "--json")
    assert {each["found_by"] for each in json.loads(fallen.stdout)["results"]} == {"SearXNG"}
    assert "Gemini: 답하지 않았습니다(127.0.0.1:9에 연결할 수 없습니다" in fallen.stderr
    assert run(clean_environment(home, **dead), "web-answer", "카카오 로그인").returncode == 3


class Shop(BaseHTTPRequestHandler):
    """One page, in EUC-KR."""

    def do_GET(self) -> None:
        text = (
            "<html><meta charset=euc-kr><title>이용 약관</title><p>"
            + "환불은 7일 이내에 가능합니다. 배송은 이틀 걸립니다. " * 3
        )
        body = b"" if self.path == "/robots.txt" else text.encode("cp949")
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def shop() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@requirement("4.11")
def test_one_page_as_far_as_it_answers(home: Path, shop: int) -> None:
    allowed = clean_environment(home, FEDSEARCH_WEB__PORTS=f"80,443,{shop}", FEDSEARCH_WEB__NETWORKS="127.0.0.1/32")
    url = f"http://127.0.0.1:{shop}/terms"
    done = run(allowed, "web-page", url, "--prompt", "환불 기간이 며칠인가요?", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert (document["content"], document["tier"], document["reliability_score"]) == (
        "환불은 7일 이내에 가능합니다.",
        4,
        30,
    )
    assert document["title"] == "이용 약관"
    again = json.loads(run(allowed, "web-page", url, "--prompt", "환불 기간이 며칠인가요?", "--json").stdout)
    assert (again["content"], document["age"], again["age"] > 0) == (document["content"], 0, True)
    shown = run(allowed, "web-page", url, "--prompt", "배송")
    assert "배송은 이틀 걸립니다." in shown.stdout
    other = run(allowed, "web-page", url, "--prompt", "quantum physics")
    assert other.returncode == 1
    unread = run(allowed, "web-page", f"http://127.0.0.1:{shop}1/")
    assert unread.returncode == 2


@requirement("4.8", "The rules of trust are data, and a site may have its own", where="config/web_tiers.toml orchestrator/websearch/config.py")  # fmt: skip
def test_a_site_has_rules_of_its_own(home: Path, fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    rules = tmp_path / "tiers.toml"
    rules.write_text('[[rule]]\ntier = 1\nscore = 99\nreason = "ours"\ndomains = ["velog.io"]\n', "utf-8")
    document = json.loads(fedsearch("web", "카카오 로그인", "--json", FEDSEARCH_WEB__TIERS=str(rules)).stdout)
    assert {each["reason"] for each in document["results"] if "velog" in each["url"]} == {"ours"}
    rules.write_text("[[rule]]\ntier = 1\nscore = 9\nhosted = true\n", "utf-8")
    bad = fedsearch("web", "카카오 로그인", FEDSEARCH_WEB__TIERS=str(rules))
    assert bad.returncode == 2
    assert "is outside tier 1, 90 to 100" in bad.stderr
