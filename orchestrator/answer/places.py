"""Where something is or takes place: questions for it, and sentences that say it."""

from __future__ import annotations

import re

from orchestrator.answer.asked_for import asks_for
from translators.patterns import regex

# "Where do we stand?" asks how it is; "파트너사가 어디예요?", "어디로 정했어?" which company.
WHERE = regex(
    r"\bwhere\b(?!.{0,60}\bstands?\b)(?!\s(?:are|is)\s(?:we|it|things)\s(?:with|on|at)\b)|\b(?:venue|whereabouts|location of)\b|\bin which (?:room|city|building|hall)\b"
    r"|어디(?:에서|서)(?!\s?(?:왔|난|나온))|어디에?다가?\s|어디(?:에|로)?\s?(?:있|계[시세]|두[고나었]|뒀|놓|보관|가[나요는기시]|가요|갑|갈|모[이여]|열|이사|옮)"
    r"|\b(?:which|what) (?:room|floor|building|hall|ward|bay|aisle|shelf|gate|dock|booth|city|office|address|venue|site|platform|street|station)\b"
    r"|몇\s?(?:층|호실?(?!선)|동(?=[이에인\s?]|$)|번\s?(?:방|게이트|출구|홀|창구|회의실|플랫폼))"
    r"|(?<![사체팀서처행점브교][가는은이] )(?<![사체팀서처행점교] )(?<![가-힣])어[디딨딧](?:야|예요|에요|죠|지|냐|더라|임|인가요?|인지)?[\s?？.!~]*$|어[딨딧]"
    r"|(?:회의실|식당|호텔|숙소|행사장|자리|방|장소)\S{0,2}\s(?:\S{1,12}\s)?어디|"
    + asks_for(
        "",
        "address|location|venue|meeting (?:point|place|spot)|parking (?:spot|space|bay)s?",
        "장소|위치|주소|목적지|소재지|행선지",
    ),
    re.IGNORECASE,
)
ROOM = "room|hall|floor|building|office|centre|center|warehouse|garage|lobby|kitchen|basement|shelf|rack|dock|booth|gate|hangar|lab|cabinet|drawer|locker|hotel|museum|station|airport|harbou?r|port"
NO_PLACE = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Q[1-4]|English|Korean|German|Slack|"
    r"Jira|Confluence|Notion|GitHub|Drive|Linear|I|We|The|This|It|IT)\b"
)
BUILT = "주차장|로비|데스크|창구|정문|후문|식당|카페|옥상|복도|계단|매장|병동|교실|호실|회의실|강당|홀|센터|호텔|사옥|본사|지사|지점|창고|공장|빌딩|연구소|사무실|현장|캠퍼스|공항|터미널|선반|서랍|캐비닛|부두|부스"
DONE_AT = "신청|접수|발급|조회|등록|제출|수령|예약|내려받"  # what people do at a portal or a desk: IT 포털에서 VPN 계정을 신청합니다
PLACE = regex(
    rf"(?:\b(?:in|at|to|near|inside|behind|opposite|beside)\s(?:the\s|our\s)?(?P<named>(?!{NO_PLACE})[A-Z][\w’'-]{{1,30}}(?:\s(?:[A-Z][\w’'-]{{0,30}}|\d[\w-]{{0,9}})){{0,3}}))"
    rf"|\b(?P<room>(?i:{ROOM})\s[A-Z]?-?\d[\w-]{{0,9}}(?:\.\d{{1,3}})?|(?:\d{{1,2}}(?:st|nd|rd|th)|(?i:ground|first|second|third|fourth|fifth|sixth|top))\sfloor)\b"
    r"|\b(?P<beside>(?:under|underneath|behind|next to|beside|above|below|beneath|opposite|inside|outside|across from|in front of|on top of|at the (?:back|front|end|side) of|to the (?:left|right) of)\s(?:the|our|an?)\s[a-z]{2,20}(?:\s(?!is|are|was|and|on|by|at)[a-z]{2,20})?|(?:up|down)stairs)\b"
    r"|\b(?P<street>\d{1,4}[a-z]?\s(?:[A-Z][a-z]{1,20}\s){1,2}(?:Lane|Street|St|Road|Rd|Avenue|Ave|Square|Way|Drive|Close|Court))\b"
    r"|\b(?:in|at|room)\s(?P<code>[A-Z]{1,2}-?\d{2,4})\b"
    r"|(?<![가-힣A-Za-z0-9])(?P<by>[가-힣A-Za-z0-9]{1,12}\s(?:옆|뒤|앞|위|아래|밑|안|안쪽|맞은편|건너편|왼쪽|오른쪽|입구|구석)(?:\s(?:벽|문|책상|선반|서랍|주차장|창고|칸))?)(?=입니다|이에요|예요|[,.]|$|에\s?(?:있|둡|두|둔|놓|보관|걸|비치|설치)|쪽?에서?\s모|쪽?으로\s?(?:옮|이전|변경|바[꾸뀌]|오))"
    r"|(?<![가-힣A-Za-z0-9])(?P<road>(?:[가-힣]{1,6}[시구군동읍면]\s){0,3}[가-힣]{1,8}(?:로|길)\s?\d{1,4}(?:번?길)?(?:\s\d{1,4}(?:-\d{1,4})?)?)(?=[\s,.)]|입니다|이에요|예요|$)"
    rf"|\b(?:in|at|on|near|behind|inside)\s(?P<kind>(?:the|our)\s(?:[A-Za-z]{{2,20}}\s){{0,2}}(?:{ROOM}|portal|intranet))\b"
    r"|(?:\b(?i:booth|stand)(?:\sis|:)?|부스(?:는|:)?)\s(?P<stand>[A-Z]{1,2}-?\d{1,4})\b"
    r"|\b(?:on|in|under)\s(?P<path>[^\W\d][^\s,:;/]{0,30}/[^\s,:;]{0,60}[^\s,:;.])"
    rf"|(?<![가-힣A-Za-z0-9])(?P<korean>(?:(?:(?:지하\s?)?\d{{1,2}}층\s)?[가-힣A-Za-z0-9]{{0,12}}(?:{BUILT})|[가-힣A-Za-z0-9]{{1,12}}(?:[관실역]|(?<=\d)[층호]))(?:\s\d{{1,3}}층)?)(?=에|으로|로|입니다|이에요|예요|[,.)]|$)"
    r"|(?<![가-힣A-Za-z0-9])(?P<city>(?![A-Z]안)[가-힣A-Za-z]{2,12}?)(?:에서|으로|(?<!대)로)\s(?=갑니다|가요|가겠|가기로|정했|정해|확정|결정|열|개최|진행|모[이여]|합니다)"
    rf"|(?<![가-힣A-Za-z0-9])(?P<desk>(?!회의|미팅|메일|스레드)[가-힣A-Za-z]{{2,12}}?)에서\s(?=(?:[^\s.!?]{{1,12}}\s){{0,3}}(?:{DONE_AT}))"
    r"|(?:장소|위치|주소)(?:[는은]\s|\s?[:：]\s?)(?P<told>[가-힣A-Za-z0-9-]{2,20}?(?:\s[가-힣A-Za-z0-9-]{1,20}?){0,3})(?=입니다|이에요|예요|[,.(]|$)"
)


def asks_where(question: str) -> bool:
    """Whether a question asks for a place."""
    return WHERE.search(question) is not None


def says_where(sentence: str) -> bool:
    """Whether a sentence names a place as one."""
    return PLACE.search(sentence) is not None


def place_in(sentence: str) -> str:
    """The place that a sentence names, as it stands there; "" where it names none or several."""
    found = {next(filter(None, each.groups())) for each in PLACE.finditer(sentence)}
    return found.pop() if len(found) == 1 else ""
