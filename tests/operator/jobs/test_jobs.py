from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from gui_environments.browser.files.limits import FileLimits
from gui_environments.egress.addresses import parse_address
from gui_environments.geometry import Size
from gui_operator.jobs import DEFAULT_MODEL, Job, JobDraft, JobError, read_job
from gui_operator.policy import CallRequest

Read = Callable[[str], Job]
Refusals = Callable[[str], list[str]]

INVOICE = """\
task: Enter the invoice ${invoice.number} in the supplier portal and return its confirmation number.
environment: browser            # desktop | browser | both
start: https://portal.example.com/
allow: [portal.example.com]
inputs: {invoice: {number: "A-17", file: invoices/a-17.pdf}}
secrets: [PORTAL_PASSWORD]
uploads: [invoices/]
result: {type: object, properties: {confirmation: {type: string}}, required: [confirmation]}
enable: [file_upload]
approve: {file_upload: allow, shell: deny}
dialogs: accept
limits: {turns: 40, seconds: 600, dollars: 2}
model: claude-sonnet-5-5
"""


def request(toolset: str | None, name: str, effect: Any) -> CallRequest:
    return CallRequest(toolset=toolset, name=name, effect=effect, input={})


def test_a_whole_job_is_read_as_it_is_written(read: Read, tmp_path: Path) -> None:
    (tmp_path / "invoices").mkdir()
    job = read(INVOICE)
    assert job.task_text() == (
        "Enter the invoice A-17 in the supplier portal and return its confirmation number.\n"
        "\nInputs:\ninvoice.file: invoices/a-17.pdf"
    )
    assert (job.environment, job.has_browser, job.has_desktop) == ("browser", True, False)
    assert job.start_address() == "https://portal.example.com/"
    assert job.input_texts == {"invoice.number": "A-17", "invoice.file": "invoices/a-17.pdf"}
    assert job.uploads == (tmp_path / "invoices",)
    assert job.result is not None
    assert job.result["required"] == ["confirmation"]
    assert job.enable == ("file_upload",)
    assert (job.limits.turns, job.limits.seconds, job.limits.dollars) == (40, 600, 2)
    assert (job.limits.tokens, job.limits.actions) == (None, None)
    assert set(job.dialog_policy.by_kind.values()) == {"accept"}
    (secret,) = job.secret_options
    assert (secret.name, str(secret.source)) == ("PORTAL_PASSWORD", "env:PORTAL_PASSWORD")
    assert [host.host for host in secret.hosts] == ["portal.example.com"]


def test_a_task_is_all_that_a_job_needs(read: Read) -> None:
    job = read("task: Look around.")
    assert (job.environment, job.model, job.history) == ("desktop", DEFAULT_MODEL, "server")
    assert job.hosts.judge(parse_address("https://example.com/"), "document").allowed is False


def test_a_job_cannot_be_changed(read: Read) -> None:
    job = read("task: Look around.")
    with pytest.raises(ValidationError):
        job.task = "Something else."
    with pytest.raises(ValidationError):
        job.limits.turns = 9


def test_an_empty_limit_is_none_at_all(read: Read) -> None:
    job = read("task: x\nlimits: {turns: , seconds: null}")
    assert (job.limits.turns, job.limits.seconds) == (None, None)


def test_inputs_are_the_texts_that_stand_in_the_file(read: Read) -> None:
    job = read("task: ${a} ${b} ${c} ${d} ${e}\ninputs: {a: 0012, b: 1.50, c: yes, d: true, e: , f: {g: 1e3}}")
    assert job.task_text() == "0012 1.50 yes true \n\nInputs:\nf.g: 1e3"
    assert job.input_texts["f.g"] == "1e3"


def test_inputs_that_are_named_somewhere_are_not_told_twice(read: Read) -> None:
    job = read(
        "task: Do it.\nenvironment: browser\nallow: [a.example]\nstart: https://${host}/\ninputs: {host: a.example}"
    )
    assert job.task_text() == "Do it."


def test_approvals_stand_above_the_preset(read: Read) -> None:
    rules = read("task: x\nallow: [example.com]\napprove: {left_click: deny, shell: allow}").rules
    assert rules.nearest(request("browser", "left_click", "pointer")).verdict == "deny"
    assert rules.nearest(request("browser", "hover", "pointer")).verdict == "allow"
    assert rules.nearest(request("browser", "navigate", "navigation")).verdict == "allow"
    assert rules.nearest(request("browser", "javascript_exec", "script")).verdict == "ask"
    assert rules.nearest(request(None, "bash", "shell")).verdict == "allow"
    assert rules.nearest(request(None, "of_my_own", "script")).verdict == "ask"


def test_one_word_decides_all_approvals(read: Read) -> None:
    for word, verdict in {"all": "allow", "none": "deny", "ask": "ask"}.items():
        rules = read(f"task: x\napprove: {word}").rules
        assert rules.nearest(request("computer", "screenshot", "read")).verdict == verdict
    assert read("task: x\napprove: preset").rules == read("task: x").rules


def test_enabling_a_member_approves_nothing(read: Read) -> None:
    rules = read("task: x\nenvironment: browser\nenable: [javascript_exec]").rules
    assert rules.nearest(request("browser", "javascript_exec", "script")).verdict == "ask"


def test_dialogs_are_answered_by_kind(read: Read) -> None:
    policy = read(
        "task: x\nenvironment: browser\ndialogs: {prompt: 'accept:A: b', '*': ask}\nask_seconds: 5"
    ).dialog_policy
    assert (policy.action("prompt"), policy.prompt_text) == ("accept", "A: b")
    assert (policy.action("alert"), policy.answer_s) == ("ask", 5)
    assert read("task: x\nenvironment: browser\ndialogs: {alert: accept}").dialog_policy.action("confirm") == "dismiss"


def test_programs_and_sizes_are_split(read: Read) -> None:
    job = read("task: x\nenvironment: both\napps: [xterm -e 'vi a b']\nscreen: 1024x768\nservices: {shop: run me}")
    assert job.apps == (("xterm", "-e", "vi a b"),)
    assert job.screen == Size(1024, 768)
    assert job.services == {"shop": ("run", "me")}


def test_the_address_of_a_service_is_known_when_it_runs(read: Read) -> None:
    job = read(
        "task: Order at ${shop}.\nenvironment: browser\nallow: [127.0.0.1]\nservices: {shop: run}\nstart: ${shop}new"
    )
    assert job.start_address({"shop": "http://127.0.0.1:7/"}) == "http://127.0.0.1:7/new"
    assert job.task_text({"shop": "http://127.0.0.1:7/"}) == "Order at http://127.0.0.1:7/."


def test_paths_are_meant_from_the_job_s_folder(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "words.txt").write_text("Be brief.")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    job = read("task: x\nworkdir: sub\nmemory: notes\nsystem_prompt: words.txt\nsecrets: ['P=file:pw.txt@a.example']")
    assert (job.workdir, job.memory) == (tmp_path / "sub", tmp_path / "notes")
    assert job.system_prompt == tmp_path / "words.txt"
    assert job.secret_options[0].source.place == str(tmp_path / "pw.txt")


MANY_FAULTS = """\
task: Enter the invoice.
environment: browsers
strat: https://portal.example.com/
allow: [portal.example.com, "a/b"]
inputs:
  invoice: {number: A, lines: [1]}
  "a b": 1
uploads:
  - nowhere
result: {type: objekt}
enable: [file_uplod]
approve:
  file_upload: maybe
dialogs: {alert: perhaps}
limits:
  turns: 0
  seconds: many
  minutes: 1
model: 5
viewport: 0x1
eager: yes
services: {shop: "a 'b"}
tools: [{name: web_search}]
secrets: [hunter2!]
base_url:
history: here
"""


def test_every_fault_is_named_with_its_line_and_what_is_allowed(refusals: Refusals, tmp_path: Path) -> None:
    assert refusals(MANY_FAULTS) == [
        "2: environment: \"browsers\" is not 'desktop', 'browser' or 'both'",
        "3: strat: there is no such key; did you mean start?",
        "4: allow.2: 'a/b' cannot be listed: a path cannot be listed, only hosts.",
        "6: inputs.invoice.lines: an input is a text or a mapping of texts, not a list",
        f"9: uploads.1: {tmp_path}/nowhere is not a folder",
        "10: result.type: this is not a JSON Schema: 'objekt' is not valid under any of the given schemas",
        "11: enable.1: the browser has no member 'file_uplod'; did you mean file_upload?",
        "13: approve.file_upload: 'maybe' is not allow, deny or ask",
        "14: dialogs.alert: 'perhaps' is not dismiss, accept or ask, or for prompt accept:TEXT",
        "16: limits.turns: 0 is not a number from 1",
        '17: limits.seconds: "many" is not a number',
        "18: limits.minutes: there is no such key; there are actions, dollars, seconds, tokens, turns",
        "19: model: 5 is not a text; quote it if it is meant as one",
        "20: viewport: '0x1' is not a size such as 1280x800, of at most 32767 a side",
        '21: eager: "yes" is not true or false',
        '22: services.shop: "a \'b" cannot be split into words: No closing quotation',
        "23: tools.1: a tool has a type, such as web_search_20250305",
        "24: secrets.1: a secret is given as NAME=SOURCE@HOST, with a NAME of letters, digits and _",
        "26: history: \"here\" is not 'server' or 'local'",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("environment: browser\n", "1: task: is missing"),
        ("task:\n", "1: task: null is not a text"),
        ("task: ''\n", '1: task: "" is not a text that is not empty'),
        ("task: Enter ${nr}\ninputs: {number: 1}", "1: task: nothing is called 'nr': there are number"),
        ("task: x\nstart: https://example.com/", "2: start: is for the environment browser or both"),
        ("task: x\nenvironment: browser\nscreen: 800x600", "3: screen: is for the environment desktop or both"),
        (
            "task: x\nenvironment: browser\nstart: https://b.example/\nallow: [a.example]",
            "3: start: cannot be reached: b.example is not listed.",
        ),
        ("task: x\nenvironment: browser\nstart: file:///etc/passwd", "3: start: Only http and https"),
        ("task: x\nenvironment: browser\nstart: ${shop}", "3: start: nothing is called 'shop'"),
        (
            "task: x\nenvironment: browser\nenable: [find]\ndisable:\n - find",
            "5: disable.1: find cannot be both enabled and disabled",
        ),
        ("task: x\nsecrets: [P]", "2: secrets.1: say where it may go: name hosts in allow, or write P=SOURCE@PLACE"),
        ("task: x\nallow: [a.example]\nsecrets: [P, 'P=env:Q@a.example']", "3: secrets.2: the secret P is named twice"),
        ("task: x\ninputs: {a: 1}\nservices: {a: run}", "3: services.a: is the name of an input as well"),
        ("task: x\ndisplay: 1", "2: display: 1 is not a text"),
        ("task: x\ndisplay: 'one'", "2: display: 'one' is no display such as ':1'"),
        ("task: x\ndisplay: ':1'\nscreen: 800x600", "3: screen: cannot be chosen with display"),
        ("task: x\ndisplay: own\napps: [xterm]", "3: apps: cannot be started on the machine's own screen"),
        ("task: x\nenvironment: both\ndisplay: own", "3: display: both needs an X display"),
        ("task: x\nbase_url: https://me:word@api.example/", "2: base_url: a user name or password has no place"),
        ("task: x\napprove:\n  bahs: deny", "3: approve.bahs: no tool, member or kind of effect is called 'bahs'"),
        ("task: x\napprove: everything", "2: approve: 'everything' is not all, none, ask, preset or a mapping"),
        ("task: x\ninputs: {a: {'b c': 1}}", "2: inputs.a.b c: 'b c' is not a name of letters"),
        ("task: x\ninputs: [a]", "2: inputs: inputs is a mapping"),
        ("task: x\nallow: example.com", '2: allow: "example.com" is not a list'),
        ("task: x\nlimits: 3", "2: limits: 3 is not a mapping"),
        (
            "task: x\nmcp_servers:\n- {type: url, name: a, url: 'https://a.example', authorization_token: hunter2}",
            "3: mcp_servers.1.authorization_token: a token has no place in a job",
        ),
        ("task: x\ntask: y", "2: the key 'task' stands twice"),
        ("- task: x", "1: a job is a mapping"),
        ("task: x\nworkdir: \"a\\0b\"", "2: workdir: a path has no NUL in it"),
    ],
)  # fmt: skip
def test_a_fault_is_said_where_it_stands(refusals: Refusals, text: str, said: str) -> None:
    (sentence,) = refusals(text)
    assert sentence.startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "task: x\nsecrets: [hunter2!]",
        "task: x\nsecrets: ['P=hunter2']",
        "task: x\nsecrets: ['P=env:hunter2']",
        "task: x\nmcp_servers: [{type: url, name: a, url: u, authorization_token: hunter2}]",
        "task: x\nbase_url: https://me:hunter2@api.example/",
    ],
)
def test_what_may_be_a_secret_is_not_shown_in_a_complaint_about_it(refusals: Refusals, text: str) -> None:
    assert "hunter2" not in "\n".join(refusals(text))


def test_downloads_do_not_go_where_uploads_come_from(refusals: Refusals, tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (sentence,) = refusals("task: x\nenvironment: browser\nuploads: [a]\ndownloads: a/b")
    assert sentence.startswith("4: downloads: ")


def test_bounds_of_files_are_said_in_words(read: Read) -> None:
    job = read("task: x\nenvironment: browser\nmax_upload: {file: 20MB, files: 3}\nmax_download: {total: 1.5GiB}")
    otherwise = FileLimits(5, 10, 7)
    assert job.max_upload.limits(otherwise) == FileLimits(20_000_000, 20_000_000, 3)
    assert job.max_download.limits(otherwise) == FileLimits(5, 3 * 2**29, 7)


def test_bounds_of_files_come_from_flags_as_exec_takes_them() -> None:
    draft = JobDraft().overridden("TASK", "task", "x").overridden("--environment", "environment", "browser")
    for place, value in (("max_upload", "20MB"), ("max_upload.total", "1GB"), ("max_upload.files", "3")):
        draft = draft.overridden("--max-upload", place, value)
    assert draft.job().max_upload.limits(FileLimits(1, 1, 1)) == FileLimits(20_000_000, 1_000_000_000, 3)
    for place, value in (("max_upload", "20 apples"), ("max_upload.files", "many"), ("max_upload.pages", "3")):
        with pytest.raises(JobError, match="--max-upload: "):
            draft.overridden("--max-upload", place, value).job()


def test_folders_of_files_lie_apart(refusals: Refusals, tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (sentence,) = refusals("task: x\nenvironment: browser\nuploads: [a]\ndocuments: a/b")
    assert sentence.startswith("4: documents: documents (")
    (sentence,) = refusals("task: x\nenvironment: browser\nuploads: [a, a/b]")
    assert sentence.startswith("3: uploads: uploads (")


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"none\.yaml: cannot be read: No such file"):
        read_job(tmp_path / "none.yaml")


def test_a_flag_takes_the_place_of_what_the_file_says(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(
        write_job("task: ${a.b}\nallow: [a.example]\nlimits: {turns: 3, dollars: 1}\ninputs: {a: {b: 1}}")
    )
    changed = draft.overridden("--max-turns", "limits.turns", 7).overridden("--input", "inputs.a.b", "two")
    job = changed.overridden("--allow", "allow", ["b.example"]).job()
    assert (job.limits.turns, job.limits.dollars, job.task_text(), job.allow) == (7, 1, "two", ("b.example",))
    assert draft.job().limits.turns == 3


def test_names_of_flags_may_have_dots_where_they_are_names(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(write_job("task: x\napprove: {shell: deny}"))
    job = draft.overridden("--approve", "approve.computer.type", "deny").job()
    assert job.approve == {"shell": "deny", "computer.type": "deny"}


def test_a_word_for_all_leaves_what_is_said_of_single_names(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(write_job("task: x\nenvironment: browser\napprove: {shell: deny}\ndialogs: {alert: ask}"))
    job = draft.overridden("--approve", "approve", "all").overridden("--dialog", "dialogs", "accept").job()
    assert job.approve == {"shell": "deny", "*": "allow"}
    assert job.dialogs == {"alert": "ask", "*": "accept"}
    in_turn = draft.overridden("--approve", "approve.bash", "deny").overridden("--approve", "approve", "all").job()
    assert in_turn.approve == {"shell": "deny", "bash": "deny", "*": "allow"}


def test_what_is_said_of_single_names_leaves_a_word_for_all(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(write_job("task: x\nenvironment: browser\napprove: none\ndialogs: accept"))
    job = draft.overridden("--approve", "approve.read", "allow").overridden("--dialog", "dialogs.alert", "ask").job()
    assert job.approve == {"*": "deny", "read": "allow"}
    assert job.dialogs == {"*": "accept", "alert": "ask"}
    assert draft.overridden("--approve", "approve", "preset").job().approve == {}


@pytest.mark.parametrize("words", [("deny", "allow"), ("allow", "deny")])
def test_of_two_flags_on_one_name_the_more_careful_counts(words: tuple[str, str]) -> None:
    draft = JobDraft().overridden("TASK", "task", "x")
    for word in words:
        draft = draft.overridden("--approve", "approve.bash", word)
    assert draft.job().approve == {"bash": "deny"}


def test_a_flag_may_still_allow_what_the_file_denies(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(write_job("task: x\napprove: {bash: deny}"))
    assert draft.overridden("--approve", "approve.bash", "allow").job().approve == {"bash": "allow"}


def test_a_word_that_no_table_knows_is_refused_also_beneath_a_flag(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(write_job("task: x\napprove: everything"))
    for place, word in (("approve.bash", "deny"), ("approve", "some")):
        with pytest.raises(JobError, match=r"everything|some"):
            draft.overridden("--approve", place, word).job()


def test_the_file_of_a_flag_s_secret_is_meant_from_the_current_folder(
    write_job: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    job = JobDraft.read(write_job("task: x")).overridden("--secret", "secrets", ["P=file:pw@a.example"]).job()
    assert job.secret_options[0].source.place == str(tmp_path / "here/pw")


def test_a_job_can_be_of_flags_alone() -> None:
    draft = JobDraft().overridden("the task", "task", "Look at ${x}.").overridden("--input", "inputs.x", "it")
    assert draft.job().task_text() == "Look at it."


def test_what_is_wrong_with_a_flag_is_said_of_the_flag(write_job: Callable[[str], Path]) -> None:
    draft = JobDraft.read(write_job("task: x\nlimits: {turns: 3}\nmodel: 5"))
    with pytest.raises(JobError) as refused:
        draft.overridden("--max-turns", "limits.turns", 0).overridden("--allow", "allow", ["a.b", "c/d"]).job()
    assert sorted(refused.value.sentences)[:2] == [
        "--allow: 'c/d' cannot be listed: a path cannot be listed, only hosts.",
        "--max-turns: 0 is not a number from 1",
    ]
    assert sorted(refused.value.sentences)[2].endswith(
        "job.yaml:3: model: 5 is not a text; quote it if it is meant as one"
    )


def test_what_a_job_shows_of_itself_is_a_job_again_and_holds_no_secret(
    read: Read, write_job: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "invoices").mkdir()
    job = read(INVOICE + "services: {shop: \"run 'a b'\"}\nviewport: 800x600\n")
    again = read_job(write_job(json.dumps(job.public())))
    assert again == job
    assert {"model", "limits", "environment"} <= read("task: x").public().keys()
    hidden = read("task: x\nsecrets: ['P=cmd:echo hunter2@a.example']")
    assert hidden.public()["secrets"] == ["P"]
    assert "hunter2" not in json.dumps(hidden.public())
