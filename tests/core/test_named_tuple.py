"""Test that tuples with named fields behave like those of `typing`."""

import copy
import pickle
import typing
from typing import Generic, TypeVar

import pytest

from urlscan.core.record import NamedTuple

T = TypeVar("T")


class Own(NamedTuple):
    """Documented."""

    first: int
    second: "str" = "a"

    @property
    def double(self) -> int:
        return 2 * self.first


class Standard(typing.NamedTuple):
    """Documented."""

    first: int
    second: "str" = "a"


class Typed(NamedTuple, Generic[T]):
    """Generic."""

    value: T


def test_fields_are_those_of_the_standard_library() -> None:
    for name in ("_fields", "__match_args__", "__doc__", "__slots__"):
        assert getattr(Own, name) == getattr(Standard, name)
    hints = typing.get_type_hints(Own)
    assert {name: hints[name] for name in Own._fields} == typing.get_type_hints(Standard)


def test_tuples_are_equal_to_those_of_the_standard_library() -> None:
    assert Own(1) == Standard(1) == (1, "a")
    assert Own(1, second="b")._replace(first=2)._asdict() == Standard(2, "b")._asdict()
    assert repr(Own(1)).replace("Own", "Standard") == repr(Standard(1))
    assert Own(3).double == 6


def test_tuples_are_copied_and_pickled() -> None:
    for one in (Own(1, "b"), Typed(1)):
        for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert (other, type(other)) == (one, type(one))


def test_tuples_match_patterns() -> None:
    match Own(1, "b"):
        case Own(first, second):
            assert (first, second) == (1, "b")


@pytest.mark.parametrize("create", [lambda cls: cls(), lambda cls: cls(1, 2, 3), lambda cls: cls(1, third=2)])
def test_errors_are_those_of_the_standard_library(create: object) -> None:
    messages = []
    for cls in (Own, Standard):
        with pytest.raises((TypeError, ValueError)) as error:
            create(cls)
        messages.append((error.type, str(error.value).replace("Standard", "Own")))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("cls", [Own, Standard])
def test_fields_cannot_be_assigned(cls: type) -> None:
    with pytest.raises(AttributeError):
        cls(1).first = 2
