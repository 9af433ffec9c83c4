"""The page about the command line has every command, subcommand and option that there is, and no command that there is not."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from orchestrator.main import Root
from orchestrator.surfaces.cli import make_cli

REFERENCE = (Path(__file__).resolve().parents[5] / "docs" / "reference" / "cli.md").read_text("utf-8")
SECTIONS = {title: text for title, _, text in (part.partition("\n") for part in re.split(r"(?m)^## ", REFERENCE)[1:])}
COMMANDS = get_command(make_cli(Root())).commands


def leaves(command, path):
    """Every command that can be typed, with its words."""
    for name, each in getattr(command, "commands", {}).items():
        yield from leaves(each, f"{path} {name}")
    if not getattr(command, "commands", {}):
        yield path, command


def test_every_command_stands_in_the_table():
    assert sorted(re.findall(r"(?m)^\| \[`([a-z-]+)`\]\(#\1\)", REFERENCE)) == sorted(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_a_section_with_all_that_can_be_typed(name):
    section = SECTIONS[name]
    for typed, command in leaves(COMMANDS[name], f"fedsearch {name}"):
        assert typed in section
        options = {max(each.opts, key=len) for each in command.params if each.param_type_name == "option"}
        assert sorted(option for option in options if option not in section) == []
