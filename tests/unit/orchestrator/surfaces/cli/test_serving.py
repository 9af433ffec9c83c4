"""What ``fedsearch sandbox`` prints can be pasted into a shell, whatever the corpus holds."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from orchestrator.surfaces.cli.composition import Served, Serving
from orchestrator.surfaces.cli.demo import announcement
from orchestrator.surfaces.cli.serve import _listening

SERVING = Serving(
    (Served("slack", "http://127.0.0.1:1234/api/", "xoxp-it's", 187), Served("gmail", "http://127.0.0.1:1235", "t", 3)),
    {"github\ntouch /tmp/owned; $(id)": 5, "web": 7},
    {"imap": "Dovecot is not installed\nrm -rf /"},
)


def test_a_shell_reads_the_exports_and_nothing_else() -> None:
    script = (
        "\n".join(announcement(SERVING))
        + '\nprintf %s "$FEDSEARCH_SOURCES__SLACK__TOKEN $FEDSEARCH_SOURCES__GMAIL__BASE_URL"'
    )
    done = subprocess.run(["/bin/sh", "-euc", script], capture_output=True, text=True, check=True)
    assert done.stdout == "xoxp-it's http://127.0.0.1:1235"
    assert done.stderr == ""


def test_every_line_is_a_comment_or_an_export() -> None:
    assert all(text.startswith(("#", "export ")) and "\n" not in text for text in announcement(SERVING))


def test_what_is_not_served_is_counted() -> None:
    assert any("not served" in text and "web 7" in text for text in announcement(SERVING))


def test_what_this_machine_cannot_serve_is_named() -> None:
    assert "# not served: imap, because Dovecot is not installed rm -rf /" in list(announcement(SERVING))


def test_the_question_to_try_is_of_the_packaged_workplace_only() -> None:
    assert "webhook-relay" in "\n".join(announcement(SERVING))
    foreign = replace(SERVING, newest=datetime(2024, 3, 1, 9, tzinfo=UTC))
    said = "\n".join(announcement(foreign, packaged=False))
    assert "webhook-relay" not in said
    assert '"your question" --now 2024-03-01T09:00:00+00:00' in said
    assert "--now" not in "\n".join(announcement(SERVING, packaged=False))  # no item bears a date


def test_rows_left_out_are_counted() -> None:
    assert "# not served: 8 rows whose id was there before" in list(announcement(replace(SERVING, repeated=8)))


def test_the_same_as_settings() -> None:
    assert SERVING.settings()["gmail"] == {"base_url": "http://127.0.0.1:1235", "token": "t"}


@pytest.mark.parametrize(
    ("heard", "people", "opened"),
    [
        ("http://127.0.0.1:8480", "", "http://127.0.0.1:8480/setup"),
        ("http://0.0.0.0:8480", "", "http://localhost:8480/setup"),
        ("http://[::]:8480", "", "http://localhost:8480/setup"),
        ("http://0.0.0.0:8480", "https://search.example.com/", "https://search.example.com/setup"),
    ],
)
def test_the_address_to_set_up_at_is_one_that_a_browser_opens(heard, people, opened, capsys) -> None:
    """As in a container, which listens on all of its addresses."""
    _listening(heard, people=people, here=True, code="ABCD", nobodys=False)
    assert f"or open {opened} in a browser" in capsys.readouterr().err
