"""Setting form fields: every kind, on pages that mask, control, revert and refuse."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest

from environments.browser.conftest import Read
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest, read_page
from gui_environments.browser.acting.forms import set_field
from gui_environments.browser.actions import FieldValue, SetField
from gui_environments.browser.events import DialogAnswered
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

Fill = Callable[..., Awaitable[str]]


@pytest.fixture
def fill(browser: Browser, tab: Tab, read: Read) -> Fill:
    """Show a page, set its field named `f`, and give back the notes: `await fill("<input aria-label=f>", "x")`."""

    async def fill(body: str | None, value: FieldValue, role: str = r"\w+", name: str = "f") -> str:
        text = await read(body, "all")
        found = re.search(rf'{role} "{name}" \[(ref_\d+)\]', text)
        assert found, text
        outcome = await set_field(tab, browser.references, SetField(found[1], value))
        return " ".join(outcome.notes)

    return fill


async def held(tab: Tab, selector: str = "[aria-label=f]") -> object:
    return await tab.page.eval_on_selector(selector, "e => e.value")


LOG = (
    "<script>globalThis.seen = []; for (const type of ['focus', 'keydown', 'beforeinput', 'input', 'change'])"
    " document.addEventListener(type, e => seen.push(type + (e.key ? ' ' + e.key : '')), true)</script>"
)


@pytest.mark.parametrize("kind", ["text", "search", "email", "tel", "url", "password"])
@pytest.mark.parametrize("before", ["", "old"])
async def test_text_replaces_what_a_field_held(tab: Tab, fill: Fill, kind: str, before: str) -> None:
    assert await fill(f"<input type={kind} aria-label=f value='{before}'>", "Ada Č 字 🙂") == ""
    assert await held(tab) == "Ada Č 字 🙂"


async def test_an_empty_text_clears_a_field(tab: Tab, fill: Fill) -> None:
    assert await fill("<input aria-label=f value=old>", "") == ""
    assert await held(tab) == ""


async def test_lines_are_kept_in_a_text_area_and_submit_nothing(tab: Tab, fill: Fill) -> None:
    body = "<form onsubmit='submitted = 1; return false'><textarea aria-label=f>x</textarea><button>b</button></form>"
    assert await fill(body, "one\r\ntwo\n\n\tthree") == ""
    assert await held(tab) == "one\ntwo\n\n\tthree"
    assert await tab.page.evaluate("!globalThis.submitted")


@pytest.mark.parametrize(("value", "text"), [(42, "42"), (42.0, "42"), (3.5, "3.5")])
async def test_numbers_are_written_as_people_write_them(tab: Tab, fill: Fill, value: float, text: str) -> None:
    assert await fill("<input aria-label=f>", value) == ""
    assert await held(tab) == text


async def test_the_page_sees_the_events_of_a_person(tab: Tab, fill: Fill) -> None:
    await fill(LOG + "<input aria-label=f>", "ab")
    seen = await tab.page.evaluate("seen")
    assert [one for one in seen if one.startswith("keydown")] == ["keydown a", "keydown b"]
    assert seen[0] == "focus"
    assert seen[-1] == "change"
    assert seen.count("input") == 2


async def test_enter_after_it_submits(tab: Tab, fill: Fill) -> None:
    await fill("<form onsubmit='sent = f.value; return false'><input id=f aria-label=f></form>", "x")
    await tab.page.keyboard.press("Enter")
    assert await tab.page.evaluate("sent") == "x"


REACT_LIKE = """<input aria-label=f><output id=state></output><script>
// What React does: a property of the element itself remembers the value that was written, and an input event whose
// value is the remembered one is ignored. After each event the field is set to the state again.
const field = document.querySelector('input');
const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
let known = '', state = 'start';
Object.defineProperty(field, 'value', {configurable: true, get() { return native.get.call(this) },
  set(value) { known = String(value); native.set.call(this, value) }});
const render = () => { field.value = state; document.querySelector('output').textContent = state };
field.addEventListener('input', () => { const now = native.get.call(field); if (now !== known) state = now; render() });
render();
</script>"""


@pytest.mark.parametrize(
    ("kind", "start", "wanted"),
    [
        ("text", "start", "Ada"),
        ("text", "start", ""),
        ("number", "1", "7"),
        ("number", "1", ""),
        ("date", "2020-01-01", "2026-05-31"),
        ("date", "2020-01-01", ""),
        ("color", "#000000", "#3366ff"),
        ("range", "1", "40"),
    ],
)
async def test_controlled_fields_keep_the_value(tab: Tab, fill: Fill, kind: str, start: str, wanted: str) -> None:
    page = REACT_LIKE.replace("<input", f"<input type={kind}").replace("'start'", f"'{start}'")
    assert await fill(page, wanted) == ""
    assert await held(tab) == wanted
    assert await tab.page.inner_text("output") == wanted


MASK = """<input aria-label=f><script>
const field = document.querySelector('input');
field.addEventListener('keydown', event => {
  if (event.ctrlKey || event.key.length > 1) return;
  event.preventDefault();
  if (!/\\d/.test(event.key)) return;
  if (field.selectionStart !== field.selectionEnd) field.value = '';
  const digits = (field.value + event.key).replace(/\\D/g, '').slice(0, 8);
  field.value = digits.replace(/^(\\d\\d)(\\d)/, '$1/$2').replace(/^(\\d\\d.\\d\\d)(\\d)/, '$1/$2');
});
</script>"""


@pytest.mark.parametrize("value", ["31/05/2026", "31052026"])
async def test_masks_get_keys_and_what_they_make_of_them_is_said(tab: Tab, fill: Fill, value: str) -> None:
    notes = await fill(MASK, value)
    assert await held(tab) == "31/05/2026"
    assert notes == ("" if "/" in value else 'The page changed the value: the field now holds "31/05/2026".')


@pytest.mark.parametrize(
    ("script", "notes"),
    [
        ("this.value = this.value.toUpperCase()", 'The page changed the value: the field now holds "ADA".'),
        ("this.value = 'old'", 'The page did not take the value: the field still holds "old".'),
        ("this.value = ''", "The page changed the value: the field now holds nothing."),
        ("setTimeout(() => { this.value = 'late' })", 'The page changed the value: the field now holds "late".'),
        ("this.remove()", "The page replaced the field after it was set. Read the page again to see what it holds."),
    ],
)
async def test_what_the_page_made_of_the_value_is_said(fill: Fill, script: str, notes: str) -> None:
    assert await fill(f'<input aria-label=f value=old onchange="{script}">', "Ada") == notes


async def test_a_page_that_leaves_on_the_change_is_said_to_have_been_left(
    browser: Browser, tab: Tab, site: Site, fill: Fill
) -> None:
    site.put("/next", "next")
    body = "<select aria-label=f onchange=\"location = '/next'\"><option>a<option>b</select>"
    notes = await fill(body, "b")
    await tab.page.wait_for_url("**/next")
    assert notes in ("", "The page was left while the field was set.")


async def test_a_password_never_comes_back(fill: Fill) -> None:
    notes = await fill("<input type=password aria-label=f value=old onchange=\"this.value = 'secret2'\">", "secret1")
    assert notes == "The page changed what was entered."
    with pytest.raises(ActionRefused) as refused:
        await fill("<input type=password aria-label=f maxlength=3>", "secret1")
    assert "secret1" not in str(refused.value)


UNUSABLE = {
    "<input aria-label=f disabled>": "disabled",
    "<fieldset disabled><input aria-label=f></fieldset>": "disabled",
    "<input aria-label=f aria-disabled=true>": "disabled",
    "<div role=group aria-disabled=true><p><input aria-label=f></p></div>": "disabled",
    "<select aria-label=f disabled><option>x</select>": "disabled",
    "<input aria-label=f readonly>": "read-only",
    "<textarea aria-label=f readonly></textarea>": "read-only",
    "<input aria-label=f maxlength=2>": "2 characters at most",
    "<button aria-label=f>b</button>": "takes no value",
    "<a href=# aria-label=f>b</a>": "takes no value",
    "<input type=file aria-label=f>": "file_upload",
    "<input type=checkbox aria-label=f>": "true or false",
}


@pytest.mark.parametrize("body", UNUSABLE)
async def test_what_takes_no_value_is_refused_and_untouched(tab: Tab, fill: Fill, body: str) -> None:
    with pytest.raises(ActionRefused, match=UNUSABLE[body]):
        await fill(LOG + body, "three")
    assert await tab.page.evaluate("seen") == []


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("f.style.display = 'none'", "not shown"),
        ("f.style.visibility = 'hidden'", "not shown"),
        ("f.parentNode.inert = true", "inert"),
        ("d.showModal()", "behind an open dialog"),
        ("f.remove()", "removed"),
    ],
)
async def test_what_can_no_longer_be_used_is_refused(
    browser: Browser, tab: Tab, read: Read, script: str, reason: str
) -> None:
    text = await read("<div><input id=f aria-label=f></div><dialog id=d>d</dialog>")
    await tab.page.evaluate(script)
    reference = re.findall(r"ref_\d+", text)[0]
    with pytest.raises(ActionRefused, match=reason):
        await set_field(tab, browser.references, SetField(reference, "x"))


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        ("date", "2026-05-31", "2026-05-31"),
        ("time", "09:30", "09:30"),
        ("time step=1", "09:30:15", "09:30:15"),
        ("month", "2026-05", "2026-05"),
        ("week", "2026-W22", "2026-W22"),
        ("datetime-local", "2026-05-31T09:30", "2026-05-31T09:30"),
        ("datetime-local", "2026-05-31 09:30", "2026-05-31T09:30"),
        ("color", "#3366FF", "#3366ff"),
        ("range", 40, "40"),
        ("range", "40", "40"),
        ("number", "3", "3"),
        ("number", -2.0, "-2"),
        ("date", "", ""),
        ("number", "", ""),
    ],
)
async def test_picked_values_are_set(tab: Tab, fill: Fill, kind: str, value: FieldValue, wanted: str) -> None:
    assert await fill(LOG + f"<input type={kind} aria-label=f>", value) == ""
    assert await held(tab) == wanted
    if wanted:
        seen = await tab.page.evaluate("seen")
        assert "input" in seen
        assert seen[-1] == "change"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("date", "31.05.2026", "YYYY-MM-DD"),
        ("date", "2026-02-30", "YYYY-MM-DD"),
        ("time", "9:30 pm", "HH:MM"),
        ("month", "May 2026", "YYYY-MM"),
        ("week", "22", "2026-W22"),
        ("datetime-local", "2026-05-31", "YYYY-MM-DDTHH:MM"),
        ("color", "blue", "#rrggbb"),
        ("color", "", "#rrggbb"),
        ("range", "500", "from 0 to 100"),
        ("range", "loud", "a number"),
        ("number", "many", "a number"),
        ("number max=9", "10", "not above 9"),
        ("number min=1 max=9", "0", "not below 1 and not above 9"),
        ("number step=5", "7", "steps of 5"),
        ("time", "09:30:15", "steps of 60 seconds"),
        ("date min=2026-01-01", "2025-12-31", "not below 2026-01-01"),
        ("date", True, "not true or false"),
    ],
)
async def test_values_that_do_not_fit_are_refused_with_what_fits(
    tab: Tab, fill: Fill, field: str, value: FieldValue, words: str
) -> None:
    with pytest.raises(ActionRefused, match=re.escape(words)):
        await fill(LOG + f"<input type={field} aria-label=f>", value)
    assert await tab.page.evaluate("seen") == []


SELECT = (
    "<select aria-label=f><option value=''>Choose…<option value=at>Austria<option value=de> Germany  (DE) "
    "<optgroup label=Far><option value=jp>Japan<option value=nz disabled>New Zealand</optgroup>"
    "<optgroup label=Closed disabled><option value=x>Nowhere</optgroup>"
    "<optgroup label=Other><option value=o1>Same</optgroup><optgroup label=More><option value=o2>Same</optgroup>"
    "<option hidden>Ghost</select>"
)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("Austria", "at"),
        ("at", "at"),
        ("AUSTRIA", "at"),
        ("Germany (DE)", "de"),
        ("germany (de)", "de"),
        ("Japan", "jp"),
        ("Far / Japan", "jp"),
        ("More / Same", "o2"),
        ("Same", "o1"),
        ("", ""),
    ],
)
async def test_an_option_is_chosen_by_text_or_value(tab: Tab, fill: Fill, value: str, wanted: str) -> None:
    assert await fill(LOG + SELECT.replace("value=at", "value=at selected"), value) == ""
    assert await held(tab) == wanted
    assert (await tab.page.evaluate("seen"))[-2:] == ["input", "change"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Australia", 'There is no option "Australia"'),
        ("New Zealand", '"New Zealand" is disabled'),
        ("Nowhere", '"Nowhere" is disabled'),
        ("Ghost", "There is no option"),
    ],
)
async def test_what_cannot_be_chosen_is_refused_with_the_options(tab: Tab, fill: Fill, value: str, words: str) -> None:
    with pytest.raises(ActionRefused) as refused:
        await fill(SELECT, value)
    assert words in str(refused.value)
    assert '"Austria", "Germany (DE)", "Far / Japan", "Far / New Zealand" (disabled)' in str(refused.value)
    assert await held(tab) == ""


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("Red", ["Red"]), ("red, Blue", ["Red", "Blue"]), ("Red\nSea, green", ["Red", "Sea, green"]), ("", [])],
)
async def test_several_options_are_chosen(tab: Tab, fill: Fill, value: str, wanted: list[str]) -> None:
    body = "<select multiple aria-label=f><option selected>Old<option>Red<option>Blue<option>Sea, green</select>"
    assert await fill(body, value) == ""
    assert await tab.page.eval_on_selector("select", "e => [...e.selectedOptions].map(o => o.text)") == wanted


async def test_a_choice_that_the_page_changes_is_said(fill: Fill) -> None:
    body = "<select aria-label=f onchange='this.selectedIndex = 0'><option>A<option>B</select>"
    assert await fill(body, "B") == 'The page changed the choice: selected is "A".'


async def test_an_option_itself_can_be_chosen(browser: Browser, tab: Tab, read: Read) -> None:
    select = re.findall(r"ref_\d+", await read("<select aria-label=f><option>A<option>B<option disabled>C</select>"))[0]
    options = re.findall(r"ref_\d+", await read(None, "all", reference=select))
    assert await set_field(tab, browser.references, SetField(options[2], True))
    assert await held(tab) == "B"
    with pytest.raises(ActionRefused, match="disabled"):
        await set_field(tab, browser.references, SetField(options[3], True))


HIDDEN_BOX = "<style>input{position:absolute;opacity:0;width:0;height:0}</style>"
BOXES = {
    "plain": "<input type=checkbox aria-label=f {checked}>",
    "only its label shown": HIDDEN_BOX + "<label><input type=checkbox {checked}> f</label>",
    "not displayed": "<label><input type=checkbox style='display:none' {checked}> f</label>",
    "labelled from elsewhere": HIDDEN_BOX + "<input type=checkbox id=i {checked}><label for=i>f</label>",
    "aria": "<div role=checkbox tabindex=0 aria-label=f aria-checked={aria} "
    "onclick=\"this.setAttribute('aria-checked', this.ariaChecked !== 'true')\">x</div>",
    "switch": "<button role=switch aria-label=f aria-checked={aria} "
    "onclick=\"this.setAttribute('aria-checked', this.ariaChecked !== 'true')\"></button>",
}
IS_CHECKED = "e => e.checked ?? e.ariaChecked === 'true'"


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("wanted", [True, False])
async def test_boxes_are_checked_and_unchecked(tab: Tab, fill: Fill, box: str, *, before: bool, wanted: bool) -> None:
    body = BOXES[box].replace("{checked}", "checked" if before else "").replace("{aria}", str(before).lower())
    assert await fill(body, wanted, r"(?:checkbox|switch)") == ""
    assert await tab.page.eval_on_selector("input, [role]", IS_CHECKED) == wanted


async def test_a_box_that_is_right_already_is_not_touched(tab: Tab, fill: Fill) -> None:
    assert await fill(LOG + "<input type=checkbox aria-label=f checked onclick='clicked = 1'>", "yes") == ""
    assert await tab.page.evaluate("[seen, !globalThis.clicked]") == [[], True]


@pytest.mark.parametrize("how", ["onclick='return false'", "onchange='this.checked = false'"])
async def test_a_box_that_the_page_reverts_is_said(fill: Fill, how: str) -> None:
    notes = await fill(f"<input type=checkbox aria-label=f {how}>", True)
    assert notes == "The page did not keep it: it is not checked still."


async def test_radio_buttons_are_chosen_and_never_unchosen(tab: Tab, fill: Fill) -> None:
    body = "<input type=radio name=r aria-label=e checked><input type=radio name=r aria-label=f>"
    assert await fill(body, True) == ""
    assert await tab.page.eval_on_selector("[aria-label=f]", IS_CHECKED)
    with pytest.raises(ActionRefused, match="Set another one"):
        await fill(None, False)


@pytest.mark.parametrize("value", ["one two", "one\ntwo", ""])
async def test_what_is_edited_in_place_is_replaced(tab: Tab, fill: Fill, value: str) -> None:
    assert await fill("<div contenteditable aria-label=f><p>old <b>bold</b></p></div>", value) == ""
    assert re.sub(r"\n+", "\n", (await tab.page.inner_text("div")).rstrip("\n")) == value


@pytest.mark.parametrize("host", ["a", "b", "c"])
async def test_fields_in_frames_and_shadow_roots_are_set(
    browser: Browser, tab: Tab, site: Site, read: Read, host: str
) -> None:
    inner = (
        "<x-f><template shadowrootmode=open><input aria-label=one></template></x-f>"
        "<select aria-label=two><option>A<option>B</select><input type=checkbox aria-label=three>"
    )
    site.put("/inner", inner)
    text = await read("<input aria-label=outer><iframe src='{" + host + "}/inner'></iframe>", "all")
    wanted: dict[str, FieldValue] = {"one": "Ada", "two": "B", "three": True, "outer": "out"}
    for name, value in wanted.items():
        found = re.search(rf'"{name}" \[(ref_\d+)\]', text)
        assert found, text
        assert (await set_field(tab, browser.references, SetField(found[1], value))).notes == ()
    after = (await read_page(tab, browser.references, ReadRequest("all"))).text
    assert re.search(r'textbox "one" \[ref_\d+\] value="Ada"', after)
    assert re.search(r'combobox "two" \[ref_\d+\] value="B"', after)
    assert re.search(r'checkbox "three" \[ref_\d+\] checked', after)
    assert re.search(r'textbox "outer" \[ref_\d+\] value="out"', after)


async def test_pages_that_patch_built_ins_change_nothing(tab: Tab, fill: Fill) -> None:
    patch = (
        "<script>HTMLElement.prototype.focus = HTMLElement.prototype.click = HTMLInputElement.prototype.select ="
        " EventTarget.prototype.dispatchEvent = () => { throw 1 };"
        " Object.defineProperty(HTMLInputElement.prototype, 'value', {get: () => 'lie', set() {}});</script>"
    )
    assert (
        await fill(patch + "<input type=date aria-label=f><form><input name=createElement></form>", "2026-05-31") == ""
    )
    assert await tab.page.evaluate("document.querySelector('input').valueAsDate.getUTCFullYear()") == 2026


@pytest.mark.parametrize("kind", ["input", "select", "checkbox", "date"])
async def test_a_dialog_that_the_change_opens_does_not_hang_it(
    browser: Browser, tab: Tab, read: Read, kind: str
) -> None:
    alert = "onchange=\"alert('changed')\""
    body = {
        "input": f"<input aria-label=f {alert}>",
        "select": f"<select aria-label=f {alert}><option>A<option>true</select>",
        "checkbox": f"<input type=checkbox aria-label=f {alert}>",
        "date": f"<input type=date aria-label=f {alert}>",
    }[kind]
    reference = re.findall(r"ref_\d+", await read(body))[0]
    browser.take_events()
    value = "2026-05-31" if kind == "date" else "true"
    outcome = await set_field(tab, browser.references, SetField(reference, value))
    assert outcome.notes == ()
    assert [event.message for event in browser.take_events() if isinstance(event, DialogAnswered)] == ["changed"]


async def test_a_page_that_keeps_the_focus_elsewhere_is_refused(fill: Fill) -> None:
    with pytest.raises(ActionRefused, match="does not take the focus"):
        await fill("<input aria-label=f onfocus='this.blur()'>", "x")


async def test_a_long_text_goes_in_whole(tab: Tab, fill: Fill) -> None:
    text = "A line of text, and more.\n" * 400
    assert await fill("<textarea aria-label=f></textarea>", text) == ""
    assert await held(tab) == text


async def test_a_field_that_moves_the_focus_after_each_character_is_reported(fill: Fill) -> None:
    body = "<input aria-label=f oninput='g.focus()'><input id=g aria-label=g>"
    notes = await fill(body, "123")
    assert notes.startswith('The page changed the value: the field now holds "1". The focus went elsewhere')
