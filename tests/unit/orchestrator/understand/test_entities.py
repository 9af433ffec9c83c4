"""People, projects, sources, containers and identifiers, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand import Directory, DirectoryPerson, DirectoryProject
from tests.rows import each_row, rows_of
from translators.query import Category, Compare, EntityKind, Field, IdKind, Op, Person, QueryType, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

AUTHORS = """
Dana's write-up on caching | Dana
what has Leila written about drift | Leila
the deck Mei-Ling put together for the summit | Mei-Ling
doc by Farah about on-call | Farah
when did Dmitri send the term sheet | Dmitri
Sanjay posted the deductible last week | Sanjay
did Yuki's PR get merged | Yuki
from:gwen mileage | gwen
Fatima Al-Sayed's notes on hiring | Fatima Al-Sayed
Tomás's proposal on retention | Tomás
한지민님이 지난달 메일로 보낸 체크리스트 | 한지민
장하은님이 캐시에 대해 썼던 글들 | 장하은
이하늘 매니저가 작성한 보고서 | 이하늘
오민재님 ADR에 적힌 결론 | 오민재
Sophie가 만든 템플릿 | Sophie
"""
TOPICS = """
who took over from Pavel | Pavel
what got approved by Helena | Helena
did Marcus and Aoife agree on the threshold | Marcus Aoife
who is Bram's manager | Bram
신유나님이 제안한 오프라인 모드 | 신유나
류현석이 보던 심사 건 | 류현석
임윤호님이랑 고가영님이 논의한 아이템 | 임윤호 고가영
민수님 휴가 언제부터예요 | 민수
Kevin 대신 릴리즈 노트 쓰는 사람 | Kevin
"""
NOBODY = """
password rotation policy for Okta
why did we choose Snowflake over BigQuery
고객님 문의 응답 시간
사내 변호사 중 아시는 분
강남 사옥 이사 언제 했더라
팀장님 승인 기준
may the release slip
"""
PROJECTS = """
current state of the Passport incident | Passport
background on Project Saltmarsh | Saltmarsh
Kafka vs Pulsar | Kafka Pulsar
opinions from the Platform team | Platform
is the redis alarm resolved | redis
how is phoenix going | phoenix
Lighthouse 2.0 QA | Lighthouse 2.0
Titan 프로젝트 배경 | Titan
오로라 프로젝트 QA | 오로라
Growth팀 캠페인 | Growth팀
플랫폼팀 온콜 | 플랫폼팀
k8s 클러스터 권한 | k8s
"""
NO_PROJECTS = """
remote work stipend in Canada
Contoso renewal
signed MSA with Globex
the Jakarta warehouse pilot
what is our RTO policy
Customer feedback on pricing
우리 팀 일정
GDPR 대응
"""
SOURCES = """
on slack about caching | chat
슬랙에서 논의한 캐시 | chat
메신저로 온 배포 공지 | chat
구글챗에 올라온 배포 공지 | chat
deploy notice on Teams | chat
편지함에서 견적 | mail
쉐어포인트 예산표 | drive
트래커에 있는 로그인 오류 | tracker
search the web for exchange rates | web
exchange rate on the internet | web
email thread about the clause | mail
메일로 보낸 견적서 | mail
the confluence page on severity | wiki
노션 온콜 런북 | wiki
jira tickets for Mosaic | tracker
지라에 등록된 버그 | tracker
slides in google drive | drive
드라이브에서 찾아줘 | drive
who reviewed PR 5521 | code
깃허브 이슈 | code
public blog posts | web
블로그나 웹에 공개된 글 | web
"""
NO_SOURCES = """
slack migration plan
슬랙 연동 비용
드라이브 외부공유 권한 정책
SLA for P1 tickets
알림 우선순위(푸시/문자/메일)
email signature guidelines
OPS-12 is a known issue
"""
CONTAINERS = """
in:#ux-research findings | ux-research
#infra-oncall 에 올라온 알람 | infra-oncall
README in the ledger-service repo | ledger-service
checkout-api 레포에 커밋 | checkout-api
구글 드라이브 '세일즈 자료' 폴더에서 제안서 | 세일즈 자료
DATA 스페이스에 있는 컨벤션 | DATA
repo:mobile/checkout-sdk README | mobile/checkout-sdk
"""


def lines(table: str) -> list[str]:
    """One text a line."""
    return table.strip().splitlines()


@each_row(("text", "author"), rows_of(AUTHORS))
def test_authors(ask: Callable[..., Query], text: str, author: str) -> None:
    """Who wrote, sent, shared or made it is author and person, and no keyword."""
    query = ask(text)
    assert query.author == Person(author)
    assert author in query.people()
    assert author not in query.keywords
    assert Compare(Field.AUTHOR, Op.EQ, Person(author)) in conjuncts(query.where)


@each_row(("text", "people"), rows_of(TOPICS))
def test_people_who_are_the_topic(ask: Callable[..., Query], text: str, people: str) -> None:
    """Anybody else named is a person and a keyword."""
    query = ask(text)
    assert query.author is None
    assert query.people() == tuple(people.split())
    assert set(people.split()) <= set(query.keywords)


@each_row("text", lines(NOBODY))
def test_nobody(ask: Callable[..., Query], text: str) -> None:
    """Tools, titles and ordinary words are no people."""
    assert ask(text).people() == ()


@each_row(("text", "names"), rows_of(PROJECTS))
def test_projects(ask: Callable[..., Query], text: str, names: str) -> None:
    """Projects, products, systems and teams by mark, list and capital."""
    found = [entity.name for entity in ask(text).entities if entity.kind is not EntityKind.PERSON]
    assert found == ([names] if names == "Lighthouse 2.0" else names.split())


@each_row("text", lines(NO_PROJECTS))
def test_no_projects(ask: Callable[..., Query], text: str) -> None:
    """Customers, places, standards and everyday words are none."""
    assert [entity for entity in ask(text).entities if entity.kind is not EntityKind.PERSON] == []


@each_row(("text", "category"), rows_of(SOURCES))
def test_source_hints(ask: Callable[..., Query], text: str, category: str) -> None:
    """A place that is named is a hint and no keyword."""
    assert Category(category) in ask(text).hints


@each_row("text", lines(NO_SOURCES))
def test_a_source_that_is_the_subject_is_no_hint(ask: Callable[..., Query], text: str) -> None:
    """Slack migration is about Slack."""
    assert ask(text).hints == ()


@each_row(("text", "name"), rows_of(CONTAINERS))
def test_containers(ask: Callable[..., Query], text: str, name: str) -> None:
    """Channels, folders, spaces and repositories restrict the search."""
    query = ask(text)
    assert query.container is not None
    assert query.container.name == name
    assert name not in query.keywords


@each_row(
    ("text", "kind", "found"),
    [("is PLAT-882 done", IdKind.TICKET, "PLAT-882"), ("PR #1204 리뷰", IdKind.PULL_REQUEST, "PR #1204"), ("ERR_CONN_4012 원인", IdKind.ERROR_CODE, "ERR_CONN_4012"),
     ("예산안_v3.xlsx 어디", IdKind.FILE_NAME, "예산안_v3.xlsx"), ("https://example.com/a?b=c#d now", IdKind.URL, "https://example.com/a?b=c#d"),
     ("https://acme.slack.com/archives/C1/p2", IdKind.PERMALINK, "https://acme.slack.com/archives/C1/p2")],
)  # fmt: skip
def test_identifiers_stay_verbatim(ask: Callable[..., Query], text: str, kind: IdKind, found: str) -> None:
    """Law 6: looked up as they stand."""
    query = ask(text)
    assert [(item.kind, item.text) for item in query.ids] == [(kind, found)]
    assert any(keyword in found for keyword in query.keywords)


@each_row(
    ("text", "found"), [("pay-142 담당자", ["PAY-142"]), ("who has Pay-142?", ["PAY-142"]), ("node-18 upgrade", []), ("release-24 노트", [])]
)  # fmt: skip
def test_a_key_of_a_tracker_is_one_however_it_is_typed(ask: Callable[..., Query], text: str, found: list[str]) -> None:
    """Trackers list their keys beside the names of their projects, in capitals; a channel's name is none."""
    assert [item.text for item in ask(text, Directory(channels=("Payments", "PAY", "release"))).ids] == found


@each_row(
    "text", ["https://acme.slack.com/archives/C01PAY0003/p1791427702000000", "https://wiki.example/postmortem-2026-10-06-89b4", "https://linear.app/acme/issue/PAY-142/api"]
)  # fmt: skip
def test_an_address_alone_asks_what_stands_there(ask: Callable[..., Query], text: str) -> None:
    """And not where it is: whoever pastes it knows that."""
    assert ask(text).type is QueryType.EXPLORATORY


@each_row("text", ["ISO-27001 audit", "COVID-19 policy", "SOC-2 report", "UTF-8 bug"])
def test_standards_are_no_tickets(ask: Callable[..., Query], text: str) -> None:
    """They look like ticket keys and name none."""
    assert ask(text).ids == ()


STAFF = Directory(
    people=(
        DirectoryPerson("Dana Whitfield", ("다나",), ("dana.w",), "dana@example.com"),
        DirectoryPerson("김민수", ("Minsu Kim",), ("minsu",), "minsu@example.com"),
        DirectoryPerson("박서준"),
    ),
    projects=(DirectoryProject("Blue Heron", ("블루헤론",)), DirectoryProject("Growth", team=True)),
    channels=("general",),
)


@each_row(
    "text",
    [
        "from:dana.w budget",
        "from:dana@example.com budget",
        "from:다나 budget",
        "Dana Whitfield's budget deck",
        "Dana Whitfeld's budget deck",
    ],
)
def test_a_directory_knows_every_spelling(ask: Callable[..., Query], text: str) -> None:
    """Handle, mail, other script and a slip of the pen are the same person."""
    query = ask(text, STAFF)
    assert query.author is not None
    assert query.author.email == "dana@example.com"


def test_a_given_name_is_enough_where_only_one_has_it(ask: Callable[..., Query]) -> None:
    """민수님 is 김민수, with the address of the directory."""
    query = ask("민수님이 보낸 견적서", STAFF)
    assert query.author == Person("김민수", email="minsu@example.com")


def test_projects_of_the_directory(ask: Callable[..., Query]) -> None:
    """Two words are one name, and teams are teams."""
    found = {entity.name: entity.kind for entity in ask("blue heron launch with growth", STAFF).entities}
    assert found == {"Blue Heron": EntityKind.PROJECT, "Growth": EntityKind.TEAM}


def test_a_misspelt_name_scores_lower(ask: Callable[..., Query]) -> None:
    """Sure readings score 1."""
    scores = [ask(text, STAFF).entities[0].score for text in ("Dana Whitfield budget", "Dana Whitfeld budget")]
    assert scores[0] == 1.0
    assert 0.8 < scores[1] < 1.0


@each_row(
    ("text", "kind", "found"),
    [
        ("acme/pay-api#12 merged?", IdKind.PULL_REQUEST, "acme/pay-api#12"),
        ("acme/pay-api#12를 누가 리뷰했지", IdKind.PULL_REQUEST, "acme/pay-api#12"),
        ("#3310이 머지됐나", IdKind.PULL_REQUEST, "#3310"),
        ("ENG-12를 누가 보고 있나", IdKind.TICKET, "ENG-12"),
        ("report_final.pdf를 찾아줘", IdKind.FILE_NAME, "report_final.pdf"),
        ("ERR_CONN가 뭐예요", IdKind.ERROR_CODE, "ERR_CONN"),
        ("mail <abc.123@mail.example.com> again", IdKind.PERMALINK, "<abc.123@mail.example.com>"),
        ("<abc.123@mail.example.com>에 답한 사람", IdKind.PERMALINK, "<abc.123@mail.example.com>"),
        (
            "https://acme.slack.com/archives/C1/p1736000000000000에서 정한 것",
            IdKind.PERMALINK,
            "https://acme.slack.com/archives/C1/p1736000000000000",
        ),
        (
            "https://acme.atlassian.net/browse/ENG-12를 누가 보나",
            IdKind.PERMALINK,
            "https://acme.atlassian.net/browse/ENG-12",
        ),
        ("(https://github.com/acme/pay/pull/3)", IdKind.PERMALINK, "https://github.com/acme/pay/pull/3"),
        ("https://app.asana.com/0/1/2에 뭐가 있지", IdKind.URL, "https://app.asana.com/0/1/2"),
        ("https://drive.google.com/file/d/1a/view에서", IdKind.URL, "https://drive.google.com/file/d/1a/view"),
        (
            "https://teams.microsoft.com/l/message/19:x@thread.v2/17?tenantId=1 decided",
            IdKind.URL,
            "https://teams.microsoft.com/l/message/19:x@thread.v2/17?tenantId=1",
        ),
        (
            "https://acme.atlassian.net/wiki/spaces/ENG/pages/12/Title가 최신인가요",
            IdKind.URL,
            "https://acme.atlassian.net/wiki/spaces/ENG/pages/12/Title",
        ),
        (
            "https://wiki.example.com/display/인사/휴가정책",
            IdKind.URL,
            "https://wiki.example.com/display/인사/휴가정책",
        ),
    ],
)
def test_identifiers_end_where_the_particle_begins(
    ask: Callable[..., Query], text: str, kind: IdKind, found: str
) -> None:
    """A short name of another repository is one identifier, a Message-ID is one, and Korean letters behind them are none of it."""
    query = ask(text)
    assert [(item.kind, item.text) for item in query.ids] == [(kind, found)]
    assert query.container is None


@each_row("text", ["and/or is fine", "x <- y", "a < b@c", "1/2 #"])
def test_what_only_looks_like_an_identifier(ask: Callable[..., Query], text: str) -> None:
    """Slashes and brackets alone name nothing."""
    assert ask(text).ids == ()


@each_row(
    ("text", "names"),
    [
        ("timeouts on sftp-gateway since yesterday", {"sftp-gateway"}),
        ("who owns svc-lantern", {"svc-lantern"}),
        ("on-call rota for pre-start checks", set()),
        ("pricing of Osprey Lite", {"Osprey Lite"}),
        ("북극성 관련", {"북극성"}),
        ("contract with Selby Couriers", set()),
        ("remote hires in Kerala", set()),
        ("does she speak Tagalog", set()),
    ],
)
def test_names_of_services_and_products(ask: Callable[..., Query], text: str, names: set[str]) -> None:
    """Hyphenated names of computing, names in two words, names in plain Korean; no places, languages and companies."""
    query = ask(text)
    assert {entity.name for entity in query.entities if entity.kind is not EntityKind.PERSON} == names


@each_row(
    ("text", "people"),
    [
        ("제이슨이 발표했던 자료", {"제이슨"}),
        ("구현한 게 수진씨였나 해인씨였나", {"수진", "해인"}),
        ("오태식 반장님이 만든 체크리스트", {"오태식"}),
        ("서명 권한 대표님 말고 누구한테 있나", set()),
        ("did Okereke sign off the generators", {"Okereke"}),
        ("mail from Anneliese about the law firm", {"Anneliese"}),
        ("O'Shaughnessy's expense claim", {"O'Shaughnessy"}),
        ("complaints raised by Sister Bernadette", {"Bernadette"}),
        ("interview loop for candidate Quillon Vasterling", {"Quillon Vasterling"}),
        ("who is Vasterling", {"Vasterling"}),
        ("is Vasterling still on sick leave", {"Vasterling"}),
        ("Vasterling's view on hot desks", {"Vasterling"}),
        ("Vasterling and Piotr pricing proposals", {"Vasterling", "Piotr"}),
        ("Jun-ho's script for payouts", {"Jun-ho"}),
        ("Daniel Kim이 보낸 견적서", {"Daniel Kim"}),
        ("Kim 부장님 코멘트", {"Kim"}),
        ("남궁현 연구원 논문 목록", {"남궁현"}),
        ("수연 매니저 부재중 대리 결재", {"수연"}),
        ("지안이 만든 견적 양식", {"지안"}),
        ("한별이가 정리한 경쟁사 표", {"한별"}),
        ("송이한테 받은 엑셀", {"송이"}),
        ("현우랑 진아가 만든 대시보드", {"현우", "진아"}),
        ("교육 담당 백승아 연락처", {"백승아"}),
        ("고은채가 담당하던 거래처", {"고은채"}),
        ("문가영 씨 담당 업무", {"문가영"}),
        ("오세라님처럼 튜닝 해보신 분", {"오세라"}),
        ("모바일 팀장", set()),
        ("신임 COO 선임 공지", set()),
        ("새 사무실 이사 언제 했죠", set()),
        ("카우르 산모 담당 조산사", set()),
    ],
)
def test_names_of_people_by_their_cues(ask: Callable[..., Query], text: str, people: set[str]) -> None:
    """Borrowed names, particles of asking, titles; a noun before a title is no name."""
    assert set(ask(text).people()) == people
