"""A forum's settings: what cannot work is refused with what to do, before anything is sent."""

import asyncio

import pytest
from pydantic import ValidationError

from connectors.contract import Call
from connectors.discourse import DiscourseSource
from connectors.discourse.settings import DiscourseSettings
from connectors.errors import Misconfigured


def test_without_an_address_the_key_goes_nowhere():
    source = DiscourseSource("forum", DiscourseSettings.model_validate({"kind": "discourse", "token": "k" * 16}))
    with pytest.raises(Misconfigured, match="set base_url of forum"):
        asyncio.run(source.probe(Call()))


@pytest.mark.parametrize("username", ["a b", "a\r\nApi-Key: x", "이하늘"])
def test_a_username_that_no_header_can_carry_is_refused(username):
    with pytest.raises(ValidationError, match="username"):
        DiscourseSettings.model_validate({"kind": "discourse", "username": username})


@pytest.mark.parametrize("site", ["javascript:alert(1)", "forum.example"])
def test_a_site_that_no_browser_opens_is_refused(site):
    with pytest.raises(ValidationError, match="site must be an address"):
        DiscourseSettings.model_validate({"kind": "discourse", "site": site})
