"""Fifty pages of ten kinds, each with names that its turns look for. Generated, and the same every time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["form", "table", "frames", "app", "shadow", "dialogs", "popup", "download", "canvas", "list"]

KINDS: tuple[Kind, ...] = (
    "form", "table", "frames", "app", "shadow", "dialogs", "popup", "download", "canvas", "list",
)  # fmt: skip

EACH = 5
"""Pages of a kind."""

APP_PATH = "/app"
"""One document that goes through all its views without ever being left."""


@dataclass(frozen=True, slots=True)
class Page:
    """The `number`-th of its kind. Those of kind `app` are views of the one document at `APP_PATH`."""

    kind: Kind
    number: int

    @property
    def path(self) -> str:
        return APP_PATH if self.kind == "app" else f"/{self.kind}/{self.number}"


PAGES = tuple(Page(kind, number) for number in range(EACH) for kind in KINDS)


def documents() -> dict[str, str]:
    """Every document of the tour by its path, those in frames too. `{a}`, `{b}` and `{c}` stand for the hosts."""
    written = {page.path: _document(f"{page.kind} {page.number}", _BODIES[page.kind](page.number)) for page in PAGES}
    written[APP_PATH] = _document("app", _APP)
    written["/opened"] = _document("opened", "<h1>Opened</h1><p>by another page</p>")
    button = "<button onclick=\"this.textContent += '!'\">Framed</button>"
    written["/framed"] = _document("framed", f"{button}<input aria-label=Note>")
    for first, then in ("ab", "ba", "bc"):
        inner = f"<iframe title=Innermost src='{{{then}}}/framed' width=300 height=90></iframe>"
        written[f"/around/{first}"] = _document("around", f"<p>around {first}</p>{inner}")
    return written


def _document(title: str, body: str) -> str:
    return f"<!doctype html><title>{title}</title><style>body {{ margin: 8px; font: 15px sans-serif }}</style>{body}"


def _form(number: int) -> str:
    fields = "".join(
        f"<p><label>Field {n} <input name=f{n} oninput='sum.textContent = this.value.length'></label></p>"
        for n in range(4 + number)
    )
    return f"""<h1>Form {number}</h1><form onsubmit="sum.textContent = 'sent'; return false">{fields}
<p><label>Size <select><option>small</option><option>large</option></select></label>
<label>Day <input type=date></label> <label>Agreed <input type=checkbox></label></p>
<p><label>Remarks <textarea></textarea></label></p><button>Send</button></form><p id=sum></p>"""


def _table(number: int) -> str:
    rows = "".join(
        f"<tr><td>{n}</td><td>Row {n} of {number}</td><td><a href='#r{n}'>Open {n}</a></td></tr>" for n in range(60)
    )
    return f"<h1>Table {number}</h1><table><tr><th>No</th><th>Name</th><th>Link</th></tr>{rows}</table>"


def _frames(number: int) -> str:
    around = "aabbc"[number]
    inner = ("{a}/framed", "{b}/framed", "{b}/around/b", "{a}/around/a", "{b}/around/b")[number]
    return f"""<h1>Frames {number} {around}</h1><iframe title=First src='{inner}' width=500 height=200></iframe>
<iframe title=Second src='{{c}}/framed' width=500 height=100></iframe>"""


def _shadow(number: int) -> str:
    mode = "closed" if number % 2 else "open"
    return f"""<h1>Shadow {number}</h1><my-card><b slot=title>Slotted {number}</b></my-card><script>
customElements.define('my-card', class extends HTMLElement {{
  constructor() {{
    super();
    const root = this.attachShadow({{ mode: '{mode}' }});
    root.innerHTML = '<slot name=title></slot>' + Array.from({{ length: {10 + number} }},
      (_, n) => `<p><button>Part ${{n}}</button> <label>Inside ${{n}} <input></label></p>`).join('');
    root.addEventListener('click', (event) => event.target.setAttribute('title', 'pressed'));
  }}
}});</script>"""


def _dialogs(number: int) -> str:
    return f"""<h1>Dialogs {number}</h1><button onclick="alert('Told {number}')">Tell</button>
<button onclick="said.textContent = confirm('Sure {number}?')">Ask</button>
<button onclick="said.textContent = prompt('Which {number}?')">Want</button>
<label>Text <input></label><p id=said></p><script>setTimeout(() => alert('late {number}'), 50)</script>"""


def _popup(number: int) -> str:
    return f"""<h1>Popup {number}</h1><a href='/opened' target=_blank>New page</a>
<button onclick="window.open('{{b}}/opened', 'p', 'width=300,height=200')">New window</button>
<p>{"words " * 200 * (1 + number)}</p>"""


def _download(number: int) -> str:
    return f"""<h1>Download {number}</h1><a href='/file/report-{number}.txt'>Report</a>
<a download='made.txt' href='data:text/plain,made'>Made</a><p>Some text to read {number}.</p>"""


def _canvas(number: int) -> str:
    return f"""<h1>Canvas {number}</h1><canvas id=c width=800 height=400 aria-label=Drawing></canvas><script>
const pen = c.getContext('2d');
for (let n = 0; n < 200; n++) {{
  pen.fillStyle = `hsl(${{n * 7 + {number} * 40}} 80% 50%)`;
  pen.fillRect((n * 37) % 800, (n * 53) % 400, 60, 40);
}}
c.addEventListener('mousemove', (event) => pen.fillRect(event.offsetX, event.offsetY, 4, 4));
fetch('/data/{number}').then((answer) => answer.json()).then((data) => console.log('data', data.length));
</script>"""


def _list(number: int) -> str:
    rows = "".join(f"<li><button>Take {n}</button> item {n} <a href='#i{n}'>More {n}</a></li>" for n in range(700))
    return f"<h1>List {number}</h1><ol>{rows}</ol>"


_APP = """<h1>Application</h1><nav>Views: <button data-view=0>View 0</button> <button data-view=1>View 1</button>
<button data-view=2>View 2</button> <button data-view=3>View 3</button> <button data-view=4>View 4</button></nav>
<main id=view></main><script>
const rows = (view) => Array.from({ length: 40 },
  (_, n) => `<p><button>Do ${n}</button> <label>Value ${n} <input value="${view}"></label></p>`).join('');
document.querySelector('nav').addEventListener('click', (event) => {
  const view = event.target.dataset.view;
  if (view === undefined) return;
  const shown = document.createElement('div');
  shown.innerHTML = `<h2>Showing ${view}</h2>${rows(view)}`;
  shown.addEventListener('click', (one) => console.log('pressed', one.target.textContent));
  document.querySelector('#view').replaceChildren(shown);
  history.pushState(null, '', `#view-${view}`);
  fetch(`/data/${view}`).then((answer) => answer.json());
});</script>"""

_BODIES = {
    "form": _form,
    "table": _table,
    "frames": _frames,
    "app": lambda _: _APP,
    "shadow": _shadow,
    "dialogs": _dialogs,
    "popup": _popup,
    "download": _download,
    "canvas": _canvas,
    "list": _list,
}
