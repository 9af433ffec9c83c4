"""What the processes of one server keep together: as exact as each would by itself, and bounded."""

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.gather.near_ledger import MOST_KEYS, LedgerBook


@given(gaps=st.lists(st.floats(0, 3), min_size=1, max_size=60), rate=st.integers(1, 5))
def test_never_more_than_the_rate_in_any_window_and_the_wait_is_enough(gaps, rate):
    now, let_in = [0.0], []
    book = LedgerBook(lambda: now[0])
    for gap in gaps:
        now[0] += gap
        wait, _, _ = book.take("slack", rate, 2.0)
        if wait:
            now[0] += wait + 1e-9
            assert book.take("slack", rate, 2.0)[:2] == (0.0, 0.0)
        let_in.append(now[0])
    for start in let_in:
        assert sum(1 for each in let_in if start <= each < start + 2.0) <= rate


def test_a_pause_only_grows_and_ends():
    now = [0.0]
    book = LedgerBook(lambda: now[0])
    book.pause("slack", 20.0)
    book.pause("slack", 1.0)
    assert book.take("slack", 5, 1.0)[:2] == (0.0, 20.0)
    assert book.take("jira", 5, 1.0)[:2] == (0.0, 0.0)
    now[0] = 21.0
    assert book.take("slack", 5, 1.0)[:2] == (0.0, 0.0)


def test_a_value_is_kept_for_its_time_and_what_was_put_first_goes_first():
    now = [0.0]
    book = LedgerBook(lambda: now[0], most=10)
    book.put("a", b"12345", 60.0)
    book.put("b", b"67890", 60.0)
    now[0] = 20.0
    assert book.get("a") == (b"12345", 40.0)
    book.put("c", b"!", 60.0)
    assert (book.get("a"), book.get("b")) == (None, (b"67890", 40.0))
    now[0] = 60.0
    assert (book.get("b"), book.get("c")) == (None, (b"!", 20.0))
    book.forget("c")
    assert (book.get("c"), book._bytes) == (None, 0)


def test_memory_is_bounded():
    book = LedgerBook(lambda: 0.0)
    for number in range(MOST_KEYS + 100):
        book.take(str(number), 1, 60.0)
    assert len(book._passes) == MOST_KEYS
