"""Records: frozen dataclasses with slots that do not need `dataclasses`."""

import copy
import dataclasses
import pickle

import pytest

import urlscan
from urlscan.core.record import Record
from urlscan.core.records import MaskedRecord


class Point(Record):
    """A record for the tests."""

    x: int
    y: int = 0


class Named(Point):
    """A record with the fields of another."""

    name: str = ""
    _cache: object = None


class Login(MaskedRecord):
    """A record that masks."""

    user: str
    password: str | None
    links: tuple[str, ...] = ()


def test_record_takes_its_fields_by_position_and_by_name() -> None:
    assert (Point(1).x, Point(1).y, Point(1, y=2).y, Named(1, 2, "a").name) == (1, 0, 2, "a")
    with pytest.raises(TypeError, match="z"):
        Point(1, z=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="x"):
        Point()  # type: ignore[call-arg]


def test_record_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x  # type: ignore[misc]
    with pytest.raises(AttributeError):
        point.z = 2  # type: ignore[attr-defined]
    assert not hasattr(point, "__dict__")


def test_records_of_the_same_class_compare_by_value() -> None:
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Point(1) != (1, 0)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_record_can_be_copied_and_pickled() -> None:
    named = Named(1, 2, "a", [])
    for made in (copy.copy(named), copy.deepcopy(named), pickle.loads(pickle.dumps(named))):
        assert made == named


def test_functions_of_dataclasses_accept_records() -> None:
    named = Named(1, 2, "a")
    assert dataclasses.is_dataclass(named)
    assert [field.name for field in dataclasses.fields(named)] == ["x", "y", "name"]
    assert dataclasses.asdict(named) == {"x": 1, "y": 2, "name": "a"}
    assert dataclasses.replace(named, x=3) == Named(3, 2, "a")
    assert named.__replace__(x=3) == Named(3, 2, "a")


def test_record_can_be_matched_by_position() -> None:
    match Named(1, 2, "a"):
        case Named(x, y, name):
            assert (x, y, name) == (1, 2, "a")
        case _:
            pytest.fail("not matched")


def test_representation_shows_public_fields() -> None:
    assert repr(Named(1, 2, "a")) == "Named(x=1, y=2, name='a')"


def test_representation_masks_passwords_wherever_they_are() -> None:
    shown = repr(Login("jo", "x1y2z3", ("http://jo:q9w8e7@h.example/",)))
    assert shown == "Login(user='jo', password='***', links=('http://jo:***@h.example/',))"
    assert repr(Login("jo", None)) == "Login(user='jo', password=None, links=())"


@pytest.mark.parametrize("name", [name for name in urlscan.__all__ if name[0].isupper()])
def test_public_records_are_dataclasses(name: str) -> None:
    public = getattr(urlscan, name)
    if not isinstance(public, type) or issubclass(public, Exception | int) or name == "QueryParams":
        return
    assert issubclass(public, Record)
    assert dataclasses.is_dataclass(public)
    if public.__match_args__:
        assert set(public.__match_args__) <= set(public.__init__.__annotations__)


def test_subclass_with_a_constructor_of_its_own_calls_that_of_the_record() -> None:
    class Base(Record):
        first: int
        second: int = 2

    class Derived(Base):
        def __init__(self, first: int) -> None:
            super().__init__(first, second=5)

    # The constructor of the record is compiled after some calls.
    assert {(Derived(number).first - number, Derived(number).second) for number in range(20)} == {(0, 5)}
    assert Base(1).second == 2
