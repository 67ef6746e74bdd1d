"""Test U302 to U407, U501 and U502: userinfo, host, port and authority."""

import pytest

from urlscan import check
from urlscan.data.ports import BAD_PORTS, DEFAULT_PORTS, SERVICE_PORTS
from urlscan.data.tlds import TLDS
from urlscan.linter.judge import judge_url
from urlscan.rules import load
from urlscan.rules.base import Spec
from urlscan.rules.hosts import begins_with_host, is_domain
from urlscan.uri.schemes import HIERARCHICAL, accepts

RULES = [load(code) for code in "U302 U303 U402 U403 U404 U405 U406 U407 U501 U502".split()]
PROFILES = ("rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630")


def problems_of(code, url, profile="rfc3986"):
    return judge_url(url, Spec(profile, "uri"), [load(code)])


def reported(code, url, profile="rfc3986"):
    return [url[problem.start : problem.end] for problem in problems_of(code, url, profile)]


# --- spans


@pytest.mark.parametrize(
    ("code", "url", "expected"),
    [
        ("U302", "http://jo@h.net/", "jo"),
        ("U302", "https://jo@h.net/", "jo"),
        ("U302", "HTTP://jo@h.net/", "jo"),
        ("U302", "wais://jo@h.net/db", "jo"),
        ("U303", "http://www.a.org@h.net/", "www.a.org"),
        ("U303", "http://a.org@3221226219/", "a.org"),
        ("U303", "http://a.org:80@h.net/", "a.org:80"),
        ("U303", "http://login.a.de@h.net/", "login.a.de"),
        ("U303", "http://a.li%01@h.net/", "a.li%01"),
        ("U303", "http://192.0.2.1@h.net/", "192.0.2.1"),
        ("U402", "http://:80/", "//"),
        ("U402", "http://jo@/", "//"),
        ("U402", "ssh:///x", "//"),
        ("U402", "http://.a.org/", "."),
        ("U402", "http://www.a,org/", ","),
        ("U402", "http://1.2.3.4.5/", "1.2.3.4.5"),
        ("U402", "http://1.2.3/", "1.2.3"),
        ("U402", "http://087.1.1.1/", "087.1.1.1"),
        ("U402", "http://0x7f.1/", "0x7f.1"),
        ("U402", "http://[fe80::1%25eth0]/", "%25eth0"),
        ("U402", "http://[fe80::1%eth0]/", "%eth0"),
        ("U402", "http://[1::2::3]/", "[1::2::3]"),
        ("U402", "http://[::1", "[::1"),
        ("U402", "http://a]b/", "]"),
        ("U402", "http://[::1]x/", "x"),
        ("U402", "msrps://2001:db8::3:54111/", "2001:db8::3:54111"),
        ("U402", "http://::1/", "::1"),
        ("U402", "http://h:80:90/", ":"),
        ("U403", "http://h:8o/", "8o"),
        ("U402", "http://-h.org", "-h"),
        ("U402", "http://h-.org/", "h-"),
        ("U402", "http://a.h.org-", "org-"),
        ("U402", "http://a;b/", ";"),
        ("U402", "http://a.org,b/", ","),
        ("U402", "ftp://h!$&'()*+,;=.org/", "!$&'()*+,;="),
        ("U402", "http://ｈ.org/", "ｈ.org"),
        ("U402", "http://h。org/", "h。org"),
        ("U403", "http://h:port/", "port"),
        ("U403", "http://h:80xx/", "80xx"),
        ("U403", "http://h:65536/", "65536"),
        ("U403", "http://h:" + "9" * 5000 + "/", "9" * 5000),
        ("U403", "https://jo@h.net:passphrase/x", "passphrase"),
        ("U404", "http://h:/", ":"),
        ("U405", "htpp://a.org", "htpp"),
        ("U405", "hhtp://a.org", "hhtp"),
        ("U405", "htttp://a.org", "htttp"),
        ("U405", "htt://a.org", "htt"),
        ("U405", "heep://a.org", "heep"),
        ("U405", "htps://a.org", "htps"),
        ("U405", "fpt://a.org/", "fpt"),
        ("U405", "ftq://ftp.a.org/", "ftq"),
        ("U405", "telent://a.org", "telent"),
        ("U405", "malto:jo@a.org", "malto"),
        ("U406", "http:/www.a.org/x", ":/"),
        ("U406", "http:www.a.org", ":"),
        ("U406", "http:localhost:80/x", ":"),
        ("U406", "http:///www.a.org/x", ":///"),
        ("U406", "http:\\\\www.a.org", ":\\\\"),
        ("U406", "http://http://a.org/", "http:"),
        ("U406", "http://https//a.org/", "https"),
        ("U406", "http://mailto:jo@a.org", "mailto:"),
        ("U406", "http://www.a.orghttp://www.a.org/", "http:"),
        ("U407", "http:g", "http:"),
        ("U407", "http:a/b.html", "http:"),
        ("U407", "http:run.sh", "http:"),
        ("U407", "http:?q", "http:"),
        ("U407", "http:#f", "http:"),
        ("U407", "http:", "http:"),
        ("U501", "http://h.net:25/", "25"),
        ("U501", "http://h.net:0025/", "0025"),
        ("U501", "gopher://h.net:79/", "79"),
        ("U501", "http://h.net:6667/", "6667"),
        ("U502", "http://h.net:80/", ":80"),
        ("U502", "wss://h.net:443/", ":443"),
    ],
)
def test_problems_have_the_expected_span(code, url, expected):
    assert reported(code, url) == [expected]


@pytest.mark.parametrize(
    ("code", "urls"),
    [
        (
            "U302",
            "http://@h.net/ http://user@h.net/ http://jo@h.example/ http://jo:$PW@h.net/ ftp://jo@h.net/ http://a@b@h.net/",
        ),
        (
            "U303",
            "ssh://first.last@git.a.org/ http://first.last@h.net/ http://jo.kim@h.net/ ftp://jo%40a.org@h.net/"
            " ftp://a.org@ftp.a.org/ ftp://a.org:s3cret@h.net/ http://www.812191@h.net/ ftp://anonymous:jo@h.net/"
            " mailto://www.a.org@h.net sftp://www.a.org@h.net/",
        ),
        (
            "U402",
            "http://localhost/ http://h/ http://h_x.org/ http://h.org./ http://h--x.org/ http://bücher.de/ http://.../x"
            " http://---.org/"
            " http://up... http://h%41.org/ http://[::1]/ http://[v1.x]/ http://1.2.3.4/ http://1234/ file:///x"
            " mailto://a..b irc:///x http://h^x.org/ ni:///sha-256;x ni://a;b/",
        ),
        (
            "U403",
            "http://h:/ http://h:80/ http://h:8|/ http://a:b:c/ ftp://jo:pw@h/ http://h:00080/ mailto://h:x",
        ),
        ("U404", "http://h/ http://h:80/ file://c:/x http://jo:@h/"),
        (
            "U405",
            "http://a.org s3://a.org gs://a.org x-htp://a.org shttp://a.org ftps://a.org help://a.org invented://a.org"
            " htpp://host/ ttps://www.examp rtp://a.org sftp://a.org nfs://a.org z39.50://a.org ht2p://a.org hftp://a.org",
        ),
        (
            "U406",
            "http://a.org/ http://a.org/http://b.org/ file:///x file:/x http:g http:a/b http:run.sh http://http/x"
            " http://{host}/ http:/{host}/x mailto:jo@a.org ni:///x http:?q http:",
        ),
        ("U407", "http:/x http://x http:\\x mailto:g file:g urn:g g http:www.a.org"),
        (
            "U501",
            "http://h.net/ http://h.net:80/ http://h.net:81/ http://h.net:8080/ http://h.net:631/ ftp://h.net:21/"
            " http://localhost:25/ http://127.0.0.1:25/ http://[::1]:25/ http://h.net:2x/ http://h.net:0/ smtp://h.net:25/"
            " irc://h.net:6668/ ldap://h.net:6666/ http://h.net:99999999999/",
        ),
        ("U502", "http://h.net/ http://h.net:/ http://h.net:8080/ https://h.net:80/ foo://h.net:80/"),
    ],
)
def test_rule_accepts_urls(code, urls):
    rules = [load("U406"), load(code)] if code == "U407" else [load(code)]
    for url in urls.split():
        assert [p for p in judge_url(url, Spec("rfc3986", "uri"), rules) if p.code == code] == [], url


# --- agreement with the grammars


@pytest.mark.parametrize(
    ("code", "url", "rejecting"),
    [
        ("U302", "http://jo@h.net/", "rfc1738 rfc1630"),
        ("U302", "http://jo@h.example/", "rfc1738 rfc1630"),
        ("U302", "https://jo@h.net/", ""),
        ("U302", "nntp://jo@h.net/g/1", "rfc1738"),
        ("U303", "http://www.a.org@h.net/", ""),
        ("U402", "http://:80/", "rfc3986 rfc3987 rfc1738 rfc1630"),
        ("U402", "http://a..b.org/", "rfc1738"),
        ("U402", "http://1.2.3/", "rfc1738 rfc1630"),
        ("U402", "http://256.1.1.1/", ""),
        ("U402", "http://h_x.org/", "rfc1738"),
        ("U402", "http://::1/", "rfc3986 rfc3987 rfc1738 rfc1630"),
        ("U402", "http://[::1]/", "rfc2396 rfc1738 rfc1630"),
        ("U402", "http://[fe80::1%25eth0]/", " ".join(PROFILES)),
        ("U403", "http://h:8o/", "rfc3986 rfc3987 rfc1738 rfc1630"),
        ("U403", "http://h:99999/", ""),
        ("U404", "http://h:/", "rfc1738 rfc1630"),
        ("U406", "http:/www.a.org", "rfc3986 rfc3987 rfc1738 rfc1630"),
        ("U406", "https:/www.a.org", "rfc3986 rfc3987"),
        ("U406", "http:///www.a.org", "rfc3986 rfc3987 rfc1738 rfc1630"),
        ("U406", "https:///www.a.org", "rfc3986 rfc3987 rfc1738"),
        ("U406", "http:\\\\www.a.org", " ".join(PROFILES)),
        ("U406", "http://http://a.org/", "rfc1738 rfc1630"),
        ("U406", "http://mailto:jo@a.org", "rfc1738 rfc1630"),
        ("U407", "http:g", "rfc3986 rfc3987 rfc1738 rfc1630"),
        ("U407", "http:", " ".join(PROFILES)),
        ("U407", "https:g", "rfc3986 rfc3987"),
        ("U501", "http://h.net:25/", ""),
        ("U502", "http://h.net:80/", ""),
    ],
)
def test_syntax_agrees_with_the_grammar(code, url, rejecting):
    found = {profile for profile in PROFILES if any(p.syntax for p in problems_of(code, url, profile))}
    assert found == set(rejecting.split())
    assert not [profile for profile in found if accepts(url, profile, "uri")]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("scheme", ["http", "https", "gopher", "foo"])
def test_hosts_and_ports_that_the_grammar_rejects_are_reported(scheme, profile):
    names = "h h.org h.org. h_x.org a..b a,b.org h%41 -h ... 1.2.3 256.1.1.1 0x7f.1 h.123"
    for host in ["", *names.split(), *"[::1] [::1 [1::2::3] ::1 a]b".split()]:
        for port in ("", ":", ":80", ":8o", ":99999"):
            url = f"{scheme}://{host}{port}/"
            rejected = any(p.syntax for p in judge_url(url, Spec(profile, "uri"), RULES))
            assert rejected is not accepts(url, profile, "uri"), url


def test_nntp_url_of_rfc1630_has_no_host():
    assert judge_url("nntp:comp.lang.c/12", Spec("rfc1630", "uri"), RULES) == ()


# --- one fault, one finding


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        ("http://www.a.org@h.net/", ["U303"]),
        ("http://http://a.org/", ["U406"]),
        ("http://mailto:jo@a.org", ["U406"]),
        ("http:///www.a.org/", ["U406"]),
        ("http:www.a.org", ["U406"]),
        ("http://www.a.orghttp://www.a.org/", ["U406"]),
        ("msrps://2001:db8::3:ff/", ["U402"]),
    ],
)
def test_one_fault_has_one_finding(url, codes):
    rules = [rule for rule in RULES if rule.default]
    assert [problem.code for problem in judge_url(url, Spec("rfc3986", "uri"), rules)] in (codes, ["U406"])


@pytest.mark.parametrize("host", ["xn--みずぐるま.example", "％６Ｄill.example"])
def test_library_reports_hosts_that_idna_cannot_map(host):
    assert "U402" in {problem.code for problem in check(f"http://{host}")}


def test_password_takes_precedence_over_a_user_name():
    rules = [load(code) for code in ("U301", "U302")]
    (problem,) = judge_url("http://jo:s3cret@h.net/", Spec("rfc3986", "uri"), rules)
    assert problem.code == "U301"


@pytest.mark.parametrize("url", ["http://www.a.org:s3cret@h.net/", "http://jo:s3/cret@h.net/", "http://jo:s3cret"])
def test_messages_reveal_no_password(url):
    for problem in judge_url(url, Spec("rfc3986", "uri"), RULES):
        assert "s3" not in problem.message


# --- suggestions and fixes


@pytest.mark.parametrize(
    ("code", "url", "suggestion"),
    [
        ("U101", "http://h.example/a\\b", "/"),
        ("U102", "mailto: jo@h.net", "mailto:jo@h.net"),
        ("U102", "http://h.net/a, http://h.net/b", ""),
        ("U102", "http://h.net/a#b http://h.net/c", ""),
        ("U302", "http://jo@h.net/", "http://h.net/"),
        ("U303", "http://www.a.org@h.net/", "http://h.net/"),
        ("U402", "http://www,a.org/", "www.a.org"),
        ("U402", "http://3221226219/", "192.0.2.235"),
        ("U402", "http://0x7f.1/", "127.0.0.1"),
        ("U402", "http://087.1.1.1/", ""),
        ("U402", "http://256.1.1.1/", ""),
        ("U402", "http://2001:db8::3:54111/", "[2001:db8::3]:54111"),
        ("U402", "http://2001:db8::3/", "[2001:db8::3]"),
        ("U405", "htpp://a.org/x", "http://a.org/x"),
        ("U405", "htps://a.org/x", "https://a.org/x"),
        ("U406", "http:/www.a.org/x", "http://www.a.org/x"),
        ("U406", "http:www.a.org/x", "http://www.a.org/x"),
        ("U406", "http:////www.a.org/x", "http://www.a.org/x"),
        ("U406", "http:\\\\www.a.org\\x", "http://www.a.org\\x"),
        ("U406", "http:/myhost/x", ""),
        ("U406", "http:/http://a.org/x", "http://a.org/x"),
        ("U406", "http://http://a.org/x", "http://a.org/x"),
        ("U406", "http://https//a.org/x", "https://a.org/x"),
        ("U406", "http://mailto:jo@a.org", "mailto:jo@a.org"),
        ("U407", "http:g?q#f", "g?q#f"),
        ("U502", "http://h.net:80/x", "http://h.net/x"),
    ],
)
def test_suggestion(code, url, suggestion):
    (problem,) = problems_of(code, url)
    assert problem.suggestion == suggestion


@pytest.mark.parametrize(
    ("code", "url", "applicability", "fixed"),
    [
        ("U404", "http://h:/x", "safe", "http://h/x"),
        ("U405", "htpp://a.org/x", "unsafe", "http://a.org/x"),
        ("U405", "htps://a.org/x", "unsafe", "https://a.org/x"),
        ("U406", "http:/www.a.org/x", "unsafe", "http://www.a.org/x"),
        ("U406", "http://http://a.org/x", "unsafe", "http://a.org/x"),
        ("U406", "http://https//a.org/x", "unsafe", "https://a.org/x"),
        ("U502", "http://h:80/x", "safe", "http://h/x"),
    ],
)
def test_fix(code, url, applicability, fixed):
    (judged,) = judge_url(url, Spec("rfc3986", "uri"), [load(code)])
    assert judged.fix is not None
    assert judged.fix.applicability == applicability
    for edit in reversed(judged.fix.edits):
        url = url[: edit.start] + edit.text + url[edit.end :]
    assert url == fixed


def test_some_problems_have_no_fix():
    (judged,) = judge_url("http:/myhost/x", Spec("rfc3986", "uri"), [load("U406")])
    assert judged.fix is None


# --- tables, and the shape of hosts


def test_default_ports_are_those_of_the_specifications():
    ports = (
        "ftp 21 http 80 https 443 gopher 70 nntp 119 telnet 23 wais 210 prospero 1525 ws 80 wss 443 ssh 22 rlogin 513"
    )
    words = ports.split()
    assert {name: DEFAULT_PORTS[name] for name in words[::2]} == dict(
        zip(words[::2], map(int, words[1::2]), strict=True)
    )
    assert HIERARCHICAL - {"file"} <= DEFAULT_PORTS.keys()


def test_every_bad_port_has_a_service():
    assert len(BAD_PORTS) == 82
    assert SERVICE_PORTS.keys() >= BAD_PORTS
    assert (SERVICE_PORTS[25], SERVICE_PORTS[110], SERVICE_PORTS[1720]) == ("smtp", "pop3", "h323hostcall")


def test_top_level_domains_are_lower_case_ascii():
    assert {"com", "org", "uk", "museum", "xn--p1ai"} <= TLDS
    assert all(name.isascii() and name == name.lower() for name in TLDS)


@pytest.mark.parametrize("name", ["a.org", "A.ORG.", "b.a.org", "a_b.org", "пример.рф", "xn--e1afmkfd.xn--p1ai"])
def test_domains_are_recognized(name):
    assert is_domain(name)
    assert begins_with_host(f"jo@{name}:80/x")


@pytest.mark.parametrize("name", ["org", "a.tar", "a..org", ".org", "-a.org", "a b.org", "", ".", "a.\ud800"])
def test_other_names_are_not_domains(name):
    assert not is_domain(name)
