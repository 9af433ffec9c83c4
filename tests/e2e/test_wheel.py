"""What is installed is what was tested: the wheel holds its data and finds it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The wheel, built from this checkout and unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def python(unpacked, cwd, code):
    """Run code against the unpacked wheel, away from the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "name",
    [
        "orchestrator/_config/defaults.toml",
        "orchestrator/_config/ranking.toml",
        "orchestrator/_config/language/ko.toml",
        "orchestrator/sandbox/workplace/slack.jsonl",
        "orchestrator/surfaces/page/templates/base.html",
        "orchestrator/surfaces/page/static/page.css",
        "connectors/slack/manifest.toml",
        "connectors/local/schema/0001_documents.sql",
        "storage/guardian.py",
        "storage/jobs/schema/0004_outcomes.sql",
        "translators/gmail/__init__.py",
        "orchestrator/py.typed",
        "fedsearch/py.typed",
    ],
)
def test_data_travels_with_the_code(unpacked, name):
    assert (unpacked / name).is_file()


def test_tests_stay_behind(unpacked):
    assert not list(unpacked.glob("tests*"))


def test_an_installed_copy_finds_its_own_configuration(unpacked, tmp_path):
    found = python(unpacked, tmp_path, "from orchestrator.packaged import config_dir; print(config_dir())")
    assert Path(found.strip()) == unpacked / "orchestrator" / "_config"


def test_an_installed_copy_finds_its_own_sources_and_dialects(unpacked, tmp_path):
    code = (
        "from connectors.registry import source_kinds; from translators.registry import dialect_names; "
        "print(source_kinds(), dialect_names())"
    )
    found = python(unpacked, tmp_path, code)
    assert all(name in found for name in ("slack", "notion", "linear", "gmail"))
