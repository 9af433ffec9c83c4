"""Definitions by the names that people give them, and what is wrong with one before it is kept."""

from datetime import UTC

import pytest
from pydantic import ValidationError

from connectors.errors import Misconfigured
from orchestrator.digests.definitions import Definitions, own_name
from orchestrator.settings.digests import DigestSettings, SearchSettings

KIM, LEE = (DigestSettings(person=person) for person in ("kim", "lee"))
START = SearchSettings(question="언제 시작하나요?", person="kim")


def defined(**fixed):
    own = {own_name("kim", "주간"): KIM, own_name("kim", "search/start"): START}
    return Definitions({**fixed, **own}, None, UTC)


def test_what_people_made_is_found_by_the_name_that_they_gave():
    """Nobody types what it is kept under; what the settings have goes before it."""
    assert defined().find("주간") is KIM
    assert defined().find("start") is START
    assert defined().find("search/start") is START
    assert defined(주간=LEE).find("주간") is LEE


def test_what_two_people_call_alike_is_asked_for_in_full():
    both = Definitions({own_name(each.person, "주간"): each for each in (KIM, LEE)}, None, UTC)
    with pytest.raises(Misconfigured, match=r"2 digests are called '주간'; write one of: own/.*/주간, own/"):
        both.find("주간")
    assert both.find(own_name("lee", "주간")) is LEE


def test_what_is_not_there_is_told_by_what_is():
    with pytest.raises(Misconfigured, match="no digest is called 'week'; there are: search/start, 주간;"):
        defined().find("week")


def test_a_file_says_in_which_form_it_is_written():
    with pytest.raises(ValidationError, match=r"a file ends with \.md"):
        DigestSettings(deliver=["file:week"])
    assert DigestSettings(deliver=["file:{name}/{date}.md"]).deliver
