"""What goes out addresses nobody, whatever it holds; what comes in is what was typed."""

import json
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.surfaces.bot import actions
from orchestrator.surfaces.bot.actions import Carried, packed, unpacked
from orchestrator.surfaces.bot.platform import Button, Buttons, Lines, Message, Note, TextRun
from orchestrator.surfaces.bot.slack.app import people_in, typed
from orchestrator.surfaces.bot.slack.workspace import harmless, rendered
from orchestrator.surfaces.bot.words import language_of
from tests.pretend.slack.blocks import addressed, checked

HOSTILE = st.lists(
    st.sampled_from(
        "<!channel> <!here|x> <!subteam^S01|@devs> <@U01KMS0A1> <#C01> @here @channel @Everyone &lt;!here&gt; < > & | ! @ * _ ` "
        "here 가 \u202e \u2060 \x00 \n".split(" ")
    )
    | st.text(max_size=5),
    max_size=12,
).map("".join)


def message(text):
    return Message(
        text,
        (
            Lines(
                (
                    (TextRun(text), TextRun(text, bold=True, url="https://a.example/@here")),
                    (TextRun(text, italic=True),),
                )
            ),
            Note(text),
            Buttons((Button("fedsearch.ask", text, text[:100]),)),
        ),
    )


@given(HOSTILE)
def test_nothing_addresses_anybody(text):
    shown = rendered(message(text))
    checked(json.loads(json.dumps(shown)))
    assert addressed(shown) == []
    assert addressed({**shown, "link_names": True, "parse": "full"}) == []
    assert not re.search(r"<[!@#]|@(?:here|channel|everyone)\b", harmless(text), re.IGNORECASE)
    assert "<" not in shown["text"]
    assert ">" not in shown["text"]


@given(HOSTILE)
def test_shown_text_is_the_text(text):
    """But for what is invisible; ``&lt;`` in a source stays what it says."""
    from orchestrator.documents.plain import plain

    (run,) = rendered(Message("x", (Lines(((TextRun("a" + text),),)),)))["blocks"][0]["elements"][0]["elements"]
    assert run["text"].replace("\u2060", "") == plain("a" + text)


def test_limits_are_kept():
    long = rendered(Message("가" * 5000, (Lines(((TextRun("나" * 9000),),)), Note("다" * 9000), *[Note("x")] * 80)))
    checked(long)
    assert len(long["text"]) <= 1000
    assert len(long["blocks"]) == 50
    empty = rendered(Message("", (Lines(()), Note(""), Lines(((TextRun(""),),)))))
    checked(empty)


@pytest.mark.parametrize("letter", ["가", "x"])
def test_however_much_there_is_slack_takes_the_message(letter):
    lines = tuple((TextRun(f"[{n}] "), TextRun(letter * 400, url="https://a.example/" + "y" * 200)) for n in range(40))
    buttons = Buttons(tuple(Button(f"fedsearch.ask.{n}", letter * 70, letter * 2000) for n in range(5)))
    shown = rendered(Message("x", (Lines(lines), Lines(lines), *[Note(letter * 400)] * 5, buttons)))
    checked(json.loads(json.dumps(shown)))
    told = json.dumps(shown["blocks"], ensure_ascii=False)
    assert told.count(f"{letter * 400}") >= 12
    assert '"…"' in told
    assert len(shown["blocks"][-1]["elements"]) == 5  # buttons and small print stay


def test_an_address_that_slack_does_not_take_is_no_link():
    for length, kind in ((2900, "link"), (3100, "text")):
        shown = rendered(Message("x", (Lines(((TextRun("here", url="https://a.example/" + "y" * length),),)),)))
        checked(shown)
        assert shown["blocks"][0]["elements"][0]["elements"][0]["type"] == kind


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("<@U0BOT> who decided?", "who decided?"),
        ("<@U0BOT|fedsearch> a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("what did <@U01KMS0A1> say in <#C01|결제-개발>", "what did 김민수 say in #결제-개발"),
        ("see <https://a.example/x?y=1&amp;z=2|the page> and <mailto:a@b.example|a@b.example>", "see https://a.example/x?y=1&z=2 and a@b.example"),
        ("<!channel> <!subteam^S1|@devs> <!date^1^{date}|May 1> x", "May 1 x"),
        ("<@U09UNKNOWN> 그건?", "그건?"),
        ("1 < 2 > 0", "1 < 2 > 0"),
    ],
)  # fmt: skip
def test_what_was_typed(text, meant):
    assert re.sub(r"\s+", " ", typed(text, {"U01KMS0A1": "김민수"}, "U0BOT")) == meant


@given(HOSTILE)
def test_typed_is_total(text):
    assert isinstance(typed(text, {}, "U0BOT"), str)
    assert all(re.fullmatch(r"[UW][A-Z0-9]+", each) for each in people_in(text))


DAYS = st.dates(date(1970, 1, 1), date(2199, 12, 31))


@given(st.text(max_size=1000), st.booleans(), st.sampled_from(["ko", "en"]), st.none() | DAYS)
def test_a_button_brings_back_what_it_carried(question, wide, language, asked):
    carried = Carried(question, wide, language, asked)
    value = packed(carried)
    assert len(value) <= actions.LONGEST
    assert not value or unpacked(value) == carried


@pytest.mark.parametrize("value", ["", "{}", "[]", "[1,2,3]", '["a",true,"fr"]', '["a","b","en"]', "x" * 3000, "null"])
def test_what_is_not_ours_is_not_taken(value):
    assert unpacked(value) is None


@pytest.mark.parametrize(
    "told",
    ["2026-11-20T10:00:00", "0001-01-01", "9999-12-31", "2026-02-30", "", "x", 7, None, ["2026"]],
)
def test_a_day_that_is_none_is_not_taken(told):
    assert unpacked(json.dumps(["a", True, "ko", told])) == Carried("a", True, "ko")
    assert unpacked(json.dumps(["a", True, "ko", "2026-11-20", told])).asked == date(2026, 11, 20)


def test_the_language_of_a_text():
    assert [language_of(each, "ko") for each in ("who?", "누가 API?", "2026?")] == ["en", "ko", "ko"]
