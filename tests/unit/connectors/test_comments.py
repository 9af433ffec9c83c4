"""Comments as part of the text of what they stand below."""

from connectors.comments import Comment, with_comments
from connectors.contract import Hit
from orchestrator.answer.speaking import last_said, speaker
from translators.query import Kind, Person

MINA, JOE = Person("김민아"), Person("Joe Park")


def test_each_stands_behind_the_name_of_who_wrote_it_oldest_first():
    text, voices, whole = with_comments(
        "The lift is stuck.", [Comment(MINA, "부품 주문했습니다."), Comment(JOE, "It runs.")], 500
    )
    assert text == "The lift is stuck.\n\n김민아: 부품 주문했습니다.\n\nJoe Park: It runs."
    assert voices == ("김민아", "Joe Park")
    assert whole


def test_one_whose_author_is_unknown_stands_by_itself():
    text, voices, _ = with_comments("", [Comment(None, "Deployed.")], 500)
    assert text == "Deployed."
    assert voices == ()


def test_where_there_is_no_room_for_all_the_newest_stay_and_the_text_is_cut():
    comments = [Comment(JOE, f"Step {number} is done, and the next one follows.") for number in range(50)]
    text, _, whole = with_comments("x" * 900, comments, 400)
    assert len(text) <= 400
    assert text.startswith("x" * 100)
    assert text.endswith("Step 49 is done, and the next one follows.")
    assert "Step 1 " not in text
    assert not whole


def test_without_comments_a_text_is_as_it_was():
    assert with_comments("Short.", [], 100) == ("Short.", (), True)
    assert with_comments("A longer text", [Comment(JOE, "  ")], 8) == ("A longer", (), False)


def test_the_last_comment_says_who_and_what_was_said_last():
    text, voices, _ = with_comments(
        "옥상 방수", [Comment(JOE, "Section one."), Comment(MINA, "2구역까지\n끝났습니다.")], 500
    )
    hit = Hit("linear", "FAC-30", Kind.ISSUE, snippet=text, author=JOE, facts={"voices": voices})
    assert last_said(hit) == "김민아: 2구역까지 끝났습니다."
    assert speaker(hit, "끝났습니다.") == MINA
    assert last_said(Hit("linear", "FAC-30", Kind.ISSUE, snippet=text)) == ""
