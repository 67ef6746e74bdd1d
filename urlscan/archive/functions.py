"""Define functions of columns that hold texts or URLs, for DuckDB and Spark.

Each maps an Arrow array of strings to an array of the same length. A null gives a null. A malformed URL is a value like
any other. Secrets are masked in all results.
"""

from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from urlscan import Profile, TextKind
from urlscan.api.inputs import check_choice
from urlscan.api.masked import host_of, normal_form, text_records, url_problems
from urlscan.archive.schema import SQL_TYPES, Column, arrow_fields, encodable_array, import_package

if TYPE_CHECKING:
    import duckdb
    import pyarrow


class FunctionOptions(NamedTuple):
    """How the values of a column are read.

    Attributes:
        kind: the kind of the texts: plain, html, markdown, mail, ...
        profile: the specification by which URLs are judged and normalized.
    """

    kind: TextKind = "plain"
    profile: Profile = "rfc3986"


class Function(NamedTuple):
    """A function of one column.

    Attributes:
        name: its name in SQL.
        parameter: what the column holds: text or url.
        description: one sentence about its result.
        fields: the fields of the structs in the list that it returns; empty if it returns a string.
        compute: returns the value of a row, given that of the column and the kind of a text or the profile of a URL.
    """

    name: str
    parameter: str
    description: str
    fields: tuple[Column, ...]
    compute: Callable[[str, Any], Any]

    @property
    def sql_type(self) -> str:
        """The type of the result in DuckDB."""
        if not self.fields:
            return "VARCHAR"
        fields = ", ".join(f'"{field.name}" {SQL_TYPES[field.type]}' for field in self.fields)
        return f"STRUCT({fields})[]"

    def arrow_type(self) -> "pyarrow.DataType":
        """Return the type of the result in Arrow.

        Raises:
            ConfigError: pyarrow is not installed.
        """
        pa = import_package("pyarrow")
        if not self.fields:
            return pa.string()
        return pa.list_(pa.struct(arrow_fields(self.fields)))

    def apply(self, values: "pyarrow.Array | pyarrow.ChunkedArray", options: FunctionOptions) -> "pyarrow.Array":
        """Return the results for a column; equal values are computed once.

        Args:
            values: strings, or only nulls.
            options: how they are read.

        Raises:
            TypeError: the values are of another type.
            ConfigError: pyarrow is not installed, or an option has an unknown value.
        """
        pa = import_package("pyarrow")
        types, type = pa.types, values.type
        if types.is_dictionary(type):
            type = type.value_type
        is_view = hasattr(types, "is_string_view") and types.is_string_view(type)
        if not (types.is_string(type) or types.is_large_string(type) or types.is_null(type) or is_view):
            raise TypeError(f"{self.name} takes a column of strings, not of {values.type}")
        check_options(options)
        option = options.kind if self.parameter == "text" else options.profile
        computed: dict[str | None, Any] = {None: None}
        results = []
        for value in values.to_pylist():
            if value not in computed:
                computed[value] = self.compute(value, option)
            results.append(computed[value])
        return encodable_array(pa, results, self.arrow_type())


def check_options(options: FunctionOptions) -> None:
    """Raise ConfigError if an option has an unknown value."""
    check_choice("kind", options.kind, get_args(TextKind))
    check_choice("profile", options.profile, get_args(Profile))


# --- the functions


def _occurrences(text: str, kind: TextKind) -> list[dict[str, Any]]:
    names = [field.name for field in _OCCURRENCE]
    return [{name: record.get(name, False) for name in names} for record in text_records(text, kind)]


def _fields(types: Mapping[str, str], missing: Container[str] = ()) -> tuple[Column, ...]:
    return tuple(Column(name, type, "", name in missing) for name, type in types.items())


# Offsets count characters of the text or URL, from 0; the rest is as in the JSON records.
_OCCURRENCE = _fields({
    "url": "string", "raw": "string", "start": "integer", "end": "integer", "line": "integer", "column": "integer",
    "scheme": "string", "style": "string", "context": "string", "joined": "string", "breaks": "breaks",
    "alternatives": "alternatives", "template": "boolean",
})  # fmt: skip
_PROBLEM = _fields({
    "code": "string", "name": "string", "severity": "string", "syntax": "boolean", "message": "string",
    "component": "string", "start": "integer", "end": "integer", "section": "string", "suggestion": "string",
}, ("component", "section", "suggestion"))  # fmt: skip
FUNCTIONS = (
    Function("urlscan_occurrences", "text", "Return the URLs in a text, in order.", _OCCURRENCE, _occurrences),
    Function("urlscan_problems", "url", "Return the problems of a URL, or an empty list.", _PROBLEM, url_problems),
    Function("urlscan_normalize", "url", "Return the normal form of a URL, secrets masked.", (), normal_form),
    Function("urlscan_host", "url", "Return the host in lower case and Unicode; null without one.", (), host_of),
)


def column_function(function: Function, options: FunctionOptions) -> "Callable[[pyarrow.Array], pyarrow.Array]":
    """Return a function of one argument; the number and the annotations of its parameters are inspected.

    Raises:
        ConfigError: pyarrow is not installed.
    """

    def apply(values: "pyarrow.Array") -> "pyarrow.Array":
        return function.apply(values, options)

    array = import_package("pyarrow").Array
    apply.__annotations__ = {"values": array, "return": array}
    return apply


def register_functions(
    connection: "duckdb.DuckDBPyConnection", *, kind: TextKind = "plain", profile: Profile = "rfc3986"
) -> None:
    """Register all functions with a connection to DuckDB.

    Args:
        profile: the specification by which URLs are judged and normalized.

    Raises:
        ConfigError: an option has an unknown value, or a package is not installed.
    """
    options = FunctionOptions(kind, profile)
    check_options(options)
    import_package("numpy")  # DuckDB requires it for functions of Python
    create: Any = connection.create_function  # its declared types are narrower than what it takes
    for function in FUNCTIONS:
        create(
            function.name,
            column_function(function, options),
            ["VARCHAR"],
            function.sql_type,
            type="arrow",
            null_handling="special",
        )
