"""Define what is searched for, and the settings of a run. The layers above load them."""

from urlscan.core.errors import ConfigError, did_you_mean
from urlscan.core.record import NamedTuple, Record
from urlscan.core.typing import Profile, Protocol, ReferenceKind, Rejoin, TypedDict, TypeVar

C = TypeVar("C", bound=tuple[object, ...] | frozenset[str])
PROFILES: tuple[Profile, ...] = ("rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630")
REFERENCE_KINDS: tuple[ReferenceKind, ...] = ("uri", "uri-reference", "absolute-uri", "iri", "iri-reference")
REJOIN: tuple[Rejoin, ...] = ("never", "wrapped", "guess")
# Algorithms that make anchors from headings; auto is that of the detected site generator, or of GitHub.
ANCHORS = (
    "auto", "github", "docusaurus", "gitlab", "mdbook", "goldmark", "hugo", "hugo-rendered", "hugo-ascii",
    "hugo-blackfriday", "mkdocs", "mkdocs-unicode", "kramdown", "jekyll", "vitepress", "hexo", "hexo-plain", "pandoc",
    "jupyter", "docutils", "sphinx", "asciidoctor", "asciidoctor-github", "org",
)  # fmt: skip

# An example of each setting that is a collection.
_RULES = ("U101", "U3")
_HOSTS = frozenset({"h.example"})
_COLLECTIONS: dict[str, tuple[object, ...] | frozenset[str]] = {
    "select": _RULES, "extend_select": _RULES, "ignore": _RULES, "severity": (("U101", "error"),),
    "schemes": frozenset({"x-foo"}), "allowed_hosts": _HOSTS, "placeholders": frozenset({"changeme"}),
    "insecure_hosts": _HOSTS, "exclude_urls": ("https://h.example/*",),
}  # fmt: skip


def as_collection(what: str, value: object, example: C) -> C:
    """Return a tuple, list or set as the type of `example`; raise TypeError for other values, or items unlike its."""
    first = next(iter(example))
    name = type(value).__name__
    if isinstance(value, tuple | list | set | frozenset):
        unlike = [item for item in value if not _is_like(item, first)]
        if not unlike:
            return type(example)(value)
        name += f" of {type(unlike[0]).__name__}"
    raise TypeError(f"{what} must be a {type(example).__name__} such as {example!r}, not {name}")


def _is_like(value: object, example: object) -> bool:
    if isinstance(value, tuple) and isinstance(example, tuple):
        return len(value) == len(example) and all(map(_is_like, value, example))
    return isinstance(value, type(example))


class Statuses(dict[str, str]):
    """The reports of a link checker: why a URL is dead, by URL. They can be hashed, and do not change."""

    __slots__ = ()

    __hash__ = dict.__len__  # type: ignore[assignment]


NO_STATUSES = Statuses()


class Settings(Record):
    """How URLs are found and judged.

    Attributes:
        profile: one of PROFILES.
        select: codes, prefixes, names or ALL that replace the default rules and the profile's; None for those.
        extend_select: rules that are added.
        ignore: rules that are removed last.
        rejoin: one of REJOIN.
        severity: pairs of a selector (code, prefix, name or ALL) and the label of a severity; the most specific
            selector of a rule applies.
        schemes: private schemes, in lower case, that count as registered.
        allowed_hosts: hosts for which the rules on secrets, users, hosts and ports report nothing; "*.h.example" is
            every host below h.example.
        placeholders: complete values that are not secrets; case is ignored.
        insecure_hosts: hosts that may be reached without TLS (U504), written like allowed_hosts.
        statuses: the dead URLs that a link checker reported (U951).
        exclude_urls: patterns of URLs that are not judged, in which "*" is any text; a selector and a space before a
            pattern restrict it to rules.
    """

    profile: "Profile" = "rfc3986"
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rejoin: "Rejoin" = "wrapped"
    severity: tuple[tuple[str, str], ...] = ()
    schemes: frozenset[str] = frozenset()
    allowed_hosts: frozenset[str] = frozenset()
    placeholders: frozenset[str] = frozenset()
    insecure_hosts: frozenset[str] = frozenset()
    statuses: Statuses = NO_STATUSES
    exclude_urls: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Accept any collection in place of a tuple or a frozenset; raise TypeError for other values."""
        for name, example in _COLLECTIONS.items():
            if (value := getattr(self, name)) is not self._defaults[name]:
                object.__setattr__(self, name, as_collection(f"urlscan.Settings: {name}", value, example))


class TargetSettings(NamedTuple):
    """How the targets of relative references are found. Directories are absolute paths.

    Attributes:
        root_dirs: the directories that a reference with a leading "/" begins at; none: they are not checked.
        static_dirs: directories whose files are published at the root of the site.
        fallback_extensions: extensions of documents that a reference may leave out, with their dots.
        index_files: the documents that show a directory.
        anchors: the algorithm that makes anchors from headings, one of ANCHORS.
        prefix_map: pairs of the beginning of a reference and the directory in its place.
        generated: pairs of a directory and a pattern relative to it: files that a build writes.
        redirects: pairs of the path of a page, from the root of the site, and the path or URL that it leads to.
    """

    root_dirs: tuple[str, ...] = ()
    static_dirs: tuple[str, ...] = ()
    fallback_extensions: tuple[str, ...] = (".md", ".mdx", ".rst", ".adoc", ".html")
    index_files: tuple[str, ...] = ("README", "index", "_index")
    anchors: str = "auto"
    prefix_map: tuple[tuple[str, str], ...] = ()
    generated: tuple[tuple[str, str], ...] = ()
    redirects: tuple[tuple[str, str], ...] = ()


class FileSettings(NamedTuple):
    """The settings of one source.

    Attributes:
        settings: how it is judged.
        ignored_codes: the codes of the rules that are not reported for it (`per-file-ignores`).
        kind: its kind; None to detect it.
        encoding: its declared encoding; None to detect it.
        targets: how the targets of its relative references are found.
    """

    settings: Settings = Settings()
    ignored_codes: frozenset[str] = frozenset()
    kind: str | None = None
    encoding: str | None = None
    targets: TargetSettings = TargetSettings()


class FindChanges(TypedDict, total=False):
    """The options of `FindOptions` by name, as `scan` and its relatives take them."""

    relative: bool
    schemeless: bool
    emails: bool
    defanged: bool
    unwrap: bool
    look_alikes: bool
    continuations: bool
    rejoin: "Rejoin"
    schemes: frozenset[str]


class FindOptions(Record):
    """The matches to find besides URLs with a scheme, and how broken URLs are joined.

    Attributes:
        relative: whether to find relative references in markup (`href="../a"`); their `scheme` is "".
        schemeless: whether to find hosts without a scheme (`www.h.example/a`); their `scheme` is "", and `assumed` is
            the intended URL.
        emails: whether to find mail addresses; `assumed` is their mailto URL.
        defanged: whether to restore and find defanged URLs, hosts and addresses (`hxxp://h[.]example/a`).
        unwrap: whether to replace links that a mail filter or a site has rewritten by their originals.
        look_alikes: whether to find misspelled URLs (`http:/h.example`), as the linter does.
        continuations: whether to check if a bare URL continues on the next line; the joined URL is then one of the
            alternatives.
        rejoin: wrapped joins broken URLs between delimiters (RFC 3986 appendix C); guess also joins bare URLs;
            never returns only their first part.
        schemes: private schemes in lower case, which count as registered.
    """

    relative: bool = False
    schemeless: bool = False
    emails: bool = False
    defanged: bool = False
    unwrap: bool = False
    look_alikes: bool = False
    continuations: bool = False
    rejoin: "Rejoin" = "wrapped"
    schemes: frozenset[str] = frozenset()

    def for_settings(self, settings: Settings) -> "FindOptions":
        """Return these options with the settings of a source; URLs that are joined need no check for continuations."""
        continuations = self.continuations and settings.rejoin == "wrapped"
        return self._replace(continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes)


class SettingsProvider(Protocol):
    """Provides the settings of sources by their names."""

    def of(self, path: str) -> FileSettings:
        """Return the settings of a source; raise ConfigError if they cannot be determined."""

    def is_relaxed(self, path: str) -> bool:
        """Return whether a source is test data, in which only secrets and deception are reported."""

    def excludes(self, path: str, root: str | None) -> bool:
        """Return whether a path, that of a directory with a final "/", is excluded.

        `root` is the given directory below which the path was found; None if the path was named.
        """


def check_text(function: str, *texts: object) -> None:
    """Raise TypeError, naming the function to call instead, unless all arguments are strings."""
    for text in texts:
        if isinstance(text, str):
            continue
        other = ""
        if function in ("scan", "lint") and isinstance(text, bytes | bytearray | memoryview):
            other = f"; use urlscan.{function}_bytes"
        elif function in ("scan", "lint") and (hasattr(text, "read") or hasattr(text, "__fspath__")):
            other = f"; use urlscan.{function}_file"
        raise TypeError(f"urlscan.{function} takes a str, not {type(text).__name__}{other}")


def check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise ConfigError, naming the choices, unless `value` is one of them; TypeError unless it is a string."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    if value not in choices:
        raise ConfigError(f'unknown {what} "{value}"', hint=did_you_mean(value, choices))


def is_listed(host: str, listed: frozenset[str]) -> bool:
    """Return whether the configuration lists a host, by its name or by a pattern such as "*.h.example"."""
    name = host.lower().removesuffix(".")
    if name in listed:
        return True
    labels = name.split(".")
    return any("*." + ".".join(labels[position:]) in listed for position in range(1, min(len(labels), 128)))
