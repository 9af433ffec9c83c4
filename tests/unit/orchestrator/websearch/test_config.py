"""Rules that cannot work are refused when they are read, with the file and the place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from connectors.errors import Misconfigured
from orchestrator.packaged import config_dir
from orchestrator.websearch.config import load_tiers

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.websearch.config import WebTiers

BAD = {
    "a score outside its tier": ('[[rule]]\ntier = 1\nscore = 50\nreason = "x"\ndomains = ["a.example"]', "score 50 of 'x' is outside tier 1"),
    "no condition": ("[[rule]]\ntier = 1\nscore = 95", "a rule needs domains, labels, suffixes, known or hosted"),
    "an unknown key": ('[[rule]]\ntier = 1\nscore = 95\nhost = "a.example"', "Extra inputs are not permitted"),
    "an address for a host": ('[[rule]]\ntier = 1\nscore = 95\ndomains = ["https://a.example"]', "is no host"),
    "capitals": ('[[rule]]\ntier = 1\nscore = 95\ndomains = ["A.example"]', "is no host"),
    "a pattern that is none": ('[[rule]]\ntier = 1\nscore = 95\nhosted = true\npaths = ["("]', "is no regular expression"),
    "a tier that is none": ("[[rule]]\ntier = 5\nscore = 95\nhosted = true", "less than or equal to 4"),
    "a section that is not a site's": ("[strategies.official]\nenough = 1", "strategies cannot be set there"),
    "no TOML": ("[[rule]", "is not valid TOML"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_rules_are_refused(case: str, tmp_path: Path) -> None:
    text, message = BAD[case]
    site = tmp_path / "site.toml"
    site.write_text(text, "utf-8")
    with pytest.raises(Misconfigured, match=r"site\.toml") as raised:
        load_tiers(config_dir() / "web_tiers.toml", site)
    assert message in raised.value.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="cannot be read"):
        load_tiers(config_dir() / "web_tiers.toml", tmp_path / "none.toml")


def test_the_numbers_are_the_missions(tiers: WebTiers) -> None:
    assert tiers.bands == {1: (90, 100), 2: (70, 89), 3: (50, 69), 4: (30, 49)}
    assert (tiers.strategies.official.enough_official, tiers.strategies.official.enough) == (3, 5)
    wide = tiers.strategies.comprehensive
    assert (wide.results, wide.least, wide.most, wide.at_most) == (20, 2, 3, 10)
    assert (tiers.strategies.progressive.results, tiers.strategies.progressive.tiers) == (5, (1, 2))
    assert tiers.strategies.progressive.feedback[0].en == "example"
