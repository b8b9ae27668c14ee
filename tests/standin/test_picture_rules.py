"""Pictures are judged by the pixels that their bytes hold."""

from __future__ import annotations

import base64
import random

import pytest

from standin.asking import COMPUTER, HELLO, MODEL, answers, ask, image_block, picture, refusal_of, request, result, told
from standin.blocks import Json
from standin.models import HIGH_TIER, STANDARD_TIER, find_model
from standin.script import function, member, says
from standin.server import StandIn

OLD_COMPUTER = {"type": "computer_20251124", "name": "computer", "display_width_px": 1280, "display_height_px": 800}
OLD_BETA = "computer-use-2025-11-24"


def screenshots(stand_in: StandIn, *pictures: Json, **fields: str) -> Json:
    """A request with a screenshot of each picture."""
    calls = [member("computer", "screenshot") for _ in pictures]
    results = [result(call, [block]) for call, block in zip(calls, pictures, strict=True)]
    return request(HELLO, told(stand_in, *calls), answers(*results), tools=[COMPUTER], **fields)


def refused(stand_in: StandIn, *pictures: Json) -> str:
    stand_in.expect(refusals=1)
    return refusal_of(ask(stand_in, screenshots(stand_in, *pictures)))


def accepted(stand_in: StandIn, *pictures: Json) -> None:
    stand_in.play(says("I see."))
    response = ask(stand_in, screenshots(stand_in, *pictures))
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(("width", "height"), [(2576, 1449), (1280, 800), (1, 1), (2576, 1)])
def test_a_picture_within_the_limits_is_taken(stand_in: StandIn, width: int, height: int) -> None:
    accepted(stand_in, picture(width, height))


@pytest.mark.parametrize("kind", ["jpeg", "webp", "gif"])
def test_other_kinds_of_pictures_are_taken(stand_in: StandIn, kind: str) -> None:
    accepted(stand_in, picture(64, 64, kind=kind))


@pytest.mark.parametrize(("width", "height", "words"), [(2577, 10, "2576 pixels"), (2500, 2000, "visual tokens")])
def test_a_picture_over_the_limits_is_refused(stand_in: StandIn, width: int, height: int, words: str) -> None:
    assert words in refused(stand_in, picture(width, height))


def test_visual_tokens_are_rounded_up_a_side(stand_in: StandIn) -> None:
    # 92 x 52 tiles are 4784, the limit; one more column of pixels begins another column of tiles.
    accepted(stand_in, picture(92 * 28 - 28, 52 * 28))
    message = refused(stand_in, picture(91 * 28 + 1, 52 * 28 + 1))
    assert f"{92 * 53} visual tokens" in message


def test_the_older_computer_tool_has_the_limits_of_its_model(stand_in: StandIn) -> None:
    call = function("computer", action="screenshot")
    body = request(HELLO, told(stand_in, call), answers(result(call, [picture(1600, 100)])), tools=[OLD_COMPUTER])
    stand_in.expect(refusals=1)
    assert "1568 pixels" in refusal_of(ask(stand_in, {**body, "model": "claude-sonnet-4-5"}, OLD_BETA))


def test_twenty_large_pictures_are_taken(stand_in: StandIn) -> None:
    accepted(stand_in, picture(2001, 10), *[picture(8, 8)] * 19)


def test_more_than_twenty_pictures_with_a_large_one_are_refused(stand_in: StandIn) -> None:
    assert "many-image requests" in refused(stand_in, picture(2001, 10), *[picture(8, 8)] * 20)


def test_many_pictures_within_the_smaller_limit_are_taken(stand_in: StandIn) -> None:
    accepted(stand_in, picture(2000, 10), *[picture(8, 8)] * 30)


def test_a_picture_of_more_bytes_than_allowed_is_refused(stand_in: StandIn) -> None:
    noise = random.Random(7).randbytes(8 * 1024 * 1024)
    assert "10 MB maximum" in refused(stand_in, image_block(noise))


def test_a_picture_that_is_not_of_its_media_type_is_refused(stand_in: StandIn) -> None:
    message = refused(stand_in, picture(64, 64, kind="jpeg", media_type="image/png"))
    assert "but it is image/jpeg" in message


def test_bytes_that_are_no_picture_are_refused(stand_in: StandIn) -> None:
    assert "could not process image" in refused(stand_in, image_block(b"<svg/>"))


def test_a_picture_that_breaks_off_is_refused(stand_in: StandIn) -> None:
    whole = base64.b64decode(picture(640, 480)["source"]["data"])
    assert "could not process image" in refused(stand_in, image_block(whole[: len(whole) // 2]))


def test_data_that_is_not_base64_is_refused(stand_in: StandIn) -> None:
    block = picture(8, 8)
    block["source"]["data"] = "%%%"
    assert "invalid base64" in refused(stand_in, block)


def test_a_picture_beside_the_result_of_an_action_has_to_fit_as_well(stand_in: StandIn) -> None:
    call = member("computer", "left_click")
    body = request(HELLO, told(stand_in, call), answers(result(call, [picture(2577, 10)])), tools=[COMPUTER])
    stand_in.expect(refusals=1)
    assert "2576 pixels" in refusal_of(ask(stand_in, body))


def test_a_picture_that_a_person_sends_need_not_fit(stand_in: StandIn) -> None:
    stand_in.play(says("I see."))
    assert ask(stand_in, request(answers(picture(3000, 10)))).status_code == 200


def test_models_have_the_limits_of_their_tier() -> None:
    assert find_model(MODEL).limits == HIGH_TIER
    assert find_model("claude-opus-4-7").limits == HIGH_TIER
    assert find_model("claude-haiku-4-5-20251001").limits == STANDARD_TIER
