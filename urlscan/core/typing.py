"""Names for annotations, in place of those of `typing` and `choices`.

For type checkers they are the same. At run time they are placeholders, since to import `typing` takes a tenth of the
time of checking a small file.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import *

    from urlscan.core.choices import *

    T = TypeVar("T")
else:
    from operator import attrgetter

    Any = BinaryIO = NoReturn = Protocol = Self = T = object
    ClassVar = Literal = Unpack = tuple
    AnyStr = str | bytes
    AlternativeReason = Applicability = BreakKind = Context = HostKind = Joined = Profile = str
    ReferenceKind = Rejoin = Style = str
    get_args = attrgetter("__args__")
    TypeVar = lambda *_, **__: object
    cast = lambda _, value: value
    dataclass_transform = lambda **_: lambda cls: cls
    Generic = type("Generic", (), {"__class_getitem__": classmethod(lambda cls, _: cls)})
    TypedDict = type("TypedDict", (), {"__init_subclass__": classmethod(lambda *_, **__: None)})
