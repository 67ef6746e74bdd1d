"""Test random inputs without coverage; print the smallest input for each distinct failure.

usage: python -m tests.fuzzing.survey TARGET [SECONDS] [SEED]
"""

import random
import sys
import time
from collections.abc import Callable

from tests.fuzzing import inputs
from tests.fuzzing.targets import COUNTS, TARGETS


def fails(check: Callable[[bytes], None], data: bytes) -> str:
    """Return the exception that an input causes, with its location, or "" if there is none."""
    try:
        check(data)
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        return f"{type(error).__name__} at {trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "?"
    return ""


def reduced(check: Callable[[bytes], None], data: bytes, failure: str) -> bytes:
    """Return the smallest input with the same failure that is found by removing bytes."""
    size = len(data) // 2
    while size:
        at = 1
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            if fails(check, shorter) == failure:
                data = shorter
            else:
                at += size
        size //= 2
    return data


def main(name: str, seconds: float, seed: int) -> None:
    """Run a target for some seconds and print its distinct failures."""
    target = TARGETS[name]
    rng = random.Random(seed)
    end = time.monotonic() + seconds
    runs, seen = 0, set()
    while time.monotonic() < end and len(seen) < 15:
        head = bytes(rng.randrange(256) for _ in range(len(target.prefix)))
        body = bytes(rng.randrange(len(target.tokens)) for _ in range(rng.randrange(2, 25)))
        data = head + bytes([inputs.TOKENS]) + body
        runs += 1
        if failure := fails(target.check, data):
            small = reduced(target.check, data, failure)
            if small not in seen:
                seen.add(small)
                try:
                    target.check(small)
                except Exception as error:
                    print(failure, repr(error)[:1000], flush=True)
    print(runs, "runs", dict(COUNTS))


if __name__ == "__main__":
    main(sys.argv[1], float((sys.argv[2:] or ["30"])[0]), int((sys.argv[3:] or ["0"])[0]))
