"""Read what a link checker reported: the JSON of lychee, the CSV of LinkChecker, or a CSV of url, status and time.

urlscan opens no connection itself.
"""

import csv
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta

from urlscan.core.document import readable
from urlscan.core.errors import ConfigError, SourceError, reason
from urlscan.core.record import NamedTuple
from urlscan.core.secrets import redact
from urlscan.core.settings import Statuses
from urlscan.files.safe_open import TooLargeError, read_regular
from urlscan.uri.transform.normal import as_requested

_LARGEST = 1 << 28  # bytes
_EPOCH = datetime(1970, 1, 1)
_LONGEST = 300  # characters of a reason
_CODE = re.compile(r"[1-5][0-9]{2}(?![0-9])")
_CODES = range(100, 600)
_ALIVE = frozenset(("ok", "true", "alive", "valid"))
# The maps of lychee by source, and whether their URLs are dead. Older versions write `fail_map`.
_LYCHEE = {"success_map": False, "error_map": True, "fail_map": True, "timeout_map": True}


class Status(NamedTuple):
    """The report of a checker about one URL.

    Attributes:
        urls: the URL, as written and as requested.
        code: the status code of HTTP (RFC 9110 section 15); None without a response.
        is_dead: whether the checker reports it as broken.
        reason: the words of the checker, secrets masked.
        checked_at: the time of the check in UTC without a zone; that of the file if it has none.
    """

    urls: tuple[str, ...]
    code: int | None
    is_dead: bool
    reason: str
    checked_at: datetime


def read_statuses(path: str) -> list[Status]:
    """Return what a checker wrote to a file.

    Raises:
        SourceError: the file cannot be read.
        ConfigError: it has another format.
    """
    try:
        data = read_regular(path, _LARGEST)
        changed = os.stat(path).st_mtime_ns // 1000
    except TooLargeError:
        raise SourceError(path, f"larger than {_LARGEST >> 20} MiB") from None
    except (OSError, ValueError) as error:
        raise SourceError(path, reason(error)) from None
    try:
        return parse_statuses(data.decode("utf-8-sig", "replace"), _EPOCH + timedelta(microseconds=changed))
    except (OverflowError, ValueError) as error:
        raise ConfigError(
            f"{path}: {error}", hint="write JSON of lychee, or a CSV with the columns url and status"
        ) from None


def parse_statuses(text: str, time: datetime) -> list[Status]:
    """Return what a checker reported at a time; raise ValueError for another format, OverflowError for a time."""
    if text.lstrip().startswith("{"):
        return list(_from_lychee(text, time))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if not lines:
        return []
    try:
        delimiter = ","
        if lines[0].startswith("urlname;"):
            delimiter = ";"
        rows = csv.DictReader(lines, delimiter=delimiter, restval="")
        names = rows.fieldnames or ()
        read: Callable[[dict[str, str], datetime], Status] = _from_row
        if {"urlname", "valid", "result"} <= set(names):
            read = _from_linkchecker
        elif not {"url", "status"} <= set(names):
            raise ValueError("not the report of a link checker")
        return [read(row, time) for row in rows if row.get("status", "ok").strip()]
    except csv.Error as error:
        raise ValueError(str(error)) from None


def dead_links(statuses: Iterable[Status]) -> Statuses:
    """Return the reasons of the dead URLs by URL; the last status of a URL counts."""
    latest = {url: status for status in statuses for url in status.urls}
    reported = ((url, status) for url, status in latest.items() if status.is_dead)
    return Statuses({url: f"{status.reason}, checked {status.checked_at:%Y-%m-%d}" for url, status in reported})


def _from_lychee(text: str, time: datetime) -> Iterator[Status]:
    try:
        report = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None
    if not any(isinstance(report.get(name), dict) for name in _LYCHEE):
        raise ValueError("not the report of a link checker")
    for name, is_dead in _LYCHEE.items():
        by_source = report.get(name)
        if not isinstance(by_source, dict):
            continue
        for responses in by_source.values():
            if not isinstance(responses, list):
                continue
            for response in responses:
                if isinstance(response, dict) and isinstance(response.get("url"), str):
                    facts = response.get("status")
                    if not isinstance(facts, dict):
                        facts = {"text": facts}
                    code, words = facts.get("code"), str(facts.get("text") or "no response")
                    if not (isinstance(code, int) and code in _CODES):
                        code = None
                    yield _status((response["url"],), code, is_dead, words, time)


def _from_linkchecker(row: dict[str, str], time: datetime) -> Status:
    urls = tuple(dict.fromkeys(url for url in (row["urlname"], row.get("url", "")) if url))
    code = _CODE.match(row["result"] or "")
    is_dead = (row["valid"] or "").strip().lower() not in _ALIVE
    return _status(urls, code and int(code[0]), is_dead, row["result"] or "", time)


def _from_row(row: dict[str, str], time: datetime) -> Status:
    """Return a row of a CSV: a status is dead if it is a code from 400, or a word other than "ok"."""
    status = (row["status"] or "").strip()
    code = _CODE.match(status)
    is_dead = status.lower() not in _ALIVE
    if code is not None:
        is_dead = code[0] >= "400"
    written = (row.get("time") or "").strip()
    if written:
        time = datetime.fromisoformat(written)  # a ValueError names the value
        if time.tzinfo is not None:
            time = time.astimezone(UTC).replace(tzinfo=None)
    return _status((row["url"] or "",), code and int(code[0]), is_dead, status, time)


def _status(urls: tuple[str, ...], code: int | None, is_dead: bool, reason: str, time: datetime) -> Status:
    forms = tuple(dict.fromkeys(form for url in urls for form in (url, as_requested(url))))
    return Status(forms, code, is_dead, readable(redact(" ".join(reason.split())[:_LONGEST])), time)
