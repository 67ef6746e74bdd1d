"""Each default rule reports the mutation of the corpus's well-formed URLs that it is made for."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from urlscan import lint
from urlscan.rules import REGISTRY

CORPUS = Path(__file__).parent.parent / "corpus"
# A directory and a file at a host. Reserved hosts are exempt from some rules, so that they are replaced.
_SHAPE = re.compile(r"http://[a-z0-9.]+/[A-Za-z0-9._/-]*[A-Za-z0-9]")
ENOUGH = 5


def well_formed() -> list[str]:
    """Return the well-formed URLs of the corpus with another host, except for those that contain a token."""
    found: dict[str, None] = {}
    for path in sorted(CORPUS.glob("*/*.toml")):
        for text in re.findall(r"https?://[^\s\"'<>⟦⟧|\\]+", path.read_text(encoding="utf-8")):
            url = re.sub(r"^https?://[^/]+", "http://www.dominion.org", text.rstrip(".,;:)]}*`"))
            if (
                _SHAPE.fullmatch(url)
                and ".." not in url
                and "/." not in url
                and "//" not in url[8:]
                and "xox" not in url
            ):
                found[url] = None
    return list(found)


URLS = well_formed()


def host(url: str, new: str) -> str:
    return url.replace("www.dominion.org", new)


CYRILLIC = "www.d\u043eminion.org"
Mutation = Callable[[str], str]
# By rule: the mutation of the URL, with surrounding text, and the file name, which determines the kind.
MUTATIONS: dict[str, tuple[Mutation, str]] = {
    "U101": (lambda u: f"See {u}|b=c now.", "a.txt"),
    "U102": (lambda u: f"See <URL:{u[:-1]} {u[-1]}/> now.", "a.txt"),
    "U103": (lambda u: f"See <{u}\x01b> now.", "a.txt"),
    "U106": (lambda u: f"See {u}#a#b now.", "a.txt"),
    "U201": (lambda u: f"See {u}%zz/b now.", "a.txt"),
    "U202": (lambda u: f"See {u}?a=b%2520c now.", "a.txt"),
    "U203": (lambda u: f"See {u}%0D%0Ab now.", "a.txt"),
    "U207": (lambda u: f"See {u}/%2e%2e/b now.", "a.txt"),
    "U208": (lambda u: f"See {u}?a=b&amp;c=d now.", "a.txt"),
    "U209": (lambda u: f"See {host(u, 'www.dominion.org/../..')} now.", "a.txt"),
    "U301": (lambda u: f"See {host(u, 'jane:s3cr3t-Pw@www.dominion.org').replace('http', 'ftp')} now.", "a.txt"),
    "U302": (lambda u: f"See {host(u, 'jane@www.dominion.org')} now.", "a.txt"),
    "U303": (lambda u: f"See {host(u, 'www.mybank.com@www.dominion.org')} now.", "a.txt"),
    "U304": (lambda u: f"See {u}?access_token=s-5bu1A48An4g now.", "a.txt"),
    "U401": (lambda u: f"See {u.replace('http', 'ftp')};type=q now.", "a.txt"),
    "U402": (lambda u: f"See {host(u, 'www..dominion.org')} now.", "a.txt"),
    "U403": (lambda u: f"See {host(u, 'www.dominion.org:99999')} now.", "a.txt"),
    "U405": (lambda u: f"See {u.replace('http', 'htpp')} now.", "a.txt"),
    "U406": (lambda u: f"See {u.replace('http://', 'http:/')} now.", "a.txt"),
    "U407": (lambda u: f'<a href="http:{u.rpartition("/")[2]}">x</a>', "a.html"),
    "U501": (lambda u: f"See {host(u, 'www.dominion.org:25')} now.", "a.txt"),
    "U601": (lambda u: f"See <URL:{u}-\nb/c> now.", "a.txt"),
    "U602": (lambda u: f"text {u}/cgi-\nbin/a.html\nand more text in this line", "a.txt"),
    "U603": (lambda u: f"See <{u} now.", "a.txt"),
    "U604": (lambda u: f"See <URL:{u} and more words of prose> now.", "a.txt"),
    "U607": (lambda u: f"See <URL:{u}%2\n0b> now.", "a.txt"),
    "U608": (lambda u: f"See <URL:{u.removeprefix('http://')}> now.", "a.txt"),
    "U609": (lambda u: f"See <{u}.> now.", "a.txt"),
    "U610": (lambda u: f"See {u}{'/abcdefg' * 9000} now.", "a.txt"),
    "U611": (lambda u: f'<a href="<URL:{u}>">x</a>', "a.html"),
    "U612": (lambda u: f"See <URL:{u}>#part now.", "a.txt"),
    "U701": (lambda u: f"See {host(u, CYRILLIC)} now.", "a.txt"),
    "U702": (lambda u: f"See <{u}\u200b/b> now.", "a.txt"),
    "U901": (lambda u: f"See {u} now. urlscan: ignore[U201]", "a.txt"),
}


def test_every_default_rule_has_a_mutation() -> None:
    # U91x judge where a reference leads in a tree: tests/targets has their mutations.
    judging = {entry.code for entry in REGISTRY if entry.default and not entry.code.startswith(("U91", "U92"))}
    assert set(MUTATIONS) == judging
    assert len(URLS) >= ENOUGH


def test_well_formed_urls_have_no_findings() -> None:
    reported = {url: [finding.code for finding in lint(f"See <{url}> now.\n", path="a.txt")] for url in URLS}
    assert {url: codes for url, codes in reported.items() if codes} == {}


@pytest.mark.parametrize("code", MUTATIONS)
def test_rule_reports_its_mutation(code: str) -> None:
    mutate, path = MUTATIONS[code]
    reported = {url: [finding.code for finding in lint(mutate(url) + "\n", path=path)] for url in URLS}
    missed = {url: codes for url, codes in reported.items() if code not in codes}
    assert len(reported) - len(missed) >= ENOUGH, missed
    assert len(missed) <= len(reported) // 10, missed
