"""Documents in parts: at most so long, nothing lost, nothing cut that need not be, every part under its headings."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from connectors.local.ingest.chunking import LONGEST, OVERLAP, chunks_of, parts
from connectors.local.ingest.drafts import DocumentSection

SENTENCES = [f"{number}번째 문장은 결제 서비스의 배포를 말한다." for number in range(100)]


def test_korean_is_cut_between_sentences_and_the_next_part_begins_with_the_end_of_the_last():
    made = list(parts(" ".join(SENTENCES)))
    assert len(made) > 2
    for part in made:
        assert len(part) <= LONGEST
        assert part.endswith("말한다.")
        assert part[0].isdigit()
    for one, other in itertools.pairwise(made):
        last = one.rsplit(". ", 1)[-1]
        assert last in other[: OVERLAP + len(last)]
    told = " ".join(made)
    assert all(each in told for each in SENTENCES)


def test_sentences_without_a_full_stop_end_with_their_line():
    lines = [f"{number}번 서버를 다시 켰다" for number in range(200)]
    for part in parts("\n".join(lines)):
        assert part.endswith("켰다")


def test_what_has_no_blank_is_cut_all_the_same():
    made = list(parts("가" * 5000))
    assert "".join(made) == "가" * 5000
    assert max(map(len, made)) == LONGEST


def test_a_part_keeps_the_headings_it_stands_under():
    made = chunks_of((DocumentSection("짧다", ("배포", "일정")), DocumentSection("가나다. " * 400, ("배포", "예외"))))
    assert made[0].heading == "배포 › 일정"
    assert {each.heading for each in made[1:]} == {"배포 › 예외"}
    assert len(made) > 2


def test_short_sections_beside_each_other_share_a_part():
    made = chunks_of(tuple(DocumentSection(f"{number}층", ("안내", f"{number}동")) for number in range(10)))
    assert len(made) == 1
    assert "9동\n9층" in made[0].text
    assert chunks_of((DocumentSection(" \n "),)) == ()


@given(st.text(alphabet=st.sampled_from("가나다. \n!?ab"), max_size=3000))
def test_no_letter_is_lost_and_no_part_is_too_long(text):
    made = list(parts(text))
    assert all(0 < len(part) <= LONGEST for part in made)
    whole, end = "".join(text.split()), 0
    for part in made:  # each begins within, or right after, what came before: the furthest such place covers most
        squeezed = "".join(part.split())
        end = len(squeezed) + max(place for place in range(end + 1) if whole.startswith(squeezed, place))
    assert end == len(whole)
