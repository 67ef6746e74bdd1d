"""`--exclude`: patterns of the kind that `.gitignore` holds.

Without "/" a pattern is matched with every name on the path, with "/" with the path from the current
directory, or from the directory that is walked; what it matches is excluded with all below it.
"*" and "?" stand for no "/", "**" does; a last "/" means directories alone.
"""

import os
import re

_PARTS = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[!?\]?[^\]]*\]|.", re.DOTALL)
_WILD = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Excluder:
    """The patterns of one run, compiled together."""

    __slots__ = ("_here", "_pattern")

    def __init__(self, patterns: tuple[str, ...]) -> None:
        wanted = [_regex(pattern) for pattern in patterns if pattern.strip("/")]
        self._pattern = re.compile("|".join(wanted), re.DOTALL) if wanted else None
        self._here = os.getcwd() if wanted else ""

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether `path` (a directory's may end with "/"), found below `root`, is excluded."""
        if self._pattern is None:
            return False
        return any(self._pattern.fullmatch(candidate) for candidate in self._candidates(path, root))

    def _candidates(self, path: str, root: str | None) -> list[str]:
        end = "/" if path.endswith(os.sep) else ""
        absolute = os.path.normpath(os.path.join(self._here, path))
        found = [os.path.relpath(absolute, self._here).replace(os.sep, "/") + end]
        if root is not None:
            top = os.path.normpath(os.path.join(self._here, root))
            found.append(os.path.relpath(absolute, top).replace(os.sep, "/") + end)
        # What lies elsewhere is matched by the path it was given.
        return [name if not name.startswith("../") else absolute.lstrip("/") + end for name in found]


def _regex(pattern: str) -> str:
    body = pattern.removeprefix("./").rstrip("/")
    below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    anywhere = "" if "/" in body else "(?:.*/)?"
    parts = [_translate(part) for part in _PARTS.findall(body.lstrip("/"))]
    return anywhere + "".join(parts) + below


def _translate(part: str) -> str:
    if part in _WILD:
        return _WILD[part]
    if len(part) > 2 and part.startswith("["):
        inside = part[1:-1].replace("\\", r"\\").replace("[", r"\[")
        return f"[^/{inside[1:]}]" if inside.startswith("!") else f"(?!/)[{inside}]"
    return re.escape(part)
