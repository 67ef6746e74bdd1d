r"""urlscan finds every URL in a text, rejoins the broken ones, and says what is wrong with each.

>>> import urlscan
>>> [o.url for o in urlscan.scan("See <URL:ftp://ds.inter\nnic.net/rfc>.")]
['ftp://ds.internic.net/rfc']

Importing this package loads nothing else; each public name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from urlscan.api import check, is_valid, lint, scan
    from urlscan.errors import ConfigError, RefusedError, SourceError, UrlscanError
    from urlscan.model import Alternative, Break, Edit, Finding, Fix, Occurrence, Problem, Severity
    from urlscan.operations import (
        build,
        equivalent,
        normalize,
        parse,
        quote,
        relative,
        resolve,
        to_ascii,
        to_iri,
        to_unicode,
        to_uri,
        unquote,
        unquote_to_bytes,
        wrap,
    )
    from urlscan.settings import Settings
    from urlscan.url import Url

_WHERE = {
    "check": "api",
    "is_valid": "api",
    "lint": "api",
    "scan": "api",
    "ConfigError": "errors",
    "RefusedError": "errors",
    "SourceError": "errors",
    "UrlscanError": "errors",
    "Alternative": "model",
    "Break": "model",
    "Edit": "model",
    "Finding": "model",
    "Fix": "model",
    "Occurrence": "model",
    "Problem": "model",
    "Severity": "model",
    "Settings": "settings",
    "Url": "url",
    "build": "operations",
    "equivalent": "operations",
    "normalize": "operations",
    "parse": "operations",
    "quote": "operations",
    "relative": "operations",
    "resolve": "operations",
    "to_ascii": "operations",
    "to_iri": "operations",
    "to_unicode": "operations",
    "to_uri": "operations",
    "unquote": "operations",
    "unquote_to_bytes": "operations",
    "wrap": "operations",
}

__all__ = [
    "Alternative",
    "Break",
    "ConfigError",
    "Edit",
    "Finding",
    "Fix",
    "Occurrence",
    "Problem",
    "RefusedError",
    "Settings",
    "Severity",
    "SourceError",
    "Url",
    "UrlscanError",
    "build",
    "check",
    "equivalent",
    "is_valid",
    "lint",
    "normalize",
    "parse",
    "quote",
    "relative",
    "resolve",
    "scan",
    "to_ascii",
    "to_iri",
    "to_unicode",
    "to_uri",
    "unquote",
    "unquote_to_bytes",
    "wrap",
]


def __getattr__(name: str) -> object:
    import importlib

    if name not in _WHERE:
        raise AttributeError(f"module 'urlscan' has no attribute {name!r}")
    return getattr(importlib.import_module(f"urlscan.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
