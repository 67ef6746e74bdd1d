"""Define the keys of a configuration.

The documentation, the JSON Schemas in `urlscan/data` and `urlscan config` are generated from this table.

msgspec and cattrs are not used: importing them takes 38 and 63 ms, reading a table of seven keys 0.1 and 2.6 ms (this
module 0.5 ms), and their messages do not name the key or value that was probably meant.
"""

import re
from collections.abc import Callable, Iterable

from urlscan.config.relaxed import RELAXED_PATHS
from urlscan.core.errors import ConfigError, did_you_mean
from urlscan.core.record import NamedTuple
from urlscan.core.settings import ANCHORS, PROFILES, REJOIN, TargetSettings
from urlscan.core.typing import Any
from urlscan.documents import KINDS
from urlscan.files.decode import codec_name
from urlscan.formats import FORMATS
from urlscan.linter.judge import SEVERITIES, resolve_selector
from urlscan.rules import REGISTRY

# Limit on the entries of a list or table.
_MOST = 10_000
# Limit on the characters of a string.
_LONGEST = 1000
# RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*"
# A name, an address, or `*.` before a name; underscores and invalid labels are allowed, they may be the reason.
_HOST = r"(?:\*\.)?(?:[^\s/?#@:*\[\]\\]+|\[[0-9A-Fa-f:.]+\])"
_RULE = r"ALL|U[0-9]{0,3}|[a-z0-9]+(?:-[a-z0-9]+)*"


class Shape(NamedTuple):
    """The type of a value.

    Attributes:
        words: its description.
        reads: converts a value of TOML; raises ConfigError if it is invalid.
        schema: its JSON Schema.
    """

    words: str
    reads: Callable[[Any], Any]
    schema: dict[str, Any]


class Key(NamedTuple):
    """One key.

    Attributes:
        name: its name.
        shape: the type of its value.
        default: its default as TOML; "" for none.
        description: a summary of what it does.
        example: an example value as TOML.
    """

    name: str
    shape: Shape
    default: str
    description: str
    example: str


# --- types


def _text(value: Any) -> str:
    if not isinstance(value, str):
        hint = f'write "{value}"' if type(value) in (int, float) else ""
        raise ConfigError(f"expected a string, not {_kind_of(value)}", hint=hint)
    if not value:
        raise ConfigError("the string is empty")
    if "\0" in value or len(value) > _LONGEST:
        raise ConfigError(f"expected a string of at most {_LONGEST} characters without NUL")
    return value


def _kind_of(value: Any) -> str:
    kinds = {
        bool: "true or false", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table",
    }  # fmt: skip
    return kinds.get(type(value), "a date")


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        hint = ""
        if value in ("true", "false"):
            hint = f"write {value}"
        raise ConfigError(f"expected true or false, not {_kind_of(value)}", hint=hint)
    return value


def _choice(what: str, choices: Iterable[str]) -> Shape:
    choices = tuple(choices)

    def reads(value: Any) -> str:
        if _text(value) not in choices:
            raise ConfigError(f'unknown {what} "{value}"', hint=did_you_mean(value, choices))
        return str(value)

    return Shape(f"one of {', '.join(f'`{choice}`' for choice in choices)}", reads, {"enum": list(choices)})


def _list(words: str, of: Callable[[str], str], schema: dict[str, Any]) -> Shape:
    def reads(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            hint = ""
            if isinstance(value, str) and len(value) < _LONGEST:
                hint = f'write ["{value}"]'
            raise ConfigError(f"expected a list, not {_kind_of(value)}", hint=hint)
        _bounded(value)
        return tuple(of(_text(item)) for item in value)

    return Shape(words, reads, {"type": "array", "items": schema})


def _table(words: str, key: Callable[[str], str], of: Shape, names: dict[str, Any]) -> Shape:
    def reads(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ConfigError(f"expected a table, not {_kind_of(value)}")
        _bounded(value)
        table = {}
        for written, entry in value.items():
            name = key(_text(written))
            try:
                table[name] = of.reads(entry)
            except ConfigError as error:
                raise ConfigError(f'"{written}": {error.message}', hint=error.hint) from None
        return table

    schema = {"type": "object", "additionalProperties": of.schema, "propertyNames": names}
    return Shape(words, reads, schema)


def _bounded(value: list[Any] | dict[str, Any]) -> None:
    if len(value) > _MOST:
        raise ConfigError(f"more than {_MOST} entries")


# --- entries of lists and tables


def _rule(value: str) -> str:
    resolve_selector(value)
    return value


def _severity(value: Any) -> str:
    if value in ("off", "none", "ignore", False):
        raise ConfigError("to disable a rule, use `ignore`", hint="severities: error, warning, info")
    return str(_SEVERITY.reads(value))


def _path_pattern(value: str) -> str:
    if value.startswith("!"):
        raise ConfigError(f'"{value}": patterns to exclude cannot be negated', hint="write a narrower pattern")
    return value


def _pattern(value: str) -> str:
    if value == "!":
        raise ConfigError('"!" is not a pattern', hint="write a pattern after it")
    return value


def _scheme(value: str) -> str:
    name = re.sub(r":(?://)?\Z", "", value)
    if re.fullmatch(_SCHEME, value) is None:
        hint = f'write "{name}"' if re.fullmatch(_SCHEME, name) else "write a letter, then letters, digits, + - ."
        raise ConfigError(f'"{value}" is not a scheme', hint=hint)
    return value.lower()


def _host(value: str) -> str:
    if re.fullmatch(_HOST, value) is None:
        hint = 'write a name without a scheme, port or path, such as "git.h.example" or "*.h.example"'
        raise ConfigError(f'"{value}" is not a host', hint=hint)
    return value.lower().removesuffix(".")


def _encoding(value: Any) -> str:
    codec_name(_text(value))
    return str(value)


def _extension(value: str) -> str:
    if not value.startswith(".") or "/" in value:
        raise ConfigError(f'"{value}" is not an extension', hint=f'write ".{value.strip("./")}"')
    return value


_STRING: dict[str, Any] = {"type": "string", "minLength": 1}
_PATTERN: dict[str, Any] = {"type": "string", "pattern": "^(?:[^!]|!.)"}
_SEVERITY = _choice("severity", SEVERITIES)
_RULES = _list(
    "list of rules",
    _rule,
    {
        "type": "string",
        "pattern": rf"^(?:{_RULE})$",
        "examples": ["ALL", *(entry.code for entry in REGISTRY), *(entry.name for entry in REGISTRY)],
    },
)
_SEVERITY_BY_RULE = _table(
    "table: rule = `error`, `warning` or `info`",
    _rule,
    Shape("", _severity, _SEVERITY.schema),
    {"pattern": rf"^(?:{_RULE})$"},
)
_TEXT = Shape("string", _text, _STRING)
_HOSTS = _list("list of hosts", _host, {"type": "string", "pattern": f"^{_HOST}$"})
_DIRECTORIES = _list("list of directories", str, _STRING)
_GLOBS = _list("list of patterns", _path_pattern, {**_STRING, "pattern": "^[^!]"})

# Each row: name, type and default; description; example.
KEYS: tuple[Key, ...] = (
    Key(
        "extend", _TEXT, "",
        "a configuration file to inherit from; relative to this file's directory",
        '"../urlscan.toml"',
    ),
    Key(
        "profile", _choice("profile", PROFILES), '"rfc3986"',
        "the specification by which URLs are judged",
        '"rfc1738"',
    ),
    Key("select", _RULES, "", "rules to enable instead of the default ones and the profile's", '["U1", "bad-escape"]'),
    Key("extend-select", _RULES, "[]", "rules to enable in addition", '["U605"]'),
    Key("ignore", _RULES, "[]", "rules to disable; takes precedence over `select`", '["hyphen-at-break"]'),
    Key(
        "severity", _SEVERITY_BY_RULE, "{}",
        "override the severity of rules; a name or code takes precedence over a prefix, a prefix over `ALL`",
        '{ U202 = "info", password-in-url = "warning" }',
    ),
    Key(
        "per-file-ignores", _table("table: pattern = list of rules", _pattern, _RULES, _PATTERN), "{}",
        'rules to ignore in matching files; `"!docs/**"` matches all other files',
        '{ "docs/old/**" = ["U602"], "*.csv" = ["ALL"] }',
    ),
    Key(
        "per-file-kinds", _table("table: pattern = kind", _pattern, _choice("kind", KINDS), _PATTERN), "{}",
        "kinds of matching files, overriding detection; the last matching pattern applies",
        '{ "*.in" = "markdown" }',
    ),
    Key(
        "relaxed-paths", _GLOBS, str(list(RELAXED_PATHS)).replace("'", '"'),
        "test data, where only secrets and deception are reported (U301, U303, U304, U70x); `[]` for none",
        '["tests/", "examples/broken/"]',
    ),
    Key("exclude", _GLOBS, "[]", "files to exclude, even if they are named", '["vendor", "*.min.js"]'),
    Key("extend-exclude", _GLOBS, "[]", "files to exclude in addition to `exclude`", '["docs/old/**"]'),
    Key(
        "encoding", Shape("string", _encoding, _STRING), "",
        "the encoding of files without a byte order mark",
        '"latin-1"',
    ),
    Key(
        "decompress", Shape("`true` or `false`", _switch, {"type": "boolean"}), "",
        "open compressed files and archives (`--decompress`, `--no-decompress`); by default `check` opens"
        " those that are named, and `extract` all",
        "true",
    ),
    Key("rejoin", _choice("way to rejoin", REJOIN), '"wrapped"', "which broken URLs to rejoin", '"guess"'),
    Key(
        "schemes", _list("list of strings", _scheme, {"type": "string", "pattern": f"^{_SCHEME}$"}), "[]",
        "private schemes, treated as registered ones",
        '["x-foo"]',
    ),
    Key(
        "allowed-hosts", _HOSTS, "[]",
        "hosts exempt from the rules on secrets, users, hosts and ports (U301, U302, U304,"
        " U402, U501, U505, U701); `*.h.example` is every host below h.example",
        '["git.corp", "*.h.example"]',
    ),
    Key(
        "placeholders", _list("list of strings", str, _STRING), "[]",
        "complete values that are not passwords, users or tokens (U301, U302, U304); case is ignored",
        '["s3kr1t"]',
    ),
    Key(
        "insecure-hosts", _HOSTS, "[]",
        "hosts that may be reached without TLS (U504), written like `allowed-hosts`",
        '["*.museum.example"]',
    ),
    Key(
        "exclude-urls", _list("list of patterns", str, _STRING), "[]",
        "URLs that are not judged, as written, in which `*` is any text; with a selector of rules before the pattern,"
        " only these rules pass over them",
        '["https://h.example/*", "U912 */generated/*"]',
    ),
    Key(
        "root-dir", _DIRECTORIES, "[]",
        "directories at which references with a leading `/` begin; without them such references are not checked."
        " Outside of a repository, missing files are only reported if this is set (U91x)",
        '["docs"]',
    ),
    Key(
        "static-dir", _DIRECTORIES, "[]",
        "directories whose files are published at the root of the site; as `root-dir`",
        '["static"]',
    ),
    Key(
        "prefix-map", _table("table: beginning of a reference = directory", str, _TEXT, _STRING), "{}",
        "references that begin like this lead to files of the directory",
        '{ "/docs/latest/" = "docs" }',
    ),
    Key(
        "fallback-extensions", _list("list of extensions", _extension, {"type": "string", "pattern": r"^\."}),
        str(list(TargetSettings().fallback_extensions)).replace("'", '"'),
        "extensions of documents that references may leave out",
        '[".md", ".html"]',
    ),
    Key(
        "index-files", _list("list of names", str, _STRING), str(list(TargetSettings().index_files)).replace("'", '"'),
        "names, without extension, of the documents that show a directory",
        '["index"]',
    ),
    Key(
        "anchors", _choice("algorithm", ANCHORS), '"auto"',
        "how anchors are made from headings; `auto`: as the detected site generator does, or GitHub (U911, U914)",
        '"github"',
    ),
    Key(
        "generated", _GLOBS, "[]",
        "files that a build writes, which are not reported as missing (U912)",
        '["docs/api/"]',
    ),
    Key(
        "redirects", _table("table: path of a page = path or URL", str, _TEXT, _STRING), "{}",
        "pages that lead elsewhere, by their path from the root of the site; they are not missing",
        '{ "/old/" = "/new/" }',
    ),
    Key(
        "baseline", _TEXT, "",
        "the baseline of `check`; relative to the directory that patterns are relative to",
        '"known.json"',
    ),
    Key("output-format", _choice("format", FORMATS), '"full"', "the output format of `check`", '"concise"'),
    Key("fail-on", _SEVERITY, '"warning"', "the lowest severity that makes `check` fail", '"error"'),
)  # fmt: skip
BY_NAME = {key.name: key for key in KEYS}
# Names of options and of other programs that users write in place of a key.
_OTHERS = {"format": "output-format", "kinds": "per-file-kinds", "as": "per-file-kinds", "kind": "per-file-kinds"}


def checked(table: dict[str, Any]) -> dict[str, Any]:
    """Return the converted values of a TOML table, by key.

    Raises:
        ConfigError: a key is unknown or a value is invalid.
    """
    values = {}
    for written, value in table.items():
        name = written[:_LONGEST]
        key = BY_NAME.get(name)
        if key is None:
            if name in ("lint", "tool", "urlscan") and isinstance(value, dict):
                raise ConfigError(
                    f'unknown key "{name}"', hint="in this file keys are at the top level, outside any table"
                )
            raise ConfigError(f'unknown key "{name}"', hint=did_you_mean(_OTHERS.get(name, name), BY_NAME))
        try:
            values[name] = key.shape.reads(value)
        except ConfigError as error:
            raise ConfigError(f"{name}: {error.message}", hint=error.hint) from None
    return values
