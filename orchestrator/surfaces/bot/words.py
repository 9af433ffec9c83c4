"""What the bot says around an answer, in English and Korean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.match import HANGUL

if TYPE_CHECKING:
    from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "reading": "Reading the question…",
    "progress": "{done} of {all} sources have answered; still waiting for {awaited}.",
    "took": "{count} results · {seconds:.1f} s",
    "nothing": "Nothing that may be shown here was found.",
    "results": "Results",
    "for all": "Shown here: only what everybody who reads here may see.",
    "for web": "Shown here: only the public web, since it is not known who reads here.",
    "for you": "{count} more results for you only",
    "for you one": "1 more result for you only",
    "closed": "Not shown by the bot: {sources}. They are asked by one sign-in for everybody, so nobody knows who may see what.",
    "you said": "You asked by yourself, so only you see this.",
    "wider": "Search wider",
    "more": "Details",
    "why": "Why these?",
    "receipt": "Receipt",
    "good": "👍 Right",
    "bad": "👎 Wrong",
    "thanks": "Thank you, that is noted.",
    "not noted": "That could not be written down; please try again later.",
    "all results": "All results for you ({count})",
    "why title": "Why these results stand where they do",
    "receipt title": "What was asked, and what came back",
    "empty": "Ask me something, for example: “what did we decide about the API migration?”",
    "long": "The question is too long; ask it in {most} characters at most.",
    "stale": "This button is from an older version; please ask again.",
    "outsider": "Only members of this workspace can ask here.",
    "failed": "Something went wrong on our side. It has been written to the log as {code}; please try again.",
    "broken off": "I was stopped before I had finished answering this. Please ask again.",
    "unseen": "Slack refused something that answering needs. Please try again.",
    "asked wide": "searched wider",
    "welcome": "You're welcome. Just ask on.",
    "languages": "I answer in the language of your question, English or Korean.",
    "home": "Ask me anything that is written down somewhere at work.",
    "home ask": "Mention me in a channel, write to me directly, or use my slash command or shortcut, in English or Korean. In a thread, just ask on: “who decided that?”",
    "home filters": 'Filters work everywhere: from: in: after: before: type: -word "exact phrase".',
    "home sees": "In a channel I show only what everybody who reads there may see; what is for you comes to you alone.",
    "home asked": "I ask: {sources}.",
    "home accounts": "Connect accounts of your own",
    "home kept": "I remember for a day what was asked in a thread, and no answers.",
    "not here": "fedsearch is not installed in this workspace.",
    "installed": "fedsearch is installed. Invite it to a channel, or ask it in a direct message.",
    "not installed": "fedsearch was not installed ({reason}). To try again, open {again} in this browser.",
    "conflict": "These differ: {told}",
}

KOREAN: Mapping[str, str] = {
    "reading": "질문을 읽고 있습니다…",
    "progress": "소스 {all}곳 중 {done}곳이 답했습니다. 기다리는 곳: {awaited}.",
    "took": "결과 {count}건 · {seconds:.1f}초",
    "nothing": "여기에 보여 드릴 수 있는 결과를 찾지 못했습니다.",
    "results": "결과",
    "for all": "여기서 읽는 모두가 볼 수 있는 것만 보여 드립니다.",
    "for web": "여기서 누가 읽는지 알 수 없어 공개 웹만 보여 드립니다.",
    "for you": "나만 볼 수 있는 결과 {count}건이 더 있습니다",
    "for you one": "나만 볼 수 있는 결과 1건이 더 있습니다",
    "closed": "봇이 보여 드리지 않는 소스: {sources}. 모두가 하나의 로그인으로 묻기 때문에 누가 무엇을 볼 수 있는지 알 수 없습니다.",
    "you said": "혼자 물으셨으므로 본인에게만 보입니다.",
    "wider": "더 넓게 찾기",
    "more": "자세히",
    "why": "왜 이 결과인가요?",
    "receipt": "검색 내역",
    "good": "👍 맞아요",
    "bad": "👎 틀려요",
    "thanks": "감사합니다. 기록했습니다.",
    "not noted": "기록하지 못했습니다. 나중에 다시 눌러 주세요.",
    "all results": "나에게 보이는 모든 결과 ({count}건)",
    "why title": "결과가 이 순서인 까닭",
    "receipt title": "무엇을 물었고 무엇이 돌아왔는지",
    "empty": "무엇이든 물어보세요. 예: “API 마이그레이션 일정은 어떻게 정했나요?”",
    "long": "질문이 너무 깁니다. {most}자 안으로 물어 주세요.",
    "stale": "이전 버전의 버튼입니다. 다시 물어 주세요.",
    "outsider": "이 워크스페이스의 구성원만 물을 수 있습니다.",
    "failed": "저희 쪽에서 문제가 생겼습니다. {code}(으)로 기록했습니다. 다시 시도해 주세요.",
    "broken off": "답을 마치기 전에 멈추었습니다. 다시 물어 주세요.",
    "unseen": "답하는 데 필요한 것을 Slack이 거절했습니다. 다시 시도해 주세요.",
    "asked wide": "넓게 찾음",
    "welcome": "별말씀을요. 이어서 물어보세요.",
    "languages": "물어보시는 말로 답합니다. 한국어나 영어로 물어보세요.",
    "home": "업무에서 어딘가에 적힌 것이라면 무엇이든 물어보세요.",
    "home ask": "채널에서 멘션하거나, 다이렉트 메시지를 보내거나, 슬래시 명령 또는 메시지 단축키로 한국어나 영어로 물어보세요. 스레드에서는 이어서 “그건 누가 정했어?”라고 물으면 됩니다.",
    "home filters": '어디서나 필터를 쓸 수 있습니다: from: in: after: before: type: -단어 "정확한 문구".',
    "home sees": "채널에서는 거기서 읽는 모두가 볼 수 있는 것만 보여 드리고, 나만 볼 수 있는 것은 나에게만 보여 드립니다.",
    "home asked": "묻는 소스: {sources}.",
    "home accounts": "내 계정 연결하기",
    "home kept": "스레드에서 물은 것은 하루 동안 기억하고, 답은 남겨 두지 않습니다.",
    "not here": "이 워크스페이스에는 fedsearch가 설치되어 있지 않습니다.",
    "installed": "fedsearch를 설치했습니다. 채널에 초대하거나 다이렉트 메시지로 물어보세요.",
    "not installed": "fedsearch를 설치하지 못했습니다({reason}). 다시 하려면 이 브라우저에서 {again} 주소를 여세요.",
    "conflict": "서로 다릅니다: {told}",
}


def words(language: str) -> Mapping[str, str]:
    """The words of a language, English where it is none of ours."""
    return KOREAN if language == "ko" else ENGLISH


def language_of(text: str, otherwise: str = "en") -> str:
    """What a text is written in; what neither alphabet says is in the asker's own language."""
    if HANGUL.search(text):
        return "ko"
    return "en" if any(character.isascii() and character.isalpha() for character in text) else otherwise
