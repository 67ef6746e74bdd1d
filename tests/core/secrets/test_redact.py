"""Test which spans of a URL, and of any text, are secrets."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, strategies

from tests.linear_time import aborted_after, assert_linear
from tests.strategies import examples
from urlscan.core.records import Occurrence
from urlscan.core.secrets import (
    MASK,
    mask,
    may_hold_password,
    may_hold_secret,
    merge_spans,
    passwords,
    redact,
    secret_spans,
)
from urlscan.core.secrets.known import PARAMETERS, TOKENS, Parameter
from urlscan.uri.url import split

# Secrets are marked by double brackets.
SECRETS = """
ftp://joe:[[s3cret]]@h.example/x
ftp://:[[s3cret]]@h.example/x
//joe:[[s3cret]]@h.example/x
ftp://joe:[[a:b]]@h.example/
ftp://joe:[[a@b]]@h.example/
ftp://joe:[[@b]]@h.example/
ftp://joe:[[a/b]]@h.example/
ftp://joe:[[/ab]]@h.example/
ftp://joe:[[a?b#c]]@h.example/
ftp://joe:[[a"b]]@h.example/
ftp://joe:[[a<b>c]]@h.example/
ftp://joe:[[a@b/c]]@h.example/
ftp://joe:[[a@b.org"c]]@h.example/
ftp://joe:[[8080]]@h.example/
ftp://joe:[[80ab/c]]@h.example/
ftp://joe:[[123456/c]]@h.example/
ftp://joe:[[s3cret]]@[2001:db8::1]:21/
ftp://joe:[[s3cret]]@h:21/
ftp://joe@h.example:[[s3cret]]@h.example/
ftp://<user>:[[s3cret]]@h.example/
http:/joe:[[s3cret]]@h.example/
http:/joe:[[a/b]]@h.example/
http:joe:[[s3cret]]@h.example/
http:\\\\joe:[[s3cret]]@h.example/
http:///joe:[[s3cret]]@h.example/
http://http://joe:[[s3cret]]@h.example/
http://[::1]/?u=ftp://joe:[[s3cret]]@h.example/
see ftp://joe:[[s3cret]]@h.example/, or joe@h.example
<a href="ftp://joe:[[s3cret]]@h.example/">joe@h.example</a>
'ftp://joe:[[s3cret]]@h.example','joe@h.example'
ftp://joe:[[s3 cr et]]@h.example/ joe@h.example
ftp://joe:[[s3@cr et]]@h.example/
http://h.example/?access_token=[[12345678]]&x=1
http://h.example/?x=1;api_key=[[12345678]];y=2
http://h.example/?secret_token=[[1234"5678]]#a
http://h.example/?AWSAccessKeyId=[[12345678]]&Signature=[[12345678]]
http://h.example/?X-Amz-Security-Token=[[12345678]]&X-Amz-Signature=[[12345678]]
http://h.example/?API_KEY=[[12345678]]&X-Amz-Date=20010203T040506Z
http://h.example/?u=http%3A//jo%3A[[s3cret]]%40h
http://h.example/?u=http%253a%252f%252fjo%253A[[s3cret]]%2540h
http://h.example/?u=http%3A%2F%2Fjo%3A[[80%252Fabc]]%40h
https://[[ghp_abcdefghijklmnopqrstuvwxyz0123456789]]@h.example/
https://[[0123456789abcdef0123456789abcdef01234567]]:[[x-oauth-basic]]@h.example/
https://x-access-token:[[v1.0123456789abcdef]]@h.example/
http://h.example/?q=[[glpat-abcdefghij0123456789]]#[[AKIAABCDEFGHIJKLMNOP]]
http://h.example/x/joe:[[s3cret]]@g.example/
http://joe@h.example:80/ftp/joe:[[s3:cret]]@192.0.2.1:21/a
http://h.example/a,http:/b/joe:[[s3cret]]@localhost
http://h.example/joe:[[s3cret]]@[::1]/
http://h.example/x/joe:[[s3"cret]]@g.example/
http://h.example/x/joe:[[s3<cret]]@g.example/
http://h.example/x/joe:[[s3cret]]@g.example:x
jdbc:oracle:thin:joe/[[tiger]]@//h.example:1521/x
jdbc:oracle:oci8:joe[al]/[[12345]]@h.example:1521:x
"jdbc:oracle:thin:joe/[[ti@ger]]@(DESCRIPTION=(HOST=h))"
https://discord.com/api/v10/webhooks/[[123456789012345678/abcdefghijklmnopqrstuvwxyz]]
https://canary.discord.com/api/webhooks/[[123456789012345678/abcdefghijklmnopqrstuvwxyz]]
https://ptb.discordapp.com/api/v9/webhooks/[[123456789012345678/abcdefghijklmnopqrstuvwxyz]]
https://hooks.slack.com/triggers/[[T0123/1234567890/abcdefghij]]
https://hooks.slack-gov.com/services/[[T0123/B0123/abcdefghij]]
http://h.example/a?reset_token=[[0123456789abcdef]]&x=1
http://h.example/a?resetToken=[[0123456789abcdef]]#cf-token=[[0123456789abcdef]]
http://h.example/a?user[csrf_token]=[[0123456789abcdef]]
http://h.example/a?acceſs_token=[[0123456789abcdef]]
http://h.example/a;jsessionid=[[0123456789ABCDEF]]?x=1
http://h.example/a?PHPSESSID=[[0123456789abcdef]]&sid=[[0123456789abcdef0123456789]]
http://h.example/a?SAMLResponse=[[fZJNT8MwDIbv/IrAQ==]]&RelayState=x
http://h.example/a?pageToken=http://h.example/?access_token=[[0123456789abcdef]]&x
http://h.example/?pass%77ord=[[S3cretPw99]]&%61ccess_token=[[12345678]]
http://h.example/?pass%2577ord=[[S3cretPw99]]
http://h.example/a?admin_password=[[s3cret]]&clientSecret=[[0123456789abcdef]]
""".strip().splitlines()

NO_SECRETS = """
<a href="http://h.example/a:b">joe@h.example</a>
"http://h.example/a:b", "joe@h.example"
http://h:8080/path/@user
http://h:8080
http://h:8080#a:b@c
http://h:80/?mail=a@b
https://medium.com/@name/x
https://h/x#a:b@c
http://h/a:b@c
http://h?a:b@c
mailto:a@b
news:id@host
ftp://h:21/x@y
ftp://jane:@h/x@y
git@host:path
ssh://git@h.example:org/repo.git@v1
http://[::1]:80/@x
http://[2001:db8::1]/a@b
http://[fe80::1%25eth0]:80/a@b
http://joe@[::1]:80/a@b
http://joe@h:8080/a@b
file://c:/x@y
http://http://h.example/@x
http://web.archive.org/http://h.example/@x
http://h:8080 joe@h.example
http://h:8080, joe@h.example
http://h:8080). joe@h.example
<a href="http://h:8080">joe@h.example</a>
'http://h:8080','joe@h.example'
{"a":"http://h:$PORT","b":"joe@h.example"}
http://h: joe@h.example
12:30:45 joe@h.example
https: //h.example joe@h.example
http://h.example/?api_key=1234567
http://h.example/?my_api_key=12345678
http://h.example/?sig=12345678&token=12345678
http://h.example/?sig=0&token=abc&password=1&X-Amz-Date=20010203T040506Z&X-Amz-Algorithm=AWS4-HMAC-SHA256
http://h.example/?u=http%3A%2F%2Fh%3A8080%2F%40x
http://h.example/ghp_short/sk-learn-is-a-library-with-a-long-name/AKIA
https://a-long-name-without-any-digits@h.example/
http://h.example:999999/
http://h.example:999999/ joe@h.example
http://h.example/api_key=12345678
http://h.example/mailto:joe@h.example
http://h.example/acct:joe@h.example/x
http://r.example/library/nginx:1.25@sha256:0a1b2c3d
http://h.example/wiki/Talk:Joe@Home
https://h.example/#/@joe:h.example
https://h.example/maven/a.b:c:1.0@aar
and/or:joe@h.example
http://h.example/ or /joe:to@h.example
jdbc:oracle:thin:@//h.example:1521/x
jdbc:oracle:thin:/@name
jdbc:oracle:thin:@h.example:1521:x joe@h.example
https://discord.com/api/v10/channels/123456789012345678/abcdefghijklmnopqrstuvwxyz
https://discord.com.example/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz
http://h.example/a?page_token=0123456789abcdef&nextPageToken=0123456789abcdef
http://h.example/oai?verb=ListRecords&resumptionToken=0123456789abcdef
http://h.example/a?max_tokens=0123456789abcdef&token_type=0123456789abcdef
http://h.example/a?pass%77ay=0123456789abcdef&%41%42=0123456789abcdef
http://h.example/a?bypass=0123456789abcdef&tokens=0123456789abcdef
http://h.example/a?classId=0123456789abcdef&sid=02/08/29/193225
http://h.example/a?SAMLRequest=fZJNT8MwDIbv/Ir
""".strip().splitlines()

CUT = """
http://joe:[[s3cret]]
http://joe:[[s3/cr]]
http://joe:[[s3@cret]]
http://joe:[[80ab]]
see http://joe:[[s3cret]]
""".strip().splitlines()

WHOLE = """
http://h:8080
http://h:8o/
http://h:$PORT/x
http://h:{port}/x
http://h:port/
http://h:
http://h:/x
http://localhost:
http://h.example/a:b
file://c:/x
""".strip().splitlines()


def spans_of(marked: str) -> tuple[str, list[tuple[int, int]]]:
    text, spans = "", []
    for number, piece in enumerate(marked.replace("]]", "[[").split("[[")):
        if number % 2:
            spans.append((len(text), len(text) + len(piece)))
        text += piece
    return text, spans


@pytest.mark.parametrize("marked", SECRETS)
def test_secret_is_located(marked: str) -> None:
    text, spans = spans_of(marked)
    assert spans
    assert secret_spans(text) == secret_spans(text, cut=True) == spans
    assert redact(text) == mask(text, spans)


@pytest.mark.parametrize("text", NO_SECRETS)
def test_text_without_a_secret_is_unchanged(text: str) -> None:
    assert secret_spans(text) == secret_spans(text, cut=True) == []
    assert redact(text) == text


@pytest.mark.parametrize("marked", CUT)
def test_truncated_url_may_end_with_a_password(marked: str) -> None:
    text, spans = spans_of(marked)
    assert secret_spans(text, cut=True) in (spans, [(spans[0][0], len(text))])
    assert MASK in repr(split(text))


@pytest.mark.parametrize("text", WHOLE)
def test_port_is_not_a_password(text: str) -> None:
    assert redact(text) == text
    assert MASK not in repr(Occurrence(text, text, 0, len(text), 0, len(text), "http", "bare"))


@pytest.mark.parametrize(
    ("gap", "continues"),
    [(gap, True) for gap in ("\n", "\r\n", "\n> ", "\n# ", "\n\n\f\n", " ", "\t")]
    + [("\n| * ", True), (" http://", False)],
)
def test_password_continues_after_a_break(gap: str, continues: bool) -> None:
    text = f"see ftp://joe:s3{gap}cret@h.example/"
    end = text.rindex("@")
    assert secret_spans(text) == ([(14, end)] if continues else [])


def test_host_may_follow_a_break() -> None:
    assert redact("see ftp://jo:s3 \ncret@ \nh.example/x") == "see ftp://jo:***@ \nh.example/x"


def test_delimited_reference_without_a_scheme_continues_after_a_break() -> None:
    assert redact("<//jo:s3\ncret@h.example/x>") == "<//jo:***@h.example/x>"
    assert redact('"//jo:s3\ncret@h.example/x"') == '"//jo:***@h.example/x"'
    comment = "//todo:this\n joe@h.example"
    assert mask(comment, secret_spans(comment)) == comment


def test_complete_url_does_not_continue_after_a_break() -> None:
    for after in ("/\njoe@h.example", "/x joe@h.example", ", joe@h.example", "\nsee joe@h.example"):
        assert redact(f"ftp://joe:s3cret@h.example{after}") == f"ftp://joe:***@h.example{after}"


def test_long_passwords_are_masked() -> None:
    for password in ("x" * 5000, "x" * 5000 + "/" + "y" * 5000, "x" * 3000 + "\n" + "y" * 3000):
        assert redact(f"ftp://{'u' * 500}:{password}@h.example/") == f"ftp://{'u' * 500}:***@h.example/"


def test_quick_check_accepts_every_password() -> None:
    for marked in SECRETS:
        text, _ = spans_of(marked)
        for start, _ in passwords(text):
            assert may_hold_password(text[: start + 256])


def spellings(name: str) -> Iterator[str]:
    """Yield the spellings of a name of several words."""
    words = name.split()
    camel = words[0].lower() + "".join(word.title() for word in words[1:])
    yield from (camel, camel[0].upper() + camel[1:])
    for separator in ("_", "-", ".", ""):
        joined = separator.join(words)
        yield from (joined, joined.lower(), joined.upper(), joined.title())


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda parameter: parameter.name)
def test_parameter_is_found_in_every_spelling(parameter: Parameter) -> None:
    value = "k9Zq4Tx8Wm2Rv7Lc5Bn3"[: parameter.shortest]
    for name in spellings(parameter.name):
        url = f"http://h.example/?x=1&{name}={value}"
        assert may_hold_secret(url), name
        assert redact(url) == f"http://h.example/?x=1&{name}=***"
        assert redact(url[:-1]) == url[:-1], "the value is too short"
        assert redact(quote(url, safe="")) == quote(url[: -len(value)], safe="") + MASK
        for around in ("?user[{}]=", "#{}=", ";{}="):
            assert redact("/" + around.format(name) + value) == "/" + around.format(name) + MASK


@given(data=strategies.data())
@examples(200)
def test_token_is_found_in_every_component(data: strategies.DataObject) -> None:
    token = data.draw(strategies.sampled_from(TOKENS))
    value = data.draw(strategies.from_regex(re.compile(token.prefix + token.rest, re.ASCII), fullmatch=True))
    secret = value[-8:]
    urls = [f"http://h.net/{value}/x", f"http://h.net/?x={value}&y", f"/a#{value}"]
    urls += [] if "/" in value else [f"http://{value}@h.net/", f"http://jo:{value}@h.net"]
    for url in urls:
        assert may_hold_secret(url), url
        assert secret not in redact(url), url
        assert quote(secret, safe="") not in redact(quote(url, safe="/")), url


@pytest.mark.parametrize("times", [1, 2, 3, 4])
@pytest.mark.parametrize("safe", ["", "/", ":", ":/", "@", "/@", ":/?=&"])
@pytest.mark.parametrize("quoting", [quote, quote_plus])
def test_escaped_url_in_a_parameter_is_searched(quoting: Callable[..., str], safe: str, times: int) -> None:
    url = "ftp://jo:s3cr3t%21pw@h.net/?access_token=k9Zq4Tx8"
    for _ in range(times):
        url = quoting(url, safe=safe)
    for one in (url, re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), url)):
        text = f"http://g.net/?u={one}&x=1"
        assert not re.search("s3cr3|pw|k9Zq|Tx8", redact(text))
        shown = mask(text, secret_spans(text))
        assert not re.search("s3cr3|pw|k9Zq|Tx8", shown), shown
        assert shown.endswith("&x=1"), shown


def test_overlapping_and_adjacent_spans_are_merged() -> None:
    assert merge_spans([(5, 7), (1, 3), (3, 4), (6, 9)]) == [(1, 4), (5, 9)]
    assert mask("0123456789", [(1, 4), (5, 9)]) == "0***4***9"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        ",".join(["http://u:x"] * 60_000),
        ",".join(["http://u:x/"] * 60_000) + "@h/" + "y" * 1_000_000,
        "http:u:" * 60_000 + "/",
        "http://u:x " * 60_000,
        '"http://u:x"' * 60_000 + "@h",
        '"http://u:$x' * 60_000 + "@h",
        "//u:" + "@" * 1_000_000,
        "//u:" + "p@a." * 300_000,
        "//u:p@" + "a." * 300_000,
        "//[" * 300_000 + "@",
        "/" * 1_000_000 + ":@",
        "http://u:x" + " " * 1_000_000 + "@",
        ("http://u:x" + "\n>" * 30) * 20_000 + "@",
        "?api_key=" * 100_000,
        "?api_key=" + ";" * 1_000_000,
        "/sk-" * 250_000,
        "/SG." + "SG." * 300_000,
        "/eyJ" * 250_000,
        "/eyJ" + "a" * 1_000_000,
        "//" + "a" * 1_000_000 + "@",
        "//a-" * 250_000 + "@",
        "%3A" * 300_000,
        "%" + "25" * 400_000 + "3A",
        "%3A%2F%2Fu%3Ap" * 60_000 + "%40h",
        "%2F%2Fu%3A%40" * 60_000,
        "?sig=" * 200_000,
        "http://h/" + "u:p@a.example/" * 80_000,
        "http://h" + "/u:" * 300_000,
        "http://h" + "/u:p" * 250_000 + "@a.example",
        "://" * 100_000 + "/u:p@a.example" * 60_000,
        "/u:p@a.example " * 60_000 + "http://h",
        "http://h/" + "u" * 1_000_000 + ":p@a.example",
        "http://h/u:" + "p" * 1_000_000 + "@a.example",
        "jdbc:oracle:thin:" * 60_000 + "u/p",
        "jdbc:oracle:thin:u/" * 60_000 + "@",
        "?" + "a" * 1_000_000 + "_token=0123456789abcdef",
        "&a_token" * 120_000 + "=0123456789abcdef",
        "?page_token=" * 80_000 + "0123456789abcdef",
        "?page_token=" + "a?" * 500_000,
        ";sessionid=" * 90_000 + "?",
    ],
    ids=lambda text: text[:24] + "...",
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    """Each takes about a second; a search to the end of the text from each position would take an hour."""
    with aborted_after(120):
        secret_spans(text, cut=True)
        secret_spans(text)


def test_many_urls_take_little_time() -> None:
    def mask(count: int) -> None:
        block = "\n".join(f"http://h.example/path/{number}/index.html" for number in range(count))
        assert redact(block) == block
        assert redact(block.replace("/path", "/@path")) == block.replace("/path", "/@path")

    assert_linear(mask, 60_000)
