"""The pages of whoever runs the server in a real browser: by keyboard, in both languages, with nothing for the policy to refuse."""

import pytest

from tests.e2e.chromium import audit, chromium, reading, why_no_audit, why_not
from tests.e2e.test_page_browser import UNKNOWN, tab_to
from tests.e2e.test_page_setup import CODE, OKTA, addresses, place_in

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")


OIDC = {"issuer": "https://login.example.com", "audience": "fedsearch"}


async def audited(page):
    return [] if why_no_audit() else await audit(page)


async def test_a_key_and_a_role_are_given_and_ended_by_keyboard(serve, tmp_path):
    """From the menu to the numbers of a plot, to a key that is shown, to a group that may more, and to the end of both."""
    async with (
        serve(tmp_path, authenticated=True, more={"oidc": OIDC}) as api,
        chromium() as browser,
        reading(browser, api.url, locale="en-GB", viewport={"width": 1280, "height": 900}) as (page, wrong),
    ):
        press = page.keyboard.press
        await page.goto("/?question=migration")
        await page.keyboard.insert_text(api.key)
        await press("Enter")
        await page.wait_for_selector("#found")
        await tab_to(page, "nav a[href='/admin']")
        await press("Enter")
        await page.wait_for_selector(".plot summary")
        await tab_to(page, ".plot summary")
        await press("Enter")
        assert await page.evaluate("document.querySelector('.plot details').open")
        assert await page.evaluate("document.querySelectorAll('.plot rect').length") > 0
        await tab_to(page, ".tabs a[href='/admin/access']")
        await press("Enter")
        await page.wait_for_selector(".fields")
        await tab_to(page, "input[name='name']")
        await page.keyboard.insert_text("dashboard")
        await tab_to(page, "button[value='make']")
        await press("Enter")
        await page.wait_for_selector("#made")
        made = api.ring.find(await page.text_content("#made"))
        assert (made.name, [str(each) for each in made.scopes]) == ("dashboard", ["search", "sources"])
        await tab_to(page, "form[action='/admin/roles'] input[name='grantee']")
        await press("ArrowDown")
        await tab_to(page, "form[action='/admin/roles'] input[name='name']")
        await page.keyboard.insert_text("운영팀")
        await tab_to(page, "form[action='/admin/roles'] input[name='may_metrics']")
        await press("Space")
        await tab_to(page, "button[value='give']")
        await press("Enter")
        take = "button[aria-label='Take away: Members of 운영팀']"
        await page.wait_for_selector(take)
        assert await audited(page) == []
        await tab_to(page, take)
        await press("Enter")
        await page.wait_for_selector(take, state="detached")
        await tab_to(page, f"button[aria-label='Revoke: dashboard {made.id}']")
        await press("Enter")
        await page.wait_for_selector("[role='status']")
        assert api.ring.named(made.id) is None
        assert [each for each in wrong if not each.startswith(UNKNOWN)] == []


async def test_a_server_is_set_up_from_its_code_to_an_answer(serve, tmp_path):
    """In Korean: the code, the first key, a token that is tried with a question, kept, and asked."""
    started = serve(tmp_path, place=place_in(tmp_path), code=CODE, more=addresses("slack"))
    async with (
        started as api,
        chromium() as browser,
        reading(browser, api.url, locale="ko-KR", viewport={"width": 390, "height": 844}) as (page, wrong),
    ):
        await page.goto("/")
        await page.click("#first")
        await page.wait_for_selector("#code")
        assert await audited(page) == []
        await page.keyboard.insert_text(CODE)  # the field has the focus
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#made")
        await page.click("main a[href='/setup']")
        await page.click("a[href='/setup/slack']")
        await page.fill("input[name='secret']", api.sandbox.endpoints["slack"].token)
        await page.fill("input[name='question']", OKTA)
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".found a")
        assert await audited(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        await tab_to(page, "#keep")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("[role='status']")
        assert "지금부터 묻습니다: slack" in await page.text_content("[role='status']")
        await page.locator(".button").first.click()
        await page.wait_for_selector(".hit")
        assert [each for each in wrong if not each.startswith(UNKNOWN)] == []
