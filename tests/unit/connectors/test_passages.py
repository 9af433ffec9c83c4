"""Texts in passages: at most so long, nothing lost, nothing cut that need not be, each under its headings."""

import itertools
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from connectors.passages import LONGEST, OVERLAP, DocumentSection, in_pieces, opening, passages_of

parts = partial(in_pieces, longest=LONGEST, overlap=OVERLAP)
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
    made = passages_of((DocumentSection("짧다", ("배포", "일정")), DocumentSection("가나다. " * 400, ("배포", "예외"))))
    assert made[0].heading == "배포 › 일정"
    assert {each.heading for each in made[1:]} == {"배포 › 예외"}
    assert len(made) > 2


def test_short_sections_beside_each_other_share_a_part():
    made = passages_of(tuple(DocumentSection(f"{number}층", ("안내", f"{number}동")) for number in range(10)))
    assert len(made) == 1
    assert "9동\n9층" in made[0].text
    assert passages_of((DocumentSection(" \n "),)) == ()


def test_what_begins_within_a_table_begins_with_the_names_of_its_columns():
    rows = [f"| {number}층 | {number + 20}명 |" for number in range(200)]
    first, *others = parts("\n".join(("직원은 다음과 같다.", "| 층 | 인원 |", *rows)))
    assert first.startswith("직원은 다음과 같다.\n| 층 | 인원 |\n| 0층")
    assert all(each.startswith("| 층 | 인원 |\n| ") and len(each) <= LONGEST for each in others)
    assert [row for part in (first, *others) for row in part.split("\n") if "명" in row] == rows


def test_rows_without_names_and_rows_that_are_too_long_are_cut_like_any_text():
    values = "\n".join(f"{number} | {number + 20}" for number in range(300))
    assert all(each[0].isdigit() for each in parts(values))
    assert max(map(len, parts("이름 | 값\n" + "가 | 나" * 1000))) <= LONGEST


def test_blanks_make_no_part_and_end_none():
    """An index had an empty passage, or one that only said again how the one before ends."""
    assert list(parts("가" * LONGEST + "\n\n" + "나" * LONGEST)) == ["가" * LONGEST, "나" * LONGEST]
    assert list(parts("\n\n" + "가" * LONGEST)) == ["가" * LONGEST]
    full = "Ten of it. " * (LONGEST // 11)
    assert list(parts(full + "a" * (LONGEST - len(full)))) == [full + "a" * (LONGEST - len(full))]
    assert list(parts(" \n\n" * 2000)) == []


def test_a_model_reads_the_first_passage_under_its_title():
    assert opening(" 내용 ", 100, " API 일정 ") == "API 일정\n내용"
    assert opening("내용", 100) == "내용"
    assert opening("", 100, "API") == "API"
    assert opening("한" * 2000, 1000, "t" * 10) == "t" * 10 + "\n" + "한" * 989
    assert opening("It runs. It rains a lot. Bye.", 20, "On") == "On\nIt runs."
    assert opening("text", 10, "t" * 20) == "t" * 10
    assert opening("\n" * 300 + "내용", 100, "API") == "API\n내용"


@given(st.text(alphabet=st.sampled_from("가나다. \n!?ab"), max_size=3000))
def test_no_letter_is_lost_and_no_part_is_too_long(text):
    made = list(parts(text))
    assert all(0 < len(part) <= LONGEST for part in made)
    whole, end = "".join(text.split()), 0
    for part in made:  # each begins within, or right after, what came before: the furthest such place covers most
        squeezed = "".join(part.split())
        end = len(squeezed) + max(place for place in range(end + 1) if whole.startswith(squeezed, place))
    assert end == len(whole)


def test_a_line_without_an_end_is_cut_in_linear_time():
    """What is never over would be read again from its beginning at each full stop: this one has a hundred thousand."""
    text = "a. " * 100_000
    assert len("".join(parts(text)).replace(" ", "")) >= 200_000
