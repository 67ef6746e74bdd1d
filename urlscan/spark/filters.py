"""Apply the filters of a query to record batches, so that rows that Spark would drop are not sent to it.

A filter is applied here only if its result is certain to be that of Spark; Spark applies the others. As in SQL, a row
is dropped if a comparison with a missing value decides about it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from urlscan.archive.schema import Table, import_package

if TYPE_CHECKING:
    import pyarrow

# The functions of pyarrow by the name of a filter class of pyspark, whose older versions have none.
_COMPARISONS = {
    "EqualTo": "equal", "GreaterThan": "greater", "GreaterThanOrEqual": "greater_equal", "LessThan": "less",
    "LessThanOrEqual": "less_equal",
}  # fmt: skip
_SUBSTRINGS = {"StringStartsWith": "starts_with", "StringEndsWith": "ends_with", "StringContains": "match_substring"}
# The types of columns that are compared, and those of the values.
_TYPES: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool, "timestamp": datetime}


class Condition(NamedTuple):
    """A condition on a column.

    Attributes:
        column: its name.
        operator: the name of a filter class.
        values: the values that it is compared with.
        is_negated: whether the condition must be false.
    """

    column: str
    operator: str
    values: tuple[object, ...]
    is_negated: bool = False


def condition_of(filter: Any, table: Table) -> Condition | None:
    """Return a filter of pyspark as a condition on a column of a table; None if Spark must apply it."""
    operator = type(filter).__name__
    if operator == "Not":
        child = condition_of(filter.child, table)
        return child and child._replace(is_negated=not child.is_negated)
    types = {column.name: column.type for column in table.columns}
    attribute = filter.attribute
    value_type = _TYPES.get(types.get(attribute[0], "")) if len(attribute) == 1 else None
    if value_type is None:
        return None
    if operator in ("IsNull", "IsNotNull"):
        return Condition(attribute[0], operator, ())
    if operator in _COMPARISONS or operator == "In" or (operator in _SUBSTRINGS and value_type is str):
        values = tuple(filter.value) if operator == "In" else (filter.value,)
        if all(type(value) is value_type and getattr(value, "tzinfo", None) is None for value in values):
            return Condition(attribute[0], operator, values)
    return None


def matching(batch: "pyarrow.RecordBatch", conditions: Iterable[Condition]) -> "pyarrow.RecordBatch":
    """Return the rows of a batch that meet all conditions."""
    for condition in conditions:
        batch = batch.filter(_mask(batch.column(condition.column), condition))
    return batch


def _mask(column: Any, condition: Condition) -> Any:
    pa, pc = import_package("pyarrow", "spark"), import_package("pyarrow.compute", "spark")
    operator, values = condition.operator, condition.values
    if operator == "IsNull":
        mask = pc.is_null(column)
    elif operator == "IsNotNull":
        mask = pc.is_valid(column)
    elif operator == "In":
        is_in = pc.is_in(column, value_set=pa.array(values, column.type))
        mask = pc.if_else(pc.is_valid(column), is_in, pa.scalar(None, pa.bool_()))
    elif operator in _SUBSTRINGS:
        mask = getattr(pc, _SUBSTRINGS[operator])(column, pattern=values[0])
    else:
        mask = getattr(pc, _COMPARISONS[operator])(column, pa.scalar(values[0], column.type))
    if condition.is_negated:
        return pc.invert(mask)
    return mask
