"""Read the parameters of a query (`application/x-www-form-urlencoded`)."""

from collections.abc import Iterable, Iterator, Mapping

from urlscan.core.secrets import redact
from urlscan.uri.grammar.characters import decoded


class QueryParams(Mapping[str, str]):
    """The parameters of a query, in order; a name can occur more than once.

    As a mapping, it returns the first value of a name. `get_list` returns all of them, `multi_items` all parameters.

    >>> params = QueryParams.parse("tag=a&tag=b&q=x+y%26z&flag")
    >>> params["tag"], params.get_list("tag"), params["q"], params["flag"], params.get("page")
    ('a', ['a', 'b'], 'x y&z', '', None)
    >>> params.multi_items()
    [('tag', 'a'), ('tag', 'b'), ('q', 'x y&z'), ('flag', '')]
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        """Create the parameters from a mapping or pairs of names and values; raise TypeError for anything else."""
        if isinstance(items, QueryParams):
            pairs: list[object] = [*items.multi_items()]
        elif isinstance(items, str) or not isinstance(items, Iterable):
            raise TypeError(f"a query must be a mapping or pairs of strings, not {type(items).__name__}")
        else:
            pairs = [*(items.items() if isinstance(items, Mapping) else items)]
        self._items = tuple(map(_pair, pairs))

    @classmethod
    def parse(cls, query: str | None) -> "QueryParams":
        """Return the parameters of a query: divided at "&", escapes decoded as UTF-8, "+" read as a space.

        A parameter without "=" has the value "". Octets that are not UTF-8 become lone surrogates (surrogateescape).
        """
        fields = (field.replace("+", " ").partition("=") for field in (query or "").split("&") if field)
        return cls((decoded(name), decoded(value)) for name, _, value in fields)

    def __getitem__(self, name: str) -> str:
        for key, value in self._items:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._items))

    def __len__(self) -> int:
        return len(dict(self._items))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, QueryParams):
            return self._items == other._items
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        """Return the parameters with secrets masked."""
        masked = [(name, redact(f"?{name}={value}")[len(name) + 2 :]) for name, value in self._items]
        return f"QueryParams({masked!r})"

    def get_list(self, name: str) -> list[str]:
        """Return the values of a name, in order."""
        return [value for key, value in self._items if key == name]

    def multi_items(self) -> list[tuple[str, str]]:
        """Return the names and values of all parameters, in order."""
        return list(self._items)


def _pair(pair: object) -> tuple[str, str]:
    match pair:
        case (str(name), str(value)):
            return name, value
    raise TypeError("the names and values of a query must be pairs of strings")
