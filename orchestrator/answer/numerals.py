"""Numbers as they stand before a unit, in figures and in words: 1,200, ½, "two and a half", 서른다섯, 천이백."""

from __future__ import annotations

# Korean puts a number straight behind a word (영하18도, 최대250kg).
FIGURES = r"(?<![A-Za-z\d_.])\d[\d,./]{0,20}(?:\s?[½¼¾]|\s?[백천만억]{1,2}|k(?=\s))?"
# The last word of a number is enough: it is what stands before the unit.
ENGLISH = (
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|one|half(?:\san?)?|quarter|thirds?|dozen)"
)
NATIVE = r"(?:열|스물|서른|마흔|쉰|예순|일흔|여든|아흔)"
KOREAN = (
    rf"(?<![가-힣])(?:{NATIVE}?(?:한|두|세|석|네|넉|다섯|여섯|일곱|여덟|아홉)|스무|{NATIVE}"
    r"|[일이삼사오육칠팔구]?[십백천만억](?:\s?[일이삼사오육칠팔구십백천만억]){0,8})"
)
NUMBER = rf"(?:{FIGURES}|[½¼¾]|{ENGLISH}(?=[\s-])|{KOREAN})[\s-]?"
