"""Define `NamedTuple`, which is `typing.NamedTuple` for type checkers and is created in a tenth of its time.

`typing.NamedTuple` compiles a constructor for each class and checks its annotations, which takes 0.1 ms. Checking a
small file loads some forty classes and uses half of them, so here the constructor is compiled when it is first called.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from operator import itemgetter

    from urlscan.core.record import annotations_of

    def _replace(self: Any, /, **changes: Any) -> Any:
        """Return a copy with other values of some fields."""
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def _asdict(self: Any) -> dict[str, Any]:
        """Return the values by the names of the fields."""
        return dict(zip(self._fields, self, strict=True))

    def _repr(self: Any) -> str:
        fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{self.__class__.__name__}({', '.join(fields)})"

    @classmethod
    def _make(cls: Any, values: Any) -> Any:
        """Return a tuple of some values."""
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _values(self: Any) -> tuple[Any, ...]:
        """Return the arguments of the constructor, for `copy` and `pickle`."""
        return tuple(self)

    _METHODS = {
        "_make": _make, "_replace": _replace, "__replace__": _replace, "_asdict": _asdict, "__repr__": _repr,
        "__getnewargs__": _values, "__slots__": (),
    }  # fmt: skip

    class _NamedTupleType(type):
        """Creates the class of a named tuple from the annotations in the body of a class."""

        def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            def __new__(cls: Any, *values: Any, **named: Any) -> Any:  # noqa: N807 - called by its name in messages
                made.__new__ = _compiled(made)  # replaces this constructor
                return made.__new__(cls, *values, **named)

            fields = tuple(annotations_of(namespace))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            namespace = _METHODS | namespace
            for number, field in enumerate(fields):
                namespace[field] = property(itemgetter(number))
            namespace |= {"_fields": fields, "__match_args__": fields, "_field_defaults": defaults, "__new__": __new__}
            made = type(name, tuple(tuple if base is _Base else base for base in bases), namespace)
            return made

    def _compiled(made: Any) -> Any:
        defaults = made._field_defaults
        parameters = "".join(f"{name}={name}, " if name in defaults else f"{name}, " for name in made._fields)
        scope = {"_new": tuple.__new__, **defaults}
        # As in `collections.namedtuple`: made of the names of fields only.
        new = eval(f"lambda _cls, {parameters}: _new(_cls, ({', '.join(made._fields)},))", scope)  # noqa: S307
        new.__name__, new.__qualname__ = "__new__", f"{made.__qualname__}.__new__"
        return new

    _Base = type.__new__(_NamedTupleType, "NamedTuple", (), {})

    class _Entry:
        """Has the class of named tuples as the base class of a class statement."""

        def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type]:
            return (_Base,)

    NamedTuple = _Entry()
