"""A real Chromium for tests of the page, where there is one, and an auditor of accessibility."""

import shutil
from contextlib import asynccontextmanager
from importlib import resources
from importlib.util import find_spec

from tests.clock import HANGING

EXECUTABLES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing but what is tested: without these it asks its maker's hosts for updates, and for what is listed nowhere.
QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
ARGUMENTS = [*QUIET, "--no-sandbox", "--disable-gpu", "--disable-quic"]


def why_not():
    """Why there is no browser to test with; nothing where there is one."""
    if find_spec("playwright") is None:
        return "the package playwright is not installed"
    if not any(map(shutil.which, EXECUTABLES)):
        return "Chromium is not installed (Debian: apt-get install chromium)"
    return ""


def why_no_audit():
    """Why accessibility cannot be audited; nothing where it can."""
    return why_not() or (
        "" if find_spec("axe_playwright_python") else "the package axe-playwright-python is not installed"
    )


@asynccontextmanager
async def chromium():
    """A browser that ends with its context."""
    from playwright.async_api import async_playwright

    path = next(filter(None, map(shutil.which, EXECUTABLES)))
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def reading(browser, url, **wishes):
    """A page of a new visitor, and the list of everything that went wrong in it."""
    context = await browser.new_context(base_url=url, **wishes)
    context.set_default_timeout(HANGING * 1000)  # it is not a page that hangs which takes longer than its 30 s
    page = await context.new_page()
    wrong = []
    page.on("pageerror", lambda failure: wrong.append(str(failure)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
    try:
        yield page, wrong
    finally:
        await context.close()


async def audit(page):
    """What axe-core finds wrong with a page: rule and element. The page's own policy stays in force."""
    source = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    await page.evaluate(source + "; undefined")
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
