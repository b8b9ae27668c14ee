"""Pages for the browser toolset's tests, and finding one's way in what they read as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from environments.browser.site import Site

FORM = """<title>Order form</title>
<style>
body { margin: 0 } button, a, input, select { display: block; height: 24px; margin: 4px }
#first { position: absolute; left: 0; top: 0; width: 100px; height: 40px; margin: 0 }
</style>
<button id=first onclick="said.textContent += ' first'">First</button>
<div style="height: 50px"></div>
<label>Name <input id=name oninput="said.textContent += ' ' + this.value.length"></label>
<label>Pin <input type=password id=pin></label>
<label>Colour <select id=colour><option>red</option><option>blue</option></select></label>
<label>Even <input id=even oninput="this.value = '4711'"></label>
<label>Attachment <input type=file id=file></label>
<button onclick="said.textContent = 'saved ' + document.querySelector('#name').value">Save</button>
<button>Idle</button>
<button onclick="alert('Hello there')">Greet</button>
<button onclick="console.log('written to the console')">Log</button>
<a href="/next">Next</a>
<a href="/other" target=_blank>Other</a>
<a href="/report" download="report.txt">Report</a>
<p id=said></p>
<div style="height: 2000px"></div>
<button>Far below</button>
"""


def put_pages(site: Site) -> str:
    """The address of the form."""
    site.put("/next", "<title>Next page</title><h1>The next page</h1><a href='/form'>Back to the form</a>")
    site.put("/other", "<title>Other page</title><h1>Another page</h1>")
    site.put("/report", "a report of some length")
    return site.put("/form", FORM)


def reference_of(reading: str, name: str) -> str:
    """The reference of the first element of that name."""
    match = re.search(rf'"{re.escape(name)}[^"\n]*" \[(ref_\d+)\]', reading)
    assert match, f"nothing is called {name!r} in:\n{reading}"
    return match[1]


def by_ref(reference: str) -> dict[str, Any]:
    return {"type": "ref", "ref": reference}


def at(x: int, y: int) -> dict[str, Any]:
    return {"type": "coordinate", "x": x, "y": y}


def state_of(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """The `browser_state` block of a result."""
    (state,) = [block for block in result["content"] if block["type"] == "browser_state"]
    return dict(state)


def words_of(result: Mapping[str, Any]) -> str:
    """The text of a result, one block a line."""
    content = result["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")
