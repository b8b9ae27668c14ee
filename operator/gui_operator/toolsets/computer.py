"""The computer toolset: each member asks the desktop for the one action that its input means (`screen_actions`), or for
a picture. It holds no state of the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from anthropic.tools import (
    BetaAsyncComputerConfirmCallable,
    BetaComputerCursorPositionResult,
    BetaScreenshotResult,
    BetaToolConfigs,
    BetaToolsetCallContext,
)
from anthropic.tools.computer import BetaAsyncAbstractComputerToolset20260801
from anthropic.types import beta

from gui_environments.geometry import ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.protocols import DesktopEnvironment
from gui_environments.sights import Sight
from gui_operator.policy.secrets import Secrets
from gui_operator.recording import Recording
from gui_operator.toolsets import limits
from gui_operator.toolsets.checked import CheckedToolset
from gui_operator.toolsets.filling import filled_in
from gui_operator.toolsets.masked import MaskedToolset
from gui_operator.toolsets.recorded import RecordedToolset, recorded_confirm
from gui_operator.toolsets.scaling import ImageTier, Scale, ScreenshotRegion, tier_of_model
from gui_operator.toolsets.screen_actions import screen_action
from gui_operator.toolsets.screenshots import screenshot_result
from gui_operator.toolsets.seen import SeenToolset, seen_screen


class ComputerToolset(
    RecordedToolset, MaskedToolset, CheckedToolset, SeenToolset, BetaAsyncAbstractComputerToolset20260801
):
    """`computer_toolset_20260801` on a desktop.

    `confirm`, `configs` and `tool_configs` are the SDK's; `confirm=gate.confirm` passes calls through a gate. The size
    of screenshots comes from `tier`, else from the `model`'s name, else it is that of the models that take the toolset.
    After an action the call returns when the screen is quiet, after at most `settle_s` seconds. `secrets` are what
    `{{NAME}}` in a typed text stands for; no answer shows one, but the screen may.
    """

    def __init__(
        self,
        desktop: DesktopEnvironment,
        *,
        confirm: BetaAsyncComputerConfirmCallable | None = None,
        configs: beta.BetaComputerToolsetConfigsParam | None = None,
        tool_configs: BetaToolConfigs | None = None,
        model: str | None = None,
        tier: ImageTier | None = None,
        picture_format: PictureFormat = "png",
        settle_s: float = 1.0,
        recording: Recording | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        if confirm is not None and recording is not None:
            confirm = recorded_confirm(confirm, recording)
        super().__init__(configs=configs, confirm=confirm, tool_configs=tool_configs)
        self.recording = recording
        self.secrets = secrets
        self._desktop = desktop
        self._scale = Scale.of(desktop.screen, tier or tier_of_model(model))
        self._picture_format = picture_format
        self._settle_s = settle_s

    @property
    def screenshot_size(self) -> Size:
        """The space of every coordinate that the model gives and reads."""
        return self._scale.screenshot

    async def screenshot(
        self, context: BetaToolsetCallContext, input: beta.BetaComputerScreenshotInput
    ) -> BetaScreenshotResult:
        return await self._picture(None, self._scale.screenshot)

    async def zoom(self, context: BetaToolsetCallContext, input: beta.BetaComputerZoomInput) -> BetaScreenshotResult:
        region = self._scale.screen_region(ScreenshotRegion.of(input.region))
        return await self._picture(region, self._scale.zoomed_size(region))

    async def cursor_position(
        self, context: BetaToolsetCallContext, input: beta.BetaComputerCursorPositionInput
    ) -> BetaComputerCursorPositionResult:
        point = self._scale.screenshot_point(await self._desktop.pointer_position())
        return BetaComputerCursorPositionResult(x=point.x, y=point.y)

    async def left_click(self, context: BetaToolsetCallContext, input: beta.BetaComputerLeftClickInput) -> None:
        await self._act(input)

    async def right_click(self, context: BetaToolsetCallContext, input: beta.BetaComputerRightClickInput) -> None:
        await self._act(input)

    async def middle_click(self, context: BetaToolsetCallContext, input: beta.BetaComputerMiddleClickInput) -> None:
        await self._act(input)

    async def double_click(self, context: BetaToolsetCallContext, input: beta.BetaComputerDoubleClickInput) -> None:
        await self._act(input)

    async def triple_click(self, context: BetaToolsetCallContext, input: beta.BetaComputerTripleClickInput) -> None:
        await self._act(input)

    async def left_click_drag(
        self, context: BetaToolsetCallContext, input: beta.BetaComputerLeftClickDragInput
    ) -> None:
        await self._act(input)

    async def mouse_move(self, context: BetaToolsetCallContext, input: beta.BetaComputerMouseMoveInput) -> None:
        await self._act(input)

    async def left_mouse_down(
        self, context: BetaToolsetCallContext, input: beta.BetaComputerLeftMouseDownInput
    ) -> None:
        await self._act(input)

    async def left_mouse_up(self, context: BetaToolsetCallContext, input: beta.BetaComputerLeftMouseUpInput) -> None:
        await self._act(input)

    async def scroll(self, context: BetaToolsetCallContext, input: beta.BetaComputerScrollInput) -> str | None:
        await self._act(input)
        return None if input.scroll_amount else "scroll_amount is 0: the wheel was not turned."

    async def type(self, context: BetaToolsetCallContext, input: beta.BetaComputerTypeInput) -> None:
        await self._act(input)

    async def key(self, context: BetaToolsetCallContext, input: beta.BetaComputerKeyInput) -> None:
        await self._act(input)

    async def hold_key(self, context: BetaToolsetCallContext, input: beta.BetaComputerHoldKeyInput) -> None:
        await self._act(input)

    async def wait(self, context: BetaToolsetCallContext, input: beta.BetaComputerWaitInput) -> None:
        for _ in range(limits.whole_number(input.duration, "duration", limits.DURATION_S)):
            await asyncio.sleep(1)
            # A display that died meanwhile says so here, and not after five minutes.
            await self._desktop.pointer_position()

    async def look_at(self, member: str, call_input: beta.BetaComputerMemberInput) -> Sight:
        return await self._desktop.look(screen_action(call_input, self._scale))

    async def _act(self, call_input: beta.BetaComputerMemberInput) -> None:
        action = screen_action(call_input, self._scale)
        if action is None:
            return
        async with filled_in(action, self.secrets) as filled:
            await self._desktop.perform(filled, settle_s=self._settle_s, expected=seen_screen())

    async def _picture(self, region: ScreenRegion | None, size: Size) -> BetaScreenshotResult:
        def capture(picture_format: PictureFormat) -> Awaitable[Picture]:
            return self._desktop.capture(region, fit=size, picture_format=picture_format)

        return await screenshot_result(capture, self._picture_format)
