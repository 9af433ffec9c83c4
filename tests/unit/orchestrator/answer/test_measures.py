"""What a measure is asked for by, and what says it: a number with a unit of what is measured."""

from __future__ import annotations

from orchestrator.answer.sound import measure_of
from tests.rows import each_row


@each_row(
    ("question", "told", "other"),
    [
        ("How wide are the beds?", "140 cm", "140 kg"),
        ("How full may we charge it?", "85 %", "48,500 euros"),
        ("what share does Firth take", "15 per cent", "15 MW"),
        ("How hot may the store get?", "22 °C", "22 %"),
        ("how heavy is a rack", "960 kg", "96 racks"),
        ("how loud is the fan", "42 dB", "42 %"),
        ("how high is the mast", "12 m", "12 people"),
        ("how far is it to the depot", "10 km, by road", "10 km/h"),
        ("How far is it?", "30 miles from here", "30 miles an hour"),
        ("정류장은 얼마나 멀어요?", "400미터", "시속 40킬로"),
        ("how high is the late fee", "€45 a day", "4 days"),
        ("할인율은 얼마나 높아요?", "15%", "15명"),
        ("how fast do we answer", "within 2 hours", "2 people"),
        ("바람이 얼마나 불면 멈춰?", "풍속 10m/s", "250m 안"),
        ("충전 상한은 몇 퍼센트야?", "85%로", "85명"),
        ("창고는 몇 도까지 돼?", "영하 18도", "경기도 18호"),
        ("밧줄이 얼마나 굵어요?", "64mm", "64kg"),
        ("랙은 얼마나 무거워요?", "960kg", "960대"),
        ("승강기는 몇 kg까지 실어요?", "최대250kg", "250kg/m"),
        ("통로 폭은 몇 m예요?", "폭3m", "3m²"),
        ("바람이 몇 m/s면 멈춰?", "초속 10m/s", "10m 앞"),
        ("창고는 몇 ℃까지 돼?", "영하18도까지", "18도시로"),
        ("몇 dB까지 괜찮아?", "65dB", "65대"),
        ("서점 몇 시에 열어?", "오픈은 10시 30분", "오픈은 12월 2일"),
        ("막배 몇시야?", "17:40 출발", "2시간 걸림"),
        ("몇 시까지 해요?", "24시간 합니다", "6시간 합니다"),
        ("what time does the shop open?", "we open at 9 am", "we open on 9 March"),
        ("what time is lunch", "at noon", "at the noonday café"),
        ("what time is the review", "half past nine", "by two rooms"),
        ("서점 몇 시에 열어?", "아홉 시에 엽니다", "서버 2 시스템"),
        ("몇 시부터 해?", "열시부터 합니다", "열 시작점"),
    ],
)
def test_a_measure_is_a_number_in_its_unit(question: str, told: str, other: str) -> None:
    says = measure_of(question)
    assert says is not None
    assert says.search(told)
    assert not says.search(other)


@each_row(
    "question",
    [
        "how far along is the roof",
        "how far have we come",
        "how far is the move",
        "얼마나 빨리 답해요?",
        "얼마나 걸려?",
        "얼마나 많이 팔았어?",
        "몇 mm²예요?",
        "how is it going",
    ],
)
def test_how_it_stands_and_how_long_are_no_measures(question: str) -> None:
    assert measure_of(question) is None
