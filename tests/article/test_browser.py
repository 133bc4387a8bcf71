"""The pages in a real browser: silent, self-contained, narrow enough, sortable, legible.

Where no Chromium with its driver is found the tests are skipped and say so; with
``CHARGESIM_BROWSER=required``, as in CI, that is an error.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from article.plans import Write
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from chargesim.report.article.build import Built, build
from chargesim.report.render import Document, Table, write

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NAMES = ("chariot_charge", "metric_dice", "stand_hold_run", "charge", "editions", "flee", "list")
PHONE, DESK = 375, 1280
# WCAG 2.2: of texts, and of what a picture is made of
TEXT, GRAPHIC = 4.5, 3.0


class Browser:
    """A headless Chromium that remembers what it asked for."""

    def __init__(self, binary: str, driver: str, folder: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", f"--user-data-dir={folder}",
        ):  # fmt: skip
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))

    def open(self, file: Path, *, width: int = DESK, dark: bool = False, media: str = "") -> None:
        """Open a page at a width, light or dark, on a screen or on paper."""
        self._cdp(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._cdp("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.requests(), self.errors()  # what came before is forgotten
        self.driver.get(file.as_uri())

    def _cdp(self, command: str, **parameters: Any) -> None:
        self.driver.execute_cdp_cmd(command, parameters)

    def run(self, script: str) -> Any:
        """The value of a script within the page."""
        return self.driver.execute_script(script)

    def requests(self) -> list[str]:
        """Addresses that were asked for since the last time, but those that the page forbade."""
        log = [json.loads(one["message"])["message"] for one in self.driver.get_log("performance")]
        forbidden = {
            one["params"]["requestId"]
            for one in log
            if one["method"] == "Network.loadingFailed"
            and one["params"].get("blockedReason") == "csp"
        }
        return [
            one["params"]["request"]["url"]
            for one in log
            if one["method"] == "Network.requestWillBeSent"
            and one["params"]["requestId"] not in forbidden
        ]

    def errors(self) -> list[str]:
        """What the console complained of since the last time."""
        return [one["message"] for one in self.driver.get_log("browser") if one["level"] != "INFO"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        missing = "no browser" if binary is None else "no chromedriver"
        text = f"{missing}: install Debian's chromium and chromium-driver"
        if os.environ.get("CHARGESIM_BROWSER") == "required":
            pytest.fail(text)
        pytest.skip(text)
    found = Browser(binary, driver, tmp_path_factory.mktemp("browser"))
    yield found
    found.driver.quit()


def pages(shipped: dict[str, Built]) -> list[Path]:
    return [page for name in NAMES for page in shipped[name].pages]


def test_pages_are_silent_and_ask_for_nothing(browser: Browser, shipped: dict[str, Built]) -> None:
    for page in pages(shipped):
        browser.open(page)
        assert browser.errors() == []
        asked = [url for url in browser.requests() if not url.startswith("data:")]
        assert asked == [page.as_uri()]


def test_a_page_could_not_ask_for_anything_if_it_wanted(
    browser: Browser, shipped: dict[str, Built], tmp_path: Path
) -> None:
    text = shipped["flee"].pages[0].read_text(encoding="utf-8")
    assert "default-src 'none'; img-src data:;" in text
    outside = "http://127.0.0.1:9/"
    wish = f"<img src='{outside}x.png'><script>fetch('{outside}y')</script></body>"
    for policy, wanted in ((True, 0), (False, 2)):
        file = tmp_path / "page.html"
        head = text if policy else text.replace("Content-Security-Policy", "X-None")
        file.write_text(head.replace("</body>", wish), encoding="utf-8")
        browser.open(file)
        browser.run("return new Promise(done => setTimeout(done, 300))")
        asked = [url for url in browser.requests() if url.startswith(outside)]
        assert len(set(asked)) == wanted
        assert browser.errors()


OVERFLOW = """
const boxed = (e) => e.closest('.wide, pre') && !e.matches('.wide, pre');
return [document.documentElement.scrollWidth,
  [...document.body.querySelectorAll('*')].filter((e) => !boxed(e) && !e.closest('svg')
    && e.getBoundingClientRect().right > innerWidth + 0.5).map((e) => e.outerHTML.slice(0, 90))]
"""


@pytest.mark.parametrize("width", [320, PHONE, 768])
def test_nothing_reaches_beyond_the_screen(
    browser: Browser, shipped: dict[str, Built], width: int
) -> None:
    for page in pages(shipped):
        browser.open(page, width=width)
        found, beyond = browser.run(OVERFLOW)
        assert beyond == []
        assert found <= width


def test_what_is_too_wide_scrolls_by_itself(browser: Browser, shipped: dict[str, Built]) -> None:
    browser.open(shipped["list"].pages[0], width=PHONE)
    wide = browser.run(
        "return [...document.querySelectorAll('.wide')].map((e) => [e.scrollWidth, e.clientWidth,"
        " getComputedStyle(e).overflowX, e.tabIndex])"
    )
    assert any(inside > outside for inside, outside, _, _ in wide)
    assert {tuple(one[2:]) for one in wide} == {("auto", 0)}


COLUMN = """
const [table, column] = arguments;
return [...document.querySelectorAll('table')[table].tBodies[0].rows]
  .map((row) => row.cells[column].textContent.trim())
"""


def test_tables_are_sorted_by_their_heads(browser: Browser, write: Write, tmp_path: Path) -> None:
    body = (
        "{{ table({'means': 'mean:flee_distance', 'chances': 'target_fled_caught'},"
        " rows={'beta': 'flee', 'Álamo': 'flee[charge.0.distance=35]', 'gamma': 'shoot',"
        " 'alpha': 'flee[charge.0.distance=30]'}) }}\n\n"
        "| name | number |\n|---|---:|\n| x | 9,5 |\n| y | −10 |\n| z | 10 |\n"
    )
    build(write(body), tmp_path / "out")
    browser.open(tmp_path / "out" / "plan.es.html")
    driver = browser.driver

    def column(table: int, place: int) -> list[str]:
        return [str(text) for text in driver.execute_script(COLUMN, table, place)]

    def click(table: int, place: int) -> Any:
        head = driver.find_elements(By.CSS_SELECTOR, "table")[table].find_elements(
            By.TAG_NAME, "th"
        )
        head[place].find_element(By.TAG_NAME, "button").click()
        return head[place].get_attribute("aria-sort")

    before = column(0, 0)
    # chances by value, not by their text: 5.9 % before 22.1 %, exactly 0 first
    assert click(0, 2) == "ascending"
    rising = [float(text.split()[0].replace(",", ".")) for text in column(0, 2)]
    assert rising == sorted(rising)
    assert len(set(rising)) > 2
    assert column(0, 0) != before
    assert click(0, 2) == "descending"
    falling = [float(text.split()[0].replace(",", ".")) for text in column(0, 2)]
    assert falling == rising[::-1]
    # an undefined mean stands last, whichever way
    for _ in range(2):
        click(0, 1)
        assert column(0, 1)[-1] == "indefinida"
    sort = 'return [...document.querySelectorAll("[aria-sort]")].length'
    assert browser.run(sort) == 1


def test_the_authors_own_tables_are_sorted_too(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    body = "| name | number |\n|---|---:|\n| é | 9,5 |\n| f | −10 |\n| d | 10 |\n"
    build(write(body), tmp_path / "out")
    browser.open(tmp_path / "out" / "plan.es.html")
    buttons = browser.driver.find_elements(By.CSS_SELECTOR, "th button")
    buttons[1].click()
    assert browser.driver.execute_script(COLUMN, 0, 1) == ["−10", "9,5", "10"]
    buttons[0].click()
    assert browser.driver.execute_script(COLUMN, 0, 0) == ["d", "é", "f"]


LEGIBLE = (Path(__file__).parent / "legible.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_are_legible(
    browser: Browser, shipped: dict[str, Built], dark: bool
) -> None:
    least = {"text": TEXT, "letter": TEXT, "colour": GRAPHIC}
    for name in ("chariot_charge", "stand_hold_run", "charge"):
        browser.open(shipped[name].pages[1], dark=dark)
        found = browser.run(LEGIBLE)
        kinds = {kind for kind, _, _ in found}
        assert kinds == set(least)
        assert [one for one in found if one[1] < least[one[0]]] == []
        ground = browser.run("return getComputedStyle(document.body).backgroundColor")
        assert (sum(int(n) for n in ground[4:-1].split(",")) < 200) == dark


def test_letters_upon_colours_are_legible_and_do_not_follow_the_mode(
    browser: Browser, shipped: dict[str, Built]
) -> None:
    """In stacked bars letters are black or white, and so the pieces keep their colours."""
    pieces = """
    const boxes = [...document.querySelectorAll('.plot svg g[id*="patch_"] > path')]
      .map((p) => [p.getBoundingClientRect(), getComputedStyle(p).fill]);
    return [...document.querySelectorAll('.plot svg g[id*="text_"]')].flatMap((g) => {
      const use = g.querySelector('use'); if (!use) return [];
      const fill = getComputedStyle(use).fill;
      if (!['rgb(1, 1, 1)', 'rgb(254, 254, 254)'].includes(fill)) return [];
      const r = g.getBoundingClientRect(); const x = r.left + r.width / 2, y = r.top + r.height / 2;
      const under = boxes.filter(([b]) => b.left < x && x < b.right && b.top < y && y < b.bottom);
      return [[fill, under.map(([, f]) => f).at(-1)]];
    })
    """
    seen = []
    for dark in (False, True):
        browser.open(shipped["chariot_charge"].pages[0], dark=dark)
        seen.append(browser.run(pieces))
    assert len(seen[0]) > 6
    assert seen[0] == seen[1]

    def light(colour: str) -> float:
        parts = [int(n) / 255 for n in colour.removeprefix("rgb(").rstrip(")").split(",")]
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for letter, piece in seen[0]:
        if piece is None or not piece.startswith("rgb("):
            continue  # hatched: the letter has a box of its own
        bright, dim = sorted((light(letter), light(piece)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= GRAPHIC, (letter, piece)


def test_paper_has_no_buttons_and_no_ground(browser: Browser, shipped: dict[str, Built]) -> None:
    page = shipped["stand_hold_run"].pages[0]
    shown = (
        "const s = (q) => getComputedStyle(document.querySelector(q));"
        "return [s('nav').display, s('details').display, s('body').backgroundColor,"
        " s('figure').breakInside]"
    )
    browser.open(page, dark=True, media="print")
    assert browser.run(shown) == ["none", "none", "rgb(255, 255, 255)", "avoid"]
    browser.open(page)
    nav, details, _, _ = browser.run(shown)
    assert "none" not in (nav, details)


def test_everything_can_be_read_aloud(browser: Browser, shipped: dict[str, Built]) -> None:
    for page in pages(shipped):
        browser.open(page)
        lang, title, heads, plots, ids, scopes = browser.run(
            "const all = (q) => [...document.querySelectorAll(q)];"
            "return [document.documentElement.lang, document.title, all('h1').length,"
            " all('.plot').map((e) => [e.getAttribute('role'), e.getAttribute('aria-label')]),"
            " all('[id]').map((e) => e.id), all('th').every((e) => e.scope || e.closest('thead'))]"
        )
        assert lang == page.suffixes[0][1:]
        assert title
        assert heads == 1
        assert plots or page.name.startswith("list.")
        assert all(role == "img" and len(label) > 20 for role, label in plots)
        assert len(ids) == len(set(ids))
        assert scopes


def test_the_languages_lead_to_each_other(browser: Browser, shipped: dict[str, Built]) -> None:
    english, spanish = shipped["metric_dice"].pages
    browser.open(english)
    browser.driver.find_element(By.LINK_TEXT, "Español").click()
    assert browser.driver.current_url == spanish.as_uri()


def test_numbers_of_a_plain_page_do_not_break(browser: Browser, tmp_path: Path) -> None:
    row = ("a very long name " * 9, *["100 %"] * 9)
    table = Table(tuple("abcdefghij"), (row,), numbers=frozenset(range(1, 10)))
    file = tmp_path / "page.html"
    file.write_text(write(Document("numbers", (table,)), "html", "en"), encoding="utf-8")
    browser.open(file, width=PHONE)
    lines = """
        return [...document.querySelectorAll("td")].map(cell => {
            const all = document.createRange();
            all.selectNodeContents(cell);
            return all.getClientRects().length;
        });
    """
    long, *numbers = browser.run(lines)
    assert long > 1
    assert numbers == [1] * 9
