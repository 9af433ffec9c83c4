"""The elements a Korean time is made of, as patterns tried in this order, and the values of their words."""

from __future__ import annotations

import re

from orchestrator.understand.time.calendar import Grain, PeriodPart
from orchestrator.understand.time.tokens import KOREAN_DAYS, NATIVE, NUMERIC, SINO
from translators.patterns import regex

COUNT = rf"(?:\d{{1,3}}|{NATIVE}|몇|수|{SINO})"
NUMERAL = rf"(?:\d{{1,2}}|{SINO})"
PARTICLE = r"(?=$|[^가-힣]|에|부터|까지|쯤|경|의|은|는|이|가|과|와|을|를|로|중|동안|사이|이후|이전|전|말|초|날|들어|도|만|엔|께|쪽|내|기준|현재|하고|랑|씩)"
UNIT = r"(?P<u>시간|일|주일|주|개월|달|년|분기|반기|영업일)"
UNITS = {
    "시간": Grain.DAY,
    "일": Grain.DAY,
    "주일": Grain.WEEK,
    "주": Grain.WEEK,
    "개월": Grain.MONTH,
    "달": Grain.MONTH,
    "년": Grain.YEAR,
    "분기": Grain.QUARTER,
    "반기": Grain.HALF,
    "영업일": Grain.DAY,
}
SPAN_TAIL = r"(?:\s?(?:간|동안|사이|안|이내|내|치|여|정도|가량)(?=$|[^가-힣]|에|의|에서|동안))?"
WEEKDAYS = {name: number for number, name in enumerate("월화수목금토일")}

STEPS = {
    "지지난": -2,
    "저저번": -2,
    "지난": -1,
    "저번": -1,
    "전": -1,
    "이번": 0,
    "이": 0,
    "금": 0,
    "당": 0,
    "올": 0,
    "요번": 0,
    "다음": 1,
    "담": 1,
    "차": 1,
    "다가오는": 1,
    "오는": 1,
    "다다음": 2,
    "그": 0,
    "같은": 0,
    "내": 1,
}
DAYTIME = r"(?:\s?(?:새벽|아침|오전|오후|저녁|밤)(?=$|[^가-힣]|에|부터|까지|의|은|엔|도|이))?"
STEP = r"지지난|저저번|지난|저번|이번|요번|다다음|다음|담(?=\s?[주달])|다가오는|오는"
ELEMENTS = tuple((name, regex(pattern, re.IGNORECASE)) for name, pattern in (
    ("decade", r"(?P<de>\d{2}|\d{4})년대"),
    ("century", r"(?P<ce>\d{1,2})세기"),
    ("ago", rf"(?:(?:{COUNT}\s?(?:년|개월|달|주일|주|일)|{'|'.join(KOREAN_DAYS)}|며칠|몇\s?일)(?:,?\s?)){{1,3}}전(?!까지 쓰|체|사|부|반|환|략|송|달|개|산)"),
    ("roll", rf"(?:최근|지난|과거|요\s?근래|직전|근)\s?(?:의\s)?(?:약\s)?(?:(?P<rn>{COUNT})\s?{UNIT}|(?P<rw>{'|'.join(KOREAN_DAYS)}|며칠|몇\s?일|일주일|한달|반년|반\s?년)){SPAN_TAIL}(?![가-힣]*차)"),
    ("ahead", rf"(?:다가오는|앞으로|향후|다음|오는)\s?(?:{COUNT}\s?(?:일|주일|주|개월|달|년|분기)|일주일)(?:\s?(?:간|동안|사이|안|이내|내))?"),
    ("relyear", r"재작년|작년도?|지난\s?해|전년도?|올(?=\s(?:초|말|연초|[상하]반기|[1-4]분기|\d{1,2}월))|저번\s?해|올\s?해|금년도?|이번\s?해|내년도?|내후년|다다음\s?해|다음\s?해"),
    ("relhalf", rf"(?:(?P<hs>{STEP}|전)\s?)반기"),
    ("half", r"(?P<h>상|하)반기"),
    ("relquarter", rf"(?P<qs>{STEP}|전|당|금|현)\s?분기"),
    ("quarter", r"(?:(?P<q>[1-4일이삼사])\s?/?\s?(?:4|사)?\s?분기|[Qq](?P<q2>[1-4])(?![A-Za-z0-9])|(?P<q3>[1-4])[Qq](?![A-Za-z0-9]))"),
    ("relmonth", rf"(?:(?P<ms>{STEP})\s?달|(?P<mb>전전)[달월]|전월|전달(?=\s|에|$)|이\s?달|금월|당월|내달)(?![가-힣]*력)"),
    ("lastmonth", r"(?:지난|저번)\s(?=(?:\d{1,2})월)"),
    ("relweek", rf"(?:(?P<ws>{STEP})\s?주(?!말|기|요|식|제|간|차|년|력|의)|금주|차주|그\s주(?=\s|에|$)|같은\s주(?=\s|에|$))(?:\s?중)?"),
    ("weekend", rf"(?P<es>{STEP}|그)\s?주말|주말(?=에|동안|\s?사이|부터|까지|\s?내내)|(?<=주\s)주말"),
    ("weekno", r"(?P<wn>\d{1,2})(?:번\s?째\s)?\s?주(?=와|과|부터|에서|\s?차|에\s일)"),
    ("nthday", r"(?P<nd>첫째|첫\s?번째|첫|둘째|두\s?번째|셋째|세\s?번째|넷째|네\s?번째|다섯째|다섯\s?번째|마지막)\s?(?:주\s?)?(?P<ndw>[월화수목금토일])요일"),
    ("nthweek", r"(?P<nw>첫째|첫\s?번째|첫|둘째|두\s?번째|셋째|세\s?번째|넷째|네\s?번째|다섯째|다섯\s?번째|마지막)\s?주(?!기|차장|년|말)"),
    ("year", rf"(?P<y>(?:1\d|20|21)\d\d|\d{{3}}(?=년에)|(?:이천|천구백){SINO}|이천|(?<!\d)\d{{2}})년(?:도)?(?!\s?(?:차|간|동안|만에|만|짜리|째|이상|이하|이내|전|후|뒤|미만|이나|치|형|생|근무|계약|약정|주기|마다|에\s?한)|대)"),
    ("month", rf"(?P<m>(?<![\d.])(?:1[0-2]|0?[1-9])|(?:십일|십이|[일이삼사오육유칠팔구시])(?=\s?월\s?(?:에|부터|까지|초|말|중순|[일이삼사오육칠팔구십]+\s?일)))\s?월(?=$|[^가-힣]|[{''.join('에부까말초중의은는이호과와로쯤경분자달전후내도만엔하')}]|\s)(?!급|세|요)"),
    ("numeric", NUMERIC.pattern.split(r"|(?P<ordinal>")[0]),
    ("weekdays", r"(?P<w1>[월화수목금토일])(?:요일)?\s?[~-]\s?(?P<w2>[월화수목금토일])(?:요일)?" + PARTICLE),
    ("weekday", rf"(?:(?P<ds>{STEP})\s?)?(?P<d>[월화수목금토일])요일(?!마다|별){DAYTIME}"),
    ("day", rf"(?P<dd>{NUMERAL})\s?일(?!\s?(?:간|동안|이내|차|째|만에|만|정도|이상|이하|후|뒤|미만|안에|치|짜리|씩|전|내|마다|주(?!에|\s|$))|요일|부(?!터|로)|정|본|시|반)"),
    ("weekof", r"(?:(?:이|에|부터)?\s?(?:속한|속하는|포함된|들어\s?있는|들어간|있는|낀|시작하는|시작되는)\s)?주(?=\s|$|에)"),
    ("night", r"어젯\s?밤|지난\s?밤|간\s?밤|밤\s?사이"),
    ("dayword", r"(?P<dw>그끄저께|엊그저께|엊그제|그저께|그제|어저께|어제|(?<=그\s)전날|전날(?=에|\s?$)|전일(?=\s|에|$)|지난\s날|오늘(?!의[가-힣])|금일|(?<![가-힣\d]\s)당일(?=에)|그\s?날|내일\s?모레|낼\s?모레|내일(?!채움|배움)|명일(?!동)|모레|글피|다음\s?날)" + DAYTIME),
    ("turn", r"(?P<tp>연초|연말|월초|월말)" + PARTICLE),
    ("part", r"(?P<p>초순|중순|하순|초반|중반|후반|전반|초|중|말)" + PARTICLE),
))  # fmt: skip
DAY_WORDS = {"그끄저께": -3, "엊그저께": -2, "엊그제": -2, "그저께": -2, "그제": -2, "어저께": -1, "어제": -1, "전날": -1, "전일": -1, "지난 날": -1, "지난날": -1, "오늘": 0, "금일": 0, "당일": 0, "그날": 0, "그 날": 0,
             "내일모레": 2, "낼모레": 2, "낼 모레": 2, "내일 모레": 2, "내일": 1, "명일": 1, "모레": 2, "글피": 3, "다음날": 1, "다음 날": 1}  # fmt: skip
YEAR_WORDS = {
    "재작년": -2,
    "작년": -1,
    "작년도": -1,
    "지난해": -1,
    "저번해": -1,
    "전년": -1,
    "전년도": -1,
    "올해": 0,
    "올": 0,
    "금년": 0,
    "금년도": 0,
    "이번해": 0,
    "내년": 1,
    "내년도": 1,
    "다음해": 1,
    "내후년": 2,
    "다다음해": 2,
}
PARTS = {
    "초순": PeriodPart.EARLY,
    "초반": PeriodPart.EARLY,
    "전반": PeriodPart.EARLY,
    "초": PeriodPart.EARLY,
    "연초": PeriodPart.EARLY,
    "월초": PeriodPart.EARLY,
    "중순": PeriodPart.MIDDLE,
    "중반": PeriodPart.MIDDLE,
    "중": PeriodPart.MIDDLE,
    "하순": PeriodPart.LATE,
    "후반": PeriodPart.LATE,
    "말": PeriodPart.LATE,
    "연말": PeriodPart.LATE,
    "월말": PeriodPart.LATE,
}
JOINT = regex(r"(?:의\s|\s|,\s?|-(?=\d{1,2}일)|\s?,\s?|에\s?(?=있던))?")
BEGINS = regex(r"[0-9Qq일이삼사오육유칠팔구십시천몇수한두세네다열지저전이금당올요오재작내그같최과직근향앞상하차마첫둘셋넷엊어글모명월화목토주설구추정음한부석초삼담낼3·식근노어스현제광개성크핼할빼섣아블신새밸발보사나닷엿연넉며간밤]")  # fmt: skip
