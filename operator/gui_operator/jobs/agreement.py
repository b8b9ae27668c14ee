"""What fields of a job ask of each other. Pure, but for a look at whether folders lie within each other."""

from __future__ import annotations

from collections.abc import Iterator

from gui_environments.browser.files.places import overlap
from gui_environments.egress.addresses import parse_address
from gui_environments.errors import ActionRefused
from gui_operator.jobs.model import Job
from gui_operator.jobs.placeholders import UnknownPlaceholder, fill, names_in
from gui_operator.jobs.problems import Problem

_OF_THE_BROWSER = (
    *("start", "viewport", "storage_state", "uploads", "downloads", "documents", "max_upload", "max_download"),
    *("enable", "disable", "dialogs", "chromium", "headed"),
)
_OF_THE_DESKTOP = ("screen", "apps", "display")


def disagreements(job: Job) -> Iterator[Problem]:
    yield from _misplaced(job)
    yield from _named_twice(job)
    yield from _unknown_names(job)
    yield from _unreachable_start(job)
    yield from _folders(job)
    if job.base_url is not None and "@" in job.base_url.partition("://")[2].partition("/")[0]:
        yield Problem(("base_url",), "a user name or password has no place in a job")


def _misplaced(job: Job) -> Iterator[Problem]:
    foreign = {"desktop": _OF_THE_BROWSER, "browser": _OF_THE_DESKTOP, "both": ()}[job.environment]
    fitting = {"desktop": "browser or both", "browser": "desktop or both", "both": ""}[job.environment]
    for name in foreign:
        if getattr(job, name) != type(job).model_fields[name].get_default(call_default_factory=True):
            yield Problem((name,), f"is for the environment {fitting}, and this job's is {job.environment}")
    if job.display is not None and job.screen is not None:
        yield Problem(("screen",), "cannot be chosen with display, which has its size")
    if job.display == "own" and job.apps:
        yield Problem(("apps",), "cannot be started on the machine's own screen: start them there yourself")
    if job.display == "own" and job.environment == "both":
        yield Problem(("display",), "both needs an X display, not the machine's own screen")


def _named_twice(job: Job) -> Iterator[Problem]:
    for name in sorted(set(job.enable) & set(job.disable)):
        yield Problem(("disable", job.disable.index(name)), f"{name} cannot be both enabled and disabled")
    for index, name in enumerate(job.secret_names):
        if name in job.secret_names[:index]:
            yield Problem(("secrets", index), f"the secret {name} is named twice")
        if "=" not in job.secrets[index] and not job.allow:
            yield Problem(("secrets", index), f"say where it may go: name hosts in allow, or write {name}=SOURCE@PLACE")
    for name in job.services:
        if name in job.input_texts:
            yield Problem(("services", name), "is the name of an input as well")


def _unknown_names(job: Job) -> Iterator[Problem]:
    names = {**job.input_texts, **dict.fromkeys(job.services, "")}
    for field in ("task", "start"):
        try:
            fill(getattr(job, field) or "", names)
        except UnknownPlaceholder as error:
            yield Problem((field,), str(error))


def _unreachable_start(job: Job) -> Iterator[Problem]:
    if job.start is None or not job.has_browser or set(names_in(job.start)) - job.input_texts.keys():
        return  # it is known only when services run
    try:
        verdict = job.hosts.judge(parse_address(job.start_address() or ""), "document")
    except ActionRefused as error:
        yield Problem(("start",), str(error))
        return
    if not verdict.allowed:
        yield Problem(("start",), f"cannot be reached: {verdict.reason} Name it in allow.")


def _folders(job: Job) -> Iterator[Problem]:
    sources = [("uploads", folder) for folder in job.uploads]
    if job.documents is not None:
        sources.append(("documents", job.documents))
    places = [("downloads", job.downloads), *sources] if job.downloads is not None else sources
    sentence = overlap(places)
    if sentence is not None:
        yield Problem((sentence.partition(" ")[0],), f"{sentence}; choose folders apart from each other")
