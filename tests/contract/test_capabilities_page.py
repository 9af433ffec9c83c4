"""The page of capabilities says what the sources say."""

from tests.contract.capabilities import PAGE, markdown


def test_the_page_is_that_of_these_sources():
    assert PAGE.read_text("utf-8") == markdown(), "run `make docs`"
