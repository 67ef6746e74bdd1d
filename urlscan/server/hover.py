"""Render the hover of a URL: the URL as a whole, its components and its problems."""

import re

from lsprotocol import types

from urlscan import Finding, Profile
from urlscan.api.buffers import Analysis, Url
from urlscan.api.pages import number, rule_page
from urlscan.api.references import Destination
from urlscan.server.diagnostics import message_of, reading_of

# Longer components are shortened.
_LONGEST = 300


def hover_text(
    analysis: Analysis, url: Url, destination: Destination | None, profile: Profile, kind: types.MarkupKind
) -> str:
    """Return what is shown about a URL; `destination` is where it leads to if it is a relative reference."""
    style = _Plain()
    if kind == types.MarkupKind.Markdown:
        style = _Markdown()
    occurrence = url.occurrence
    masked, components = url.components(profile)
    lines = [style.code(masked)]
    if occurrence.breaks:
        lines.append(f"rejoined over {number(len(occurrence.breaks), 'line break')}")
    lines.append(style.table(components))
    if destination is not None:
        lines.append(f"leads to {style.code(destination.name)}")
    problems = [
        finding
        for finding in analysis.findings
        if finding.url == occurrence.url and finding.end >= occurrence.outer_start
        and finding.start <= occurrence.outer_end
    ]  # fmt: skip
    lines += [style.problem(finding) for finding in problems]
    if not problems and occurrence.scheme and not occurrence.template:
        lines.append(f"no problems by RFC {profile.removeprefix('rfc')}")
    lines += [f"other reading, {style.prose(reading_of(reading, url))}" for reading in occurrence.alternatives]
    return "\n\n".join(filter(None, lines))


class _Plain:
    """Plain text."""

    def code(self, text: str) -> str:
        return _short(text)

    def prose(self, text: str) -> str:
        return text

    def table(self, rows: list[tuple[str, str]]) -> str:
        return "\n".join(f"{name}: {_short(value)}" for name, value in rows)

    def problem(self, finding: Finding) -> str:
        return "".join(_problem(finding))


class _Markdown(_Plain):
    """Markdown in which nothing of the document becomes markup."""

    def code(self, text: str) -> str:
        text = _short(text)
        fence = "`"
        while fence in text:
            fence += "`"
        pad = " " if fence != "`" or text[:1] == " " else ""
        return f"{fence}{pad}{text}{pad}{fence}"

    def prose(self, text: str) -> str:
        return re.sub(r"[\\`*_{}\[\]()<>#+\-.!|~&:@/]", r"\\\g<0>", text)

    def table(self, rows: list[tuple[str, str]]) -> str:
        lines = [f"| {name} | {self.code(value).replace('|', chr(92) + '|')} |" for name, value in rows]
        if not rows:
            return ""
        return "\n".join(["| component | value |", "| --- | --- |", *lines])

    def problem(self, finding: Finding) -> str:
        code, message = _problem(finding)
        return f"[{finding.code}]({rule_page(finding.code)}){self.prose(code.removeprefix(finding.code) + message)}"


def _problem(finding: Finding) -> tuple[str, str]:
    return f"{finding.code} {finding.name} {finding.severity.label}: ", message_of(finding)


def _short(text: str) -> str:
    """Return a text in one line, shortened."""
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "…"
    return text
