"""Define `Record`, the base class of the records that users see.

Records are frozen dataclasses with slots: they compare by value, can be hashed and pickled, and work with
`dataclasses.fields`, `asdict` and `replace`, with `copy.replace`, and in `match` statements. They are not built by
`dataclasses` because its import takes 20 ms, more than checking a small file; it is imported when one of its functions
is called for a record.

A method `__post_init__` is called after the fields are set, as in a dataclass.

Fields can be added to a record without breaking its users, since records are not tuples and cannot be unpacked.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

if TYPE_CHECKING:
    from dataclasses import Field


# The methods that are composed for each record.
_METHODS = ("__init__", "_values")


class _DataclassFields:
    """Creates `__dataclass_fields__` when a function of `dataclasses` asks for it."""

    def __get__(self, instance: object, owner: type["Record"]) -> dict[str, "Field[Any]"]:
        import dataclasses

        defaults = owner._defaults
        fields: list[Any] = [
            (name, Any, dataclasses.field(default=defaults.get(name, dataclasses.MISSING)))
            for name in owner.__match_args__
        ]
        made: Any = dataclasses.make_dataclass(owner.__name__, fields, frozen=True)
        return dict(made.__dataclass_fields__)


@dataclass_transform(frozen_default=True)
class RecordType(type):
    """The metaclass of records: turns the annotations of a class into slots and a constructor."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "RecordType":
        """Return the class of a record."""
        types = annotations_of(namespace)
        added = [field for field, annotation in types.items() if "ClassVar" not in str(annotation)]
        # A record has one base class at most that has fields.
        names = (*(name for base in bases for name in getattr(base, "_fields", ())), *added)
        defaults = {name: value for base in bases for name, value in getattr(base, "_defaults", {}).items()}
        defaults |= {field: namespace.pop(field) for field in added if field in namespace}
        namespace |= {"__slots__": tuple(added), "_fields": names, "_defaults": defaults}
        namespace["__match_args__"] = tuple(name for name in names if not name.startswith("_"))
        inherited = {name: value for base in bases for name, value in getattr(base, "_types", {}).items()}
        namespace["_types"] = inherited | {name: types[name] for name in added}
        made = super().__new__(mcs, name, bases, namespace)
        if names:
            for method in _METHODS:
                setattr(made, method, _Method(method))
        return made


class _Method:
    """A method of a record that is created when it is first used, because a run uses few of the records."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        record = next(base for base in owner.__mro__ if base.__dict__.get(self._name) is self)
        _add_methods(record)
        return getattr(owner if instance is None else instance, self._name)


def annotations_of(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the annotations of a class body; from Python 3.14 on a function computes them (PEP 649)."""
    annotate = namespace.get("__annotate__") or namespace.get("__annotate_func__")
    annotations: dict[str, Any] = namespace.get("__annotations__", {})
    if annotate is not None:
        annotations = annotate(1)
    return annotations


def _add_methods(record: Any) -> None:
    """Add the constructor, and the method that returns all values."""
    names, defaults = record._fields, record._defaults
    # The setters of the slots bypass `__setattr__`, which refuses every assignment.
    scope = {f"set_{name}": getattr(record, name).__set__ for name in names}
    scope |= {f"default_{name}": value for name, value in defaults.items()}
    parameters = ", ".join(f"{name}=default_{name}" if name in defaults else name for name in names)
    lines = [
        f"def __init__(self, {parameters}):",
        *(f"    set_{name}(self, {name})" for name in names),
        *(["    self.__post_init__()"] if hasattr(record, "__post_init__") else []),
        "def _values(self):",
        f"    return ({''.join(f'self.{name}, ' for name in names)})",
    ]
    exec("\n".join(lines), scope)  # noqa: S102 - made of the names of fields only, as in namedtuple and dataclasses
    scope["__init__"].__annotations__.update(record._types)  # shown by `help` and editors
    for name in _METHODS:
        method = scope[name]
        method.__qualname__ = f"{record.__qualname__}.{name}"
        method.__module__ = record.__module__
        setattr(record, name, method)


class Record(metaclass=RecordType):
    """A frozen dataclass with slots. Fields whose names begin with "_" are private.

    `copy.replace(record, field=...)`, or `dataclasses.replace` before Python 3.13, returns a changed copy.
    """

    __match_args__: ClassVar[tuple[str, ...]]
    _fields: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _types: ClassVar[dict[str, Any]]
    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _DataclassFields()

    _values: ClassVar[Callable[[Any], tuple[Any, ...]]] = lambda _: ()

    def __setattr__(self, name: str, value: object) -> None:
        raise _frozen(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise _frozen(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(self._values() == other._values())

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{self.__class__.__qualname__}({', '.join(fields)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return self.__class__, self._values()

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values of some fields."""
        return self.__class__(**{**self._asdict(), **changes})

    __replace__ = _replace  # `copy.replace` of Python 3.13

    def _asdict(self) -> dict[str, Any]:
        """Return the values by the names of the fields; unlike `dataclasses.asdict`, it leaves records inside as is."""
        return dict(zip(self._fields, self._values(), strict=True))


def _frozen(message: str) -> AttributeError:
    from dataclasses import FrozenInstanceError

    return FrozenInstanceError(message)
