"""The tier and the score of an address: by rule, by what the question names, and never by what it pretends to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.packaged import config_dir
from orchestrator.websearch import TierJudge
from orchestrator.websearch.config import load_tiers
from orchestrator.websearch.hosts import registered
from tests.rows import each_row
from translators.said import said_in

if TYPE_CHECKING:
    from orchestrator.websearch.config import WebTiers

JUDGED = [
    # official documentation
    ("https://docs.python.org/3/library/asyncio.html", "python asyncio", 1, "official documentation"),
    ("https://react.dev/reference/rsc/server-components", "React Server Components", 1, "official documentation"),
    ("https://developers.kakao.com/docs/latest/ko/kakaologin", "카카오 로그인", 1, "official documentation"),
    ("https://developers.naver.com/docs/login", "네이버 아이디로 로그인", 1, "official documentation"),
    ("https://docs.aws.amazon.com/s3/", "s3 lifecycle", 1, "official documentation"),
    ("https://docs.somevendor.com/webhooks", "webhook retry", 1, "official documentation"),
    ("https://www.moel.go.kr/policy", "연차 유급휴가", 1, "public authority"),
    ("https://data.seoul.go.kr/list", "공공 데이터", 1, "public authority"),
    ("https://www.rfc-editor.org/rfc/rfc9309", "robots", 1, "standard"),
    # project-named .org
    ("https://www.example-project.org/guide", "example-project setup", 1, "the project's own site"),
    ("https://www.example-project.org/guide", "how to cook rice", 4, "unknown site"),
    ("https://libuv.org/", "libuv event loop", 1, "the project's own site"),
    # repositories
    ("https://github.com/facebook/react", "react", 1, "official repository"),
    ("https://github.com/kakao/cuesheet", "cuesheet", 1, "official repository"),
    ("https://github.com/libuv/libuv/blob/v1.x/README.md", "libuv threads", 1, "the project's own repository"),
    ("https://github.com/somebody/libuv", "libuv threads", 3, "somebody's repository"),
    ("https://github.com/facebook/react/issues/1", "react", 3, "issue or discussion"),
    ("https://github.com/facebook/../somebody/react", "react", 3, "somebody's repository"),
    ("https://github.com/facebook/%2e%2e/somebody/react", "react", 3, "somebody's repository"),
    ("https://gist.github.com/somebody/1", "react", 4, "snippet"),
    # semi-official
    ("https://kubernetes.io/blog/2026/x", "쿠버네티스는 왜", 2, "official blog"),
    ("https://tech.kakao.com/posts/1", "카카오 추천", 2, "official blog"),
    ("https://pypi.org/project/aiohttp/", "aiohttp", 2, "package registry"),
    ("https://arxiv.org/abs/1", "attention", 2, "research"),
    ("https://www.somevendor.com/pricing", "somevendor pricing", 2, "the vendor's own site"),
    ("https://cs.snu.ac.kr/course", "알고리즘 강의", 2, "university"),
    # a framework's own blog and news, whatever is asked; its documentation stays what it is
    ("https://react.dev/blog/2025/x", "how to cook rice", 2, "official blog"),
    ("https://vuejs.org/blog/x", "렌더링 성능", 2, "official blog"),
    ("https://blog.vuejs.org/posts/x", "렌더링 성능", 2, "official blog"),
    ("https://www.djangoproject.com/weblog/2026/x", "장고 릴리스", 2, "official blog"),
    ("https://www.postgresql.org/about/news/x", "vacuum", 2, "official blog"),
    ("https://www.postgresql.org/docs/current/vacuum.html", "vacuum", 1, "official documentation"),
    ("https://kubernetes.io/ko/blog/2026/x", "파드", 2, "official blog"),
    ("https://libuv.org/news/1", "libuv event loop", 2, "official blog"),
    ("https://libuv.org/news/1", "how to cook rice", 4, "unknown site"),
    ("https://blog.naver.com/news/1", "네이버", 4, "personal blog"),
    ("https://medium.com/news", "x y", 4, "personal blog"),
    # vendors' guides, samples and partners
    ("https://www.cloudflare.com/learning/dns/what-is-dns/", "도메인은 어떻게 찾아지나", 2, "guide of a vendor"),
    ("https://aws.amazon.com/what-is/restful-api/", "rest api", 2, "guide of a vendor"),
    ("https://www.mongodb.com/resources/basics", "sharding", 2, "guide of a vendor"),
    ("https://www.digitalocean.com/resources/articles/x", "how to cook rice", 2, "guide of a vendor"),
    ("https://www.samsungsds.com/kr/insights/x.html", "클라우드 전환", 2, "guide of a vendor"),
    ("https://www.unheard-vendor.com/guides/x", "cloud", 4, "unknown site"),
    ("https://github.com/aws-samples/x", "lambda", 2, "samples of a vendor"),
    # community
    ("https://stackoverflow.com/questions/1/x", "x y", 3, "questions and answers"),
    ("https://ko.stackoverflow.com/questions/1", "x y", 3, "questions and answers"),
    ("https://www.reddit.com/r/python/1", "python", 3, "community"),
    ("https://dev.to/x/y", "x y", 3, "community"),
    ("https://okky.kr/questions/1", "스프링 질문", 3, "questions and answers"),
    ("https://discuss.python.org/t/1", "python", 3, "project forum"),
    ("https://ko.wikipedia.org/wiki/x", "x y", 3, "encyclopedia"),
    # blogs and media
    ("https://medium.com/@x/y", "x y", 4, "personal blog"),
    ("https://velog.io/@x/y", "리액트", 4, "personal blog"),
    ("https://foo.tistory.com/1", "리액트", 4, "personal blog"),
    ("https://brunch.co.kr/@a/1", "기획", 4, "personal blog"),
    ("https://techcrunch.com/2026/x", "startup", 4, "media"),
    ("https://somebody.github.io/post", "react hooks", 4, "personal page"),
    ("https://unheard-of.example.com/x", "x y", 4, "unknown site"),
]
DOUBTFUL = [
    ("https://docs.python.org.evil.com/3/", "imitates another address"),
    ("https://docs.python.org.evil.co.kr/3/", "imitates another address"),
    ("https://python-org.evil.com/", "imitates another address"),
    ("https://python.org-docs.net/", "imitates another address"),
    ("https://www.g00gle.com/docs", "imitates another address"),
    ("https://rnicrosoft.com/docs", "imitates another address"),
    ("https://p\u0443thon.org/docs", "imitates another address"),  # Cyrillic y
    ("https://docs.\u0440ython.org/", "imitates another address"),  # Cyrillic er, shown as xn--
    ("https://docs.python.org@evil.com/", "hides its host behind a user name"),
    ("https://93.184.216.34/docs", "bare IP address"),
    ("http://0x5db8d822/docs", "bare IP address"),
    ("http://[2606:4700::1111]/docs", "bare IP address"),
    ("https://docs.python.org:8443/3/", "a port of its own"),
    ("https://localhost/docs", "not a public host"),
    ("https://intranet/docs", "not a public host"),
    ("docs.python.org", "not an address"),
    ("https://evil.com\\@docs.python.org/", "not an address"),
]


@each_row(("url", "query", "tier", "reason"), JUDGED)
def test_addresses_by_rule(judge: TierJudge, tiers: WebTiers, url: str, query: str, tier: int, reason: str) -> None:
    verdict = judge.judge(url, query)
    assert (verdict.tier, verdict.reason) == (tier, reason)
    low, high = tiers.bands[tier]
    assert low <= verdict.reliability <= high
    assert said_in(verdict.reason, "ko") != verdict.reason


@each_row(("url", "reason"), DOUBTFUL)
def test_what_pretends_to_be_official_is_trusted_least(judge: TierJudge, url: str, reason: str) -> None:
    verdict = judge.judge(url, "python google microsoft docs")
    assert (verdict.tier, verdict.reliability, verdict.reason) == (4, 30, reason)


def test_no_named_host_is_shadowed_by_an_earlier_rule(judge: TierJudge, tiers: WebTiers) -> None:
    shadowed = [
        (place, verdict.reason)
        for rule in tiers.rule
        if not (rule.paths or rule.owners or rule.named or rule.repository)
        for place in rule.domains
        if (
            verdict := judge.judge(
                f"https://{'' if registered(place.partition('/')[0]).domain else 'a.'}{place}/zzz", "qqq www"
            )
        ).reason
        != rule.reason
    ]
    assert shadowed == []


def test_hosts_in_another_script_are_no_imitation(judge: TierJudge) -> None:
    assert judge.judge("https://한국은행.한국/x", "금리").reason == "unknown site"
    assert judge.judge("https://пример.example.com/", "x y z").reason == "unknown site"


def test_an_ordinary_word_names_no_project(judge: TierJudge) -> None:
    assert judge.judge("https://news.org/x", "latest news about rust").tier == 4
    assert judge.judge("https://the.com/docs", "the docs").tier == 4


def test_signals_move_the_score_inside_its_band(judge: TierJudge) -> None:
    asked = judge.judge("https://docs.python.org/3/", "python").reliability
    other = judge.judge("https://docs.python.org/3/", "yield from").reliability
    plain = judge.judge("http://docs.python.org/3/", "yield from").reliability
    assert (asked, other, plain) == (100, 97, 95)


def test_votes_count_where_a_rule_counts_them(judge: TierJudge) -> None:
    url = "https://stackoverflow.com/q/1"
    scores = [judge.judge(url, "x y", votes).reliability for votes in (None, 0, 9, 999, 10**9, -50)]
    assert scores == [60, 60, 64, 69, 69, 53]
    assert judge.judge("https://docs.python.org/", "x y", 10**6).reliability == 97


def test_a_site_puts_its_own_rules_first(tmp_path: object) -> None:
    from pathlib import Path

    site = Path(str(tmp_path)) / "tiers.toml"
    site.write_text(
        '[names]\n"우리제품" = "ourproduct"\n'
        "[unknown]\nscore = 33\n"
        '[[rule]]\ntier = 2\nscore = 88\nreason = { en = "partner", ko = "협력사" }\ndomains = ["partner.example", "medium.com/ourpartner"]\n',
        "utf-8",
    )
    judge = TierJudge(load_tiers(config_dir() / "web_tiers.toml", site))
    assert judge.judge("https://www.partner.example/x", "x y").reliability == 88
    partner = judge.judge("https://medium.com/ourpartner/x", "x y").reason
    assert (partner, said_in(partner, "ko")) == ("partner", "협력사")
    assert judge.judge("https://medium.com/ourpartners/x", "x y").reason == "personal blog"
    assert judge.judge("https://unheard-of.example.net/", "x y").reliability == 33
    assert judge.judge("https://ourproduct.org/", "우리제품은 어떻게").reason == "the project's own site"


hosts = st.from_regex(r"[a-z0-9-]{1,12}(\.[a-z0-9-]{1,12}){0,4}", fullmatch=True)


@given(
    st.text(max_size=60) | hosts.map(lambda host: f"https://{host}/docs"),
    st.text(max_size=40),
    st.none() | st.integers(),
)
def test_every_address_has_a_tier_and_a_score_in_its_band(url: str, query: str, votes: int | None) -> None:
    verdict = JUDGE.judge(url, query, votes)
    low, high = RULES.bands[verdict.tier]
    assert low <= verdict.reliability <= high
    assert verdict.reason


RULES = load_tiers(config_dir() / "web_tiers.toml")
JUDGE = TierJudge(RULES)
