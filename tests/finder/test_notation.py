"""Test which notation around a URL ends it."""

import pytest

import urlscan

U = "http://h.example/x"
# kind, text, the URLs
ENDS = [
    ("plain", f"| a|{U}|b |", [U]),
    ("plain", f"[[{U}|label]]", [U]),
    ("plain", f"<{U} Label>", [U]),
    ("plain", f"**see {U}**", [U]),
    ("plain", f"_see {U}_", [U]),
    ("plain", "See http://h.example[1].", ["http://h.example"]),
    ("plain", "See http://h.example[the mill]!", ["http://h.example"]),
    ("plain", f"$ curl {U}|sh", [U]),
    ("plain", f"wget -qO- {U}|sudo bash", [U]),
    ("markdown", f"| a | b |\n|---|---|\n| a|{U}|\n", [U]),
    ("markdown", f"**see {U}**", [U]),
    ("rst", f"*see {U}*", [U]),
    ("shell", f"curl {U}|sh\n", [U]),
    ("shell", f"curl {U}&& echo done\n", [U]),
    ("shell", f"a=`curl {U}`\n", [U]),
    ("python", f"# {{'a': {U}}}\n", [U]),
    ("python", f'x = "see {U}|y"\n', [U]),
    ("c", f'char *s = "{U}\\n";\n', [U]),
    ("perl", f"s|{U}|http://b.example/|i;\n", [U, "http://b.example/"]),
    ("ruby", "r = %r{http://h.example/[^/]*/x}\n", ["http://h.example/"]),
    ("haskell", f"-- | See <{U} Label>.\n", [U]),
    ("roff", ".TH A 1\n.UR https://docs\\.mill\\.example\n.UE\n", ["https://docs.mill.example"]),
]
# Characters that look like notation but belong to the URL.
CONTINUES = [
    ("plain", "See http://h.example/find?a|b now.", ["http://h.example/find?a|b"]),
    ("plain", "See http://h.example/a_b_ now.", ["http://h.example/a_b_"]),
    ("plain", "See http://h.example/a* now.", ["http://h.example/a*"]),
    ("plain", "See http://[2001:db8::1]/x now.", ["http://[2001:db8::1]/x"]),
    ("plain", f"See {U}|sh now.", [f"{U}|sh"]),
    ("markdown", f"[a]({U}|b)", [f"{U}|b"]),
    ("html", f'<a href="{U}|b">x</a>', [f"{U}|b"]),
    ("python", '# http://h.example/?a[b]=1\n', ["http://h.example/?a[b]=1"]),
    ("python", 'x = "http://h.example/{name}/y"\n', ["http://h.example/{name}/y"]),
    ("shell", "make X=http://h.example/$(uname -s)\n", ["http://h.example/$(uname -s)"]),
    ("ruby", 'u = "http://h.example/#{@g["n"]}"\n', ['http://h.example/#{@g["n"]}']),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "urls"), ENDS)
def test_notation_ends_a_url(kind: str, text: str, urls: list[str]) -> None:
    assert [one.url for one in urlscan.scan(text, kind=kind)] == urls


@pytest.mark.parametrize(("kind", "text", "urls"), CONTINUES)
def test_characters_of_the_url_do_not_end_it(kind: str, text: str, urls: list[str]) -> None:
    assert [one.url for one in urlscan.scan(text, kind=kind)] == urls


@pytest.mark.parametrize(
    "text", ["It is at http://mill.[..].example/old.", "Open file://$(pwd) now.", "<h*ttps://h.org>"]
)
def test_elided_host_is_not_a_url(text: str) -> None:
    assert list(urlscan.scan(text)) == []


@pytest.mark.parametrize(("kind", "path"), [("json", "a.json"), ("python", "a.py")])
def test_backslashes_in_place_of_slashes_are_reported_in_strings(kind: str, path: str) -> None:
    text = r'{"a": "http:\\\\www.mills.zz/x"}'
    assert [finding.code for finding in urlscan.lint(text, path=path)] == ["U406"]
