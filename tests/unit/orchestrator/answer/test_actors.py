"""Who a sentence says does what is asked: only where a name stands as whoever does it."""

from __future__ import annotations

import pytest

from orchestrator.answer.actors import FAMILY, READ, TITLES, acting_of, actor_in, former_actor
from orchestrator.understand.lexicon import load_lexicon


@pytest.mark.parametrize(
    ("question", "sentence", "who"),
    [
        ("who approved the floor plan", "Approved by Dana Fox on Monday.", "Dana Fox"),
        ("who approved the floor plan", "Floor plan rev C: @minji signed it off.", "@minji"),
        ("who signed off the floor plan", "Floor plan v3, sign-off: H. Kwon", "H. Kwon"),
        ("who approved it", "I approved it yesterday.", "I"),
        ("whose job is it to lock the gate", "Locking the gate is the night porter's job.", "the night porter"),
        ("who waters the plants", "The cleaning crew waters the plants.", "The cleaning crew"),
        ("who replaces Ken on reception", "From Monday Aiko replaces Ken on reception.", "Aiko"),
        ("who is the fire warden", "Fire warden: Elif Kaya, deputy Jon Berg", "Elif Kaya"),
        ("who do I ask about customs", "For customs, call Ruben Vos (ext. 41).", "Ruben Vos"),
        ("평면도 누가 승인했어요", "평면도는 정유라 책임이 승인했습니다.", "정유라 책임"),
        ("저울 누가 고쳤어", "저울은 민준 씨가 고쳤어요.", "민준 씨"),
        ("대문 잠그는 거 누구 일이야", "대문은 야간 경비가 잠급니다.", "야간 경비가"),
        ("한지우 후임 누구예요", "한지우 님 후임은 오세훈 매니저입니다.", "오세훈 매니저"),
        ("안전교육 강사 누구야", "안전교육 강사: 문보라", "문보라"),
        ("통관 누구한테 물어봐", "통관은 배진우 팀장님께 문의하세요.", "배진우 팀장님"),
    ],
)
def test_whoever_does_it_is_told(question: str, sentence: str, who: str) -> None:
    assert actor_in(sentence, acting_of(question)) == who


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("who approved the floor plan", "Approved floor plans are kept for 5 years."),
        ("who approved the floor plan", "The floor plan was approved on Monday."),
        ("who takes over from Marta", "Marta wrote the handover notes."),
        ("who is the voice of the clam", "In the right voice, absolutely."),
        ("who fixed the scale", "The scale was fixed, thanks!"),
        ("who is in charge of the structure", "In English: Pebble is now called Haesol Library."),
        ("평면도 승인 누가 했지", "평면도 승인 절차가 바뀌었어요."),
        ("한지우 후임 누구예요", "한지우 님이 후임 공고 올렸어요."),
        ("해녀 다큐 해설은 누가 쓰기로 했죠", "해설 읽을 사람은 진소율 씨."),
    ],
)
def test_a_name_beside_the_matter_did_nothing(question: str, sentence: str) -> None:
    assert actor_in(sentence, acting_of(question)) == ""


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("Priya Raman took over the tasting from Dana Fox.", "Dana Fox"),
        ("Aiko replaced Ken Ito on reception.", "Ken Ito"),
        ("시식회는 정유라 책임 후임으로 김서준 선임이 맡았습니다.", "정유라 책임"),
        ("Jonas will take over the tasting.", ""),
        ("From Monday Aiko replaces Ken Ito.", ""),
        ("다음 주부터 정유라 책임 대신 김서준 선임이 맡습니다.", ""),
    ],
)
def test_whose_place_was_taken_is_told_once_it_was(sentence: str, who: str) -> None:
    assert former_actor(sentence) == who


def test_of_a_long_sentence_only_the_beginning_is_read() -> None:
    assert actor_in("x " * READ + "approved by Dana Fox", acting_of("who approved it")) == ""


@pytest.mark.parametrize(
    "text", ["", "가" * 5000, "A. " * 3000, "Dana " * 3000, "approved " * 2000, "by @" * 2000, "님이 " * 3000]
)
def test_hostile_text_is_read(text: str) -> None:
    assert isinstance(actor_in(text, acting_of(f"who approved {text[:200]}")), str)
    assert isinstance(former_actor(text), str)


def test_titles_and_family_names_are_those_that_questions_are_read_by():
    """Answering does not load what questions are read by; its few are of that list."""
    lexicon = load_lexicon()
    assert set(TITLES.split("|")) <= set(lexicon.titles_ko)
    assert set(FAMILY) <= set(lexicon.common_surnames)
