"""Drives the own screen of this process as standard input says: one action a line, as its `repr`. Answers each line
with one of JSON. A process of its own, since pyautogui is bound to one screen for good."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Any

from gui_environments import actions
from gui_environments.desktop import open_own_screen
from gui_environments.errors import ActionRefused, EnvironmentDied, EnvironmentUnavailable
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size

NAMES = vars(actions) | {"ScreenPoint": ScreenPoint, "ScreenRegion": ScreenRegion}


def say(**answer: Any) -> None:
    print(json.dumps(answer), flush=True)


async def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    try:
        async with open_own_screen() as desktop:
            say(screen=[desktop.screen.width_px, desktop.screen.height_px], limits=desktop.limits)
            while line := await asyncio.to_thread(sys.stdin.readline):
                await answer(desktop, line.strip())
    except EnvironmentUnavailable as error:
        say(unavailable=str(error))


async def answer(desktop: Any, line: str) -> None:
    try:
        match line.split(" ", 1):
            case ["position"]:
                at = await desktop.pointer_position()
                say(x=at.x, y=at.y)
            case ["capture", arguments]:
                path, region, fit = eval(arguments, NAMES | {"Size": Size})
                picture = await desktop.capture(region, fit=fit)
                Path(path).write_bytes(picture.data)
                say(size=[picture.size.width_px, picture.size.height_px])
            case _:
                await desktop.perform(eval(line, NAMES), settle_s=0)
                say(done=True)
    except (ActionRefused, EnvironmentDied) as error:
        say(error=type(error).__name__, message=str(error))


asyncio.run(main())
