"""What libraries write down of questions and answers is heard at no level."""

import logging

import structlog

from orchestrator.main import _log_to_stderr


def test_libraries_are_heard_from_info_on(capsys, monkeypatch):
    """Ours at DEBUG; theirs at INFO, also where one has set a level of its own."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(logging.getLogger(), "level", logging.WARNING)
    _log_to_stderr("DEBUG")
    loud = logging.getLogger("a.library.that.wants.to.be.heard")
    loud.setLevel(logging.DEBUG)
    for each in (logging.getLogger("sse_starlette.sse"), loud):
        each.debug("chunk: %s", "연봉 secret answer")
        each.info("started")
    structlog.get_logger().debug("ours", source="slack")
    said = capsys.readouterr().err
    assert "secret" not in said
    assert said.count("started") == 2
    assert "ours" in said
