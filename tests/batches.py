"""Run a test on many cases as one test of pytest, which would take longer to collect them than to run them."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

Case = dict[str, Any]


def each(pairs: Iterable[tuple[Path, Case]]) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that calls a test for each case of a file of the corpus, and names the cases that fail."""
    files: dict[str, list[Case]] = {}
    for path, case in pairs:
        files.setdefault(f"{path.parent.name}/{path.stem}", []).append(case)

    def decorate(test: Callable[..., None]) -> Any:
        def test_file(file: str, **fixtures: Any) -> None:
            run_each(files[file], lambda case: case["id"], lambda case: test(case=case, **fixtures))

        test_file.__name__, test_file.__module__, test_file.__doc__ = test.__name__, test.__module__, test.__doc__
        parameters = inspect.signature(test).parameters
        names = ["file", *(name for name in parameters if name != "case")]
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        test_file.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("file", files)(test_file)

    return decorate


def run_each(cases: Iterable[Any], name: Callable[[Any], str], test: Callable[[Any], object]) -> None:
    """Call a test for each case, and fail with the names of all cases that fail."""
    failures = []
    for case in cases:
        try:
            test(case)
        except Exception as error:  # the other cases are tested as well
            failures.append(f"{name(case)}: {type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)
