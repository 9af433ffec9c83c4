"""What a document is worth keeping, what of it is embedded, and what names it."""

from datetime import UTC, datetime

import pytest

from connectors.local.documents import PUBLIC, Document, addresses, container_names, name_words, site_words
from connectors.models.embedding import MAX_CHARACTERS
from connectors.passages import Passage
from translators.query import Container, Kind, Person


def document(**more):
    told = {
        "source": "files",
        "id": "docs/plan.md",
        "title": "Plan",
        "chunks": (Passage("text"),),
        "principals": (PUBLIC,),
    }
    return Document(**{**told, **more})


def test_a_document_has_a_name():
    with pytest.raises(ValueError, match="neither may be empty"):
        document(id="")


def test_times_know_their_zone():
    with pytest.raises(ValueError, match="zone"):
        document(created=datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Other"},
        {"chunks": (Passage("Text"),)},
        {"url": "https://x.example/a"},
        {"description": "d"},
        {"examples": ("e",)},
        {"author": Person("김민수")},
        {"container": Container("general")},
    ],
)
def test_what_is_searched_is_content(change):
    assert document(**change).content != document().content


@pytest.mark.parametrize(
    "change",
    [
        {"principals": ("user:sarah",)},
        {"author": Person("", native_id="U1")},
        {"container": Container("", "C1")},
        {"kind": Kind.PAGE},
        {"updated": datetime(2026, 1, 1, tzinfo=UTC)},
        {"facts": {"labels": ("a",)}},
    ],
)
def test_everything_else_is_about_it(change):
    assert document(**change).content == document().content
    assert document(**change).about != document().about


def test_cleaned_text_is_safe_to_show():
    made = document(
        title="a\x1b[31m\nb",
        chunks=(Passage("x\x00\u202ey", "h\x07"),),
        url="javascript:alert(1)",
        facts={"labels": ("\x07a",)},
    ).cleaned()
    assert (made.title, made.chunks, made.url, made.facts) == ("a[31m b", (Passage("xy", "h"),), "", {"labels": ("a",)})


def test_what_it_is_for_is_embedded_with_its_text_in_its_own_case():
    made = document(description="Explains the Release", examples=("How do I DEPLOY?",))
    assert made.meaning(Passage("Text", "Steps")) == "Plan\nSteps\nExplains the Release\nHow do I DEPLOY?\nText"


@pytest.mark.parametrize(("told", "text"), [(50, 5000), (5000, 50), (5000, 5000), (0, 0)])
def test_two_thousand_characters_are_embedded_half_of_them_text(told, text):
    meaning = document(title="", description="d" * told).meaning(Passage("T" * text))
    assert len(meaning) <= MAX_CHARACTERS
    assert meaning.count("T") >= min(text, MAX_CHARACTERS // 2 - 1)
    assert meaning.count("d") >= min(told, MAX_CHARACTERS - text - 1, MAX_CHARACTERS // 2)


def test_it_is_asked_for_by_id_address_or_file_name():
    found = addresses(document(id="docs/배포 계획.PDF", url="https://www.x.example/a/?"))
    assert found == ["a", "docs/배포 계획.pdf", "x.example/a", "배포 계획.pdf"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://docs.python.org/3/library/asyncio.html", "docs python"),
        ("https://github.com/acme/app/pull/1", "github acme"),
        ("https://위키.example/배포/계획", "위키 example 배포"),
        ("", ""),
    ],
)
def test_what_an_address_says_of_the_site(url, said):
    assert site_words(url) == said


def test_names_as_they_are_compared():
    assert name_words(Person("Sarah_Kim")) == ["sarah_kim", "sarah", "kim"]
    assert name_words(None) == []
    assert container_names(Container("Eng Platform", "acme/eng")) == ["acme/eng", "eng-platform"]
