"""A value is found in whatever way a text spells it, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus

import pytest

from gui_environments.secrets import Masking
from gui_environments.secrets.spelling import SHORTEST

VALUE = "p@ss/wörd & <\"x'>=%\\+😀 end"
MASKING = Masking([("PORTAL", VALUE)])
MARK = "[secret PORTAL]"


def percent(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


SPELLINGS = {
    "as it is": VALUE,
    "in capitals": VALUE.upper(),
    "in an address": quote(VALUE),
    "in an address, all of it escaped": quote(VALUE, safe=""),
    "in an address, with small hex": quote(VALUE, safe="").lower(),
    "in an address, every character escaped": percent(VALUE),
    "in a form": quote_plus(VALUE),
    "in a form, with small hex": quote_plus(VALUE).lower(),
    "in JSON": json.dumps(VALUE)[1:-1],
    "in JSON with its own characters": json.dumps(VALUE, ensure_ascii=False)[1:-1],
    "in JSON of a script that escapes slashes": json.dumps(VALUE)[1:-1].replace("/", "\\/"),
    "in HTML": html.escape(VALUE),
    "in HTML with quotes left": html.escape(VALUE, quote=False),
    "in HTML by numbers": "".join(f"&#{ord(char)};" for char in VALUE),
    "in HTML by hex numbers": "".join(f"&#x{ord(char):X};" for char in VALUE),
    "with white space as pages show it": VALUE.replace(" ", "\n   "),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_a_value_is_taken_out_however_it_is_spelled(spelling: str) -> None:
    assert MASKING(f"before {spelling} after") == f"before {MARK} after"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:", "{'password': '"])
@pytest.mark.parametrize("after", ["", "z", "zy", "'}"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode], ids=["standard", "for addresses"])
def test_base64_of_a_text_that_holds_a_value_is_masked_where_it_does(before: str, after: str, encode: object) -> None:
    assert callable(encode)
    for value in ("hunter2horse", VALUE, "1234", "?~ÿ>>>?~"):
        masking = Masking([("V", value)])
        encoded = encode((before + value + after).encode()).decode()
        in_address = quote(encoded, safe="")
        small_hex = re.sub("%..", lambda match: match[0].lower(), in_address)
        for spelling in (encoded, encoded.rstrip("="), in_address, small_hex):
            masked = masking(f"<{spelling}>")
            assert "[secret V]" in masked, spelling
            # What is left over decodes to nothing of the value: it stands before it or behind it.
            left = masked.replace("[secret V]", "")
            assert len(left) <= len(spelling) - len(value)


def test_base64_that_is_broken_into_lines_is_masked() -> None:
    value = "a very long secret " * 8
    broken = base64.encodebytes(f"user:{value.strip()}".encode()).decode()
    assert broken.count("\n") > 2
    masked = Masking([("V", value)])(broken)
    assert "[secret V]" in masked
    assert len(masked) < 40


def test_nothing_else_is_masked() -> None:
    texts = ["p@ss/wörd", "aunter2horse", "", "hunter", "[secret PORTAL]", "cGFzc3dvcmQ=", "%%%", "\\u00"]
    masking = Masking([("A", "hunter2horse"), ("PORTAL", VALUE)])
    assert [masking(text) for text in texts] == texts


def test_of_two_values_the_one_that_holds_the_other_is_masked_whole() -> None:
    masking = Masking([("SHORT", "abcd"), ("LONG", "abcdef")])
    assert masking("abcdef abcd") == "[secret LONG] [secret SHORT]"


def test_a_mark_never_holds_a_value() -> None:
    masking = Masking([("PASSWORD", "password"), ("SECRET", "secret")])
    masked = masking("password: secret, PassWord")
    assert "password" not in masked.lower()
    assert "secret" not in masked.lower()


def test_each_longer_line_of_a_value_of_several_lines_is_masked_by_itself() -> None:
    key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\nab\n-----END KEY-----\n"
    masked = Masking([("KEY", key)])(" 1\tMIIEvQIBADANBgkq\n 2\t  hkiG9w0BAQEFAASC\n 3\tab\n")
    assert masked == " 1\t[secret KEY]\n 2\t  [secret KEY]\n 3\tab\n"


def test_what_is_left_of_a_value_that_was_cut_in_two_is_masked() -> None:
    masking = Masking([("A", "hunter2horse")])
    assert masking('link "see hunter2h…" [ref_1]') == 'link "see [secret A]…" [ref_1]'
    note = "\n[... 70 characters left out. Write long output to a file and read parts of it. ...]\n"
    assert masking(f"x hunter{note}horse y") == f"x [secret A]{note}[secret A] y"
    assert masking("x hun…") == "x hun…"


def test_values_of_json_are_masked_in_names_and_texts_but_not_in_numbers_and_the_bytes_of_pictures() -> None:
    masking = Masking([("PIN", "471100")])
    picture = {"type": "base64", "media_type": "image/png", "data": "AAAA471100AAAA"}
    value = {"pin 471100": [471100, 0.5, True, None, {"text": "471100"}], "source": picture}
    masked = {"pin [secret PIN]": [471100, 0.5, True, None, {"text": "[secret PIN]"}], "source": picture}
    assert masking.in_json(value) == masked


def test_a_value_that_is_too_short_is_refused_and_none_is_shown_in_words() -> None:
    with pytest.raises(ValueError, match=f"{SHORTEST} characters"):
        Masking([("A", " abc ")])
    assert "hunter2" not in repr(Masking([("A", "hunter2")]))


def test_values_can_be_added_later() -> None:
    masking = Masking()
    assert masking("code 123456") == "code 123456"
    masking.add("CODE", "123456")
    assert masking("code 123456") == "code [secret CODE]"
