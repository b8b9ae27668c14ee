"""What a job asks for, as the options that the worker of `exec` is opened with. Opens nothing; reads the secrets."""

from __future__ import annotations

from types import MappingProxyType

from gui_environments.browser.files.limits import DOWNLOAD_LIMITS, UPLOAD_LIMITS
from gui_environments.geometry import Size
from gui_operator.cli.approval_options import ApprovalOptions
from gui_operator.cli.browser_options import DEFAULT_VIEWPORT, WINDOW_ROOM, BrowserOptions
from gui_operator.cli.exec_options import DEFAULT_SCREEN, ExecOptions
from gui_operator.cli.file_options import FileOptions, secret_files
from gui_operator.cli.services import Service
from gui_operator.cli.value_options import ValueOptions
from gui_operator.jobs import Job
from gui_operator.policy.gate import ANSWER_S
from gui_operator.policy.secret_sources import read_secret


def worker_options(job: Job) -> ExecOptions:
    """Raises `SecretError` for a secret that cannot be read."""
    browser = _browser_options(job) if job.has_browser else None
    return ExecOptions(
        source="-",
        desktop=job.has_desktop,
        browser=browser,
        screen=job.screen or _screen_around(browser),
        display=job.display,
        us_keyboard=False,
        apps=job.apps,
        workdir=job.workdir,
        record=None,
        model=job.model,
        settle_s=job.settle_seconds,
        stop_on_error=False,
        approvals=ApprovalOptions(job.rules, ANSWER_S if job.ask_seconds is None else job.ask_seconds),
        hosts=job.hosts,
        values=ValueOptions(job.input_texts, tuple(Service(name, command) for name, command in job.services.items())),
        secrets=tuple(map(read_secret, job.secret_options)),
    )


def _browser_options(job: Job) -> BrowserOptions:
    configs = {name: {"enabled": True} for name in job.enable} | {name: {"enabled": False} for name in job.disable}
    return BrowserOptions(
        viewport=job.viewport or DEFAULT_VIEWPORT,
        configs=MappingProxyType(configs),
        files=FileOptions(
            upload_roots=job.uploads,
            document_dir=job.documents,
            download_dir=job.downloads,
            upload_limits=job.max_upload.limits(UPLOAD_LIMITS),
            download_limits=job.max_download.limits(DOWNLOAD_LIMITS),
            kept_from_pages=(
                *([("the storage state", job.storage_state)] if job.storage_state is not None else []),
                *secret_files(job.secret_options),
            ),
        ),
        storage_state=job.storage_state,
        headed=job.headed or job.environment == "both",
        chromium=job.chromium,
        dialogs=job.dialog_policy,
    )


def _screen_around(browser: BrowserOptions | None) -> Size:
    if browser is None:
        return DEFAULT_SCREEN
    return Size(browser.viewport.width_px + WINDOW_ROOM.width_px, browser.viewport.height_px + WINDOW_ROOM.height_px)
