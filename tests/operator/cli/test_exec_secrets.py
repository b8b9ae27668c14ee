"""`--secret` in the real command: a canary that a page spreads in every way it can is found nowhere in what leaves
the worker, by bytes and by the pixels of pictures; it goes only where it is bound to; scripts need a person then."""

from __future__ import annotations

import argparse
import base64
import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from PIL import Image, ImageChops

from environments.browser.site import Site
from gui_operator.cli.exec_options import describe_exec, read_options
from gui_operator.policy.terminal_pictures import RING_PX

from ..pages import by_ref, reference_of, words_of
from .sessions import ExecSession, bash, computer
from .terminals import AskedSession

StartExec = Callable[..., ExecSession]
StartAsked = Callable[..., AskedSession]

VALUE = "kW7 canary&31+zQ"
SEED = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

PAGE = """<title>Sign in</title><style>* { color: #f00; font: 16px monospace } body { margin: 0 }
label, button, i { color: #00f }
input, button, a, p, div { display: block; height: 22px; margin: 2px; border: 0; background: #fff; padding: 0 }
iframe { border: 0; width: 400px; height: 30px }</style>
<label>Password <input id=p></label><label>Again <input id=q></label>
<button onclick="alert('You entered ' + p.value)">Tell</button>
<button onclick="save()">Save</button>
<button onclick="window.open('/other?p=' + encodeURIComponent(p.value))">Open</button>
<p id=text></p><p id=split></p><div id=host></div><p id=coded></p>
<iframe id=inner></iframe><iframe id=other></iframe>
<script>
function say(value) {
  document.title = 'Password ' + value;
  history.replaceState(null, '', '?p=' + encodeURIComponent(value) + '&b=' + btoa('user:' + value));
  text.replaceChildren(Object.assign(document.createElement('i'), {textContent: 'It is '}), value);
  split.innerHTML = '';
  for (const char of value) split.append(Object.assign(document.createElement('span'), {textContent: char}));
  coded.textContent = btoa(value);
  host.attachShadow({mode: 'open'}).innerHTML = '<b style="color: #f00">' + value.replace('&', '&amp;') + '</b>';
  inner.srcdoc = '<style>* { color: #f00 }</style>' + value.replace('&', '&amp;');
  other.src = '{b}/frame#' + encodeURIComponent(value);
  console.log('password', value); console.error(JSON.stringify({password: value}));
  fetch('/log?p=' + encodeURIComponent(value) + '&b=' + btoa(value));
}
q.addEventListener('change', () => { q.value = q.value + '!' });
p.addEventListener('change', () => say(p.value));
function save() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['the password is ' + p.value + '\\n', btoa(p.value)]));
  link.download = p.value + '.txt';
  link.click();
}
</script>"""
FRAME = """<style>* { color: #f00 }</style><body style="margin: 0"><script>
document.body.textContent = decodeURIComponent(location.hash.slice(1))</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    site.put("/canary", PAGE)
    site.put("/frame", FRAME)
    site.put("/other", "<title>Other</title>")
    site.put("/log", "")
    yield site
    site.close()


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def spellings(value: str) -> dict[str, bytes]:
    """Found by other means than the product's."""
    data = value.encode()
    found = {
        "as it is": data,
        "in an address": quote(value, safe="").encode(),
        "in an address, small": quote(value, safe="").lower().encode(),
        "in a form": quote_plus(value).encode(),
        "in HTML": value.replace("&", "&amp;").encode(),
    }
    for before in range(3):
        # What of base64 depends on the value alone.
        encoded = base64.b64encode(b"x" * before + data)
        found[f"in base64, {before} bytes in"] = encoded[2 * before : len(encoded) // 4 * 4 - 4]
    return found


def leaks(data: bytes, value: str = VALUE) -> list[str]:
    return [name for name, spelling in spellings(value).items() if spelling.lower() in data.lower()]


def red_pixels(data: bytes) -> int:
    red, green, blue = Image.open(BytesIO(data)).convert("RGB").split()
    return sum(ImageChops.subtract(red, ImageChops.lighter(green, blue)).histogram()[40:])


def red_span_px(data: bytes) -> int:
    """The longer side of what is red."""
    red, green, blue = Image.open(BytesIO(data)).convert("RGB").split()
    channel = ImageChops.subtract(red, ImageChops.lighter(green, blue)).point(lambda value: 255 * (value >= 40))
    left, top, right, bottom = channel.getbbox() or (0, 0, 0, 0)
    return max(right - left, bottom - top)


def blue_pixels(data: bytes) -> int:
    red, green, blue = Image.open(BytesIO(data)).convert("RGB").split()
    return sum(ImageChops.subtract(blue, ImageChops.lighter(red, green)).histogram()[40:])


def pictures_in(value: Any) -> Iterator[bytes]:
    if isinstance(value, dict):
        if value.get("type") == "base64":
            yield base64.b64decode(value["data"])
        for each in value.values():
            yield from pictures_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from pictures_in(each)


def without_pictures(value: Any) -> Any:
    """Base64 of a picture spells anything, by chance."""
    if isinstance(value, dict):
        return "picture" if value.get("type") == "base64" else {k: without_pictures(v) for k, v in value.items()}
    return [without_pictures(each) for each in value] if isinstance(value, list) else value


class Watched:
    """A session, with all that it said."""

    def __init__(self, session: ExecSession) -> None:
        self.session = session
        self.said: list[bytes] = []
        self.pictures: list[bytes] = []
        self.take()

    def take(self) -> list[dict[str, Any]]:
        answer = self.session.read()
        self.pictures += pictures_in(answer)
        self.said.append(json.dumps(without_pictures(answer), ensure_ascii=False).encode())
        return list(answer.get("results", ()))

    def ask(self, *calls: dict[str, Any], **turn: Any) -> list[dict[str, Any]]:
        self.session.send_line(json.dumps({"calls": list(calls), **turn}).encode())
        return self.take()


def test_a_canary_that_a_page_spreads_is_found_nowhere(start_asked: StartAsked, site: Site, tmp_path: Path) -> None:
    record, downloads = tmp_path / "record", tmp_path / "downloads"
    downloads.mkdir()
    session = start_asked(
        *("--environment", "browser", "-vv", "--record", str(record), "--download-dir", str(downloads)),
        *("--secret", "CANARY=env:THE_CANARY@127.0.0.1", "--enable", "javascript_exec", "--enable", "read_console"),
        *("--enable", "read_network", "--approve", "left_click=ask", "--workdir", str(downloads)),
        variables={"THE_CANARY": VALUE},
    )
    watched = Watched(session)
    _, read = watched.ask(browser("navigate", url=site.url("/canary")), browser("read_page", filter="all"))
    fields = words_of(read)
    before = watched.ask(browser("javascript_exec", text="1 + 1"))
    assert "2" in words_of(before[0]), "no secret is in use yet"

    # Reports of the fields, and every way to read what the page does with it.
    filled = watched.ask(
        browser("form_input", target=by_ref(reference_of(fields, "Password")), value="{{CANARY}}"),
        browser("form_input", target=by_ref(reference_of(fields, "Again")), value="{{CANARY}}"),
        browser("read_page", filter="all"),
        browser("find", query="the password"),
        browser("get_page_text"),
        browser("read_console"),
        browser("read_network"),
        browser("screenshot"),
        browser("zoom", region=[0, 0, 640, 400]),
        browser("list_tabs"),
        keep=[{"call": 3, "as": "kept", "pattern": "(?s)It is .*"}],
        expect=[{"call": 3, "text": VALUE}],
    )
    assert [result.get("is_error", False) for result in filled] == [False] * 10
    assert "The page changed what was entered" in words_of(filled[1])
    for at in (2, 4, 5, 6):
        assert "[secret CANARY]" in words_of(filled[at]), "the page shows it, so that it would be here"
    assert "[secret CANARY]" in json.dumps(filled[9])

    # A question, with its picture; a dialog; a download with it in its name; a new tab with it in its address.
    questions: list[str] = []
    shown: list[bytes] = []
    for name in ("Tell", "Save", "Open"):
        questions.append(session.question(browser("left_click", target=by_ref(reference_of(fields, name)))))
        for path in re.findall(r"/\S+\.png", questions[-1]):
            shown.append(Path(path).read_bytes())
        session.type("y")
        watched.take()
    assert all("title: Password [secret CANARY]" in question for question in questions)
    told = b"".join(watched.said[-3:]).decode()
    assert "You entered [secret CANARY]" in told
    assert "[secret CANARY].txt" in told
    assert "/other?p=[secret CANARY]" in told

    # Scripts need a yes now, and what they say is masked; so is what bash and the editor say of the file.
    questions.append(session.question(browser("javascript_exec", text="document.title", tab_id="tab_1")))
    session.type("y")
    assert "[secret CANARY]" in words_of(watched.take()[0])
    questions.append(
        session.question(browser("javascript_exec", text="throw new Error(btoa(p.value) + p.value)", tab_id="tab_1"))
    )
    session.type("y")
    thrown = watched.take()[0]
    assert thrown["is_error"]
    assert "[secret CANARY]" in words_of(thrown)
    listed = watched.ask(
        bash(f"ls; cat *.txt; base64 *.txt; cat *.txt >&2; echo {VALUE!r}; printf 'x%s' {VALUE!r} | base64; env"),
        {"name": "str_replace_based_edit_tool", "input": {"command": "view", "path": f"{VALUE}.txt"}},
        {"name": "str_replace_based_edit_tool", "input": {"command": "view", "path": f"no {VALUE}"}},
        {"name": "str_replace_based_edit_tool", "input": {"command": "view", "path": "."}},
    )
    assert ["[secret CANARY]" in words_of(result) for result in listed] == [True] * 4
    session.send_line(b'{"calls": [], "' + VALUE.encode() + b'": 1}')
    watched.take()
    refused = watched.ask(browser("navigate", url=f"http://{VALUE.split()[0]}.test/?p={quote(VALUE)}"))[0]
    assert refused["is_error"]
    assert session.end() == 1, "what was expected holds the canary, which no result does"
    everything = {
        "results": b"\n".join(watched.said),
        "standard error": session.errors.encode(),
        "terminal": "\n".join(questions).encode(),
    }
    recorded = [path for path in record.rglob("*") if path.is_file()]
    images = [path for path in recorded if path.parent.name == "images"]
    everything |= {path.name: path.read_bytes() for path in recorded if path not in images}
    assert b"[secret CANARY]" in everything["events.jsonl"]
    assert {name: leaks(data) for name, data in everything.items() if leaks(data)} == {}
    assert [path for path in recorded if leaks(path.name.encode())] == []
    # What shows the canary is red in the page, and nothing else is.
    pictures = [*watched.pictures, *(path.read_bytes() for path in images)]
    assert len(pictures) >= 4
    assert [red_pixels(data) for data in pictures] == [0] * len(pictures)
    assert all(blue_pixels(data) for data in watched.pictures[:2])
    # In a question's, the ring around the point is red too.
    assert len(shown) == 3
    assert all(red_span_px(data) <= 2 * RING_PX + 1 for data in shown)


def test_a_page_shows_in_red_what_its_pictures_are_searched_for(start_exec: StartExec, site: Site) -> None:
    """Else nothing could be found in them."""
    session = start_exec("--environment", "browser", "--enable", "javascript_exec")
    watched = Watched(session)
    fill = f"p.value = {VALUE!r}; say(p.value); new Promise((done) => other.onload = done)"
    watched.ask(
        browser("navigate", url=site.url("/canary")), browser("javascript_exec", text=fill), browser("screenshot")
    )
    (picture,) = watched.pictures
    assert red_pixels(picture) > 500
    (text,) = watched.ask(browser("get_page_text"))
    assert VALUE in words_of(text)
    assert set(leaks(watched.said[-1])) >= {"as it is", "in an address"}
    assert session.end() == 0


def test_a_secret_is_filled_in_where_it_is_bound_to_and_scripts_need_a_person_then(
    start_exec: StartExec, site: Site
) -> None:
    page = "<input aria-label=f><input aria-label=g><p id=said></p>"
    site.put("/plain", page + "<script>f = document.querySelector('input')</script>")
    session = start_exec(
        *("--environment", "browser", "--enable", "javascript_exec", "--secret", "PASSWORD=env:P@127.0.0.1"),
        *("--secret", "OTHER=env:P@localhost", "--secret", "SEED=env:S@127.0.0.1"),
        variables={"P": VALUE, "S": SEED},
    )
    watched = Watched(session)
    _, read = watched.ask(browser("navigate", url=site.url("/plain")), browser("read_page"))
    f, g = (by_ref(reference_of(words_of(read), name)) for name in "fg")
    unknown = watched.ask(
        browser("form_input", target=f, value="{{UNKNOWN}} {{ PASSWORD }}"),
        browser("javascript_exec", text="f.value"),
    )
    assert "{{UNKNOWN}} {{ PASSWORD }}" in words_of(unknown[1])
    for refused in (
        watched.ask(browser("form_input", target=f, value="{{OTHER}}"))[0],
        watched.ask(browser("left_click", target=f), browser("type", text="{{OTHER}}"))[1],
    ):
        assert refused["is_error"]
        assert "{{OTHER}} is bound to localhost" in words_of(refused)
    (allowed,) = watched.ask(browser("javascript_exec", text="f.value.length"))
    assert "26" in words_of(allowed), "nothing was filled in, so that scripts may run"
    done = watched.ask(
        browser("form_input", target=f, value="{{PASSWORD}}"),
        browser("form_input", target=g, value="{{SEED.totp}}"),
        browser("read_page"),
    )
    assert [result.get("is_error", False) for result in done] == [False] * 3
    (script,) = watched.ask(browser("javascript_exec", text="f.value.length"))
    assert script["is_error"]
    assert "a secret has been filled in" in words_of(script)
    assert "nobody to ask" in words_of(script)
    said = b"".join(watched.said)
    assert leaks(said) + leaks(said, SEED) == []
    assert session.end() == 0


def test_a_secret_for_windows_is_typed_into_these_and_no_other(start_exec: StartExec, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    session = start_exec(
        *("--app", f"xterm -e sh -c 'stty -echo; cat > {taken}'", "--workdir", str(tmp_path)),
        *("--secret", "PASSWORD=env:P@window:XTerm", "--secret", "OTHER=env:P@window:Orders,example.com"),
        variables={"P": VALUE},
    )
    watched = Watched(session)
    refused, shot = watched.ask(computer("type", text="{{OTHER}}\n")), watched.ask(computer("screenshot"))
    assert refused[0]["is_error"]
    assert "bound to example.com and window:Orders" in words_of(refused[0])
    assert not shot[0].get("is_error")
    typed = watched.ask(
        computer("type", text="so: {{PASSWORD}}\n"),
        bash(f"until grep -q so: {taken}; do :; done; grep -c 'so: kW7' {taken}; cat {taken}"),
    )
    assert not typed[0].get("is_error")
    assert words_of(typed[1]).splitlines() == ["1", "so: [secret PASSWORD]"]
    assert taken.read_text() == f"so: {VALUE}\n"
    assert leaks(b"".join(watched.said)) == []
    assert session.end() == 0


def test_pictures_of_a_screen_show_no_secret_in_the_windows_of_the_browser(start_exec: StartExec, site: Site) -> None:
    session = start_exec(
        *("--environment", "both", "--viewport", "800x600", "--secret", "CANARY=env:P@127.0.0.1"),
        variables={"P": VALUE},
    )
    watched = Watched(session)
    _, read, _ = watched.ask(
        browser("navigate", url=site.url("/canary")), browser("read_page", filter="all"), computer("screenshot")
    )
    field = by_ref(reference_of(words_of(read), "Password"))
    watched.ask(
        browser("form_input", target=field, value="{{CANARY}}"),
        browser("get_page_text"),
        computer("screenshot"),
        computer("zoom", region=[0, 0, 400, 300]),
        browser("screenshot"),
    )
    before, after, zoomed, page = (Image.open(BytesIO(data)).convert("RGB") for data in watched.pictures)
    assert [red_pixels(data) for data in watched.pictures] == [0] * 4
    assert blue_pixels(watched.pictures[1]) > 0, "what is no secret is shown"
    # The window is in the corner of the screen: tabs and the address, which hold it too, are above the page.
    above = (10, 10, 600, 60)
    assert (page.size, before.crop(above).getcolors(1), after.crop(above).getcolors(1)) == (
        (800, 600),
        None,
        [(590 * 50, (0, 0, 0))],
    )
    assert zoomed.crop(above).getcolors(1) is not None
    assert session.end() == 0


def test_a_secret_that_cannot_be_had_is_an_error_at_start_that_does_not_show_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P", VALUE)
    bad = {
        ("--secret", f"A={VALUE}@127.0.0.1"): "say where its value comes from",
        ("--secret", "A=env:MISSING@127.0.0.1"): "MISSING is not set",
        ("--secret", "A=env:P"): "say where it may go",
        ("--secret", "A=env:P@127.0.0.1", "--secret", "A=env:P@localhost"): "given twice",
        ("--secret", "A=env:P@window:XTerm"): "there is no desktop",
        ("--environment", "desktop", "--secret", "A=env:P@127.0.0.1"): "there is no browser",
    }
    for options, words in bad.items():
        parser = argparse.ArgumentParser()
        describe_exec(parser)
        with pytest.raises(SystemExit) as ended:
            read_options(parser.parse_args(["-", "--environment", "browser", *options]), parser)
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert words in said
        assert VALUE.split()[0] not in said
