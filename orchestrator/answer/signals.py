"""What a sentence gives away about the kind of answer it holds, in Korean and English."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.answer.asked_for import asks_for
from orchestrator.answer.numerals import ENGLISH, KOREAN
from orchestrator.answer.places import PLACE, WHERE
from translators.letters import PAST_SYLLABLES
from translators.match import HANGUL
from translators.patterns import Sieve, regex
from translators.query import QueryType
from translators.question_words import ENGLISH_ASKS, KOREAN_ASKS

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_KEPT = 1024  # sentences of which it is known what they give away: each is asked of several times for one answer
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"

DATE = regex(
    rf"\b\d{{4}}\s?[-./]\s?\d{{1,2}}(?:\s?[-./]\s?\d{{1,2}})?|\d{{4}}년|\d{{1,2}}월(?:\s?\d{{1,2}}일)?|(?<![A-Za-z\d_/])(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?![A-Za-z\d_/]|\s?(?:명|개|건|곳))"
    rf"|\b{MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?![A-Za-z\d_])|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{MONTH}",
    re.IGNORECASE,
)
# "19일 같은 시간", "이달 말일 말고 27일로": a day of the month that is plain to who reads it; "3일 안에", "10일간" are stretches of time.
DAY_ALONE = (
    r"(?<![\d월.,:/~–-])(?<!월\s)(?:[1-9]|[12]\d|3[01])일(?!\s?(?:간(?![가-힣])|간격|동안|안에?(?![가-힣])|이내|내(?![가-힣])|전|후|뒤"
    r"|만에?|째|치|씩|차|짜리|분|이상|이하|마다|걸|정도|연속|넘|더|이면|이나|밖에|당|연차|휴가))"
)
# "2주 밀립니다", "한 주 뒤로", "two weeks later": by how much a day is moved.
SHIFT = (
    r"(?:하루|이틀|사흘|일주일|보름|[한두세]\s?(?:주|달)|\d\s?(?:주|일|개월|달|시간|분))(?:씩|만|을|를)?\s(?:더\s)?(?:뒤로|늦[어게춰추춥췄]|밀[려렸리린릴립]|미[루룬룰룹뤄뤘]|연기|연장|앞당|당[겨겼기길깁])"
    r"|\b(?:an?|one|two|three|four|\d{1,2})\s(?:day|week|month|hour)s?\s(?:later|earlier)\b|\b(?:by|back)\s(?:an?|one|two|three|four|\d{1,2})\s(?:day|week|month|hour)s?\b"
)
MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
# A day or an hour that is plain to who reads it at that time.
NEAR_DAY = (
    r"[월화수목금토일]요일|매주\s?[월화수목금토일](?![가-힣])|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?=$|\s?[|,/&~\d(–-])|\b(?:yesterday|today|tomorrow)\b|어제|오늘|내일"
    r"|(?<![\d:])\d{1,2}:\d{2}(?![\d:])|오[전후]\s?\d{1,2}시"
    r"|\b(?:next|this|last|coming|following) (?:week|month|year|spring|summer|autumn|fall|winter|quarter)(?:end)?\b"
    r"|모레|글피|다음\s?(?:주|달|해)|이번\s?(?:주|달)|내년|내달|이달|[월연]말|[월연]초"
    r"|(?:하루|이틀|사흘|나흘|열흘|보름|일주일|[한두세]\s?(?:주|달)|\d\s?(?:일|주|개월|달))\s?(?:뒤|후)(?:에|로|입|이|$)|['’]?\d{2}\.\s?\d{1,2}\.\s?\d{1,2}\b"
)
MOMENT = regex(
    rf"{DATE.pattern}|{DAY_ALONE}|{SHIFT}|{NEAR_DAY}|\bq[1-4](?![A-Za-z\d_])|[1-4]분기|[상하]반기"
    r"|\b(?:week|wk)\.?\s?\d{1,2}\b|(?<!\d)\d{1,2}주차|\bthe \d{1,2}(?:st|nd|rd|th)\b(?! (?:floor|time|edition))"
    rf"|\b(?:in|by|until|till|during|early|mid|late|(?:start|end|beginning|middle|week) of)[\s-](?:{MONTHS})\b",
    re.IGNORECASE,
)
DECIDED = regex(
    r"결정|확정|합의|결론|승인|채택|의결|기로\s?(?:했|함|하였|정|합의)|[하가쓰두]기로(?!\s?한\s)|로 (?:변경|정해|정했)|(?<![새따서별바])(?<!앞으)(?<!스스)로 (?:바꿉|바꾸겠|바꿨|갑니다|갑시다|가겠|가시죠|가죠|합니다|하겠|하죠|합시다)"
    r"|\bdecided\b|\bdecisions?\b|\bagreed\b|\bapproved\b|\bconclu(?:ded|sion)\b|\bsigned off\b|\bsettled\b"
    r"|\b(?:will|let'?s|let’s|we'?ll|we’ll|are) (?:go|going) with\b|\bgoing with\b|\bresolved to\b|\bwe (?:chose|picked|opted for|went with)\b|\b(?:was|were|is|are|been) chosen\b",
    re.IGNORECASE,
)
UNDECIDED = regex(
    r"[?？]\W{0,40}$|결정(?:이|을|은)?\s?(?:필요|안\s|못|되지|하지|전|해야)|아직|미정|미확정|보류|여부"
    r"|(?:결정|결론|승인|합의|확정)(?:을|를)?\s?(?=기다|대기)|(?:결정|결론|합의)(?:은|이|가)?\s?없(?=[음다어습었])|정해(?:지면|야)"
    r"|\b(?:awaiting|waiting for|waiting on) (?:[a-z'’]{1,14} ){0,3}?(?=decision|approval)|\bno conclusion\b"
    r"|\bnot (?:yet )?(?:been )?(?:decided|agreed|approved)\b|\bundecided\b|\bno decision\b|\bto be decided\b|\btbd\b"
    r"|\bneeds? (?:a decision|to (?:decide|be decided))\b|\bhaven'?t (?:decided|agreed)\b|\bpending\b|\bbefore we decide\b",
    re.IGNORECASE,
)
# What somebody thinks, proposes or still has in hand is not what holds.
REPORTED = regex(
    r"제안|오해|잘못 알|구버전|예전 |추측|(?:라고|다고) (?:생각|들었)"
    r"|\b(?:thinks?|thought|believes?|assum(?:es?|ed)|suppos(?:es?|ed)|propos(?:al|es?|ed|ing)|suggest(?:s|ed)?|rumou?rs?|outdated)\b"
    r"|\bold (?:deck|version|draft|copy|plan|page|date|price|link|file)",
    re.IGNORECASE,
)
# "사회 보실 분 구합니다", "looking for volunteers": who seeks somebody asks who it will be.
SEEKING = (
    r"(?<![가-힣])(?:분|사람|지원자|자원자|자원봉사자)(?:을|를)?\s?(?:구합|구해요|구하고|구한다|찾습|찾아요|찾고|모집)"
    r"|\b(?:looking for|wanted|we need) (?:a volunteer|volunteers|somebody|someone)\b|\bany (?:volunteers|takers)\b"
    r"|(?:의견|제안|추천|아이디어)(?:을|를|도|좀)?\s?(?:좀\s?)?(?:주세요|주십시오|주시면|부탁|해\s?주세요|받습니다|받아요|구합니다)"
    r"|\b(?:any|your) (?:ideas|thoughts|suggestions|preferences|opinions)\b|\b(?:ideas|thoughts|suggestions|opinions) (?:please|welcome)\b"
)
# "어떻게 안내하나요", "4는 언제 올라가요 다들 기다려요", "where do I send it": in talk a question may have no mark. What states has its verb behind
# its subject ("what failed was the pump"), and Korean has another ending or goes on (언제 오든 괜찮아요, 무슨 일이 있어도 지켜야 해요).
SUBJECT = r"(?:i|we|you|they|he|she|it|the|this|that|these|those|our|your|my|there|any(?:one|body)|some(?:one|body))\b"
UNMARKED = (
    rf"(?:[은는겠을하되{PAST_SYLLABLES}]나요|[할될갈볼줄을]까요|[은는]가요|습니까|입니까)(?=[\s.!~]{{0,3}}$)"
    r"|(?<![가-힣])(?:언제|왜|어떻게|누가|누구|어디(?:서|에|로)?|얼마|무슨)(?:\s(?!\S{0,20}(?:지[는가도]?|든|라도|(?:[아어봐와돼줘둬써커쳐져려워켜]|(?<!올)해|(?<![가-힣])가)도|면)(?=\s|$))\S{1,20}){0,4}?\s\S{0,20}(?:나요|까요|가요|어요|아요|해요|돼요|되죠|하죠|예요|래요|대요|(?<!주)세요|니까)(?=[\s.!~]|$)"
    rf"|^\W{{0,5}}(?:(?:hi|hey|hello|ok|okay|so|and|but|also|sorry),?\s){{0,2}}(?:where|when|why|what|who|what time|how(?:\s(?!{SUBJECT})[a-z]{{1,14}})?)\s(?:do|does|did|can|could|should|shall|will|would|am|is|are|was|were|has|have|had)\s{SUBJECT}"
)
ASKING = regex(rf"[?？]\W{{0,40}}$|{SEEKING}|{UNMARKED}", re.IGNORECASE)
# What only says why tells no decision, whatever day stands in it: "Because of the freeze until 4 December."
GROUND = regex(r"때문(?:에|이다|임|입니다|이에요|이라서)?[\s.!)]*$|^\W*(?:because|due to|owing to)\b", re.IGNORECASE)
# "변경 동결", "change freeze", "변경 이력": a change is spoken of there, and none is made.
CHANGE = r"변경(?!\s?(?:동결|금지|관리|이력|요청|제안|검토|절차|계획|가능|여부))"
# Every form of 미루다, 밀리다, 바꾸다, 바뀌다: "미룰게요", "밀렸어요", "바꿀까요".
PUT_OFF = r"미[루룬룰룸룹뤄뤘]|밀[려렸린릴림립](?!미터|그램|초)|바[꾸꾼꿀꿈꿉꿔꿨뀌뀐뀔뀜뀝뀠]"
CHANGED = regex(
    rf"{CHANGE}|{PUT_OFF}|{SHIFT}|대신|철회|번복|취소|연기|앞당|재결정|정정|옮[기긴길김깁겨겼]|다시\s?잡[았을은혔힌]|\d일(?:\s[가-힣]{{1,6}})?로\s다시\s"
    r"|\binstead\b|\bchanged?\b(?!\s(?:freezes?|requests?|management|log|history|window|process)\b)|\brevis(?:e[sd]?|ing|ion)\b|\bno longer\b|\bsupersed|\breplac(?:es|ed|ing)\b|\bpostponed\b"
    r"|\bmoved (?:to|from)\b|\brevert(?:ed|ing)?\b|\brescind|\bpushed (?:to|back)\b|\boverturn",
    re.IGNORECASE,
)
# What holds now, and not only for somebody or for a time.
SETTLED = regex(
    r"→|최종|확정|결정|변경|대신|부터|정정|바로잡|\bcorrect(?:ed|ion)\b|\bnow\b|\bfinal(?:ly|ised|ized)?\b|\bconfirmed\b|\bdecided\b|\bapproved\b|\binstead\b|\bno longer\b",
    re.IGNORECASE,
)
STANDING = regex(
    r"진행|완료|지연|대기|막혀|막힌|막혔|막힘|부족|블로커|블락|남았|남은|배포|시작했|착수|검토\s?중|중입니다|중이에요|끝났|마무리"
    r"|\bin progress\b|\bdone\b|\bblock(?:ed|er)\b|\bdelay(?:ed)?\b|\bshipped\b|\bremain(?:s|ing)\b|\bon track\b|\bat risk\b"
    r"|\bcomplete[d]?\b|\bmerged\b|\bdeployed\b|\bstarted\b|\bwaiting\b|\bpending\b|\breleased\b|\blaunched\b|\bfinished\b"
    r"|\brolled out\b|\b\d{1,3}\s?%|\d\s?/\s?\d+\s?(?:명|개|건|people|tasks|services|done|enrolled)",
    re.IGNORECASE,
)
OWNING = regex(
    r"담당|맡[고은아기]|맡으|맡았|책임자|오너|리뷰어|리드|연락처|대행|대직|직무대리"
    r"|\bowne[rd]\b|\bowns\b|\bassign|\bleads?\b(?!\s?time)|\bleading\b|\bresponsible\b|\bin charge\b|\bcontact\b|\bworking on\b|\bmaintain"
    r"|\bcover(?:s|ing)?\b(?=.{1,40}\b(?:while|until|during|in my|when)\b)|\bcover(?:s|ing)? for\b|\bstand(?:s|ing)?[- ]in\b|\bfill(?:s|ing)? in for\b|\btak(?:es|ing) over\b",
    re.IGNORECASE,
)
RULES = (
    r"해야|하세요|됩니다|가능|필수|기준|원칙|이내|이상|이하|금지"
    r"|\bmust\b|\bshall\b|\brequired?\b|\ballowed\b|\blimit\b|\bpolicy\b|\bwithin\b|\bat (?:most|least)\b|\bup to\b"
)
RULING = regex(rf"(?<![A-Za-z\d_+#-])\d|{RULES}", re.IGNORECASE)

NEGATED = regex(
    r"않|못\s?(?:하|해|했|한|함|합)|못합|없[다는이어었습음]|없습|아니|아닌|아닙|[^가-힣]안\s|말고|거부|반려(?!견|동물|묘)|취소|철회|번복|제외|불가|금지"
    r"|\b(?:not|no|never|none|without|cannot|nobody|nothing|neither|nor|cancel\w*|reject\w*|declin\w*|den(?:y|ied|ies)|refus\w*"
    r"|revers\w*|exclud\w*|fail\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
# What says whether something is so: a number alone does not.
WHETHER = regex(
    rf"{NEGATED.pattern}|{RULES}|\b(?:yes|yep|ok(?:ay)?|fine|free to|can|may|still)\b|돼요|괜찮|허용|면제|(?<![가-힣])(?:네|넵|예|아니요|아뇨)(?=[\s,.!]|$)",
    re.IGNORECASE,
)
# A whole statement denied, and not one of two things in it ("REST and not GraphQL").
DENIED = regex(
    r"(?:없|않|못\s?[하합한할해]|아니|아닙|불가|금지|안\s?(?:되|돼|됩|된))\S{0,6}\W*$"
    r"|\b(?:cannot|no longer|(?:can|may|must|will|is|are|do|does|did|was|were|shall|should)(?:\snot|n['’]t)"
    r"|not (?:allowed|permitted|possible))\b",
    re.IGNORECASE,
)
# What may be, and not the month: "on 12 May", "in May", "May 3".
MAY = r"(?<!\d )(?<!\dst )(?<!\dnd )(?<!\drd )(?<!\dth )(?<!in )(?<!of )(?<!by )(?<!until )(?<!since )\bmay(?!\s\d)"
HEDGED = regex(
    rf"{UNDECIDED.pattern}|제안|검토|아마|수도 있|것 같|고려|예상|할까|일까(?!지)|고민"
    rf"|{MAY}\b|\b(?:might|maybe|perhaps|possibly|probably|propos\w*|suggest\w*|consider\w*|could|should|would|if|whether|plan(?:s|ned)? to"
    r"|likely|expect\w*|draft)\b",
    re.IGNORECASE,
)
BLOCKED = regex(
    r"막혀|막힌|막혔|막고\s?있|블로커|블락|차단(?:됨|됐|된)|\bblock(?:ed|er|ers|ing)\b|\bstuck\b|\bwaiting (?:for|on)\b|대기\s?중",
    re.IGNORECASE,
)
LINKED = regex(
    rf"{BLOCKED.pattern}|막[고는힐힘]|기다[리려린렸림]|대기\s?이유|선행|후속|의존|하위\s?(?:작업|이슈|일감|태스크|항목)|(?:걸려|물려)\s?있|에 걸린|발목|멈[춘췄춰추]"
    r"|때문에\s[가-힣 ]{0,8}(?:못|안 |밀)|끝나야|안\s?(?:끝나|나오|되)면|먼저\s?(?:끝|돼|되|해|나)|왜\s[가-힣 ]{0,12}(?:못|안\s)|밑에\s남|작업\s?(?:뭐|뭐가)?\s?남"
    r"|\bblocks\b|\b(?:does|do|did|will|would|can)\b[^?]{1,60}\bblock\b|\bwait(?:s|ed)?\s(?:for|on)\b|\bon hold\b"
    r"|\b(?:hold|holds|holding|held)\b[^?]{0,40}\b(?:up|back)\b|\bhold-ups?\b|\bdepend(?:s|ed|ing)?\son\b|\bdependenc(?:y|ies)\b|\bprerequisites?\b"
    r"|\bsub-?tasks?\b|\bleft\s(?:of|in|under|to do)\b|\b(?:start|finish|begin|ship|go)\suntil\b|\b(?:has|have|needs?)\sto\s(?:happen|be|finish)\b[^?]{0,40}\bbefore\b"
    r"|\bwhy\s(?:ca|could|has|have|is|are|do|does)(?:n['’]t|\snot|[^?]{1,40}\s(?:not|late|delayed|stuck)\b)|\bwhat(?:['’]s|\sis)?\s(?:stops|stopping)\b",
    re.IGNORECASE,
)
"""What asks how pieces of work hang together: what one waits for, what it holds up, what is left of it."""
MOVED = regex(
    rf"→|->|=>|연기|{CHANGE}|조정|{PUT_OFF}|앞당"
    r"|\b(?:mov(?:ed|es|ing)|postpon(?:ed|es|ing)|pushed|changed|delayed|rescheduled|brought forward)\b",
    re.IGNORECASE,
)
# "How far is the translation", 몇 화까지 했어: how far something has come, which is told by the last of what can be counted.
HOW_FAR = regex(
    r"\bhow far\b(?!\s(?:is it|away|apart|from)\b)(?!\sis\s.{1,40}\sfrom\b)|\b(?:up )?to (?:which|what) (?:chapter|page|episode|step|stage|street|floor|row|item|part|point|scene|section|week|month)\b"
    r"|어디까지|몇\s?(?:화|회차?|편|장|쪽|페이지|단계|강|절|과|번|층|월분?|주차|권|부)까지|얼마나\s?(?:진행|진척|됐|했|끝났|남았)",
    re.IGNORECASE,
)
REACHED = regex(
    r"\d\s?(?:화|회차?|편|장|쪽|페이지|단계|강|절|과|번(?:째|\s?[가-힣]{1,3})?|층|월분?|주차|권|부|구역|구간|차|동|호|m|미터|km|킬로|곳|건|대)까지(?!로)|\bas far as\b|\bup to\b|\breached\b|\bgot to\b|\d\s?%|\d\s?퍼센트|\d\s?(?:of|/|out of|중)\s?\d"
    r"|\b(?:chapter|page|episode|step|stage|street|floor|row|item|part|scene|section|milestone|phase|round)s?\s\d|\b(?:halfway|half way|two thirds|half|three quarters)\b|절반",
    re.IGNORECASE,
)
RANGE = regex(r"\bfrom\b.{1,40}\bto\b|\bbetween\b.{1,40}\band\b|\d\s?[~–]\s?\d|부터.{1,40}까지", re.IGNORECASE)

# A question for a reason or an amount wants that, whatever its type.
WHY = regex(
    r"\bwhy\b|\bhow come\b|\breasons?\b|\bcaused?\b|\bwhat (?:went wrong|made|(?:is|was|lay|lies) (?:really |actually )?behind)\b|왜|이유|원인|사유(?!서)|어째서|까닭|어쩌다|(?:뭐|뭣|무엇)\s?때문|(?:뭐가|무엇이)\s?잘못|무슨 일로",
    re.IGNORECASE,
)
REASON = regex(
    r"때문|범인은|문제였|문제로\s|이유|사유(?!서)|\s탓(?:에|으로|이|인|입)|덕분|여파|우려|관계로|(?:고장|누수|화재|침수|만료|파업|지연|태풍|폭우|불량|과부하|부재|분실|한파|폭염|사고|부족|오류|결함|파손|누락|정전|장애|초과|미비|악화|강풍|우천|폭설|실수|혼선)(?:으)?로\s(?!신고|접수|보고|등록|분류|이관|변경)|원인(?!(?:을|은|이|도)?\s?(?:보고|보는|확인|파악|조사|분석|찾|나[오올]|밝혀|규명|모[르를릅름]|알[ 아려]|불명|미상|아직))|배경(?!색)|까닭|으로 인[해하]|바람에|[아어여해져돼차나커써라려러와워꿔춰겨셔쳐]서요?(?=[\s,.!)]|$)"
    rf"|\bbecause\b|\bdue to\b|\bsince\b(?!\s(?:\d|(?:then|last|the|this|yesterday|today|early|late|mid|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|{MONTHS})\b))|\breasons?\b|\bcaused?\b|\bbackground\b|\bowing to\b|\bas a result\b|\bso that\b|\bthanks to\b|\bon account of\b|\bgiven that\b|\bculprit\b|\bhence\b|\b(?:stem(?:s|med)|result(?:s|ed)) from\b|\b(?:came|comes|is|was|all) down to\b|\bto blame\b|\b(?:his|her|our|their|my|['’]s) fault\b|\bled to\b|\btriggered by\b|\bthe (?:problem|issue|trouble|thing) (?:was|is|were)\b|,\sso\s(?:the|we|it|they|he|she|i|our)\b"
    r"|\b(?:after|as)\s(?:the|an?|our|we|it|they|he|she|i|there|[a-z]{3,12}s?)\b(?:\s[\w-]{1,20}){0,4}?\s(?:was|were|had|broke|failed|fell|leaked|stopped|ran)\b",
    re.IGNORECASE,
)
# What may well be a reason, where one is asked for: a clause in -아/어 before what came of it (경첩이 부러져 닫았습니다), and what broke behind a colon.
MAYBE_REASON = regex(
    r"[가-힣](?:[아어져려해켜워와돼여커써혀쳐라]|갉아|없어|많아|낡아)\s(?!주|줬|드[리립렸]|두|둡|뒀|놓|보[세시지고]|봤|봐|볼|있|버[리렸]|가지|야|내[세기]|냈|나가|나와)[가-힣]{1,8}\s?(?:[가-힣]{1,4}\s?)?(?:습니다|어요|았|었|했|됐|음|다)"
    r"|[:;–—]\s(?:[\w’'-]{1,20}\s){0,6}?(?:broke|broken|fail(?:ed|s)|leak(?:s|ed|ing)|stuck|missing|wrong|empty|dead|faulty|worn|jammed|full|too (?:late|few|many|much|small|big|hot|cold|wet|expensive|slow)|not enough|no (?:more|longer)|shortage|r[au]n out|expired|lapsed|unable|cannot|can['’]t)\b",
    re.IGNORECASE,
)
# What came of a thing, where that is asked: how it turned out.
ASKS_WHAT_CAME = regex(
    r"\bhow (?:did|was|were|has|have)\b.{1,60}\b(?:go|gone|turn(?:ed)? out|c[oa]me out|work(?:ed)? out|end(?:ed)?)\b|\bhow (?:was|were)\s(?:the|our|your|this|that|last|yesterday)|\bwhat (?:came|became) of\b|\b(?:results?|outcomes?|verdict|findings) (?:of|from|for|in)\b"
    r"|\bwhat (?:was|were|is|are) the (?:[a-z]{2,15} )?(?:results?|outcomes?|verdict|findings)\b|결과|어떻게 (?:됐|되었|끝났|났)|어땠|잘\s?(?:됐|끝났|나왔)|나왔(?:[어나니지죠]|습니까)",
    re.IGNORECASE,
)
WHAT_CAME = regex(
    r"\b(?:passed|failed|succeeded|worked|turned out|ended (?:with|in|up)|won|lost|rejected|accepted|granted|found|showed|shows|scored|verdict|conclusion|success(?:ful|fully)?|failure|sold out|no (?:issues|problems|defects|findings|objections)"
    r"|went (?:really |very |quite )?(?:well|fine|badly|smoothly|great|ok|okay|wrong)|came (?:in|out|back)|the results?|positive|negative|fell through|unanimous(?:ly)?)\b"
    r"|통과|합격|불합격|실패|성공|무산|부결|가결|탈락|당첨|반려|나왔|좋았|나빴|괜찮았|결과(?:는|가|:)|마쳤|이상\s?없|양호|적합|호평|혹평|반응이|잘 (?:됐|끝났|나왔)|이겼|졌습니다|졌어요|받았|거절|성사|완판|매진",
    re.IGNORECASE,
)
# What settles a matter without saying "decided": "OK, we keep it", 그대로 갑니다.
MAYBE_DECIDED = regex(
    r"^\W*(?:ok(?:ay)?|alright|all right|right|fine|done|good|settled)\W{1,3}(?:so |then )?(?:we|let['’]s|it|the)\b(?!.{0,20}\b(?:discuss|talk|see|check|decide|look|wait)\b)"
    r"|\bwe(?:['’]ll| will)? (?:keep|stay with|stick (?:with|to)|drop|scrap|go ahead|proceed)\b|그대로\s(?:가|갑|하|합|둡|두|진행|유지)|유지(?:합니다|하죠|해요|하시죠)|없던 일로|[는한]\s(?:걸로|것으로)\s?(?:하|합|했|정|갑|가)",
    re.IGNORECASE,
)
# What people pay: any "…비", "…료" and "…금" of two syllables and more before it, but for what only ends like one (장비, 자료, 지금).
FEES = r"prices?|costs?|fees?|rents?|wages?|salary|salaries|budget|deposit|surcharge|fares?|tolls?|tuition|postage|per diem|penalty|allowance|(?:day|daily|hourly|nightly|weekly|monthly|room|pay|mileage|piece) rates?"
FEES_KO = (
    r"단가|가격|요금|비용|금액|예산|견적|시급|일당|월급|연봉|급여|월세|전세|식비|학비|여비|식대|회비|상한액"
    r"|[가-힣]{2,6}(?:(?<![준장정설대소낭구수신변제기])비|(?<![자재완진치의음원사비종동연무만질])료|(?<![지현입송출모저적예성조임요])금)"
)
HOW_MUCH = regex(
    r"\bhow much\b|\bwhat (?:do|does|did|will|would|has|have|had) .{1,60}\bcosts?\b|얼마(?!나|\s?(?:전|동안|만))"
    r"|\bwhat(?:'s|’s| is| was| are| were) .{0,40}\b(?:prices?|costs?|fees?|budget|surcharge|premium|discount|rent)\b"
    r"|\bwhat (?:do|does|did|will|would) .{1,40}\b(?:get|earn|make|pay|charge|paid)\b"
    r"|얼만[가지데]|" + asks_for("", FEES, FEES_KO),
    re.IGNORECASE,
)
# "건", "명", "석": a closed class of words, one of which follows any number of things.
COUNTER = (
    r"건|명|개(?!월)|곳|대|회|가지|군데|종|팀|석(?!가)|세대|가구|권|장(?=[\s,.!?)이을은]|$)|마리|그루|채(?=[\s,.!?)가를]|$)"
    r"|병(?=[\s,.!?)이을]|$)|박스|상자|세트|묶음|통(?=[\s,.!?)이을]|$)|편(?=[\s,.!?)이을]|$)|차례|자리|좌석|호실|칸"
    r"|부(?=[\s,.!?)이를은씩]|$)|쪽(?=[\s,.!?)이을은]|$)|페이지|벌(?=[\s,.!?)이을은]|$)|켤레|그릇|잔(?=[\s,.!?)이을은]|$)"
)
CURRENCY = r"\b(?:won|krw|usd|eur|gbp|jpy|chf|cny|dollars?|euros?|percent)\b"
# "억" and "조" say an amount by themselves, unless so many things follow: 189억, 2억 4천.
AMOUNT = regex(
    r"[$€£¥₩]\s?\d|\d원|\d[\d,.]{0,20}\s?(?:[백천만억조]{1,2}\s?(?:원|달러|유로|엔|위안)|달러|유로|퍼센트|%"
    rf"|{CURRENCY}|(?:k|m|bn|thousand|million|billion)\s{CURRENCY}|[억조](?!\s?(?:{COUNTER}|년|분)))"
    rf"|{KOREAN}\s?(?:원(?![가-힣]{{2}})|달러|유로|엔(?![가-힣])|위안)|[천만]\s?[\d천]{{0,4}}\s?백?\s?원"
    rf"|{ENGLISH}\s(?:dollars?|euros?|pounds|quid|won|cents?|pence)\b|\d\s?(?:pounds|quid|cents?|pence|pcm|p\.c\.m)\b|\d[\d.,]{{0,12}}k?\s(?:a|per|an) (?:day|hour|week|month|year|night|head|person)\b"
    r"|\b(?:invoice[sd]?|bill(?:s|ed)?|quotes?|quoted|prices?|priced|costs?|fees?|rent|deposit|charged?|paid)\b(?: [a-z]{1,9}){0,3} \d[\d,.]{0,12}k?(?![\d:/%-]|\s?[A-Za-z]{2})"
    r"|무료(?=입니다|이에요|예요|로\s)|\bfree of charge\b|\bis free(?=[\s.,]*$)|US\$|\b(?:usd|eur|krw|gbp|jpy|chf|cny)\s?\d|(?<![\d,.])\d{1,3}(?:,\d{3}){1,4}(?=[\s.,;!?)]{0,4}$|[.,;!?)]\s)",
    re.IGNORECASE,
)
MANY = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
UNIT = r"(?:year|month|week|day|hour|minute|second)s?"
# "몇 시", "몇 월" ask when; "몇 건", "how many" ask for a count, which is a number before what is counted.
HOW_MANY = regex(
    rf"\bhow many\b(?!\sper\s?cent\b|\s(?:(?:full|more|working|business|calendar|clear)\s)?{UNIT}\b)"
    rf"|\b(?:number|no\.?) of (?:[a-z]{{1,20}} )?[a-z]{{1,20}}s\b|^\W*(?:what(?:'s| is)? )?(?:the |our )?(?:current |total )?head ?count\b"
    rf"|몇\s?(?!호실)(?:{COUNTER}|분(?:이나|이서|쯤|께서|정도)? ?(?:오|참))|얼마나 많"
    r"|(?:[가-힣]{2}\s|[가-힣]{1,6}(?<![접회철실특함변지이보매옥점인주])|[총전]\s?)수(?:가|는|은)?\s?(?:얼마|몇|어떻게|뭐|알려|[?？]|$)|(?<![가-힣])(?:정원|인원)(?:이|은|은요)?\s?(?:얼마|몇|어떻게|뭐|알려|[?？]|$)",
    re.IGNORECASE,
)
SPAN = r"년|개월|달|주|일|시간|분"
OTHER_UNITS = r"million|thousand|hundred|dollars?|euros?|pounds?|won|quid|cents?|per ?cent|degrees?|(?:milli)?lit(?:re|er)s?|gallons?|(?:kilo|centi|milli)?met(?:re|er)s?|miles?|feet|inch(?:es)?|acres?|tonnes?|tons?|kilos?|grams?|square|cubic"
# The number that a line begins with is its own: "5 Rescue boat".
COUNT = regex(
    rf"(?<![\d.:/-])(?:\d[\d,]{{0,20}}[백천만억]?\s?|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s)(?:{COUNTER})"
    r"|(?<![가-힣])(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열)(?:명|개(?!월)|곳|건|팀|권|마리|상자|군데|가지)"
    rf"|{KOREAN}\s?(?:건|명|개(?!월)|곳|대(?=[\s,.까]|$)|마리|가지|군데|권|상자|세대|석(?!가))|\d\s?(?:병상|객실|실(?=입니다|[\s,.]|$)|인(?=[\s,.]|입니다|$))"
    r"|\b(?:a dozen|half a dozen|a couple of)\s[a-z]{3,}|\b(?:team|group|crew|staff|total|fleet|herd|panel) of (?:\d|[a-z]{3,9}\b)"
    rf"|(?<![\w.:/#-])(?!^\d+\s(?-i:[A-Z]))(?:\d[\d,.]{{0,20}}k?|{ENGLISH})[\s-](?!(?:{OTHER_UNITS}|[ap]m|kst|utc|eur|usd|of|and|or|to|until|in|on|at|by|for|from|per|is|was|are|were|will|has|have|yesterday|today|tomorrow|{MONTHS}|{UNIT})\b)[a-z]{{3,}}"
    r"|(?<![\w.:/#-])\d[\d,]{0,20}\sof\s\d"
    r"|\b(?:seats?|places|spaces|capacity|head ?count|quantity|qty|attendees|participants|guests|units|pieces|copies|licen[cs]es|beds|rooms|spots|members|staff)\s?[:=|]\s?(?:~~[^~\n]{1,20}~~\s?)?\d"
    r"|(?<![가-힣])(?:정원|인원|좌석|객실|수량|물량|개수|대수|매수|부수|건수|참[석가]자?|신청자?|수용\s?인원)\s?수?\s?(?:[:=|]\s?)?(?:~~[^~\n]{1,20}~~\s?)?\d(?![\d,.]{0,9}\s?(?:월|일|시|년|층|호))",
    re.IGNORECASE,
)
# "며칠까지" and "how many days" ask for a stretch of time, which is a number before its unit.
HOW_LONG = regex(
    rf"\bhow (?:long|many (?:(?:full|more|working|business|calendar|clear) )?{UNIT})\b|며칠(?!에|날|로|부터)|얼마 동안|얼마나 (?:걸|오래)|몇\s?(?:{SPAN}|년)(?![월시])|기간(?:이|은)?\s?(?:얼마|몇|어떻게|뭐|알려|[?？]|$)|기간이|리드\s?타임|(?:소요|걸리는)\s?(?:시간|기간)"
    r"|\b(?:lead|turnaround|cure|curing|waiting|response|processing|delivery|transit|setup|cycle) times?\b|\b(?:warranty|retention|notice|grace|trial|payback|cooling-off|incubation|probation(?:ary)?|holding|storage|lease) (?:period|length|term|time)\b|\bduration\b|\bshelf life\b",
    re.IGNORECASE,
)
LONG = regex(
    rf"(?<![\d.:/-])(?<!월)(?<!월\s)(?:\d{{1,3}}\s?년(?!\s?\d)|\d{{1,4}}\s?(?:개월|주(?![가-힣]\S)|일(?!\s?\()|시간|분))|(?:\b\d{{1,4}}|{ENGLISH})[\s-](?:(?:business|working|full|calendar) )?{UNIT}\b"
    r"|\d\s?(?:mths?|mos?|wks?|hrs?|mins?|yrs?)\b|\bfortnight|\b(?:an?) (?:year|month|week|day|hour)(?: and a half|(?=[\s.,]*$))"
    r"|(?:takes?|takes about|lasts?|within|for|about|around) an? (?:year|month|week|day|hour)\b"
    rf"|{KOREAN}\s?(?:해(?=[\s.,]|동안)|달|개월|주일?(?=[\s.,간]|이|정도)|시간|년(?=[\s.,간]|이|입))|(?<![가-힣])(?:하루|이틀|사흘|나흘|사나흘|닷새|엿새|이레|여드레|열흘|보름|일주일|반나절|반년)(?=간|이면|정도|쯤|씩|만|이?에?요|입|\s)",
    re.IGNORECASE,
)
# The unit that such a question asks for, and how a stretch of time says it.
UNITS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (r"\bhow many years?\b|몇\s?년", r"\d\s?년|\byears?\b"),
        (r"\bhow many months?\b|몇\s?(?:개월|달)", r"\d\s?(?:개월|달)|\bmonths?\b"),
        (r"\bhow many weeks?\b|몇\s?주", r"\d\s?주|\bweeks?\b"),
        (r"\bhow many days?\b|며칠|몇\s?일", r"\d\s?일|\bdays?\b"),
        (r"\bhow many hours?\b|몇\s?시간", r"\d\s?시간|\bhours?\b"),
        (r"\bhow many minutes?\b|몇\s?분", r"\d\s?분|\bminutes?\b"),
    )
)
LISTED = regex(
    r"뭐\s?있|뭐가\s?(?:있|남)|(?:이슈|티켓|작업|업무|건|일)(?:이|가|은|는)?\s?(?:뭐|무엇|어떤)|목록|어떤 것|\bwhich\b|\blist\b"
    r"|\bwhat(?:'s|’s| is| are)(?: still)? (?:open|left|blocked|blocking|pending|due)\b",
    re.IGNORECASE,
)
HOW_TO = regex(
    r"\bhow (?:do|does|can|could|should|to|would)\b|\bwhat (?:do|should|must|can) (?:i|we|you|one) do\b|어떻게 해(?:야|요)|(?:뭘|무엇을|뭐를) 해야|(?:뭐|뭘|무엇|무얼)부터|\bsteps\b|\bprocedure\b|\binstructions\b|어떻게(?: (?!되|됐|돼|하기로|됩|생각)|[\s?？]{0,3}$)|방법|절차|순서|(?:하는|하려면|[가-힣]는)\s법[\s?？]*$",
    re.IGNORECASE,
)
FIRST = regex(
    r"\bfirst time\b|\bearliest\b|\bfirst (?:mention|discuss|rais|report|propos|talk|brought|asked|said|came)"
    r"|\b(?:mentioned|discussed|raised|reported|proposed|brought up|asked)\b.{0,40}\bfirst\b"
    r"|(?:처음|최초|맨 먼저|가장 먼저|제일 먼저).{0,40}(?:언제|누가|누구|시점)|(?:언제|누가|누구).{0,20}(?:처음|최초|맨 먼저|가장 먼저|제일 먼저)",
    re.IGNORECASE,
)
# What happened, happened on the day that somebody says so: such a sentence needs no date.
HAPPENED = regex(
    rf"\bwhen (?:was|were|did|has|have)\b|언제.{{0,100}}[{PAST_SYLLABLES}](?:나|니|어|죠|지|을|습|는|던)"
    r"|(?:[가-힣](?:한|된|난|낸|간|온)|받은)\s날(?:짜|이|은|을|\W|$)",
    re.IGNORECASE,
)
DONE = regex(
    r"(?:완료|출시|배포|서명|발표|종료|발생|개최|시작|합의|접수|제출|도착|설치|통과)\s?(?:완료\s?)?(?:했|됐|되었|하였)|끝났|마쳤"
    r"|\b(?:signed|released|shipped|launched|deployed|merged|completed|finished|announced|happened|started|went live|is live)\b",
    re.IGNORECASE,
)

ASKS_MORE = regex(
    rf"\b(?:{ENGLISH_ASKS})\b|{KOREAN_ASKS}|알려|보여|찾아|\bor\b|아니면|[은는]지",
    re.IGNORECASE,
)
ASKS_WHETHER = regex(
    r"^\W*(?:(?:and|so|but|hi|hey|hello),?\s)?(?:is|are|was|were|has|have|had|did|does|do|can|may|must|should)(?:n['’]t)?\s(?!you\b|anyone|anybody|someone|there\b)"
    r"|(?:나요|가요|까요?|[었았였했됐났갔왔졌렸]어요?|[었았였했됐났갔왔졌렸](?:니|지요?|죠|냐)|되어|돼요?|[하되]나|하니|되니)\s?[?？]?\s*$"
    r"|[가-힣](?:어요|아요|[해와려여워]요|해|[있없]어|[이]?야)\s?[?？]\s*$",
    re.IGNORECASE,
)

# Of what is asked of every sentence.
REPORTS, CHANGES, DENIALS, DOUBTS = Sieve(REPORTED), Sieve(CHANGED), Sieve(NEGATED), Sieve(UNDECIDED)
HEDGES, REFUSALS, SETTLES, ASKINGS = Sieve(HEDGED), Sieve(DENIED), Sieve(SETTLED), Sieve(ASKING)
WHETHERS = Sieve(WHETHER)
SIGNALS = {
    QueryType.DECISION: DECIDED,
    QueryType.STATUS: STANDING,
    QueryType.PERSON: OWNING,
    QueryType.TEMPORAL: MOMENT,
    QueryType.FACTUAL: RULING,
}

# What may be wanted beside the type of a question: how it is asked for, and what says it.
VALUES = {
    "reason": (WHY, REASON),
    "amount": (HOW_MUCH, AMOUNT),
    "count": (HOW_MANY, COUNT),
    "span": (HOW_LONG, LONG),
    "place": (WHERE, PLACE),
}


@lru_cache(maxsize=MOST_KEPT)
def signals(kind: QueryType, sentence: str) -> bool:
    """Whether a sentence looks like the answer to a question of this type; a question decides nothing."""
    pattern = SIGNALS.get(kind)
    if pattern is None:
        return False
    if kind is QueryType.DECISION:
        moved = MOVED.search(sentence) and DATE.search(sentence)
        if moved and (GROUND.search(sentence) or DENIED.search(sentence)):
            moved = None
        decided = pattern.search(sentence) or moved
        return bool(decided) and not DOUBTS.finds(sentence) and not is_reported(sentence)
    if kind is QueryType.TEMPORAL and is_reported(sentence):
        return False
    return pattern.search(sentence) is not None


# "By when do we have to say how many come", "언제까지 몇 명인지 알려줘야": a day is asked for, and the other is what is said by then.
BY_THEN = regex(
    r"\bwhen (?:do|does|did|is|are|was|were|will|can|could|should|must|has|have)\b.{1,80}\bhow (?:many|much)\b"
    r"|언제\S{0,2}\s.{0,40}(?:몇|얼마)\s?\S{0,6}지[는를]?\s",
    re.IGNORECASE,
)


def wanted_beside(question: str) -> str:
    """What a question asks for whatever its type: a reason before an amount, a count, a stretch of time, a place; "" for none of these."""
    wanted = next((name for name, (asking, _) in VALUES.items() if asking.search(question)), "")
    return "" if wanted in {"amount", "count"} and BY_THEN.search(question) else wanted


def counted(question: str, words: Iterable[str]) -> str:
    """Which of these words of a question is what it counts: the first behind "how many", the last before "몇 명"; "" for none."""
    asked = HOW_MANY.search(question)
    if not asked:
        return ""
    folded = question.casefold()
    places = {folded.find(word.casefold()): word for word in words}
    behind = [place for place in places if place >= asked.end()]
    before = [place for place in places if 0 <= place < asked.start()]
    if HANGUL.search(asked[0]):
        return places[max(before)] if before else ""
    return places[min(behind)] if behind else ""


def unit_of(question: str) -> re.Pattern[str] | None:
    """What says the unit of time that a question asks for; None where it asks for none."""
    return next((told for asked, told in UNITS if asked.search(question)), None)


def wants_list(question: str) -> bool:
    """Whether a question asks which things there are."""
    return LISTED.search(question) is not None


def wants_first(question: str) -> bool:
    """Whether a question asks for what came before all others."""
    return FIRST.search(question) is not None


def asks_when_it_was(question: str) -> bool:
    """Whether a question asks on which day something happened; to which day something was moved or set may lie ahead."""
    return HAPPENED.search(question) is not None and not (MOVED.search(question) or DECIDED.search(question))


def asks_whether(question: str) -> bool:
    """Whether a question can be answered by yes or no, and asks for nothing else."""
    return (
        ASKS_WHETHER.search(question) is not None
        and ASKS_MORE.search(question) is None
        and not NEGATED.search(question)
    )


@lru_cache(maxsize=MOST_KEPT)
def is_reported(sentence: str) -> bool:
    """Whether a sentence tells what somebody thinks or proposes, or what is outdated."""
    return REPORTS.finds(sentence)


@lru_cache(maxsize=MOST_KEPT)
def asks(sentence: str) -> bool:
    """Whether a sentence is a question itself."""
    return ASKINGS.finds(sentence)


@lru_cache(maxsize=MOST_KEPT)
def changes(sentence: str) -> bool:
    """Whether a sentence says that something became otherwise."""
    return CHANGES.finds(sentence)


@lru_cache(maxsize=MOST_KEPT)
def denies(sentence: str) -> bool:
    """Whether anything is denied in a sentence."""
    return DENIALS.finds(sentence)
