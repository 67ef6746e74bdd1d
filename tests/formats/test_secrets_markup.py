"""No secret is revealed, whatever markup contains it and however it is written there."""

import random

import pytest

from tests.command import urlscan

SECRET = "s3Cr3tZq"
# Ways to write a password in markup: with entities, escapes, or on two lines.
SPELLINGS = [
    lambda secret: secret,
    lambda secret: secret[:4] + "&amp;" + secret[4:],
    lambda secret: secret[:3] + "\\_" + secret[3:],
    lambda secret: "".join(f"&#{ord(character)};" for character in secret),
    lambda secret: secret + "&lt;",
    lambda secret: secret[:4] + "\n   " + secret[4:],
    lambda secret: "".join(f"\\u{ord(character):04x}" for character in secret),
    lambda secret: secret[:4] + "\\/" + secret[4:],
    lambda secret: secret[:4] + '" \n "' + secret[4:],
    lambda secret: secret[:4] + "' \\\n '" + secret[4:],
    lambda secret: secret[:4] + "\\%" + secret[4:],
]
URLS = ["ftp://jo:{}@h.net/a", "http://jo:{}@h.net/a|b%zz", "//jo:{}@h.net/x", "https:/jo:{}@h.net"]
TEMPLATES = {
    "html": [
        '<a href="{}">x</a>', "<img srcset='{} 1x, b 2x'>", "<style>a{{background:url({})}}</style>",
        "<meta http-equiv=refresh content='0;url={}'>", "<!-- {} -->", "&lt;URL:{}&gt;", "<a title='{}'>",
    ],
    "markdown": ["[a]({})", "<{}>", "`{}`", "\n[a]: {}\n", '<a href="{}">', "![x](<{}> 't')"],
    "javascript": ['u = "{}"', "u = '{}'", "// {}", "`{}`", "/* {}*/"],
    "json": ['{{"u": "{}"}}', '{{"{}": 1}}', '["<{}>"]'],
    "python": ['u = ("{}")', '"""{}"""', "# <{}>", "r'{}'"],
    "po": ['msgid "{}"', "#. {}"],
    "csv": ["a,{},b", 'a,"{}",b', 'a,"say ""{}""",b'],
    "latex": ["\\url{{{}}}", "\\href{{{}}}{{x}}", "{}", "% <{}>"],
    "css": ["a {{ b: url({}) }}", "@import '{}'", "/* {}*/"],
    "yaml": ["u: {}", 'u: "{}"', "- '{}'"],
    "ics": ["URL:{}\n", "DESCRIPTION:a\\, {}\\n\\nb\n", "X-ALT-DESC;FMTTYPE=text/html:<a href='{}'>\n"],
    "ipynb": ['{{"cells": [{{"cell_type": "markdown", "source": ["[a]({})"]}}]}}', '{{"a": "{}"}}'],
    "roff": [".UR {}", "\\fI{}\\fP"],
    "texinfo": ["@uref{{{}, x}}", "{}"],
    "rst": ["\n.. _a: {}\n", "`a <{}>`_", "``{}``", "\n.. image:: {}\n"],
}  # fmt: skip
COMMANDS = [
    ["check", "--format", "full"],
    ["check", "--format", "json", "--select", "ALL"],
    ["check", "--format", "github", "--select", "ALL"],
    ["check", "--format", "sarif", "--select", "ALL"],
    ["check", "--format", "gitlab"],
    ["check", "--format", "junit"],
    ["check", "--format", "rdjson", "--select", "ALL"],
    ["check", "--format", "grouped"],
    ["extract", "--relative"],
    ["extract", "--relative", "--format", "jsonl"],
    ["extract", "--format", "csv"],
]


def documents(kind: str, number: int) -> list[str]:
    rng = random.Random(f"{kind} {number}")
    found = []
    for _ in range(number):
        pieces = []
        for _ in range(rng.randint(1, 3)):
            url = rng.choice(URLS).format(rng.choice(SPELLINGS)(SECRET))
            if rng.random() < 0.2:
                url = f"http://h.net/?access_token={SECRET}%zz&a=b"
            pieces.append("\n\n" + rng.choice(TEMPLATES[kind]).format(url))
        found.append("".join(pieces) + "\n")
    return found


@pytest.mark.parametrize("kind", TEMPLATES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.slow
def test_output_about_markup_reveals_no_secret(kind, command):
    masked = 0
    for document in documents(kind, 10):
        done = urlscan(*command, "--as", kind, "-", stdin=document.encode())
        out = (done.text + done.err).replace("\\", "")
        for piece in (SECRET, SECRET[:4], SECRET[-5:]):
            assert piece not in out, document
        masked += "***" in out
    assert masked > 2
