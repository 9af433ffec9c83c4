"""Measures: how a question asks for one, and the units that say it.

One is asked for by its unit (몇 리터, "how many acres"), by its adjective ("how heavy", 얼마나 넓), or by its name where that is the noun that is asked
for: "payload of the van", "freezer temperature", 냉동고 온도, 합격률. "How thick" wants a number of millimetres, "바람이 얼마나 불면" one of metres a second.
"""

from __future__ import annotations

import re

from orchestrator.answer.asked_for import asks_for
from orchestrator.answer.numerals import NUMBER
from orchestrator.answer.signals import AMOUNT, COUNT, LONG, MANY
from translators.patterns import regex


def _of(units: str) -> str:
    return rf"{NUMBER}(?:{units})"


LENGTHS = r"(?:[ckm]?m|inch(?:es)?|feet|foot|ft|yards?|(?:centi|milli|kilo)?met(?:re|er)s?|miles?)(?![A-Za-z])|[ckm]?m(?=[가-힣])|㎝|㎜|㎞|미터|센티|밀리(?!리터)|킬로(?!그램)"
AREAS = (
    r"m²|m2(?![A-Za-z])|㎡|(?:sq|square)\.?\s?(?:m|ft|feet|foot|yards?|met(?:re|er)s?|km|kilomet(?:re|er)s?|miles?)(?![A-Za-z])|acres?(?![A-Za-z])|hectares?(?![A-Za-z])|ha(?![A-Za-z])"
    r"|평(?!가|균|일|소|생|면|방|범|점|년|화|행)|제곱미터|헥타르|마지기|에이커"
)
VOLUMES = r"[㎖ℓ㏄]|(?:m|c|k)?[lL](?![A-Za-z])|(?:milli)?lit(?:re|er)s?(?![A-Za-z])|gal(?:lons?)?(?![A-Za-z])|pints?(?![A-Za-z])|cc(?![A-Za-z])|m³|m3(?![A-Za-z])|㎥|cubic(?![A-Za-z])|(?:밀리)?리터|루베|입방|세제곱|갤런"
WEIGHTS = r"[mk]?g(?![A-Za-z/])|㎏|t(?![A-Za-z])|톤|킬로|(?:밀리)?그램|tonnes?\b|tons?\b|kilos?\b|kilograms?\b|grams?\b|lbs?\b|oz\b|ounces?\b"
BYTES = r"[KMGTP]i?B\b|(?:mega|giga|tera)bytes?\b|[메기]가(?:바이트)?(?![가-힣])|테라"
SPEEDS = (
    r"[mk]m/[sh]|m/s|㎧|㎞/h|mph(?![A-Za-z])|kph(?![A-Za-z])|rpm(?![A-Za-z])|[MG]bps(?![A-Za-z])|미터|노트|knots?(?![A-Za-z])|(?:met(?:re|er)s?|miles?|km|kilomet(?:re|er)s?|feet)\s(?:per|an?)\s(?:second|minute|hour)"
    r"|메가|기가"
)
DEGREES = r"(?:\s?degrees?)?\s?[℃℉°]|[CF](?![A-Za-z\d])|도(?=까지|에서|부터|보다|미만|정도|쯤|이?입?니다|이[상하다고며]|로\s|를|예요)|도(?![가-힣]{2})|degrees?(?![A-Za-z])"
# What is told by the hour or the day is no length: "10 km/h", "30 miles an hour", 시속 40킬로.
SPAN = rf"(?<!속)(?<!속 ){_of(LENGTHS)}(?!\s?(?:/|per\b|an?\b|²|2\b))"
SIZES = f"{SPAN}|{_of(f'{AREAS}|{VOLUMES}|{WEIGHTS}|{BYTES}')}"
HOUR = (  # "24시간" is open at any hour, and "2시간" is a stretch
    r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])|(?<!\d)\d{1,2}\s?시(?![간작즌스]|리즈)|(?<!\d)24\s?시간|\b\d{1,2}(?:[.:]\d{2})?\s?[ap]\.?m(?![A-Za-z])|\b\d{1,2}h\d{2}\b"
    r"|(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?시(?![간작즌스]|리즈)|o[’']clock"
    rf"|\b(?:at|until|till|from|past|to|after|before|by) (?:one|{MANY})\b(?! [a-z]+s\b)|\b(?:noon|midday|midnight|around the clock|24/7)(?![A-Za-z])|정오|자정"
)
# Asked by these and before all other measures: what is asked of a rate, a limit or a cost is of the thing that it is of.
MEASURES = tuple(
    (regex(asked, re.IGNORECASE), regex(told, re.IGNORECASE))
    for asked, told in (
        (
            asks_for(
                r"\bhow full\b|\b(?:what|which) (?:per ?cent|percentage|share|proportion)\b|\bhow many per ?cent\b"
                r"|몇\s?(?:퍼센트|프로(?![가-힣])|%|할(?![가-힣]{2}))|얼마나 (?:차|채[우워])",
                r"(?!(?:day|daily|hourly|nightly|weekly|monthly|room|pay|mileage|exchange|frame|sampling|flow|bit|heart|piece|flat|rack) )[a-z][a-z-]{1,20} rates?"
                r"|percentage|humidity|margins?|uptime|alcohol content|abv|moisture",
                r"[가-힣]{1,6}(?<![법규자조선운계환배음])\s?[률율]|금리|습도|농도|도수|마진|지분",
            ),
            _of(
                r"%|퍼센트|프로(?![젝그세모필덕토바슈듀])|per ?cent(?![A-Za-z])|pct(?![A-Za-z])|‰|per mille|ppm(?![A-Za-z])|도(?![가-힣]{2})|할(?=\s?(?:정도|쯤|이[상하]|입니다))"
            )
            + r"|\b(?:half|thirds|quarters?) (?:full|empty)\b|절반",
        ),
        (
            asks_for(
                r"\bhow (?:hot|cold|warm|cool)\b|\b(?:what|which) temperature\b"
                r"|몇\s?(?:℃|°)|몇\s?도(?=[\s에까를로이인?]|$)|얼마나 (?:뜨[거겁]|차[가갑]|추[우워운]|더[우워운])",
                r"temp|temperatures?",
                r"온도|기온|수온|체온",
            )
            + r"|(?:온도|기온)\S{0,3} (?:얼마나|얼마|몇)",
            rf"{_of(DEGREES)}|(?:영하|영상|minus|sub-?zero|below zero)|\broom temperature\b|(?:상온|실온|냉장|냉동)(?=에|으로|\s?보관)",
        ),
        (
            asks_for(
                r"\bhow windy\b|\b(?:what|which) (?:wind )?speed\b|얼마나 빠[르른]|몇\s?(?:m/s|km/h|rpm|메가(?!바)|기가(?!바))"
                r"|(?:바람|풍속|속도|속력)\S{0,3} (?:얼마나|얼마|몇)",
                r"speeds?|speed limit|rpm|bandwidth",
                r"속도|속력|풍속|시속|회전수|대역폭",
            ),
            _of(SPEEDS) + r"|[시초분]속\s?\d",
        ),
        (r"\bhow fast(?![A-Za-z])", _of(rf"{SPEEDS}|시간|분|(?:days?|hours?|minutes?|seconds?)(?![A-Za-z])")),
        (
            asks_for(
                # "How far along are we?" asks how it stands, as "how far is the move" does.
                r"\bhow (?:thick|thin|wide|tall|far (?:is it|away|apart|from)|far is .{1,40} from)\b"
                r"|\b(?:what|which) (?:height|width|depth|thickness|distance|diameter)\b"
                r"|얼마나 (?:두[꺼껍]|넓|먼|멀|굵)|몇\s?(?:미터|센티|밀리(?!리터)|[ckm]?m(?![a-z/²³]))",
                r"height|width|depth|thickness|distance|diameter|clearance|wheelbase|headroom|span width",
                r"길이|높이|너비|폭|깊이|두께|지름|직경|거리|간격|천장고|층고|휠베이스",
            ),
            SPAN,
        ),
        (
            r"\bhow (?:high|deep|low)\b|얼마나 (?:높|깊|낮)",
            rf"{SPAN}|{AMOUNT.pattern}",
        ),  # a fee, a share or a discount is so too
        (
            asks_for(
                r"\bhow many (?:sq|square|acres?|hectares?)\b|몇\s?(?:평(?!가)|제곱|㎡|헥타르|마지기|에이커)",
                r"area|floor ?space|floor area|acreage|square footage|footprint|footage",
                r"면적|넓이|평수|[전공]용면적|연면적",
            ),
            _of(AREAS),
        ),
        (
            asks_for(
                r"\bhow many (?:(?:milli)?lit(?:re|er)s?|gallons?|pints?|cubic)\b|몇\s?(?:(?:밀리)?리터|m?l\b|루베|입방|㎖|cc\b|갤런)"
                r"|\bhow much .{1,40} (?:hold|contain|fit in)\b",
                r"volume|displacement",
                r"부피|배기량|체적|용적",
            ),
            _of(rf"{VOLUMES}|톤|tonnes?(?![A-Za-z])|tons?(?![A-Za-z])"),
        ),
        (
            asks_for(
                r"\bhow heavy\b|\b(?:what|which) weight\b|얼마나 무[거겁]|몇\s?(?:킬로(?:그램)?|톤|그램|k?g(?![a-z/]))|\bhow many (?:tonnes?|tons?|kilos?|kg|grams?)\b"
                r"|\bhow much (?:does|do|did|can|may) .{1,40} (?:weigh|lift|carry)\b",
                r"weight|payload|max(?:imum)? load|load limit|weight limit|tonnage",
                r"무게|중량|하중|체중|적재량",
            ),
            _of(rf"{WEIGHTS}|pounds?(?![A-Za-z])"),
        ),
        (asks_for(r"\bhow loud\b|얼마나 시끄|몇\s?(?:dB|데시벨)", "noise level", "소음"), _of("dB|데시벨")),
        (
            r"\bhow much (?!is|are|was|were|do|does|did|has|have|had|will|would|should|can|to|for|of|it|we|the|this|that|more|money|longer|an?|my|our|your)\b[a-z]{3,}",
            f"{SIZES}|{AMOUNT.pattern}|{LONG.pattern}|{_of('%|per ?cent')}",
        ),
        (
            asks_for(
                r"\bhow (?:big|large)\b|얼마나 (?:큰|커|크)",
                r"capacity|size|dimensions|quantity",
                r"용량|크기|사이즈|치수|규모",
            ),
            rf"{SIZES}|\d\s?[x×]\s?\d|{AMOUNT.pattern}|{COUNT.pattern}|\bsize\b[^.\d\n]{{0,40}}\d|(?:크기|규모|사이즈)[^.\d\n]{{0,20}}\d|"
            + _of(r"인승|[mk]?Wh?(?![A-Za-z])|mAh(?![A-Za-z])"),
        ),
        (
            asks_for(
                r"\bhow old\b|\bwhat age\b|몇\s?(?:살|세(?!대|트|션))|몇 년 된",
                r"(?:min(?:imum)?|max(?:imum)?|legal|average|retirement) age|age limit|age of [a-z ]{1,40}",
                r"연령|나이|연식|정년",
            ),
            (
                r"\d\s?(?:살|세(?!대|트|기|션|제)|개월령|년식|년\s?된|(?:years?|months?)(?:[ -]old|\sof\sage)|y/?o\b)|만\s\d|\b(?:aged?|over|under|least|than|turns?|turned)\s\d{1,2}\b"
                r"|(?<![가-힣])(?:스무|열\S{0,2}|서른|마흔|쉰|예순)\s?살|\b(?:built|made|dates?|bought)\s(?:in|from|back to)\s\d{4}"
            ),
        ),
        (
            asks_for(
                r"\b(?:phone|telephone|mobile|cell|fax|hotline|extension|direct line)\b(?:\s(?:no|nr)\b\.?|\snumbers?)|\btel\b|(?:전화|대표|내선|팩스|휴대폰|핸드폰|직통)\s?번호|내선\s?몇|전화\s?몇\s?번",
                r"hotline|extension|phone|fax|number to (?:call|ring)",
                r"내선|직통",
            ),
            (
                r"\+\d[\d\s()-]{6,18}\d|(?<![\d-])\(?0\d{1,4}\)?[-.\s]\d{2,4}[-.\s]?\d{3,4}(?!\d)|(?<!\d)1[568]\d\d-\d{4}(?!\d)|\b(?:ext\.?|extension)\s?\d{2,5}|내선\S{0,4}\s\d{2,5}"
                r"|(?<!\d)\d{3}[-.]\d{3,4}[-.]\d{4}(?!\d)"
            ),
        ),
        (
            r"\be-?mail address|메일\s?주소|이메일(?:\s?주소)?(?:은|는|이|가)?\s?(?:뭐|어떻게|알려|좀|[?？]|$)|\b(?:which|what) (?:mailbox|e-?mail)\b|['’]s e-?mail\b",
            r"[\w.+-]@[\w-]",
        ),
        (
            r"\burl\b|\bweb ?site\b(?=.{0,30}\W*$)|\bweb address\b|(?:사이트|홈페이지|접속|웹)\s?주소|도메인\S{0,2}\s?(?:뭐|[?？]|$)",
            r"https?://|\bwww\.|\b[\w-]{2,40}\.(?:com|net|org|io|kr|co|dev|app|example|test|local|internal)\b(?!@)",
        ),
        (
            asks_for(
                r"\b(?:at|by|until) what hour\b|\bwhat (?:time|hours)\b(?!\s(?:zone|off|frame|limit|of (?:the )?year))|몇\s?시(?!간|즌)",
                r"(?:opening|closing|visiting|office|business|check-?in|check-?out|arrival|departure|start|end) (?:hours|times?)",
                r"(?:마감|시작|종료|출발|도착|개장|폐장|면회|영업|운영|진료|점심|퇴근|출근|체크인|체크아웃|첫차|막차|여는|닫는|개점|폐점|접수|교대)\s?(?:시간|시각)",
            ),
            HOUR,
        ),
    )
)


def measure_of(question: str) -> re.Pattern[str] | None:
    """What says the measure that a question asks for; None where it asks for none."""
    return next((told for asked, told in MEASURES if asked.search(question)), None)
