"""Whatever is asked, whoever works here: no name, place, key, host or word of the inside is in any query that leaves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import SourceDirectory
from connectors.registry import load_source, source_kinds
from orchestrator.plan import OutsidePolicy, PlanLimits, SourceProfile, Vocabulary, make_plan
from tests.examples import nightly
from translators.query import (
    Category,
    Container,
    Entity,
    EntityKind,
    Identifier,
    IdKind,
    Person,
    Query,
    Term,
    all_of,
    leaves,
)
from translators.registry import load_dialect
from translators.strategies import HOSTILE, WORDS, clauses

NAMES = ("Sarah Kim", "김민수", "박 서연", "Ada Lovelace-King", "jiho.lee", "O'Brien", "Émile Zola")
PLACES = ("eng-platform", "공지", "Phoenix", "결제_개발", "war room", "#random-ops")
SECRETS = ("Project Atlas", "블루버드", "Zephyr9")
HOSTS = ("corp.acme.example", "grafana")
KEYS = (
    "PHX-12",
    "phx-12",
    "acme/app#7",
    "<@U0AB12CD3>",
    "sarah@acme.example",
    "https://wiki.corp.acme.example/x",
    "db7.internal",
)
SPEECH = ("{}", "{}'s", "{}는", "{}한테", "about {} and more", "({})", '"{}"', "{}?", "x{}", "\u200b{}")
INSIDE = (*NAMES, *PLACES, *SECRETS, *HOSTS, *KEYS)
CLAUSES = clauses()  # made once: building it takes longer than drawing from it
PUBLIC = [kind for kind in source_kinds() if load_source(kind).manifest.public]


def names_of(text: str) -> set[str]:
    """The names as a reader who knows them would look for them, written apart from what is tested."""
    return {unicodedata.normalize("NFKC", part).casefold() for part in re.split(r"[\s_'#-]+", text) if len(part) > 1}


def said(draw: st.DrawFn) -> str:
    thing = draw(st.sampled_from(INSIDE))
    spelled = draw(st.sampled_from([thing, thing.upper(), thing.lower(), unicodedata.normalize("NFD", thing)]))
    return draw(st.sampled_from(SPEECH)).format(spelled)


@st.composite
def questions(draw: st.DrawFn) -> Query:
    """Ordinary and hostile clauses, and beside them words that name the inside, anywhere in the tree."""
    parts = [draw(CLAUSES)]
    parts += [Term(said(draw)) for _ in range(draw(st.integers(0, 4)))]
    parts += [Term(draw(st.sampled_from(WORDS + HOSTILE))) for _ in range(draw(st.integers(0, 3)))]
    where = all_of(draw(st.permutations(parts)))
    keywords = tuple(leaf.text for leaf in leaves(where) if isinstance(leaf, Term))
    glossary = tuple((word, (draw(st.sampled_from(SECRETS)),)) for word in keywords[:2])
    entities = tuple(Entity(EntityKind.PERSON, name) for name in draw(st.lists(st.sampled_from(NAMES), max_size=1)))
    ids = (Identifier(IdKind.TICKET, "phx-12"),)  # small letters are a key where the question reads them so
    return Query("?", where, keywords=keywords, variants=glossary, entities=entities, ids=ids)


def profiles() -> list[SourceProfile]:
    directory = SourceDirectory(tuple(map(Person, NAMES)), tuple(map(Container, PLACES)))
    chat = load_dialect("slack")
    made = [SourceProfile("slack", "Slack", Category.CHAT, chat, chat.can, directory, host="acme.slack.example")]
    for kind in PUBLIC:
        manifest = load_source(kind).manifest
        dialect = load_dialect(manifest.dialect)
        can = dialect.can if manifest.can is None else dialect.can.meet(manifest.can.capabilities)
        made.append(SourceProfile(kind, manifest.title, manifest.category, dialect, can, public=True))
    return made


PROFILES = profiles()
POLICY = OutsidePolicy(vocabulary=Vocabulary(SECRETS, HOSTS))


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return [text for each in inner for text in strings(each)]


@nightly(200)
@given(questions())
def test_nothing_of_the_inside_leaves(query: Query) -> None:
    """Names whole and in part, with particles and other endings, in every spelling and wherever they stand."""
    assert len(PUBLIC) >= 5
    plan = make_plan(query, PROFILES, PUBLIC, PlanLimits(), POLICY)
    sent = [each.native for step in plan.steps for rung in step.rungs for each in rung.translations]
    for native in sent:
        line = unicodedata.normalize("NFKC", " ".join([native.text, *strings(native.args)])).casefold()
        words = re.findall(r"[가-힣]+|[^\W_가-힣]+", line)
        for name in NAMES:
            for part in names_of(name):
                assert part not in words, f"{part} of {name} is in {native}"
                assert not ("가" <= part[0] <= "힣" and any(word.startswith(part) for word in words)), (
                    f"{part} in {native}"
                )
        joined = f" {' '.join(words)} "
        for other in (*SECRETS, *PLACES):
            spelled = " ".join(re.findall(r"[가-힣]+|[^\W_가-힣]+", unicodedata.normalize("NFKC", other).casefold()))
            assert f" {spelled} " not in joined, f"{other} is in {native}"
        assert not re.search(
            r"phx-\d|\w@[\w.-]+\.\w|<@|app#\d|(?<![a-z0-9])corp\.acme\.example|\.internal|://grafana", line
        ), native


@nightly(100)
@given(questions())
def test_what_is_held_back_is_named_and_checked(query: Query) -> None:
    """No condition vanishes on the way out: each is sent, or stands in the receipt and among what is checked."""
    plan = make_plan(query, PROFILES, PUBLIC, PlanLimits(), POLICY)
    for step in plan.steps:
        for translation in step.rungs[0].translations:
            told = [loss for loss in translation.losses if loss.why.startswith("not sent: ")]
            assert not told or translation.residual is not None
    silent = [each for each in plan.skipped if not each.reason]
    assert not silent
    assert {step.source for step in plan.steps} | {each.source for each in plan.skipped} == {
        each.name for each in PROFILES
    }


@nightly(100)
@given(questions())
def test_nobody_outside_is_asked_unbidden(query: Query) -> None:
    plan = make_plan(query, PROFILES, (), PlanLimits(), POLICY)
    assert {step.source for step in plan.steps} == {"slack"}
