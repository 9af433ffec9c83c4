"""What is said of the parts of a question that cannot be taken at their word."""

from __future__ import annotations

from translators.said import Said

EMPTY = Said("there is no question; type a few words", "질문이 없습니다; 낱말을 몇 개 적어 주세요")
TOO_LONG = Said(
    "only the first {read} of {given} characters were read; ask in fewer words",
    "{given}자 가운데 앞의 {read}자만 읽었습니다; 더 짧게 물어 주세요",
)
INVISIBLE = Said("invisible control characters were left out", "보이지 않는 제어 문자는 뺐습니다")
WRONG_KEYBOARD = Said(
    "this looks typed with the English keyboard on, so it was read as: {meant}",
    "영문 자판으로 친 것 같아 이렇게 읽었습니다: {meant}",
)
NO_PARTNER = Said(
    "a quotation mark has no partner, so what follows was read as plain words",
    "짝이 없는 따옴표가 있어 그 뒤를 보통 낱말로 읽었습니다",
)
ANY_ISSUE = Said(
    "sources are not asked for bugs apart from other issues, so issues of all sorts are listed",
    "출처에는 버그만 따로 물을 수 없어, 이슈를 모두 찾았습니다",
)
NO_SUCH_DAY = Said(
    "{said} is no day of the calendar, so it was left out; check the date",
    "달력에 없는 날이라 뺐습니다: {said}; 날짜를 확인해 주세요",
)

# ---- of filters

NO_FILTER = Said(
    "{name}: is no filter, so it was read as plain words; {hint}",
    "{name}: 필터는 없어서 보통 낱말로 읽었습니다; {hint}",
)
MEANT = Said("did you mean {near}:?", "혹시 {near}: 인가요?")
KNOWN = Said("known filters are {known}", "쓸 수 있는 필터: {known}")
NO_DAY = Said(
    "{name}:{value} is no day of the calendar; write it as {name}:2025-03-31",
    "{name}:{value} 날짜는 달력에 없습니다; {name}:2025-03-31처럼 적어 주세요",
)
NEVER = Said(
    "nothing is after {start} and before {end}; both limits were left out, please check them",
    "{start} 이후이면서 {end} 이전인 때는 없어 두 조건을 모두 뺐습니다; 확인해 주세요",
)
NO_TYPE = Said(
    "type:{value} is no type; known types are {known}", "type:{value} 종류는 없습니다; 쓸 수 있는 종류: {known}"
)
NO_STATE = Said(
    "is:{value} is no state; known states are {known}", "is:{value} 상태는 없습니다; 쓸 수 있는 상태: {known}"
)
NO_SOURCE = Said(
    "source:{value} is not configured; configured sources: {names}",
    "source:{value} 소스는 설정되어 있지 않습니다; 설정된 소스: {names}",
)
NONE = Said("none", "없음")
NOT_WITHOUT = Said(
    "-source:{value} is not supported, so {value} was searched too; name the sources wanted with source:",
    "-source:{value} 필터는 지원하지 않아 {value}도 함께 찾았습니다; 원하는 소스를 source:로 적어 주세요",
)
