"""Run one target under Atheris.

usage: python -m tests.fuzzing.worker TARGET COUNTS [OPTION OF LIBFUZZER]... [DIRECTORY]
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["urlscan"]):
    import urlscan

    for module in pkgutil.walk_packages(urlscan.__path__, "urlscan."):
        if not module.name.endswith(("__main__", ".generate")):
            importlib.import_module(module.name)

from tests.fuzzing.targets import COUNTS, TARGETS

# Executions between two updates of the counts; libFuzzer ends the process without notice.
_STEP = 100


def main(name: str, counts: Path, options: list[str]) -> None:
    """Fuzz a target until libFuzzer ends the process; keep its counts in a file."""
    check = TARGETS[name].check
    executions = 0

    def run(data: bytes) -> None:
        nonlocal executions
        executions += 1
        if executions % _STEP == 0:
            counts.write_text(json.dumps({"executions": executions, **COUNTS}))
        check(data)

    atheris.Setup([sys.argv[0], *options], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
