"""Decide where a finding is information because maintainers would not act on it: each reason is an entry with a name.

Every entry has cases in `corpus/rules`, with the severity that it changes and one that it does not. Secrets and
deception keep their severity everywhere. The entries for references are in `targets/excuses.py`.
"""

import os
import re
from collections.abc import Callable

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.records import CONTEXTS, Match
from urlscan.documents.history import is_changelog, is_kept
from urlscan.linter.judge import KEPT_SEVERITIES
from urlscan.rules.base import DATA_KINDS

# The host, also of a URL with a misspelled scheme: "http:/h", "http//h", "https:h", "mailto:jo@h".
_HOST = lazy(r"[A-Za-z][A-Za-z0-9+.-]*(?::|(?=/))[/\\]*(?:[^/?#@\\]*@)?(?P<host>\[[^\]]*\]|[^/?#:\\]*)")
# A host reserved for examples (RFC 2606, RFC 6761, RFC 5737), also in other languages, or one of the own machine.
# Matches: `h.example`, `example.com`, `ejemplo.com`, `localhost`, `127.0.0.1`, `host`, `my.domain`
# Does not match: `examples.org`, `h.org`, `10.0.0.1`
_SAMPLE_HOST = lazy(
    r"""
    (?: .*\. )? (?: ex[ae]mpl[eo] | ejemplo | esempio | beispiel | voorbeeld ) (?: \.[a-z]{2,10} )?
  | .*\. (?: test | invalid | localhost | domain ) | [^.\[]*
  | 127(?:\.[0-9]+){3} | \[::1\] | 192\.0\.2\.[0-9]+ | 198\.51\.100\.[0-9]+ | 203\.0\.113\.[0-9]+
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Words of a program that tests, rejects or repairs URLs, in several languages.
# Matches: `valid`, `Malform`, `BAD_`, `regex`, `, False`
# Does not match: `value`, `bad`, `express`
_TRIAL = lazy(r"(?i)valid|v\u00e1lid|malform|forbid|reject|regex|illegal|bogus|kludge|\bbad_|_bad\b|[,(] *false\b")
_REACH = 400  # characters examined on either side
_LINES = 2  # lines examined on either side


class Advice(NamedTuple):
    """A reason for which a finding is information.

    Attributes:
        name: its name.
        contexts: the contexts in which it may hold.
        applies: returns whether it holds for a finding of a rule at an occurrence.
        why: the reason.
    """

    name: str
    contexts: tuple[str, ...]
    applies: Callable[[str, Match, Document], bool]
    why: str


def advice_for(code: str, occurrence: Match, document: Document) -> str:
    """Return the name of the first entry that holds for a finding of a rule, or ""."""
    if code[1] in KEPT_SEVERITIES:
        return ""
    context = occurrence.context
    matches = (
        advice.name for advice in ADVICE if context in advice.contexts and advice.applies(code, occurrence, document)
    )
    return next(matches, "")


def _local_path(document: Document) -> str:
    """Return the path as it was given; of an absolute one, only the file and its directory say what it is."""
    path = document.path.replace(os.sep, "/")
    return "/".join(path.split("/")[-2:]) if path.startswith("/") else path


def _is_in_changelog(code: str, _occurrence: Match, document: Document) -> bool:
    # U603 and U608 are about links that their markup does not make.
    return code not in ("U603", "U608") and is_changelog(_local_path(document))


def _is_kept(_code: str, _occurrence: Match, document: Document) -> bool:
    return is_kept(_local_path(document))


def _is_sample(code: str, occurrence: Match, document: Document) -> bool:
    if code[1] not in "24" or document.kind in DATA_KINDS:
        return False
    if code in ("U405", "U406"):
        return False  # a misspelling that readers of documentation copy
    match = _HOST.match(occurrence.url)
    return match is not None and _SAMPLE_HOST.fullmatch(match["host"]) is not None


def _is_on_trial(code: str, occurrence: Match, document: Document) -> bool:
    if code[1] not in "24" or document.kind in DATA_KINDS:
        return False
    text, start, end = document.text, occurrence.start, occurrence.end
    before = text[max(start - _REACH, 0) : start].split("\n")[-1 - _LINES :]
    after = text[end : end + _REACH].split("\n")[: 1 + _LINES]
    return _TRIAL.search("\n".join((*before, *after))) is not None


ADVICE = (
    Advice(
        "changelog", ("prose",), _is_in_changelog, "a record of changes is not edited, and only its links are followed"
    ),
    Advice("kept", CONTEXTS, _is_kept, "an old version, an archive and the copy of a release are kept as they were"),
    Advice(
        "sample-host",
        ("comment", "string", "code", "fragment"),
        _is_sample,
        "readers do not follow a URL of a program at a host for examples",
    ),
    Advice("trial", ("comment", "string"), _is_on_trial, "the program tests, rejects or repairs such URLs"),
)
