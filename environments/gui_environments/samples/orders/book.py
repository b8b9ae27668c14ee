"""Orders as values, what makes one valid, and their file. Shows nothing and asks nobody."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

ARTICLES = ("Binder A4", "Desk lamp", "Fountain pen", "Office chair", "Paper 80 g", "Stapler")
FIRST_NUMBER = 1001
LARGEST_QUANTITY = 9_999
LARGEST_PRICE = Decimal("99999.99")


class InvalidOrder(Exception):
    """Something of an order cannot be taken as it is. `field` names it, the message says what is wanted."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class UnreadableFile(Exception):
    """The file is there but holds no orders of this program."""


@dataclass(frozen=True, slots=True)
class Order:
    """One valid order. `price` is of one piece, `day` when it is to be delivered."""

    number: int
    customer: str
    article: str
    quantity: int
    price: Decimal
    day: date
    express: bool
    note: str

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class FormText:
    """What stands in the form, as typed."""

    customer: str = ""
    article: str = ""
    quantity: str = ""
    price: str = ""
    day: str = ""
    express: bool = False
    note: str = ""


def order_of_form(form: FormText, number: int) -> Order:
    """The order that the form describes; raises `InvalidOrder` for the first field that is wrong."""
    customer = form.customer.strip()
    if not customer:
        raise InvalidOrder("customer", "Enter a customer.")
    article = form.article.strip()
    if article not in ARTICLES:
        raise InvalidOrder("article", f"There is no article “{article}”. Choose one from the list.")
    return Order(
        number=number,
        customer=customer,
        article=article,
        quantity=_read_quantity(form.quantity),
        price=_read_price(form.price),
        day=_read_day(form.day),
        express=form.express,
        note=form.note.strip("\n"),
    )


def form_of_order(order: Order) -> FormText:
    return FormText(
        customer=order.customer,
        article=order.article,
        quantity=str(order.quantity),
        price=f"{order.price:.2f}",
        day=order.day.isoformat(),
        express=order.express,
        note=order.note,
    )


def next_number(orders: Sequence[Order]) -> int:
    return max((order.number for order in orders), default=FIRST_NUMBER - 1) + 1


def read_orders(path: Path) -> list[Order]:
    """The orders of the file; none when there is no file yet."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path.name} is not valid JSON: {error}") from error
    entries = document.get("orders") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise UnreadableFile(f"{path.name} has no list of orders.")
    orders = [_order_of_entry(entry, path) for entry in entries]
    if len({order.number for order in orders}) < len(orders):
        raise UnreadableFile(f"{path.name} uses an order number twice.")
    return orders


def write_orders(path: Path, orders: Sequence[Order]) -> None:
    """Replace the file in one step: a reader sees the old orders or the new ones."""
    entries = [asdict(order) | {"price": f"{order.price:.2f}", "day": order.day.isoformat()} for order in orders]
    text = json.dumps({"orders": entries}, ensure_ascii=False, indent=2) + "\n"
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _order_of_entry(entry: object, path: Path) -> Order:
    wanted = {field.name for field in fields(Order)}
    if not isinstance(entry, Mapping) or set(entry) != wanted:
        raise UnreadableFile(f"An order of {path.name} does not have exactly the fields {', '.join(sorted(wanted))}.")
    number = entry["number"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise UnreadableFile(f"{path.name} has an order without a number.")
    if not isinstance(entry["express"], bool):
        raise UnreadableFile(f"Order {number} of {path.name}: express is true or false.")
    text = {name: str(entry[name]) for name in wanted - {"number", "express"}}
    try:
        order = order_of_form(FormText(express=entry["express"], **text), number)
    except InvalidOrder as error:
        raise UnreadableFile(f"Order {number} of {path.name}, {error.field}: {error}") from error
    return replace(order, note=text["note"])


def _read_quantity(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= LARGEST_QUANTITY and len(text) < 9):
        raise InvalidOrder("quantity", f"The quantity is a whole number from 1 to {LARGEST_QUANTITY}, not “{text}”.")
    return int(text)


def _read_price(text: str) -> Decimal:
    text = text.strip()
    try:
        price = Decimal(text.replace(",", "."))
    except InvalidOperation:
        price = Decimal("NaN")
    if not (price.is_finite() and 0 <= price <= LARGEST_PRICE and price == round(price, 2)):
        raise InvalidOrder("price", f"The price is an amount such as 12.50, not “{text}”.")
    return round(price, 2)


def _read_day(text: str) -> date:
    text = text.strip()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidOrder("day", f"The date is written YYYY-MM-DD, not “{text}”.") from None
