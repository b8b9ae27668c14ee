"""The report in a real browser, opened from the disk as a person opens it."""

from __future__ import annotations

import io
import itertools
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Locator, Page, sync_playwright
from tests.environments.browser.site import Site

from gui_environments.browser.chromium.command import find_chromium
from gui_operator.policy import Decision
from gui_operator.recording import Recording
from gui_operator.recording.reading import NotARecording
from gui_operator.recording.run_events import record_notice, record_reply, record_run_started
from gui_operator.report.html import REPORT_NAME, report_parts, write_report
from gui_operator.report.pictures import PictureFiles
from gui_operator.report.reading import read_run
from gui_operator.report.view import OPEN_FIGURES

from .runs import GREY, HOSTILE, SCREEN, invoice_run, make_call, picture_block, png, reply

PATIENCE_MS = 100_000
"""Bounds a hang; reached only by a test that fails."""

PHONE, DESK = (390, 844), (1280, 900)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = find_chromium(None, Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


class Opened:
    """A report in a tab. `asked_for` are the addresses that it made the browser ask for."""

    def __init__(self, page: Page, report: Path) -> None:
        self.page = page
        self.asked_for: list[str] = []
        self.said: list[str] = []
        page.on("request", lambda request: self.asked_for.append(request.url[:40]))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.goto(report.as_uri())

    @property
    def needless(self) -> list[str]:
        """What it asked for beside itself and what is in it."""
        return [url for url in self.asked_for[1:] if not url.startswith("data:image/")]


def opened(chromium: Browser, report: Path, size: tuple[int, int] = DESK, scheme: Any = "light") -> Opened:
    width, height = size
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.set_default_timeout(PATIENCE_MS)
    return Opened(context.new_page(), report)


@pytest.fixture(scope="module")
def invoice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(invoice_run(tmp_path_factory.mktemp("invoice") / "run"))


def hostile_run(directory: Path) -> Path:
    with Recording.open(directory) as recording:
        record_run_started(recording, task=HOSTILE, model=HOSTILE, job={HOSTILE: HOSTILE})
        with recording.turn():
            record_reply(recording, reply(("text", HOSTILE), ("thinking", HOSTILE), stop_reason=HOSTILE))
            decision = Decision(False, "person", HOSTILE, HOSTILE)
            make_call(recording, f"{HOSTILE.replace('.', '')}.click", HOSTILE, decision=decision, text=HOSTILE)
            make_call(recording, "bash", HOSTILE * 30, error=True, command=HOSTILE)
            listed = f'button "{HOSTILE}" [ref_1]'.replace("\"'>", "'>")
            make_call(recording, "browser.read_page", listed, target={"type": "ref", "ref": "ref_1"})
            make_call(recording, "browser.left_click", "x" * 3000, target={"type": "ref", "ref": "ref_1"})
            record_notice(recording, HOSTILE + "y" * 3000)
    return directory


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_is_wider_than_the_screen(
    chromium: Browser, invoice: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    for report in (invoice, write_report(hostile_run(tmp_path / "run"))):
        page = opened(chromium, report, size).page
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        wider = "each => each.clientWidth && each.scrollWidth > each.clientWidth + 1"
        named = "each => each.outerHTML.slice(0, 80)"
        assert page.evaluate(f"[...document.querySelectorAll('*')].filter({wider}).map({named})") == []
        page.context.close()


def test_it_asks_for_nothing_and_says_nothing(chromium: Browser, invoice: Path) -> None:
    report = opened(chromium, invoice)
    assert report.page.locator("svg.shot").count() == 2
    assert report.needless == []
    assert report.said == []
    report.page.context.close()


def test_a_person_finds_the_task_the_outcome_and_each_call(chromium: Browser, invoice: Path) -> None:
    page = opened(chromium, invoice).page
    text = page.locator("body").inner_text()
    for words in (
        "Enter the invoice A-17.",
        "succeeded The model brought the result.",
        '"confirmation": "K-47"',
        "$0.0123",
        "I look first.",
        "3. browser.left_click (320, 200)",
        'On: textbox "Number"',
        "refused",
        "Refused by a person (shell=ask): not on this machine",
        "The page's confirm “Send it?” was accepted, by rule.",
        "What did not go well: 2 of the calls",
        "The model's reply: input 1,200, output 80, 2.5 s, $0.0040 so far",
    ):
        assert words in text
    assert "A form is likely." not in text
    page.get_by_text("What the model thought, summed up").click()
    assert "A form is likely." in page.locator("body").inner_text()
    page.context.close()


def test_a_screen_reader_is_told_of_landmarks_headings_and_pictures(chromium: Browser, invoice: Path) -> None:
    page = opened(chromium, invoice).page
    for role, name in (
        ("main", None), ("banner", None), ("contentinfo", None), ("navigation", "Turns and calls"),
        ("region", "The task"), ("region", "The outcome"), ("region", "The timeline"), ("region", "Turn 2"),
        ("img", "The picture that call 1 gave."),
        ("img", "The last picture before it, of call 1, with (320, 200) marked."),
    ):  # fmt: skip
        found = page.get_by_role(role, name=name, exact=True) if name else page.get_by_role(role)  # type: ignore[arg-type]
        assert found.count() == 1, (role, name)
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(each => Number(each.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= sooner + 1 for sooner, later in itertools.pairwise(levels))
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.title() == "Run: succeeded"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len(set(ids))
    page.context.close()


def test_the_keyboard_reaches_everything_from_the_top_in_order(chromium: Browser, invoice: Path) -> None:
    page = opened(chromium, invoice).page
    shown = page.evaluate(
        f"{STOPS}.map((each, place) => each.checkVisibility() ? place : -1).filter(each => each >= 0)"
    )
    assert len(shown) > 10
    reached = []
    for _ in shown:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(f"{STOPS}.indexOf(document.activeElement)"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert reached == shown
    page.context.close()


def test_the_first_stop_of_the_keyboard_skips_to_the_timeline(chromium: Browser, invoice: Path) -> None:
    page = opened(chromium, invoice).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the timeline"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#timeline"
    page.keyboard.press("Tab")
    timeline = "document.querySelector('[aria-labelledby=timeline]')"
    assert page.evaluate(f"{timeline}.contains(document.activeElement)")
    page.context.close()


STOPS = "[...document.querySelectorAll('a, summary')]"
"""What can be done in a report: links, and what opens and closes."""

CONTRASTS = """() => {
  const parse = colour => colour.match(/[\\d.]+/g).map(Number);
  const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = element => {
    for (; element; element = element.parentElement) {
      const colour = parse(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
  };
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim()) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found[element.tagName + '.' + element.className] = ratio;
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(chromium: Browser, invoice: Path, tmp_path: Path, scheme: str) -> None:
    page = opened(chromium, invoice, scheme=scheme).page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 10
    assert {name: ratio for name, ratio in contrasts.items() if ratio < 4.5} == {}
    page.context.close()


def test_the_colours_follow_the_system(chromium: Browser, invoice: Path) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        page = opened(chromium, invoice, scheme=scheme).page
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.context.close()
    assert len(grounds) == 2


def figure_named(page: Page, name: str) -> Locator:
    return page.get_by_role("img", name=name, exact=True)


def pixels_of(figure: Locator) -> Image.Image:
    """The picture as it is painted, at the size it was taken in."""
    figure.scroll_into_view_if_needed()
    shot = Image.open(io.BytesIO(figure.screenshot())).convert("RGB")
    return shot.resize(SCREEN, Image.Resampling.NEAREST)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_point_of_a_click_is_marked_where_it_was(chromium: Browser, invoice: Path, size: tuple[int, int]) -> None:
    page = opened(chromium, invoice, size).page
    shot = pixels_of(figure_named(page, "The last picture before it, of call 1, with (320, 200) marked."))
    box = marked(shot).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert abs((left + right) / 2 - 320) < 6
    assert abs((top + bottom) / 2 - 200) < 6
    assert right - left < 120
    page.context.close()


def marked(shot: Image.Image) -> Image.Image:
    """White where a picture, which has nothing like it, shows the colour of marks."""
    red, green, blue = shot.split()
    strong, weak = red.point(lambda value: 255 * (value > 150)), green.point(lambda value: 255 * (value < 80))
    return ImageChops.darker(ImageChops.darker(strong, weak), blue.point(lambda value: 255 * (value < 150)))


def is_marked_near(shot: Image.Image, x: int, y: int) -> bool:
    return marked(shot).crop((x - 4, y - 4, x + 5, y + 5)).getbbox() is not None


def pixel_of(shot: Image.Image, x: int, y: int) -> tuple[int, int, int]:
    pixel = shot.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def test_a_drag_and_a_region_are_marked(chromium: Browser, tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording, recording.turn():
        make_call(recording, "computer.screenshot", [picture_block(png())])
        make_call(recording, "computer.left_click_drag", start_coordinate=[300, 200], coordinate=[900, 600])
        make_call(recording, "computer.zoom", region=[100, 100, 500, 700])
        make_call(recording, "computer.left_click", "outside", error=True, coordinate=[5000, 200])
    page = opened(chromium, write_report(tmp_path)).page
    drag = pixels_of(figure_named(page, "The last picture before it, of call 1, with (300, 200) to (900, 600) marked."))
    assert is_marked_near(drag, 600, 400), "no line between the ends"
    zoom = pixels_of(
        figure_named(page, "The last picture before it, of call 1, with the region 100, 100, 500, 700 marked.")
    )
    assert is_marked_near(zoom, 100, 400)
    assert pixel_of(zoom, 300, 400) == GREY
    assert page.evaluate("document.documentElement.scrollWidth") == DESK[0]
    page.context.close()


def test_what_pages_and_models_say_stays_text(chromium: Browser, tmp_path: Path) -> None:
    report = opened(chromium, write_report(hostile_run(tmp_path)))
    page = report.page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.title() == "Run: unknown"
    assert page.locator("script, img, b, iframe, object, form, input").count() == 0
    assert report.needless == []
    assert report.said == []
    text = page.locator("body").inner_text()
    for escaped in (
        r"\u{202e}gnp.exe\u{202c}",
        r"a\u{200b}b",
        r"\u{1b}[31mred\u{7}",
        r"\u{0}",
        r"\u{d800}",
        "{{ 7 * 6 }}",
    ):
        assert escaped in text
    raw = (tmp_path / REPORT_NAME).read_text(encoding="utf-8")
    assert not set(raw) & set("\u202e\u202c\u200b\x1b\x07\x00")
    assert "<script" not in raw
    page.context.close()


def test_no_text_of_a_run_stands_in_an_attribute(tmp_path: Path) -> None:
    raw = write_report(hostile_run(tmp_path)).read_text(encoding="utf-8")
    attributes = re.findall(r'\s[\w:-]+="([^"]*)"', raw.partition("<body>")[2])
    assert attributes
    assert not [value for value in attributes if "taken over" in value or "gnp" in value]


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def test_even_markup_in_it_could_run_no_script_and_load_nothing(
    chromium: Browser, invoice: Path, tmp_path: Path, site: Site
) -> None:
    """The second line of defence, tried with the first one broken."""
    there = site.put("/x", "somewhere else")
    attack = (
        f"<script>document.title = 'taken over'</script><img src='{there}' onerror=\"document.title='taken over'\">"
        f"<style>h1 {{ display: none }} h2 {{ background: url({there}) }}</style><iframe src='{there}'></iframe>"
        f"<link rel=stylesheet href='{there}'><object data='{there}'></object><base href='{there}'>"
        f"<p style='position: fixed'>a</p><form action='{there}'></form>"
    )
    text = invoice.read_text(encoding="utf-8")
    bent = tmp_path / "bent.html"
    for before, after in (("<main>", f"<main>{attack}"), ("</style>", f"</style>{attack}")):
        bent.write_text(text.replace(before, after, 1), encoding="utf-8")
        page = opened(chromium, bent).page  # which waits until all that loads is loaded
        assert page.title() == "Run: succeeded"
        assert page.locator("h1").is_visible()
        assert page.evaluate("getComputedStyle(document.querySelector('p')).position") == "static"
        refused = page.evaluate(
            """new Promise(resolve => {
              document.addEventListener('securitypolicyviolation', event => resolve(event.effectiveDirective));
              document.querySelector('form').requestSubmit();
            })"""
        )
        assert refused == "form-action"
        page.context.close()
    assert site.requests == []


def test_a_picture_that_is_missing_or_broken_is_said_and_the_rest_is_shown(chromium: Browser, tmp_path: Path) -> None:
    invoice_run(tmp_path)
    (image,) = (tmp_path / "images").iterdir()
    for spoil in (lambda: image.write_bytes(image.read_bytes()[:20]), image.unlink):
        spoil()
        page = opened(chromium, write_report(tmp_path)).page
        assert page.locator("svg.shot").count() == 0
        assert page.get_by_text(f"The picture images/{image.name} is missing, or cannot be read.").count() == 2
        page.context.close()


def test_each_picture_is_in_the_page_once(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording, recording.turn():
        for colour in (10, 20):
            make_call(recording, "computer.screenshot", [picture_block(png((colour, 0, 0)))])
            for x in range(10):
                make_call(recording, "computer.left_click", coordinate=[x, x])
    page = "".join(report_parts(read_run(tmp_path)))
    assert page.count("data:image/png;base64,") == 2
    assert page.count("<use ") == 22


def test_many_pictures_are_made_smaller_and_stay_legible(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        make_call(recording, "computer.screenshot", [picture_block(png((0, 90, 200)))])
        noise = Image.effect_noise(SCREEN, 90).convert("RGB")
        made = io.BytesIO()
        noise.save(made, "PNG")
        make_call(recording, "computer.screenshot", [picture_block(made.getvalue())])
    paths = [picture.path for call in read_run(tmp_path).calls for picture in call.pictures]
    whole, reduced = PictureFiles(tmp_path, paths), PictureFiles(tmp_path, paths, whole_up_to_bytes=1000)
    assert (whole.reduced, reduced.reduced) == (False, True)
    plain, noisy = reduced.by_path[paths[0]], reduced.by_path[paths[1]]
    assert len(reduced.data_url(noisy)) < len(whole.data_url(noisy)) / 2
    assert reduced.data_url(plain) <= whole.data_url(plain) or len(reduced.data_url(plain)) <= len(
        whole.data_url(plain)
    )
    assert (noisy.width_px, noisy.height_px) == SCREEN, "marks are still set in pixels of the screenshot"


def test_a_long_run_opens_with_its_pictures_closed(chromium: Browser, tmp_path: Path) -> None:
    turns = 500
    pictures = [picture_block(png((20 * shade, 0, 128))) for shade in range(10)]
    with Recording.open(tmp_path) as recording:
        for turn in range(turns):
            with recording.turn():
                make_call(recording, "computer.screenshot", [pictures[turn % 10]])
                make_call(recording, "computer.left_click", "Clicked.", coordinate=[turn, 400])
                make_call(recording, "browser.read_page", "a line of text\n" * 1000)
    assert turns > OPEN_FIGURES
    report = write_report(tmp_path)
    assert report.stat().st_size < 10 * 2**20
    page = opened(chromium, report, PHONE).page
    assert page.locator("details[open] svg.shot").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    page.locator("nav summary").last.click()
    page.locator("nav a[href='#turn-400']").click()
    page.locator("#call-1199 summary").first.click()
    assert page.locator("#call-1199 figcaption").inner_text().endswith("of call 1198, with (399, 400) marked.")
    shot = pixels_of(page.locator("#call-1199 svg.shot"))
    assert pixel_of(shot, 1000, 700) == (20 * 9, 0, 128)
    page.context.close()


def test_the_report_is_the_owner_s_and_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    invoice_run(tmp_path)
    (tmp_path / REPORT_NAME).write_text("old")
    before = {path.name for path in tmp_path.iterdir()}
    report = write_report(tmp_path)
    assert report.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == before


def test_where_there_is_no_run_no_report_is_left(tmp_path: Path) -> None:
    with pytest.raises(NotARecording):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == []
