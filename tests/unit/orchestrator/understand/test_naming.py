"""Which capitals, and which Korean nouns, name a project of ours: by what stands around them and by how they are built."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from orchestrator.packaged import config_dir
from orchestrator.understand import BadLexicon, load_lexicon, understand
from orchestrator.understand.trained import NOTHING_KNOWN, Odds
from translators.query import EntityKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from translators.query import Query

OURS = """\
Larkspur beta feedback from teachers | Larkspur
who maintains the Brightloop sync job | Brightloop
status of sandpiper | sandpiper
why was the Tamarack rollout stopped | Tamarack
need the matrix for Cobalt Pier | Cobalt Pier
the Smart Falcon beta, who tests it | Smart Falcon
is auth-gateway patched | auth-gateway
브라이트루프 서버 장애 원인 | 브라이트루프
수리부엉이 배포 일정 | 수리부엉이
저번달 푸른 등대 다운타임 | 푸른 등대
Thunderfox 시연 영상 | Thunderfox
미스트랄팀 온콜 | 미스트랄팀
구글 워크스페이스 갱신 언제 | 구글 워크스페이스
오라클이랑 카산드라 비교 | 오라클, 카산드라"""

OTHERS = """\
contract with Tessler signed?
what did Siemens say about the panels
room Galileo booked at 3?
rota over Diwali
manual in Hungarian
the Ashdown matter, who is counsel
trucks stuck near Calais
any movement on the crane permit
anything about mould
did the import finish overnight
how is morale
Castellan 계약 조건
Samsung 견적
법무팀 검토 끝났나
스테이징 서버 비밀번호
마이그레이션 일정
SNS 운영 정책"""


def projects(query: Query) -> list[str]:
    """Names of all that is no person."""
    return [entity.name for entity in query.entities if entity.kind is not EntityKind.PERSON]


@pytest.mark.parametrize("line", OURS.splitlines())
def test_a_name_of_ours(line: str, ask: Callable[..., Query]) -> None:
    """Code names, compounds, services and products, whole."""
    text, names = line.split(" | ")
    assert projects(ask(text)) == names.split(", ")


@pytest.mark.parametrize("text", OTHERS.splitlines())
def test_a_name_of_others(text: str, ask: Callable[..., Query]) -> None:
    """Firms, places, feasts, rooms, functions and plain words are no projects."""
    assert projects(ask(text)) == []


def test_what_stands_around_a_name_decides(ask: Callable[..., Query]) -> None:
    """The same word is a product where it is rolled out and a firm where it is dealt with."""
    assert projects(ask("is the Merrowby app down, logins fail")) == ["Merrowby"]
    assert projects(ask("invoice and payment terms with Merrowby")) == []


def test_weights_are_asked_and_decide(now: datetime) -> None:
    """A table that always says no leaves only what the lists know."""
    no = Odds(json.dumps({"en": {"always": -1}, "ko": {"always": -1}}).encode())
    text = "Larkspur and Kafka rollout"
    read = [understand(text, now, lexicon=replace(load_lexicon(), naming=odds)) for odds in (NOTHING_KNOWN, no)]
    assert [projects(query) for query in read] == [["Larkspur", "Kafka"], ["Kafka"]]


@pytest.mark.parametrize("packed", [b"", b"nothing", b"[]", b"{}", b'{"en": {}}', b'{"en": {}, "ko": {"always": "x"}}'])
def test_a_broken_table_says_what_to_do(packed: bytes, tmp_path: Path) -> None:
    """As every language file."""
    for name in ("en", "ko", "names", "tools", "variants"):
        (tmp_path / f"{name}.toml").write_bytes((config_dir() / "language" / f"{name}.toml").read_bytes())
    (tmp_path / "naming.json").write_bytes(packed)
    with pytest.raises(BadLexicon, match="reinstall"):
        load_lexicon(tmp_path)


def test_a_folder_without_the_table_does_with_two_rules(tmp_path: Path, now: datetime) -> None:
    """Customers and places are still told apart."""
    for name in ("en", "ko", "names", "tools", "variants"):
        (tmp_path / f"{name}.toml").write_bytes((config_dir() / "language" / f"{name}.toml").read_bytes())
    lexicon = load_lexicon(tmp_path)
    assert projects(understand("MSA with Globex, and the Osprey launch", now, lexicon=lexicon)) == ["Osprey"]
