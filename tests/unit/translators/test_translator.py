"""Native queries as people see them in a receipt."""

from translators.registry import load_dialect
from translators.translator import NativeQuery, Translator


def test_a_native_query_reads_as_its_text_and_arguments() -> None:
    assert str(NativeQuery("slack", "배포 in:공지")) == "배포 in:공지"
    assert str(NativeQuery("slack", "배포", {"sort": "timestamp"})) == "배포 · sort=timestamp"
    assert str(NativeQuery("gmail", "")) == "(everything)"


def test_our_dialects_keep_the_protocol() -> None:
    assert isinstance(load_dialect("slack"), Translator)
    assert not isinstance(object(), Translator)
