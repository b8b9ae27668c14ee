from __future__ import annotations

from pathlib import Path

from gui_operator.policy import Decision
from gui_operator.recording import Recording
from gui_operator.recording.run_events import record_notice, record_reply, record_run_started
from gui_operator.report.lines import MOST_LINES, run_lines
from gui_operator.report.reading import read_run

from .runs import HOSTILE, invoice_run, make_call, reply


def test_a_run_is_printed_from_its_task_to_its_outcome(tmp_path: Path) -> None:
    lines = list(run_lines(read_run(invoice_run(tmp_path))))
    assert lines[0] == "task: Enter the invoice A-17."
    said = "\n".join(lines)
    for words in (
        "\n  thought: A form is likely.\n  said: I look first.\n  cost so far $0.0040\n     1 ok",
        "     1 ok           browser.screenshot (",
        "\n       picture: images/",
        "     3 ok           browser.left_click (320, 200) (",
        '\n       on textbox "Number"\n       Set.\n',
        "  note: The page's confirm “Send it?” was accepted, by rule.",
        "     5 refused      bash: rm -r / (",
        "\n       Refused by a person (shell=ask): not on this machine\n",
        "     6 failed       browser.key “Return” (",
        "\nsucceeded: The model brought the result.\n",
        'result: {\n          "confirmation": "K-47"\n        }\n'.replace("          ", "          "),
        "\nlast words: The invoice is entered.\n",
        "\ncost: $0.0123\n",
        "\ntokens: input 2,400, output 160\n",
    ):
        assert words in said, said


def test_nothing_that_a_page_or_a_model_says_reaches_the_terminal_unseen(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        record_run_started(recording, task=HOSTILE, model=HOSTILE, job={})
        with recording.turn():
            record_reply(recording, reply(("text", HOSTILE), ("thinking", HOSTILE), stop_reason=HOSTILE))
            make_call(recording, "bash", HOSTILE, command=HOSTILE, decision=Decision(False, "person", HOSTILE, HOSTILE))
            record_notice(recording, HOSTILE)
    lines = list(run_lines(read_run(tmp_path)))
    assert all(line.isprintable() for line in lines)
    said = "\n".join(lines)
    for escaped in (r"\u{202e}gnp.exe\u{202c}", r"\u{200b}", r"\u{1b}[31m", r"\u{0}", r"\u{d800}"):
        assert escaped in said


def test_a_long_result_is_cut_and_says_so(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording, recording.turn():
        make_call(recording, "bash", "\n".join(map(str, range(100))), command="seq 100")
    said = "\n".join(run_lines(read_run(tmp_path)))
    assert f"\n       {MOST_LINES - 1}\n       ... {100 - MOST_LINES} more lines" in said
