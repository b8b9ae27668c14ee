"""The pages that are made of what was received. Everything a person wrote is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template

from gui_environments.samples.accounts.applications import (
    CATALOGUES,
    COUNTRIES,
    LANGUAGES,
    LEGAL_FORMS,
)
from gui_environments.samples.accounts.book import Received

FOLDER = Path(__file__).with_name("pages")


def application_page(payment_url: str) -> str:
    return _page("application.html", payment_url=payment_url)


def received_page(received: Received) -> str:
    rows = "\n".join(
        f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in summary_of(received).items()
    )
    return _page(
        "received.html", number=escape(received.number), contact=escape(received.application.contact), rows=rows
    )


def refused_page(problems: Mapping[str, str]) -> str:
    listed = "\n".join(f"<li>{escape(name.replace('_', ' '))}: {escape(text)}</li>" for name, text in problems.items())
    return _page("refused.html", problems=listed)


def confirmation(received: Received) -> str:
    """The file that the customer can keep."""
    lines = [f"Customer number: {received.number}"]
    lines += [f"{name}: {text}" for name, text in summary_of(received).items()]
    return "\n".join(lines) + "\n"


def summary_of(received: Received) -> dict[str, str]:
    """What a customer is shown again, in the order of the form: nothing of the password, little of the account."""
    sent = received.application
    return {
        "Company name": sent.company,
        "Legal form": LEGAL_FORMS[sent.legal_form],
        "Tax number": sent.tax_number,
        "Country": COUNTRIES[sent.country],
        "Founded": sent.founded,
        "Employees": str(sent.employees),
        "Contact person": sent.contact,
        "E-mail": sent.email,
        "Telephone": sent.telephone,
        "Language of letters": LANGUAGES[sent.language],
        "Catalogues": ", ".join(CATALOGUES[name] for name in sent.catalogues),
        "Delivery address": sent.address,
        "First delivery": sent.first_delivery,
        "Goods taken in from": sent.dock_opens,
        "Visit of our representative": sent.visit.replace("T", " "),
        "Credit limit": f"{sent.credit},000",
        "Colour of labels": sent.label_colour,
        "Note to the driver": sent.driver_note,
        "Payment": f"{'direct debit' if received.account.mandate else 'invoice'}, IBAN …{received.account.iban[-4:]}",
        "Trade licence": f"{received.licence.name} ({len(received.licence.content)} bytes)",
    }


def _page(name: str, **values: str) -> str:
    return Template((FOLDER / name).read_text(encoding="utf-8")).substitute(values)
