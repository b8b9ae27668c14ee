"""The browser toolset: each member asks the browser for one thing, an action that its input means (`page_actions`) or
something to read. It holds no state of any page; what happened besides is reported by `browser_report`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anthropic import NOT_GIVEN, NotGiven
from anthropic.tools import (
    BetaAsyncConfirmCallable,
    BetaAsyncURLPolicy,
    BetaBrowserNavigateResult,
    BetaBrowserState,
    BetaFilePolicy,
    BetaScreenshotResult,
    BetaToolConfigs,
    BetaToolsetCallContext,
)
from anthropic.tools.browser import BetaAsyncAbstractBrowserToolset20260801
from anthropic.types import beta

from gui_environments.browser.events import BrowserEvent, DialogAnswered, NavigationRefused, RequestRefused
from gui_environments.browser.values import DEPTH, Filter, PageRegion, ReadRequest
from gui_environments.errors import ActionRefused, EnvironmentDied
from gui_environments.geometry import Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.protocols import BrowserEnvironment
from gui_environments.sights import Sight
from gui_operator.policy.secrets import Secrets
from gui_operator.recording import Recording
from gui_operator.toolsets import limits
from gui_operator.toolsets.browser_report import report_of, tab_entry
from gui_operator.toolsets.checked import CheckedToolset
from gui_operator.toolsets.filling import filled_in
from gui_operator.toolsets.masked import MaskedToolset
from gui_operator.toolsets.noticed import NoticedToolset
from gui_operator.toolsets.page_actions import page_action, tab_of
from gui_operator.toolsets.page_sights import NO_SUCH_TAB, is_held_to_page, page_sight
from gui_operator.toolsets.recorded import RecordedToolset, record_pointed, recorded_confirm
from gui_operator.toolsets.scaling import ImageTier, Scale, ScreenshotRegion, tier_of_model
from gui_operator.toolsets.screenshots import screenshot_result
from gui_operator.toolsets.seen import SeenToolset, seen_page


class BrowserToolset(
    RecordedToolset,
    MaskedToolset,
    NoticedToolset,
    CheckedToolset,
    SeenToolset,
    BetaAsyncAbstractBrowserToolset20260801,
):
    """`browser_toolset_20260801` on a browser.

    `confirm`, `configs`, `url_policy`, `file_policy` and `tool_configs` are the SDK's; `confirm=gate.confirm` passes
    calls through a gate. `javascript_exec`, `file_upload`, `read_console` and `read_network` are off unless `configs`
    enables them. The size of screenshots comes from `tier`, else from the `model`'s name, as for the computer. After an
    action the call returns when the page is quiet, after at most `settle_s` seconds. `secrets` are what `{{NAME}}` in
    `type` and `form_input` stands for; neither an answer nor a picture of a page shows one.
    """

    def __init__(
        self,
        browser: BrowserEnvironment,
        *,
        confirm: BetaAsyncConfirmCallable | None = None,
        configs: beta.BetaBrowserToolsetConfigsParam | None = None,
        url_policy: BetaAsyncURLPolicy | NotGiven = NOT_GIVEN,
        file_policy: BetaFilePolicy | None = None,
        tool_configs: BetaToolConfigs | None = None,
        model: str | None = None,
        tier: ImageTier | None = None,
        picture_format: PictureFormat = "png",
        settle_s: float = 3.0,
        recording: Recording | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        if confirm is not None and recording is not None:
            confirm = recorded_confirm(confirm, recording)
        super().__init__(
            configs=configs, confirm=confirm, url_policy=url_policy, file_policy=file_policy, tool_configs=tool_configs
        )
        self.recording = recording
        self.secrets = secrets
        self.notices = []
        self._browser = browser
        self._scale = Scale.of(browser.viewport, tier or tier_of_model(model))
        self._picture_format = picture_format
        self._settle_s = settle_s

    @property
    def screenshot_size(self) -> Size:
        """The space of every coordinate that the model gives and reads."""
        return self._scale.screenshot

    async def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        try:
            tabs = await self._browser.tab_states()
        except EnvironmentDied as error:
            self.environment_died = self.environment_died or str(error)
            tabs = ()
        member = context.tool_use.name if context.tool_use is not None else ""
        events = self._browser.take_events()
        self._record(events)
        report = report_of(events, tabs, member)
        self.notices += report.notices
        return report.state()

    def _record(self, events: Sequence[BrowserEvent]) -> None:
        """Who decided about each dialog, and what was refused."""
        if self.recording is None:
            return
        for event in events:
            if isinstance(event, DialogAnswered):
                verdict = "ask" if event.by != "rule" else "accept" if event.accepted else "dismiss"
                self.recording.write("dialog_answered", {**asdict(event), "rule": f"{event.kind}={verdict}"})
            elif isinstance(event, NavigationRefused):
                self.recording.write("navigation_refused", asdict(event))
            elif isinstance(event, RequestRefused):
                self.recording.write("request_refused", asdict(event))

    async def navigate(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserNavigateInput
    ) -> BetaBrowserNavigateResult:
        end = await self._browser.navigate(limits.something(input.url, "url"), tab_of(input))
        self.notices += end.notes
        return BetaBrowserNavigateResult(url=end.url, status=end.status, title=end.title or None)

    async def screenshot(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserScreenshotInput
    ) -> BetaScreenshotResult:
        return await self._picture(None, self._scale.screenshot, tab_of(input))

    async def zoom(self, context: BetaToolsetCallContext, input: beta.BetaBrowserZoomInput) -> BetaScreenshotResult:
        region = self._scale.screen_region(ScreenshotRegion.of(_four(input.region)))
        shown = PageRegion(region.left, region.top, region.right, region.bottom)
        return await self._picture(shown, self._scale.zoomed_size(region), tab_of(input))

    async def left_click(self, context: BetaToolsetCallContext, input: beta.BetaBrowserLeftClickInput) -> str | None:
        return await self._act(input)

    async def right_click(self, context: BetaToolsetCallContext, input: beta.BetaBrowserRightClickInput) -> str | None:
        return await self._act(input)

    async def middle_click(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserMiddleClickInput
    ) -> str | None:
        return await self._act(input)

    async def double_click(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserDoubleClickInput
    ) -> str | None:
        return await self._act(input)

    async def triple_click(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserTripleClickInput
    ) -> str | None:
        return await self._act(input)

    async def hover(self, context: BetaToolsetCallContext, input: beta.BetaBrowserHoverInput) -> str | None:
        return await self._act(input)

    async def left_click_drag(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserLeftClickDragInput
    ) -> str | None:
        return await self._act(input)

    async def left_mouse_down(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserLeftMouseDownInput
    ) -> str | None:
        return await self._act(input)

    async def left_mouse_up(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserLeftMouseUpInput
    ) -> str | None:
        return await self._act(input)

    async def mouse_move(self, context: BetaToolsetCallContext, input: beta.BetaBrowserMouseMoveInput) -> str | None:
        return await self._act(input)

    async def scroll(self, context: BetaToolsetCallContext, input: beta.BetaBrowserScrollInput) -> str | None:
        return await self._act(input)

    async def scroll_to(self, context: BetaToolsetCallContext, input: beta.BetaBrowserScrollToInput) -> str | None:
        return await self._act(input)

    async def type(self, context: BetaToolsetCallContext, input: beta.BetaBrowserTypeInput) -> str | None:
        return await self._act(input)

    async def key(self, context: BetaToolsetCallContext, input: beta.BetaBrowserKeyInput) -> str | None:
        return await self._act(input)

    async def hold_key(self, context: BetaToolsetCallContext, input: beta.BetaBrowserHoldKeyInput) -> str | None:
        return await self._act(input)

    async def form_input(self, context: BetaToolsetCallContext, input: beta.BetaBrowserFormInputInput) -> str | None:
        return await self._act(input)

    async def wait(self, context: BetaToolsetCallContext, input: beta.BetaBrowserWaitInput) -> None:
        duration_s = limits.page_duration_s(input.duration)
        await self._require_tab(tab_of(input))
        await asyncio.sleep(duration_s)

    async def read_page(self, context: BetaToolsetCallContext, input: beta.BetaBrowserReadPageInput) -> str:
        elements: Filter = input.filter or "visible"
        depth = DEPTH if input.depth is None else limits.whole_number(input.depth, "depth", limits.DEPTHS)
        reading = await self._browser.read_page(ReadRequest(elements, depth, input.ref or None), tab_of(input))
        return reading.text

    async def find(self, context: BetaToolsetCallContext, input: beta.BetaBrowserFindInput) -> str:
        reading = await self._browser.find(limits.something(input.query.strip(), "query"), tab_of(input))
        return reading.text

    async def get_page_text(self, context: BetaToolsetCallContext, input: beta.BetaBrowserGetPageTextInput) -> str:
        return await self._browser.page_text(tab_of(input))

    async def file_upload(self, context: BetaToolsetCallContext, input: beta.BetaBrowserFileUploadInput) -> str | None:
        if not input.paths and not input.document_ids:
            raise ActionRefused("paths and document_ids are empty; there is nothing to upload.")
        paths, documents = [Path(path) for path in input.paths or ()], input.document_ids or ()
        outcome = await self._browser.upload_files(
            input.target.ref, paths, tab_of(input), documents=documents, expected=seen_page()
        )
        return " ".join(outcome.notes) or None

    async def read_console(self, context: BetaToolsetCallContext, input: beta.BetaBrowserReadConsoleInput) -> str:
        return await self._browser.read_console(tab_of(input))

    async def read_network(self, context: BetaToolsetCallContext, input: beta.BetaBrowserReadNetworkInput) -> str:
        return await self._browser.read_network(tab_of(input))

    async def javascript_exec(self, context: BetaToolsetCallContext, input: beta.BetaBrowserJavascriptExecInput) -> str:
        return await self._browser.run_script(limits.something(input.text, "text"), tab_of(input), expected=seen_page())

    async def new_tab(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserNewTabInput
    ) -> beta.BetaBrowserStateTabEntryParam:
        return tab_entry(await self._browser.open_tab())

    async def list_tabs(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserListTabsInput
    ) -> list[beta.BetaBrowserStateTabEntryParam]:
        return [tab_entry(tab) for tab in await self._browser.tab_states()]

    async def switch_tab(
        self, context: BetaToolsetCallContext, input: beta.BetaBrowserSwitchTabInput
    ) -> beta.BetaBrowserStateTabEntryParam:
        return tab_entry(await self._browser.switch_tab(input.tab_id))

    async def close_tab(self, context: BetaToolsetCallContext, input: beta.BetaBrowserCloseTabInput) -> None:
        await self._browser.close_tab(input.tab_id)

    async def look_at(self, member: str, call_input: Any) -> Sight | None:
        return await page_sight(self._browser, member, call_input, self._scale)

    async def require_seen(self, member: str, call_input: Any) -> None:
        expected = seen_page()
        if expected is not None and is_held_to_page(member, call_input):
            await self._browser.require_unchanged(expected, tab_of(call_input))

    async def _act(self, call_input: Any) -> str | None:
        action = page_action(call_input, self._scale)
        assert action is not None
        async with filled_in(action, self.secrets) as filled:
            outcome = await self._browser.perform(
                filled, tab_of(call_input), settle_s=self._settle_s, expected=seen_page()
            )
        record_pointed(self.recording, call_input, outcome.at, self._scale)
        return " ".join(outcome.notes) or None

    def keep_from_sight(self) -> None:
        if self.secrets is not None:
            self._browser.keep_from_sight(self.secrets.masking.expressions)

    async def _require_tab(self, tab_id: str | None) -> None:
        if tab_id is not None and all(tab.tab_id != tab_id for tab in await self._browser.tab_states()):
            raise ActionRefused(NO_SUCH_TAB.format(tab_id[:40]))

    async def _picture(self, region: PageRegion | None, size: Size, tab_id: str | None) -> BetaScreenshotResult:
        def capture(picture_format: PictureFormat) -> Awaitable[Picture]:
            return self._browser.capture(region, fit=size, picture_format=picture_format, tab_id=tab_id)

        return await screenshot_result(capture, self._picture_format)


def _four(region: list[int]) -> list[int]:
    if len(region) != 4:
        raise ActionRefused(f"region holds {len(region)} numbers; it is [x0, y0, x1, y1].")
    return region
