"""A real shell completes commands by what ``fedsearch completion`` prints."""

import shutil
import subprocess
import sys

import pytest

from tests.e2e.cli_workplace import clean_environment


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_a_command(tmp_path):
    program = tmp_path / "fedsearch"
    program.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "from orchestrator.main import run; run()" "$@"\n', "utf-8"
    )
    program.chmod(0o755)
    typed = (
        'eval "$(fedsearch completion bash)"; COMP_WORDS=(fedsearch se); COMP_CWORD=1; _fedsearch_completion fedsearch;'
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environment = clean_environment(tmp_path)
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    done = subprocess.run(["bash", "-c", typed], env=environment, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["search", "serve", "secrets"]
