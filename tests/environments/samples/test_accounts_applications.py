"""What makes an application valid, how a browser's form is read, and what a bank account has to be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.samples.accounts.applications import (
    InvalidApplication,
    UploadedFile,
    application_of,
    require_papers,
)
from gui_environments.samples.accounts.form_data import NoForm, read_form_data
from gui_environments.samples.accounts.payments import InvalidAccount, Payments, bank_account_of

from .applying import VALID, multipart


def test_a_valid_form_becomes_an_application():
    application = application_of(VALID)
    assert application.company == "Ada & Co"
    assert application.catalogues == ("pens", "filing")
    assert application.address == "One street\nTown"
    assert application.employees == 3
    assert application.password_length == 12
    assert application_of({**VALID, "catalogues": [], "telephone": []}).catalogues == ()


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("company", ["", "  "]),
        ("legal_form", ["", "llp", "GmbH"]),
        ("tax_number", ["12/345/6789", "1234567890", "１２/345/67890"]),
        ("country", ["", "Germany", "XX"]),
        ("founded", ["1987", "1987-13", "April 1987"]),
        ("employees", ["", "0", "5001", "1.5", "²", "9" * 5000]),
        ("contact", [""]),
        ("email", ["ada", "a@b", "a b@c.de"]),
        ("password", ["too short"]),
        ("language", ["", "xx"]),
        ("catalogues", ["none"]),
        ("address", ["\n"]),
        ("first_delivery", ["", "01.04.2026", "2026-02-30"]),
        ("dock_opens", ["", "25:00", "half past six"]),
        ("visit", ["", "2026-03-24T25:00"]),
        ("credit", ["", "7", "55", "-5"]),
        ("label_colour", ["red", "#22A06B"]),
        ("terms", ["no"]),
    ],
)
def test_a_form_with_one_wrong_field_is_refused_for_that_field(field, values):
    for sent in ([value] for value in values):
        with pytest.raises(InvalidApplication) as refused:
            application_of({**VALID, field: sent})
        assert list(refused.value.problems) == [field]


@pytest.mark.parametrize("field", sorted(VALID.keys() - {"catalogues", "telephone", "driver_note"}))
def test_a_field_that_is_missing_or_sent_twice_is_refused(field):
    for sent in ([], VALID[field] * 2):
        with pytest.raises(InvalidApplication) as refused:
            application_of({**VALID, field: sent})
        assert list(refused.value.problems) == [field]


@pytest.mark.parametrize(
    "file", [None, UploadedFile("", b"x"), UploadedFile("a", b""), UploadedFile("a", b"x" * (5 * 2**20 + 1))]
)
def test_papers_are_a_file_that_is_there_and_not_too_large(file):
    with pytest.raises(InvalidApplication):
        require_papers(file)


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters='"\r\n'), min_size=1)


@given(
    st.dictionaries(names, st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=3)),
    st.dictionaries(names, st.tuples(names, st.binary())),
)
def test_texts_and_files_are_read_as_they_were_sent(texts, files):
    data = read_form_data(*multipart(texts, files))
    assert data.texts == texts
    assert {name: (file.name, file.content) for name, file in data.files.items()} == files


def test_names_are_read_as_browsers_escape_them():
    kind, body = multipart({}, {"a%22b": ("c%0D%0Ad%25", b"")})
    assert read_form_data(kind, body).files == {'a"b': UploadedFile("c\r\nd%25", b"")}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", b""),
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=x", b""),
        ("multipart/form-data; boundary=x", b"--x\r\n"),
        ("multipart/form-data; boundary=x", b"--y\r\n\r\n--y--\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Type: text/plain\r\n\r\na\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n--x--\r\n'),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--x--\r\n',
        ),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'),
    ],
)
def test_what_no_browser_sends_for_a_form_is_refused(kind, body):
    with pytest.raises(NoForm):
        read_form_data(kind, body)


def test_a_bank_account_is_kept_under_a_token_that_nobody_guesses():
    payments = Payments()
    account = bank_account_of({"holder": " Ada ", "iban": "DE89370400440532013000", "mandate": True})
    assert (account.holder, account.mandate) == ("Ada", True)
    tokens = {payments.keep(account) for _ in range(20)}
    assert len(tokens) == 20
    assert {payments.account(token) for token in tokens} == {account}
    assert payments.account("") is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"holder": " "},
        {"holder": 5},
        {"iban": ""},
        {"iban": "DE89370400440532013001"},
        {"iban": "DE89 3704 0044 0532 0130 00"},
        {"iban": None},
        {"mandate": "yes"},
    ],
)
def test_a_bank_account_that_is_wrong_is_refused(wrong: dict[str, Any]):
    with pytest.raises(InvalidAccount):
        bank_account_of({"holder": "Ada", "iban": "DE89370400440532013000", "mandate": False} | wrong)
