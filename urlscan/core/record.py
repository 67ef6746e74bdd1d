"""Define `Record` and `NamedTuple`, the base classes of the package's records.

Users see a `Record`: a frozen dataclass with slots, which compares by value, can be hashed and pickled, and works with
`dataclasses.fields`, `asdict` and `replace`, with `copy.replace`, and in `match` statements. Fields can be added to it
without breaking its users, since it cannot be unpacked. A method `__post_init__` is called after the fields are set.

Inside the package a `NamedTuple` is faster to create. For type checkers it is `typing.NamedTuple`.

Importing `dataclasses` takes 20 ms, and `typing.NamedTuple` 0.1 ms for each class, more than checking a small file.
Here a class is created in a tenth of that time, and its constructor is compiled when it is called often: a small run
loads fifty of these classes and creates few records of each.
"""

from collections import _tuplegetter  # type: ignore[attr-defined]
from functools import partial

from urlscan.core.typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

if TYPE_CHECKING:
    import typing
    from dataclasses import Field
    from typing import NamedTuple as NamedTuple


class _DataclassFields:
    """Creates `__dataclass_fields__` when a function of `dataclasses` asks for it."""

    def __get__(self, instance: object, owner: type["Record"]) -> dict[str, "Field[Any]"]:
        import dataclasses

        names: tuple[str, ...] = owner.__match_args__
        defaults = [owner._defaults.get(name, dataclasses.MISSING) for name in names]
        fields = [(name, Any, dataclasses.field(default=value)) for name, value in zip(names, defaults, strict=True)]
        made: Any = dataclasses.make_dataclass(owner.__name__, fields, frozen=True)
        return dict(made.__dataclass_fields__)


# Compiling a constructor takes as long as creating a hundred records without it; a small run creates few of a class.
_FEW = 8


def _fill(cls: Any, record: Any, /, *values: Any, **named: Any) -> list[Any] | None:
    """Return the values of all fields of a tuple, or set them in a record; None to compile the constructor.

    A class compiles its constructor when it is often called. A wrong call does it, too, for the error of Python.
    """
    fields, cls._created = cls._fields, cls._created + 1
    given = {**cls._defaults, **dict(zip(fields, values, strict=False)), **named}
    is_right = given.keys() == cls._types.keys() and named.keys().isdisjoint(fields[: len(values)])
    if cls._created > _FEW or not is_right or len(values) > len(fields):
        if record is not None:
            cls.__init__(record, *values, **named)
        return None
    if record is None:
        return [given[field] for field in fields]
    for field in fields:
        object.__setattr__(record, field, given[field])
    if hasattr(cls, "__post_init__"):
        record.__post_init__()
    return None


class _Constructor:
    """The constructor of a record until it is often used, or read from the class: then a compiled one replaces it."""

    owner: Any  # the class that defines the fields, not a subclass with a constructor of its own

    def __get__(self, instance: object, _class: object) -> Any:
        owner = self.owner
        if instance is not None:
            return partial(_fill, owner, instance)
        names, defaults = owner._fields, owner._defaults
        # The setters of the slots bypass `__setattr__`, which refuses every assignment.
        scope = {f"set_{name}": getattr(owner, name).__set__ for name in names}
        scope |= {f"default_{name}": value for name, value in defaults.items()}
        parameters = ", ".join(f"{name}=default_{name}" if name in defaults else name for name in names)
        lines = [f"def __init__(self, {parameters}):", *(f"    set_{name}(self, {name})" for name in names)]
        if hasattr(owner, "__post_init__"):
            lines.append("    self.__post_init__()")
        exec("\n".join(lines), scope)  # noqa: S102 - made of the names of fields only, as in namedtuple and dataclasses
        constructor = scope["__init__"]
        constructor.__annotations__.update(owner._types)  # shown by `help` and editors
        constructor.__qualname__, constructor.__module__ = f"{owner.__qualname__}.__init__", owner.__module__
        owner.__init__ = constructor
        return constructor


@dataclass_transform(frozen_default=True)
class RecordType(type):
    """The metaclass of records: turns the annotations of a class into slots, or into properties of a tuple."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "RecordType":
        """Return the class of a record; of its base classes, only the first one may have fields."""
        # From Python 3.14 on a function computes the annotations (PEP 649).
        annotate = namespace.get("__annotate__") or namespace.get("__annotate_func__")
        types: dict[str, Any] = namespace.get("__annotations__", {}) if annotate is None else annotate(1)
        defaults = {field: namespace.pop(field) for field in types if field in namespace}
        constructor = _Constructor()
        if any(issubclass(base, tuple) for base in bases):
            namespace |= {field: _tuplegetter(number, None) for number, field in enumerate(types)}
            namespace["__slots__"] = ()
        else:
            namespace["__slots__"] = tuple(types)
            if types:
                namespace["__init__"] = constructor
        inherited: Any = bases[0]
        types, defaults = inherited._types | types, inherited._defaults | defaults
        public = tuple([field for field in types if field[0] != "_"])
        namespace |= {"_types": types, "_defaults": defaults, "_fields": tuple(types), "__match_args__": public}
        cls = constructor.owner = super().__new__(mcs, name, bases, namespace)
        return cls


class _Fields:
    """The methods that records of both kinds have."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _types: ClassVar[dict[str, Any]] = {}
    _created: ClassVar[int] = 0

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{self.__class__.__qualname__}({', '.join(fields)})"

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values of some fields."""
        if isinstance(self, tuple) and changes.keys() <= self._types.keys():  # in half of the time
            return tuple.__new__(self.__class__, map(changes.pop, self._fields, self))
        return self.__class__(**({name: getattr(self, name) for name in self._fields} | changes))

    __replace__ = _replace  # `copy.replace` of Python 3.13

    def _asdict(self) -> dict[str, Any]:
        """Return the values by the names of the fields; unlike `dataclasses.asdict`, it leaves records inside as is."""
        return {name: getattr(self, name) for name in self._fields}


class Record(_Fields, metaclass=RecordType):
    """A frozen dataclass with slots. Fields whose names begin with "_" are private.

    `copy.replace(record, field=...)`, or `dataclasses.replace` before Python 3.13, returns a changed copy.
    """

    if TYPE_CHECKING:
        __dataclass_fields__: typing.ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _DataclassFields()

    def __setattr__(self, name: str, value: object) -> None:
        raise _frozen(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise _frozen(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __hash__(self) -> int:
        return hash(tuple([getattr(self, name) for name in self._fields]))

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return self.__class__, tuple(self._asdict().values())


def _frozen(message: str) -> AttributeError:
    from dataclasses import FrozenInstanceError

    return FrozenInstanceError(message)


if not TYPE_CHECKING:

    class NamedTuple(_Fields, tuple, metaclass=RecordType):
        """A tuple with named fields, as that of `typing`."""

        def __new__(cls, *values: Any, **named: Any) -> Any:
            """Return a tuple; after a few, a compiled constructor replaces this one."""
            if (items := _fill(cls, None, *values, **named)) is not None:
                return tuple.__new__(cls, items)
            defaults = cls._defaults
            parameters = "".join(f"{name}={name}, " if name in defaults else f"{name}, " for name in cls._fields)
            scope = {"_new": tuple.__new__, **defaults}
            # As in `collections.namedtuple`: made of the names of fields only.
            new = eval(f"lambda _cls, {parameters}: _new(_cls, ({', '.join(cls._fields)},))", scope)  # noqa: S307
            new.__name__, new.__qualname__ = "__new__", f"{cls.__qualname__}.__new__"
            cls.__new__ = new
            return new(cls, *values, **named)

        def __getnewargs__(self) -> tuple[Any, ...]:
            """Return the arguments of the constructor, for `copy` and `pickle`."""
            return tuple(self)
