"""The search page in a real browser: streams, keys, widths, colours, accessibility, and pictures for the docs."""

import asyncio
import json
import os
import random
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from orchestrator.learning import read_use
from tests.clock import HANGING, leaping
from tests.e2e.chromium import audit, reading, why_no_audit, why_not
from tests.e2e.page_reader import hostile_corpus
from tests.examples import sample

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
    pytest.mark.asyncio(loop_scope="module"),  # one browser for all
]

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
FINAL = "#found[data-final='1']"
ADDRESSES = [
    "/",
    "/?question=migration",
    "/?question=zzqxv+blorptangle+quux",
    "/sources",
    "/kept",
    "/accounts",
    "/digests",
    "/admin",
    "/admin/sources",
    "/admin/access",
    "/admin/digests",
    "/setup",
    "/setup/slack",
    "/setup/drive",
    "/setup/declared",
    "/setup/sandbox",
    "/sign-in",
]
UNKNOWN = "Failed to load resource: the server responded with a status of 401"


def focused(page, script="document.activeElement"):
    return page.evaluate(f"(() => {{ const it = {script}; return it.id || it.textContent.trim(); }})()")


async def until(page, script):
    """Ask again until it is true. Playwright's own way to wait would need `eval`, which the page's policy refuses."""
    async with asyncio.timeout(HANGING):
        while not await page.evaluate(script):  # noqa: ASYNC110 - the page does not tell
            await asyncio.sleep(0.02)


def unmirrored(_, sandbox):
    """Nothing is read beside the questions: the second may find what the first could not, as soon as that is read."""
    end = sandbox.endpoints["notion"]
    return {"sources": {"notion": {"base_url": end.base_url, "token": end.token, "mirrored": 0}}}


async def test_an_answer_streams_in(browser, serve, tmp_path):
    """From the start page: progress, the first results while a source is still awaited, the rest in their place."""
    leap = leaping()
    async with (
        serve(tmp_path, "gmail=delay:20", authenticated=False, more=unmirrored) as api,
        reading(browser, api.url, locale="ko-KR") as (page, wrong),
    ):
        await page.goto("/")
        await page.fill("#question", QUESTION)
        await page.press("#question", "Enter")
        await page.wait_for_selector("#found[data-final='0']")
        assert "기다리는 중" in await page.text_content(".strip")
        assert await page.get_attribute("#happening", "aria-busy") == "true"
        links = "[...document.querySelectorAll('.hit')].map((it) => [it.id, it.querySelector('h3 a').href])"
        numbers = "[...document.querySelectorAll('.hit .number')].map((it) => it.textContent)"
        early, order = await page.evaluate(links), await page.evaluate(numbers)
        assert order == [str(place) for place in range(1, len(early) + 1)], "numbers follow the order shown"
        api.sandbox.set_fault("gmail", None)
        leap(20)
        await page.wait_for_selector(FINAL)
        late = await page.evaluate(links)
        assert {link for _, link in early} & {link for _, link in late}
        assert [number for number, _ in late] == [f"r{place}" for place in range(1, len(late) + 1)]
        assert "소스 4곳" in await page.text_content("#said")
        assert await page.get_attribute("#happening", "aria-busy") is None
        assert await page.query_selector(".stop") is None
        assert QUESTION in await page.title()
        cite = page.locator(".claims .cite").first
        number = await cite.text_content()
        await cite.click()
        assert await focused(page) == f"r{number}"
        await page.reload()
        await page.wait_for_selector(FINAL)
        assert await page.evaluate(links) == late, "a reload shows the same under the same numbers"
        assert wrong == []


async def test_going_back_and_reloading_show_the_question_before(browser, serve, tmp_path):
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url) as (page, wrong),
    ):
        await page.goto("/")
        for question in ("okta", "migration"):
            await page.fill("#question", question)
            await page.press("#question", "Enter")
            await until(page, f"document.title.startsWith('{question}') && document.querySelector(\"{FINAL}\")")
        await page.locator(".cite").first.click()
        await page.go_back()
        await until(page, f"document.title.startsWith('okta') && document.querySelector(\"{FINAL}\")")
        assert await page.input_value("#question") == "okta"
        await page.reload()
        assert await page.query_selector(FINAL)
        await page.go_back()
        await page.wait_for_selector(".home h1")
        assert wrong == []


async def test_a_journey_by_keyboard(browser, serve, tmp_path):
    """Sign in, choose a language, ask, walk the results, look why, judge, narrow, copy: without a mouse."""
    async with (
        serve(tmp_path) as api,
        reading(browser, api.url, locale="en-GB", viewport={"width": 1280, "height": 900}) as (page, wrong),
    ):
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        press, there = page.keyboard.press, page.wait_for_selector
        await page.goto("/")
        await page.keyboard.insert_text(api.key)  # the field has the focus
        await press("Enter")
        await there("#question")
        await page.keyboard.type("what did we decide about the api migration")
        await press("Enter")
        await there(FINAL)
        await page.evaluate("document.body.focus()")
        await tab_to(page, ".claims .cite")
        await press("Enter")
        number = await focused(page)
        assert number.startswith("r")
        await press("j")
        walked = await page.evaluate("document.activeElement.closest('.hit').id")
        assert walked != number
        await press("k")
        assert await page.evaluate("document.activeElement.closest('.hit').id") == number
        await tab_to(page, ".why summary")
        await press("Enter")
        await tab_to(page, ".judge button")
        await press("Enter")
        await until(page, "document.getElementById('said').textContent.includes('noted')")
        line = json.loads((tmp_path / "feedback.jsonl").read_text("utf-8"))
        assert line["verdict"] == "right"
        await press("Control+k")
        assert await focused(page) == "question"
        await tab_to(page, ".facets input")
        await press("Space")
        await until(page, "document.getElementById('narrowed').textContent")
        assert "source=" in page.url
        await tab_to(page, ".receipt details.good summary")
        await press("Enter")
        await tab_to(page, ".copy")
        await press("Enter")
        await until(page, "document.activeElement.textContent === 'Copied'")
        native = await page.evaluate("document.activeElement.parentElement.querySelector('pre').textContent")
        assert native
        assert await page.evaluate("navigator.clipboard.readText()") == native
        assert [each for each in wrong if not each.startswith(UNKNOWN)] == []


async def test_the_focus_is_never_lost(browser, serve, tmp_path):
    """What has it goes away with the former answer, a judgment or the end of a search: it went to the top of the page, which a screen reader then reads anew."""
    leap = leaping()
    async with (
        serve(tmp_path, "gmail=delay:20", authenticated=False) as api,
        reading(browser, api.url, locale="en") as (page, wrong),
    ):
        now = "document.activeElement.id || document.activeElement.tagName"
        await page.goto("/")
        await page.focus("#question")
        await page.keyboard.type("okta rollout")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#found[data-final='0'] .stop")
        assert await page.evaluate(now) == "question"
        await page.focus("#found .stop")
        api.sandbox.set_fault("gmail", None)
        leap(20)
        await page.wait_for_selector(FINAL)
        assert await page.evaluate(now) == "H1"
        await page.focus(".why summary")
        await page.keyboard.press("Enter")
        await page.focus(".judge button")
        await page.keyboard.press("Enter")
        await until(page, "document.activeElement.tagName === 'SUMMARY'")
        await page.focus("#follow")
        await page.keyboard.type("and who did that?")
        await page.keyboard.press("Enter")
        await until(page, f"document.title.startsWith('and who') && document.querySelector(\"{FINAL}\")")
        assert await page.evaluate(now) == "H1"
        assert await page.evaluate("document.activeElement.textContent") == "and who did that?"
        await page.evaluate("for (const each of document.querySelectorAll('.hit')) each.hidden = true")
        await page.evaluate("document.getElementById('none-left').hidden = false")
        await page.focus("#none-left a")
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.activeElement.className.includes('hit')")
        assert wrong == []


async def test_what_has_the_focus_is_seen_in_colours_of_the_system(browser, serve, tmp_path):
    """Forced colours take away shadows and colours of borders, by which the box said that it has the focus."""
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url, forced_colors="active") as (page, wrong),
    ):
        await page.goto("/?question=okta")
        style = "getComputedStyle(document.querySelector('.box')).outlineStyle"
        assert await page.evaluate(style) == "none"
        await page.focus("#question")
        assert await page.evaluate(style) == "solid"
        assert await page.evaluate("getComputedStyle(document.querySelector('meter')).appearance") == "auto"
        assert wrong == []


async def test_what_is_opened_and_copied_is_noted(browser, serve, tmp_path):
    """A click, a click of the middle button and a copied text each tell of the result that they are about, once."""
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url, locale="ko-KR") as (page, _),
    ):
        await page.goto("/?question=" + quote(QUESTION))
        await page.wait_for_selector(FINAL)
        await page.route("https://**", lambda route: route.abort())
        numbers = [await each.get_attribute("id") for each in await page.query_selector_all(".hit:has(h3 a)")]
        for _ in range(2):
            await page.click(f"#{numbers[1]} h3 a", modifiers=["ControlOrMeta"])
        await page.click(f"#{numbers[2]} h3 a", button="middle")
        await page.evaluate("getSelection().selectAllChildren(document.querySelector('.claims li'))")
        await page.evaluate("document.execCommand('copy')")
        async with asyncio.timeout(HANGING):
            while len((use := read_use(tmp_path / "learning")).reactions) < 3:  # noqa: ASYNC110 - files do not tell
                await asyncio.sleep(0.05)
        cited = await page.get_attribute(".claims li .cite", "href")
    places = {item.key: f"r{place}" for place, item in enumerate(use.shown[-1].items, 1)}
    told = {(str(each.did), places[each.item]) for each in use.reactions}
    assert told == {("opened", numbers[1]), ("opened", numbers[2]), ("copied", cited[1:])}
    assert not (tmp_path / "feedback.jsonl").exists()


COPY = {"ko": ("마크다운으로 복사", "글로 복사", "복사함"), "en": ("Copy as Markdown", "Copy as text", "Copied")}


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("is_allowed", [True, False])
async def test_an_answer_is_copied_with_its_citations(browser, serve, tmp_path, language, is_allowed):
    """With the network gone, and also where the browser lets no page write to the clipboard by itself."""
    markdown, text, copied = COPY[language]
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url, locale=language) as (page, wrong),
    ):
        await page.context.grant_permissions(["clipboard-write"])
        await page.goto("/?question=" + quote(QUESTION))
        await page.wait_for_selector(FINAL)
        await page.context.set_offline(True)
        if not is_allowed:
            await page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error()))")
        cites = await page.evaluate("[...document.querySelectorAll('.claims .cite')].map((it) => it.textContent)")
        pasted = {}
        for name in (markdown, text):
            await page.click(f".about button:text-is('{name}')")
            await page.wait_for_selector(f".about button:text-is('{copied}')", timeout=5000)
            await page.evaluate(
                "document.body.append(Object.assign(document.createElement('textarea'), {id: 'paste'}))"
            )
            await page.focus("#paste")
            await page.keyboard.press("ControlOrMeta+V")
            pasted[name] = await page.input_value("#paste")
            await page.evaluate("document.getElementById('paste').remove()")
        assert cites
        for number in set(cites):
            link = await page.get_attribute(f"#r{number} h3 a", "href")
            assert f"[\\[{number}\\]](<{link}>)" in pasted[markdown]
            assert f"[{number}] " in pasted[text]
            assert link in pasted[text]
        assert pasted[markdown].startswith(f"**{QUESTION}**\n")
        assert pasted[text].startswith(f"{QUESTION}\n")
        assert "](" not in pasted[text]
        assert "\\" not in pasted[text]
        assert wrong == []


async def tab_to(page, selector):
    """Press Tab until something that fits has the focus, as it can be seen."""
    for _ in range(400):
        await page.keyboard.press("Tab")
        if await page.evaluate(f"document.activeElement.matches({selector!r})"):
            outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", selector
            return
    raise AssertionError(f"Tab never reaches {selector}")


async def test_what_a_reader_has_opened_stays_open(browser, serve, tmp_path):
    async with (
        serve(tmp_path, "gmail=delay:0.8", authenticated=False) as api,
        reading(browser, api.url, viewport={"width": 1280, "height": 900}) as (page, wrong),
    ):
        await page.goto("/")
        await page.fill("#question", "migration")
        await page.press("#question", "Enter")
        await page.wait_for_selector("#found[data-final='0'] .hit a")
        link = await page.evaluate(
            "(() => { const it = document.querySelector('.hit a'); it.focus(); return it.href; })()"
        )
        await page.wait_for_selector(FINAL)
        assert await page.evaluate("document.activeElement.href") == link  # wherever its result stands by now
        assert wrong == []


async def test_what_is_narrowed_down_can_be_widened_again(browser, serve, tmp_path):
    """Also where the page came narrowed from the server, and after going back to it."""
    visible = "document.querySelectorAll('.hit:not([hidden])').length"
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url, viewport={"width": 1280, "height": 900}) as (page, wrong),
    ):
        await page.goto("/?question=migration")
        every = await page.evaluate(visible)
        await page.goto("/?question=migration&source=linear")
        few = await page.evaluate(visible)
        assert 0 < few < every
        await page.uncheck(".facets input[value=linear]")
        assert await page.evaluate(visible) == every
        assert "source" not in page.url
        await page.check(".facets input[value=linear]")
        assert await page.evaluate(visible) == few
        await page.fill("#question", "okta")
        await page.press("#question", "Enter")
        await until(page, f'document.title.startsWith("okta") && document.querySelector("{FINAL}")')
        assert await page.evaluate("document.querySelectorAll('.hit[hidden]').length") == 0
        await page.go_back()
        await until(page, f'document.title.startsWith("migration") && document.querySelector("{FINAL}")')
        assert await page.evaluate(visible) == few
        assert wrong == []


async def test_a_search_can_be_stopped(browser, serve, tmp_path):
    async with (
        serve(tmp_path, "gmail=delay:30", authenticated=False, more={"search": {"budget": 30.0}}) as api,
        reading(browser, api.url, locale="ko") as (page, wrong),
    ):
        await page.goto("/")
        await page.fill("#question", "okta")
        await page.press("#question", "Enter")
        await page.wait_for_selector(".hit")
        await page.keyboard.press("Escape")
        assert "멈췄습니다" in await page.text_content("#said")
        assert await page.query_selector(".stop") is None
        assert wrong == []


async def test_a_lost_session_ends_in_a_sign_in_that_leads_back(browser, serve, tmp_path):
    async with serve(tmp_path) as api, reading(browser, api.url) as (page, _):
        await page.goto("/sign-in")
        await page.fill("#key", api.key)
        await page.press("#key", "Enter")
        await page.wait_for_selector("#question")
        await page.context.clear_cookies()
        await page.fill("#question", "okta")
        await page.press("#question", "Enter")
        await page.wait_for_selector("#key")
        await page.fill("#key", api.key)
        await page.press("#key", "Enter")
        await page.wait_for_selector(FINAL)
        assert await page.input_value("#question") == "okta"


async def test_a_clarification_is_answered_by_a_button(browser, serve, tmp_path):
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url) as (page, wrong),
    ):
        await page.goto("/?question=migration")
        option = page.locator(".clarification button").first
        asked = await option.get_attribute("value")
        await option.click()
        await until(page, f'document.title.startsWith({json.dumps(asked)}) && document.querySelector("{FINAL}")')
        assert await page.query_selector(".clarification") is None
        assert wrong == []


async def test_hostile_text_runs_nothing(browser, serve, tmp_path):
    """Neither as the page is loaded nor as it streams in; the policy stays silent because there is nothing to refuse."""
    async with (
        serve(tmp_path, authenticated=False, corpus=hostile_corpus(tmp_path)) as api,
        reading(browser, api.url) as (page, wrong),
    ):
        await page.goto("/?question=okta+%3Cimg+src%3Dx+onerror%3Dwindow.owned%3D1%3E")
        assert await page.query_selector(".hit")
        await page.fill("#question", 'okta "><script>window.owned=1</script>')
        await page.press("#question", "Enter")
        await until(page, "location.search.includes('script')")
        await page.wait_for_selector(FINAL)
        assert await page.query_selector(".hit")
        assert await page.evaluate("window.owned") is None
        assert wrong == []


async def test_the_policy_is_in_force(browser, serve, tmp_path):
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url) as (page, wrong),
    ):
        await page.goto("/")
        await page.evaluate(
            "(() => { const it = document.createElement('script'); try { it.text = 'window.owned=1'; } catch { return; } document.body.append(it); })()"
        )
        assert await page.evaluate("window.owned") is None
        assert any(
            "Content Security Policy" in each or "TrustedScript" in each or "Trusted Type" in each for each in wrong
        )


@pytest.mark.parametrize(("width", "language"), [(320, "ko"), (320, "en"), (768, "ko"), (1600, "ko")])
async def test_no_page_is_wider_than_its_window(browser, serve, tmp_path, width, language):
    async with (
        serve(tmp_path, authenticated=False) as api,
        reading(browser, api.url, locale=language, viewport={"width": width, "height": 700}) as (page, wrong),
    ):
        for address in [*ADDRESSES, "/?question=" + "x" * 500]:
            await page.goto(address)
            await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            assert await page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert wrong == []


@pytest.mark.skipif(bool(why_no_audit()), reason=why_no_audit() or "-")
@pytest.mark.parametrize(
    ("language", "scheme"), sample([("ko", "dark"), ("ko", "light"), ("en", "light"), ("en", "dark")], of=2)
)
async def test_no_barrier_is_found(browser, serve, tmp_path, language, scheme):
    """Every page, everything on it opened, as axe-core sees it."""
    async with serve(tmp_path, "linear=status:500") as api:
        wishes = {"locale": language, "color_scheme": scheme, "reduced_motion": "reduce"}
        async with reading(browser, api.url, **wishes) as (page, _):
            await page.goto("/")
            assert await audit(page) == []
            await page.fill("#key", "wrong")
            await page.press("#key", "Enter")
            await page.wait_for_selector("#message")
            assert await audit(page) == []
            await page.fill("#key", api.key)
            await page.press("#key", "Enter")
            await page.wait_for_selector("#question")
            for address in ADDRESSES[:-1]:
                await page.goto(address)
                await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
                assert await audit(page) == [], address
            await page.goto("/")
            await page.fill("#question", "okta")
            await page.press("#question", "Enter")
            await page.wait_for_selector(FINAL)
            assert await audit(page) == []


PICTURES = {
    "page-start-en": ("/", {"viewport": {"width": 960, "height": 640}, "locale": "en"}),
    "page-answer-ko": (f"/?question={QUESTION}", {"viewport": {"width": 1180, "height": 820}, "locale": "ko"}),
    "page-question-back-dark": (
        "/?question=migration",
        {"viewport": {"width": 1180, "height": 760}, "locale": "en", "color_scheme": "dark"},
    ),
    "page-narrow-ko": ("/?question=okta+진행+상황", {"viewport": {"width": 320, "height": 640}, "locale": "ko"}),
    "page-sources-en": ("/sources", {"viewport": {"width": 960, "height": 560}, "locale": "en"}),
    "admin-use-en": ("/admin", {"viewport": {"width": 1000, "height": 620}, "locale": "en"}),
    "setup-en": ("/setup", {"viewport": {"width": 1000, "height": 900}, "locale": "en"}),
    "setup-slack-ko": ("/setup/slack", {"viewport": {"width": 1000, "height": 760}, "locale": "ko"}),
    "admin-sources-ko": ("/admin/sources", {"viewport": {"width": 1000, "height": 900}, "locale": "ko"}),
}


def pretend_use(folder):
    """A fortnight of an office, as it is written down, by a seed."""
    drawn = random.Random(7)
    for back in range(14):
        day = NOW - timedelta(days=back)
        rows = []
        for _ in range(drawn.randint(4, 12) if day.weekday() > 4 else drawn.randint(60, 110)):
            at = day.replace(hour=0, minute=0) + timedelta(minutes=drawn.triangular(8 * 60, 20 * 60, 11 * 60))
            how = drawn.choices(["high", "medium", "low", "none"], [40, 30, 20, 10])[0]
            sources = {
                name: [drawn.choices(["ok", "empty", "timed out"], [80, 14, 6])[0], drawn.randint(1, 6)]
                for name in ("slack", "notion", "linear", "gmail")
            }
            told = {
                "who": f"p{drawn.randint(1, 60)}",
                "confidence": how,
                "results": 9,
                "took": drawn.lognormvariate(0, 0.4),
            }
            rows += [{"at": at.isoformat(), **told, "sources": sources}] if at < NOW else []
        (folder / f"{day.date()}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.skipif("PICTURES" not in os.environ, reason="`make pictures` makes the pictures of the docs anew")
async def test_pictures(browser, serve, tmp_path):
    folder = ROOT / "docs" / "images"
    folder.mkdir(exist_ok=True)
    (tmp_path / "usage").mkdir()
    pretend_use(tmp_path / "usage")
    async with serve(tmp_path, authenticated=False, clock=lambda: NOW) as api:
        for name, (address, wishes) in PICTURES.items():
            async with reading(browser, api.url, reduced_motion="reduce", **wishes) as (page, wrong):
                await page.goto(address)
                await page.evaluate("document.activeElement.blur()")
                await page.screenshot(path=folder / f"{name}.png")
                assert wrong == []
        async with reading(browser, api.url, viewport={"width": 820, "height": 900}, locale="en") as (page, wrong):
            await page.goto("/?question=who+owns+the+okta+rollout")
            await page.locator(".hit .why summary").first.click()
            await page.locator(".hit").first.screenshot(path=folder / "page-why-en.png")
            await page.locator(".receipt details.good summary").last.click()
            await page.locator(".receipt").screenshot(path=folder / "page-receipt-en.png")
            assert wrong == []
