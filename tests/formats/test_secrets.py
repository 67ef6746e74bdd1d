"""No command and no format reveals a secret, however broken the URL that contains it.

Each case is a text in which the parts of a password are written as KKKK..., so that four such characters in the output
are a leak.
"""

import re
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan.formats import FORMATS
from urlscan.formats.mask import mask_alternative

LEAK = re.compile("K{3,}")
P = "KKKKKKKK"

CASES = {
    "well-formed": f"http://jane:{P}@ftp.dominion.org/x",
    "in a wrapper": f"<URL:ftp://jane:{P}@ftp.dominion.org/x^y>",
    "without a user": f"http://:{P}@ftp.dominion.org/",
    "without a path": f"see ftp://jane:{P}@ftp.dominion.org.",
    "with a port": f"http://jane:{P}@ftp.dominion.org:80/%zz",
    "with a bad port": f"http://jane:{P}@ftp.dominion.org:8x80/%zz",
    "escaped": f"ftp://jane:{P}%40{P}@ftp.dominion.org/",
    "with a bad escape": f"ftp://jane:{P}%zz{P}@ftp.dominion.org/",
    "with unsafe characters": f"ftp://jane:{P}^{P}|{P}@ftp.dominion.org/",
    "with an @": f"ftp://jane:{P}@{P}@ftp.dominion.org/",
    "with a colon": f"ftp://jane:{P}:{P}@ftp.dominion.org/",
    "with a slash": f"ftp://jane:{P}/{P}@ftp.dominion.org/",
    "with a question mark": f"ftp://jane:{P}?{P}@ftp.dominion.org/",
    "with a hash": f"ftp://jane:{P}#{P}@ftp.dominion.org/",
    "with a quotation mark": f'ftp://jane:{P}"{P}@ftp.dominion.org/^',
    "with a less-than": f"ftp://jane:{P}<{P}@ftp.dominion.org/^",
    "with a bracket": f"ftp://jane:{P}[{P}]{P}@ftp.dominion.org/^",
    "not ASCII": f"ftp://jane:{P}é{P}@ftp.dominion.org/^",
    "with a control character": f"ftp://jane:{P}\x07{P}@ftp.dominion.org/^",
    "without its host": f"ftp://jane:{P}@/^",
    "with an invalid host": f"ftp://jane:{P}@a..b,c/^",
    "an unknown scheme": f"hppt://jane:{P}@ftp.dominion.org/^",
    "one slash": f"http:/jane:{P}@ftp.dominion.org/^",
    "no slashes": f"http:jane:{P}@ftp.dominion.org/^",
    "three slashes": f"http:///jane:{P}@ftp.dominion.org/^",
    "backslashes": f"http:\\\\jane:{P}@ftp.dominion.org/^",
    "twice": f"http://http://jane:{P}@ftp.dominion.org/^",
    "inside another": f"http://h.example/?u=http://jane:{P}@ftp.dominion.org/%zz^",
    "in a list": f"http://h.example/,ftp://jane:{P}@ftp.dominion.org/%zz",
    "a template": f"ftp://jane:{P}@ftp.dominion.org/{{x}}/^",
    "over a line": f"<URL:ftp://jane:{P}\n{P}@ftp.dominion.org/^>",
    "over a hyphen": f"<URL:ftp://jane:{P}-\n{P}@ftp.dominion.org/^>",
    "over a quote mark": f"> <URL:ftp://jane:{P}\n> {P}@ftp.dominion.org/^>",
    "over a comment leader": f"# <URL:ftp://jane:{P}\n# {P}@ftp.dominion.org/^>",
    "over a blank": f"<URL:ftp://jane:{P} {P}@ftp.dominion.org/^>",
    "over two lines": f"<URL:ftp://jane:{P}\n  {P}\n  {P}@ftp.dominion.org/^>",
    "over CRLF": f"<URL:ftp://jane:{P}\r\n{P}@ftp.dominion.org/^>",
    "over a page break": f"<URL:ftp://jane:{P}\n\n\f\n{P}@ftp.dominion.org/^>",
    "in an escape over a line": f"<URL:ftp://jane:{P}%4\n0{P}@ftp.dominion.org/^>",
    "in quotation marks over a line": f'"ftp://jane:{P}\n{P}@ftp.dominion.org/^"',
    "bare, over a line": f"ftp://jane:{P}\n{P}@ftp.dominion.org/^",
    "in an unclosed wrapper": f"<URL:ftp://jane:{P}@ftp.dominion.org/^ x",
    "in an unclosed wrapper, over a line": f"<URL:ftp://jane:{P}\n{P}@ftp.dominion.org/^ x",
    "in a wrapper with prose": f"<URL:ftp://jane:{P}@ftp.dominion.org/ or ftp://jane:{P}@ftp.dominion.org/>",
    "next to a finding": f"http://h.example/%zz ftp://jane:{P}@ftp.dominion.org/ http://h.example/%zz",
    "far into a line": "x " * 400 + f"http://h.example/%zz ftp://jane:{P * 20}@ftp.dominion.org/^",
    "at the end of an excerpt": f"http://h.example/{'a' * 40}%zz{'a' * 20} ftp://jane:{P * 20}@ftp.dominion.org/^",
    "long": f"ftp://jane:{P * 100}^{P * 20}@ftp.dominion.org/^",
    "a secret in a query": f"http://ftp.dominion.org/?access_token={P}{P}&x=%zz^",
    "a second one, in the path": f"http://h.example/x/jane:{P}@ftp.dominion.org/%zz",
    "in a URL of Oracle": f"jdbc:oracle:thin:jane/{P}@ftp.dominion.org:1521/x http://h.example/%zz",
    "a session in a path": f"http://h.example/x;jsessionid={P}{P}?a=%zz",
    "with an @ and a slash": f"ftp://jane:{P}@{P}/{P}@ftp.dominion.org/",
    "with an @, over a line": f"ftp://jane:{P}@{P}\n{P}@ftp.dominion.org/^",
    "of a user with an @": f"ftp://jane@h.example:{P}@ftp.dominion.org/^",
    "beginning with a slash": f"ftp://jane:/{P}@ftp.dominion.org/^",
    "very long": f"ftp://jane:{P * 400}/{P * 400}@ftp.dominion.org/^",
    "one slash, over a line": f"see http:/jane:{P}\n> {P}@ftp.dominion.org/ http://h.example/%zz",
    "with a letter that ends a bare URL": f"foo://jane:{P}中{P}-\n{P}@ftp.dominion.org/^",
    "an access key": f"http://ftp.dominion.org/?AWSAccessKeyId={P}&Signature={P}^",
    "a signature": f"http://ftp.dominion.org/?AWSAccessKeyId=x&Signature={P}%zz{P}",
    "a signature of a cloud service": f"http://ftp.dominion.org/?X-Amz-Signature={P}^{P}",
    "a secret in a query, over a line": f"<URL:http://ftp.dominion.org/?api_key={P}\n{P}&x=^>",
}
COMMANDS = [
    *(("extract", "--format", format) for format in ("text", "json", "jsonl", "csv", "tsv")),
    ("extract", "--unique"),
    ("extract", "--count"),
    *(("check", "--select", "ALL", "--format", format) for format in FORMATS),
    ("check", "--profile", "rfc1738", "--color", "always"),
    ("check", "--select", "ALL", "--diff", "--unsafe-fixes"),
    ("check", "--select", "ALL", "--statistics"),
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("texts")
    for name, text in CASES.items():
        (directory / name).write_bytes(text.encode() + b"\n")
    return directory


@pytest.mark.parametrize("rejoin", ["wrapped", "never"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_output_reveals_no_secret(texts: Path, command: tuple[str, ...], rejoin: str) -> None:
    leaks = {}
    for name in [".", *CASES]:
        if name != "." and not leaks:
            break
        done = urlscan(*command, "--rejoin", rejoin, name, cwd=texts)
        if LEAK.search(done.text) or LEAK.search(done.err):
            leaks[name] = done.text + done.err
    assert not leaks, "\n".join(f"{name}: {text}" for name, text in leaks.items() if name != ".")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_show_secrets_disables_masking(texts: Path, command: tuple[str, ...]) -> None:
    done = urlscan(*command, "--show-secrets", "well-formed", "with a bad escape", cwd=texts)
    # Messages of rules do not repeat the secret, and some formats contain only messages.
    terse = {"concise", "grouped", "sarif", "--statistics"}
    shows_url = not terse.intersection(command)
    assert bool(LEAK.search(done.text)) is shows_url


def test_masked_records_are_marked(texts: Path) -> None:
    for command in ("extract", "check"):
        done = urlscan(command, "--format", "jsonl", "well-formed", cwd=texts)
        assert done.lines
        assert all('"redacted": true' in line and "***" in line for line in done.lines)


@pytest.mark.parametrize("unsafe", [(), ("--unsafe-fixes",)], ids=["safe", "unsafe"])
def test_fixing_reveals_no_secret(tmp_path: Path, unsafe: tuple[str, ...]) -> None:
    for name, text in CASES.items():
        (tmp_path / name).write_bytes(text.encode())
    done = urlscan("check", "--fix", *unsafe, ".", cwd=tmp_path)
    assert not LEAK.search(done.text + done.err)
    if not unsafe:  # the file itself keeps them
        assert all(P in (tmp_path / name).read_text() for name in CASES)


@pytest.mark.parametrize(
    "text",
    [
        "ftp://jane:@h.example/x",
        "http://h.example:8080/a@b",
        "http://h.example:8080",
        "http://h.example:8080\njoe@h.example",
        "http://h.example/a:b@c",
        "mailto:joe@h.example",
        "<URL:http://h.example:80\n80/a>",
        "http://h.example/?sig=12345678901234",
        "http://h.example:8080/path/@user",
        "https://medium.com/@name/x",
        "news:id@h.example",
        "ftp://h.example:21/x@y",
        "git@h.example:path http://h.example/",
        "http://h.example:80/?mail=a@b",
        "https://h.example/x#a:b@c",
        "http://[::1]:80/@x",
        "http://[2001:db8::1]/a@b",
        "http://joe@[::1]:80/a@b",
        "http://joe@h.example:8080/a@b",
        "file://c:/x@y",
        "http://h.example:8080, joe@h.example",
        "http://h.example:8080. joe@h.example",
        '<a href="http://h.example:8080">joe@h.example</a>',
        "('http://h.example:8080','joe@h.example')",
        "http://h.example:80,http://h.example/@x",
        "http://web.archive.org/http://h.example/@x",
        "ssh://git@h.example:org/repo.git@v1",
        '{"url":"http://h.example:$PORT","other":"http://h.example/","mail":"joe@h.example"}',
        "http://h.example/,ftp://h.example:21/ joe@h.example",
    ],
)
def test_text_without_a_secret_is_not_masked(text: str) -> None:
    assert "***" not in urlscan("extract", stdin=text.encode()).text
    (*_, last) = urlscan("extract", "--format", "jsonl", stdin=text.encode()).lines
    assert "redacted" not in last


def test_urls_that_differ_in_a_secret_are_listed_once() -> None:
    text = b"http://jane:aaaaaaaa@h.example/ http://jane:bbbbbbbb@h.example/"
    assert urlscan("extract", "--unique", stdin=text).lines == ["http://jane:***@h.example/"]
    assert urlscan("extract", "--count", stdin=text).lines == ["      2 http://jane:***@h.example/"]


def test_alternative_is_masked_like_the_url() -> None:
    url = "ftp://jane:KKKKKKKK@h.example/"
    spans = [(11, 19)]
    assert mask_alternative("ftp://jane:KKKK", url, spans) == "ftp://jane:***"
    assert mask_alternative("ftp://jane:KKKK-KKKK@h.example/", url, spans) == "ftp://jane:***@h.example/"
    assert mask_alternative("ftp://h.example/", url, spans) == "ftp://h.example/"


def run_here(*arguments: str) -> str:
    """Run the command in this process and return all its output."""
    done = urlscan(*arguments)
    return done.text + done.err


def test_url_given_as_a_path_is_masked_in_the_error() -> None:
    done = urlscan("extract", "http://jane:KKKKKKKK@h.example/")
    assert done.status == 2
    assert "jane:***@h.example" in done.err
    assert "KKKK" not in done.err


# --- diffs, ports and options


def diff_of(tmp_path: Path, text: str) -> list[str]:
    """Return the changed lines shown by `--diff`."""
    (tmp_path / "t").write_text(text)
    done = urlscan(
        "check", "--isolated", "--select", "ALL", "--ignore", "U504", "--diff", "--unsafe-fixes", str(tmp_path / "t")
    )
    return [line for line in done.lines if line.startswith(("-", "+"))][2:]


@pytest.mark.parametrize("secret", ["p", "ht", "pip", "http"])
def test_diff_masks_a_short_password_only_at_its_place(tmp_path: Path, secret: str) -> None:
    text = f"stop <http://u:{secret}@pip.org/http/p%zzp> up\n"
    assert diff_of(tmp_path, text)[0] == "-stop <http://u:***@pip.org/http/p%zzp> up"
    (changed,) = diff_of(tmp_path, text)[1:]
    assert changed in (
        "+stop <http://u:***@pip.org/http/p%25zzp> up",
        "+stop <URL:http://u:***@pip.org/http/p%25zzp> up",
        "+stop <http://u@pip.org/http/p%25zzp> up",
        "+stop <URL:http://u@pip.org/http/p%25zzp> up",
    )


def test_diff_shows_the_text_without_a_removed_token(tmp_path: Path) -> None:
    token = "ghp_h0Rq7Zt2Wm9Kx4Vb6Nd1Lc8Jf3Pg5Sy"
    removed, added = diff_of(tmp_path, f"see <https://{token}@github.com/x%zz>\n")
    assert removed == "-see <https://***@github.com/x%zz>"
    assert "***" not in added
    assert "github.com/x%25zz" in added


def test_password_with_a_fixed_character_is_masked(tmp_path: Path) -> None:
    removed, added = diff_of(tmp_path, "<ftp://user:aKb^c@ftp.dominion.org/>\n")
    assert removed == "-<ftp://user:***@ftp.dominion.org/>"
    assert not re.search("aKb|%5Ec", added)


def test_port_with_too_many_digits_is_shown(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("see http://h.org:999999/ x\nhttp://h:999999/x jo@h.example\n")
    done = urlscan("check", "--isolated", "--select", "U403", "--format", "full", str(tmp_path / "t"))
    assert done.text.count('port "999999" is out of range') == 2
    assert "***" not in done.text


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
@pytest.mark.parametrize("url", ["ftp://jo:KKKKKKKK,x@h.example/", "http://h/?u=ftp%3A//jo%3AKKKKKKKK,x%40h.example"])
def test_secret_with_a_comma_in_an_option_is_masked(option: str, url: str) -> None:
    done = urlscan("check", option, url, "x")
    assert done.status == 2
    assert not LEAK.search(done.err)


@pytest.mark.parametrize("rejoin", ["wrapped", "never"])
@pytest.mark.parametrize("host", ["{host}", "$HOST", "<host>:<port>", "%s", "***"])
def test_broken_password_before_a_placeholder_is_masked(tmp_path: Path, host: str, rejoin: str) -> None:
    (tmp_path / "t").write_text(f"<URL:ssh://jo:{P}\n{P}@{host}/a|b>\nssh://jo:{P}\n{P}@{host}/a|b\n")
    for command in COMMANDS:
        done = urlscan(*command, "--rejoin", rejoin, str(tmp_path / "t"))
        assert not LEAK.search(done.text + done.err), command


def test_folded_password_before_a_placeholder_is_masked(tmp_path: Path) -> None:
    text = f"BEGIN:VCALENDAR\r\nURL:ftp://jo:9\r\n {P}\r\n {P}@%s/\r\nNOTE:<http://h.example/%zz>\r\n"
    (tmp_path / "a.ics").write_text(text, newline="")
    for command in COMMANDS:
        done = urlscan(*command, str(tmp_path / "a.ics"))
        assert not LEAK.search(done.text + done.err), command


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", f'1\t"http://h.example/x/jo:{P}^{P}@ftp.dominion.org/x."\tx\n'),
        ("a.json", f'{{"a": "http://h.example/x/jo:{P}|{P}@ftp.dominion.org/a"}}'),
    ],
)
def test_beginning_of_a_password_in_a_path_is_masked(tmp_path: Path, name: str, text: str) -> None:
    """A character that ends the URL divides the password, and its beginning alone does not look like one."""
    (tmp_path / name).write_text(text)
    done = urlscan("extract", "--rejoin", "never", name, cwd=tmp_path)
    assert P not in done.text
    assert "/x/jo:***" in done.text
