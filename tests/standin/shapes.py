"""Whether a JSON value has the shape that one of the SDK's request types declares: no unknown field, none missing,
every value of its type. Nothing here knows what a field means."""

from __future__ import annotations

import collections.abc
import functools
import types
from typing import Annotated, Any, Literal, NotRequired, Required, Union

import typing_extensions

Shape = Any
"""A type hint."""

_SEQUENCES = frozenset({"list", "Iterable", "Sequence", "SequenceNotStr"})
_MAPS: tuple[Any, ...] = (dict, collections.abc.Mapping)
_UNIONS = (Union, types.UnionType)
_WRAPPERS = (Annotated, Required, NotRequired)
_SCALARS: dict[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (int, float),
    type(None): (type(None),),
}


def find_problem(shape: Shape, value: object, path: str) -> str | None:
    """The first way in which `value` is not of `shape`, as `path: what is wrong`; None when it is."""
    origin: Any = typing_extensions.get_origin(shape)
    arguments = typing_extensions.get_args(shape)
    if origin in _WRAPPERS:
        return find_problem(arguments[0], value, path)
    if origin in _UNIONS:
        return _union_problem(arguments, value, path)
    if origin is Literal:
        return None if value in arguments else f"{path}: Input should be {' or '.join(map(repr, arguments))}"
    if typing_extensions.is_typeddict(shape):
        return _object_problem(shape, value, path)
    if getattr(origin, "__name__", "") in _SEQUENCES:
        return _list_problem(arguments[0], value, path)
    if origin in _MAPS:
        return _map_problem(arguments[1], value, path)
    if shape is object or shape is Any:
        return None
    return _scalar_problem(shape, value, path)


def _scalar_problem(shape: Shape, value: object, path: str) -> str | None:
    accepted = _SCALARS.get(shape)
    if accepted is None:
        return f"{path}: Input of this kind cannot be sent as JSON"
    is_bool_for_number = isinstance(value, bool) and bool not in accepted
    if is_bool_for_number or not isinstance(value, accepted):
        return f"{path}: Input should be a valid {accepted[0].__name__}"
    return None


def _object_problem(shape: Shape, value: object, path: str) -> str | None:
    if not isinstance(value, dict):
        return f"{path}: Input should be an object"
    fields = _fields(shape)
    for name in value:
        if name not in fields:
            return f"{path}.{name}: Extra inputs are not permitted"
    for name, member_shape in fields.items():
        if name not in value and _is_required(shape, name, member_shape):
            return f"{path}.{name}: Field required"
    for name, member in value.items():
        if problem := find_problem(fields[name], member, f"{path}.{name}"):
            return problem
    return None


def _list_problem(shape: Shape, value: object, path: str) -> str | None:
    if not isinstance(value, list):
        return f"{path}: Input should be a valid list"
    problems = (find_problem(shape, item, f"{path}.{index}") for index, item in enumerate(value))
    return next((problem for problem in problems if problem), None)


def _map_problem(shape: Shape, value: object, path: str) -> str | None:
    if not isinstance(value, dict):
        return f"{path}: Input should be an object"
    problems = (find_problem(shape, item, f"{path}.{name}") for name, item in value.items())
    return next((problem for problem in problems if problem), None)


def _union_problem(choices: tuple[Shape, ...], value: object, path: str) -> str | None:
    """An object is judged by the choices that its `type` or `role` selects, so that the message names what is wrong
    with it and not that it is none of twenty others."""
    if isinstance(value, dict) and (objects := [choice for choice in choices if _is_object(choice)]):
        choices = tuple(choice for choice in objects if _is_selected(choice, value))
        if not choices:
            tag = value.get("type", value.get("role"))
            return f"{path}: Input tag {tag!r} does not match any of the expected tags"
    problems = [find_problem(choice, value, path) for choice in choices]
    if None in problems:
        return None
    # The last one stands for the list form where a string was possible too, which says most.
    return problems[-1] if isinstance(value, (dict, list)) else problems[0]


def _is_object(choice: Shape) -> bool:
    return typing_extensions.is_typeddict(choice) or typing_extensions.get_origin(choice) in _MAPS


def _is_selected(choice: Shape, value: dict[str, object]) -> bool:
    if not typing_extensions.is_typeddict(choice):
        return True
    for tag in ("type", "role"):
        shape = _fields(choice).get(tag)
        if shape is not None and (literals := _literals(shape)):
            return value[tag] in literals if tag in value else not _is_required(choice, tag, shape)
    return True


def _is_required(shape: Shape, name: str, member_shape: Shape) -> bool:
    """`__required_keys__` alone does not do: where annotations are strings it misses `Required`."""
    origin: Any = typing_extensions.get_origin(member_shape)
    return origin is Required or (name in shape.__required_keys__ and origin is not NotRequired)


def _literals(shape: Shape) -> frozenset[object]:
    origin: Any = typing_extensions.get_origin(shape)
    arguments = typing_extensions.get_args(shape)
    if origin is Literal:
        return frozenset(arguments)
    if origin in _WRAPPERS:
        return _literals(arguments[0])
    if origin in _UNIONS:
        return frozenset().union(*map(_literals, arguments))
    return frozenset()


@functools.cache
def _fields(shape: Shape) -> dict[str, Shape]:
    return typing_extensions.get_type_hints(shape, include_extras=True)
