"""The public functions that show findings, mask secrets and describe rules."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, get_args

from urlscan.api.findings import results_of
from urlscan.core import document
from urlscan.core.choices import Format
from urlscan.core.records import Finding, Skipped
from urlscan.core.settings import check_choice, check_text
from urlscan.formats import renderer
from urlscan.formats.base import RenderOptions
from urlscan.secrets import redact

if TYPE_CHECKING:
    from urlscan.config.statuses import Status as Status


def render(
    findings: Iterable[Finding | Skipped],
    format: Format = "full",
    *,
    color: bool = False,
    show_secrets: bool = False,
    summary: bool = True,
) -> Iterator[str]:
    """Return a report in a format of `urlscan check`, in pieces, while the findings arrive.

    Args:
        findings: what a lint function returned. The texts come with it; findings from another iterable are shown
            without excerpts, and without the positions of fixes. A `Skipped` is not shown.
        format: the format (`urlscan.Format`).
        color: whether to use terminal colors.
        show_secrets: whether passwords and other secrets are shown unmasked.
        summary: whether the formats for people end with the number of findings.

    Returns:
        The pieces of the report; `"".join` makes a string of them.

    Raises:
        ConfigError: unknown format.

    >>> import urlscan
    >>> print("".join(render(urlscan.lint("See <http://h.example/a|b>."), "concise")), end="")
    -:1:24: U101 unsafe-character error: "|" (U+007C) must be escaped in the path
    Found 1 error.
    1 fix available with --fix --unsafe-fixes.
    """
    check_choice("format", format, get_args(Format))
    return renderer(format)(results_of(findings), RenderOptions(color, show_secrets, quiet=not summary))


def mask(text: str) -> str:
    """Return `text` with passwords and other secrets in its URLs replaced by `***`.

    Masked are passwords, the values of parameters that carry secrets, and tokens of known services, as in all output
    of the command (see the page on secrets). It errs towards masking too much.

    >>> mask("ftp://jo:x1y2z3@h.example/ and http://h.example/?access_token=abcdefgh12345678")
    'ftp://jo:***@h.example/ and http://h.example/?access_token=***'
    """
    check_text("mask", text)
    return redact(text)


def readable(text: str) -> str:
    r"""Return `text` with its undecodable bytes, the surrogates of `os.fsdecode`, shown as Windows-1252.

    >>> import os
    >>> readable(os.fsdecode(b"caf\xe9"))
    'café'
    """
    check_text("readable", text)
    return document.readable(text)
