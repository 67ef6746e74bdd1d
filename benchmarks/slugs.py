"""Compare the slugs of headings with those of the programs that generate them.

usage: python benchmarks/slugs.py [--documents N] [--record FILE] [-v] [PRESET]...

Generate documents with 50 headings each, in 14 scripts, with punctuation, emoji, inline markup and duplicates, and let
each program convert them.  Print the number of headings and of different anchors by preset; `-v` prints the
differences.  `--record` writes a sample with the anchors of the programs, which a test compares.

Missing programs are skipped.  The programs are pandoc, hugo, ruby with the gems kramdown,
kramdown-parser-gfm and asciidoctor, the Python packages Markdown, docutils, sphinx and nbconvert, and, with the
environment variable NODE_MODULES, the npm packages unified, remark-parse, remark-gfm, remark-rehype, rehype-raw,
rehype-slug, rehype-stringify, github-slugger, @docusaurus/mdx-loader and vitepress.  The environment variable GOLDMARK
names the program built from slugs.go with the module github.com/yuin/goldmark.
"""

import argparse
import datetime
import html
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Callable

from urlscan.targets.anchors import reader_of
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import PRESETS

HERE = pathlib.Path(__file__).parent
WORDS = (
    "Installation install Überblick naïve Größe façade Ærø Łódź İstanbul ııı straße",
    "Εγκατάσταση οδηγός ΧΡΉΣΗΣ λόγος",
    "Установка Настройка ёлка й",
    "Տեղադրում օգնություն և",
    "התקנה שָׁלוֹם",
    "التثبيت مُقَدِّمة ـ",
    "स्थापना परिचय हिन्दी",
    "நிறுவல் அறிமுகம்",
    "การติดตั้ง บทนำ",
    "安装 使用方法 配置",
    "インストール はじめに ガイド",
    "설치 시작하기",
    "ინსტალაცია შესავალი",
    "መጫን መግቢያ",
)
NUMBERS = "2 10 2.0 v1.2.3 3.11+ 404 1. 42nd №5 ½ x² H₂O Ⅷ ① ١٢ ५ １２".split()
EMOJI = "🎉 ⚙️ 1️⃣ 👩‍💻 🇩🇪 ✅ ™ © → ★ ㊗️ :tada: :white_check_mark:".split()
SEPARATORS = (
    *([" "] * 30), " - ", " -- ", " --- ", "-", "_", ": ", ", ", " & ", " / ", "/", ".", "; ", "? ", "! ", " + ",
    " = ", "...",
    "…", " — ", " – ", "'s ", "’s ", "·", "、", "：", "\u00a0", "\u3000", "\u200b", "  ", " @", " %", " ~ ", " ^",
    "\u00ad",
)  # fmt: skip
ENDS = ("", "", "", "", "", "?", "!", ".", ":", " -", "…", "。", "？", "--", ")")
MARKUP = (
    "`{}`", "`{}()`", "*{}*", "**{}**", "_{}_", "__{}__", "[{}](a/b.md)",
    "[{}](https://h.example/a_b?c=d 'e')", "![{}](a.png)",
    "<b>{}</b>", "<span class='a'>{}</span>", "{} &amp; b", "{} &lt;c&gt;", "{}\\_d", "\\*{}", "a_{}_b",
    "[![{}](a.png)](b)", "<br>{}", "`{0}_{0}`", "***{}***", "~~{}~~", "{} &eacute;",
)  # fmt: skip
WRAPS = ("({})", "“{}”", '"{}"', "'{}'", "«{}»", "「{}」", "[{}]", "(({}))", "${}", "#{}", "{}++", "{}#")
FORMATS = {"rst": ("``{}``", "*{}*", "**{}**"), "asciidoc": ("`{}`", "*{}*", "_{}_"), "org": ("~{}~",)}


def word(chance: random.Random) -> str:
    """Return a word, a number or an emoji."""
    if chance.random() < 0.18:
        return chance.choice(NUMBERS)
    if chance.random() < 0.1:
        return chance.choice(EMOJI)
    return chance.choice(WORDS[0].split())


def heading(chance: random.Random, kind: str) -> str:
    """Return a heading in the markup of a kind."""
    text = ""
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4))):
        part = chance.choice(chance.choice(WORDS).split()) if chance.random() < 0.6 else word(chance)
        if kind == "markdown" and chance.random() < 0.22:
            part = chance.choice(MARKUP).format(part)
        elif kind != "markdown" and chance.random() < 0.1:
            part = f" {chance.choice(FORMATS[kind]).format(chance.choice(WORDS[0].split()))} "
        elif chance.random() < 0.15:
            part = chance.choice(WRAPS).format(part)
        text += (chance.choice(SEPARATORS) if text else "") + part
    text = (text + chance.choice(ENDS)).strip()
    if kind == "markdown":
        return re.sub(r"(?<=[ \t])#+$|^#+$", "x", text)
    special = {"rst": r"[_|\\]|^[-=~^.+:]+", "asciidoc": r"[_#*+^~|<{&]|--|\.\.\.|\(\(|\[|'", "org": r"[*]"}[kind]
    return re.sub(r"\s+", " ", re.sub(special, "", text)).strip() or "a"


def document(chance: random.Random, kind: str, count: int = 50) -> list[str]:
    """Return the headings of one document; some are repeated, and some end like the anchor of a repeated heading."""
    found: list[str] = []
    while len(found) < count:
        if found and chance.random() < 0.2:
            found.append(chance.choice(found) + chance.choice(("", "", "", "", " 1", "-1", "_1", " 2")))
        else:
            found.append(heading(chance, kind))
    return found


def written(headings: list[str], kind: str) -> str:
    """Return a document that contains the headings."""
    if kind == "rst":
        return "".join(f"{title}\n{'=' * (4 * len(title) + 4)}\n\na\n\n" for title in headings)
    marker = {"markdown": "##", "asciidoc": "==", "org": "*"}[kind]
    return "".join(f"{marker} {title}\n\na\n\n" for title in headings)


# The documents of each preset in the recorded sample.
RECORDED = 3


def kind_of(preset: str) -> str:
    """Return the kind of the documents of a preset; cells of notebooks are Markdown."""
    kind = PRESETS[preset].kinds[0]
    return "markdown" if kind == "ipynb" else kind


class Recorder(Collector):
    """Records the anchor of each heading."""

    def __init__(self, preset: str) -> None:
        super().__init__((PRESETS[preset],), is_auto=False)
        self.recorded: list[str] = []

    def add(self, anchor: str, line: int) -> None:
        """Record an anchor."""
        self.recorded.append(anchor)


def ours(documents: list[str], preset: str) -> list[list[str]]:
    """Return the anchors of the documents."""
    found = []
    for text in documents:
        recorder = Recorder(preset)
        reader_of(kind_of(preset))(text, recorder)
        found.append(recorder.recorded)
    return found


ID = re.compile(r'<h[1-6][^>]*? id="([^"]*)"|<h[1-6](?![^>]* id=)()')


def ids_of(page: str) -> list[str]:
    """Return the ids of the headings of a page."""
    return [html.unescape(match[1] or "") for match in ID.finditer(page)]


def run(command: list[str], data: str) -> str:
    """Return the standard output of a program for the given standard input."""
    return subprocess.run(
        command, input=data, capture_output=True, text=True, encoding="utf-8", check=True, timeout=900
    ).stdout


def by_node(program: str) -> Callable[[list[str]], list[list[str]]]:
    """Return the function that converts documents with a program of slugs.mjs."""

    def convert(documents: list[str]) -> list[list[str]]:
        command = ["node", str(HERE / "slugs.mjs"), program, os.environ["NODE_MODULES"]]
        return [ids_of(page) for page in json.loads(run(command, json.dumps(documents)))]

    return convert


def by_ruby(program: str) -> Callable[[list[str]], list[list[str]]]:
    """Return the function that converts documents with a program of slugs.rb."""

    def convert(documents: list[str]) -> list[list[str]]:
        return [
            ids_of(page) for page in json.loads(run(["ruby", str(HERE / "slugs.rb"), program], json.dumps(documents)))
        ]

    return convert


def by_goldmark(documents: list[str]) -> list[list[str]]:
    """Return the ids that goldmark gives to the headings of each document."""
    return [ids_of(page) for page in json.loads(run([os.environ["GOLDMARK"]], json.dumps(documents)))]


def by_pandoc(documents: list[str]) -> list[list[str]]:
    """Return the identifiers that pandoc generates for the headings of each document."""
    pages = [run(["pandoc", "-f", "markdown", "-t", "json"], text) for text in documents]
    return [[block["c"][1][0] for block in json.loads(page)["blocks"] if block["t"] == "Header"] for page in pages]


def by_hugo(kind: str) -> Callable[[list[str]], list[list[str]]]:
    """Return the function that builds a site of the documents with a value of `autoHeadingIDType`."""

    def convert(documents: list[str]) -> list[list[str]]:
        with tempfile.TemporaryDirectory() as name:
            site = pathlib.Path(name)
            (site / "content").mkdir()
            (site / "layouts" / "_default").mkdir(parents=True)
            (site / "layouts" / "_default" / "single.html").write_text("{{ .Content }}")
            (site / "config.toml").write_text(
                f"disableKinds = ['taxonomy', 'term', 'RSS', 'sitemap', 'home']\n"
                f"[markup.goldmark.parser]\nautoHeadingIDType = '{kind}'\n"
                "[markup.goldmark.renderer]\nunsafe = true\n"
            )
            for number, text in enumerate(documents):
                (site / "content" / f"d{number}.md").write_text(f"---\ntitle: a\n---\n{text}", encoding="utf-8")
            run(["hugo", "--quiet", "-s", name], "")
            pages = [site / "public" / f"d{number}" / "index.html" for number in range(len(documents))]
            return [ids_of(page.read_text(encoding="utf-8")) for page in pages]

    return convert


def by_markdown(*, is_unicode: bool) -> Callable[[list[str]], list[list[str]]]:
    """Return the function that converts documents with Python-Markdown."""

    def convert(documents: list[str]) -> list[list[str]]:
        import markdown
        from markdown.extensions import toc

        slugify = toc.slugify_unicode if is_unicode else toc.slugify
        pages = [
            markdown.markdown(
                text, extensions=["toc", "attr_list", "fenced_code"], extension_configs={"toc": {"slugify": slugify}}
            )
            for text in documents
        ]
        return [ids_of(page) for page in pages]

    return convert


def by_nbconvert(documents: list[str]) -> list[list[str]]:
    """Return the ids that nbconvert gives to the headings of each document, without percent-encoding."""
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    return [[urllib.parse.unquote(name) for name in ids_of(markdown2html_mistune(text))] for text in documents]


def by_docutils(prefix: str) -> Callable[[list[str]], list[list[str]]]:
    """Return the function that reads documents with docutils and a value of `auto_id_prefix`."""

    def convert(documents: list[str]) -> list[list[str]]:
        from docutils import core, nodes

        settings = {"report_level": 5, "doctitle_xform": False, "auto_id_prefix": prefix}
        trees = [core.publish_doctree(text, settings_overrides=settings) for text in documents]
        return [[section["ids"][0] for section in tree.findall(nodes.section)] for tree in trees]

    return convert


def has_node(*packages: str) -> bool:
    """Return whether npm packages are installed."""
    modules = os.environ.get("NODE_MODULES", "")
    return bool(modules) and all((pathlib.Path(modules) / package).is_dir() for package in packages)


def has_gem(name: str) -> bool:
    """Return whether a gem is installed."""
    return (
        bool(shutil.which("ruby"))
        and not subprocess.run(["ruby", "-e", f"require '{name}'"], capture_output=True).returncode
    )


def has_module(name: str) -> bool:
    """Return whether a Python module is installed."""
    return importlib.util.find_spec(name) is not None


def versions() -> dict[str, str]:
    """Return the versions of the programs that are installed."""
    found: dict[str, str] = {}
    for module in ("markdown", "docutils", "nbconvert"):
        if has_module(module):
            found[module] = importlib.metadata.version(module)
    for package in (
        "github-slugger",
        "rehype-slug",
        "remark-parse",
        "@docusaurus/mdx-loader",
        "vitepress",
        "hexo-renderer-marked",
    ):
        if has_node(package):
            about = pathlib.Path(os.environ["NODE_MODULES"], package, "package.json")
            found[package] = json.loads(about.read_text(encoding="utf-8"))["version"]
    for gem in ("kramdown", "kramdown-parser-gfm", "asciidoctor"):
        if has_gem(gem):
            found[gem] = run(["ruby", "-e", f"require '{gem}'; print Gem.loaded_specs['{gem}'].version"], "")
    for program, argument in (("pandoc", "--version"), ("hugo", "version"), ("ruby", "--version")):
        if shutil.which(program):
            found[program] = run([program, argument], "").split("\n")[0]
    return found


# Preset: whether the program is available, and how it converts documents.
PROGRAMS: dict[str, tuple[Callable[[], bool], Callable[[list[str]], list[list[str]]]]] = {
    "github": (lambda: has_node("rehype-slug", "remark-parse"), by_node("github")),
    "docusaurus": (lambda: has_node("@docusaurus/mdx-loader", "remark-parse"), by_node("docusaurus")),
    "jupyter": (lambda: has_module("nbconvert"), by_nbconvert),
    "gitlab": (lambda: bool(shutil.which("ruby")) and has_gem("kramdown"), by_ruby("gitlab")),
    "vitepress": (lambda: has_node("vitepress"), by_node("vitepress")),
    "hexo": (lambda: has_node("hexo-renderer-marked"), by_node("hexo")),
    "hexo-plain": (lambda: has_node("hexo-renderer-marked"), by_node("hexo-plain")),
    "goldmark": (lambda: "GOLDMARK" in os.environ, by_goldmark),
    "hugo": (lambda: bool(shutil.which("hugo")), by_hugo("github")),
    "hugo-ascii": (lambda: bool(shutil.which("hugo")), by_hugo("github-ascii")),
    "hugo-blackfriday": (lambda: bool(shutil.which("hugo")), by_hugo("blackfriday")),
    "mkdocs": (lambda: has_module("markdown"), by_markdown(is_unicode=False)),
    "mkdocs-unicode": (lambda: has_module("markdown"), by_markdown(is_unicode=True)),
    "kramdown": (lambda: has_gem("kramdown"), by_ruby("kramdown")),
    "jekyll": (lambda: has_gem("kramdown-parser-gfm"), by_ruby("jekyll")),
    "pandoc": (lambda: bool(shutil.which("pandoc")), by_pandoc),
    "docutils": (lambda: has_module("docutils"), by_docutils("%")),
    "sphinx": (lambda: has_module("docutils"), by_docutils("id")),
    "asciidoctor": (lambda: has_gem("asciidoctor"), by_ruby("asciidoctor")),
    "asciidoctor-github": (lambda: has_gem("asciidoctor"), by_ruby("asciidoctor-github")),
}


def compared(preset: str, count: int, *, is_verbose: bool) -> tuple[list[list[str]], list[list[str]]]:
    """Print the comparison of a preset with its program; return the headings of the documents and its anchors."""
    kind = kind_of(preset)
    chance = random.Random(f"{kind} 20")
    documents = [document(chance, kind) for _ in range(count)]
    texts = [written(headings, kind) for headings in documents]
    theirs, found = PROGRAMS[preset][1](texts), ours(texts, preset)
    total = different = 0
    for headings, expected, got in zip(documents, theirs, found, strict=True):
        total += len(headings)
        if not len(headings) == len(expected) == len(got):
            print(f"{preset}: {len(headings)} headings, {len(expected)} of the program, {len(got)} of ours")
            different += len(headings)
            continue
        for title, one, other in zip(headings, expected, got, strict=True):
            if one != other:
                different += 1
                if is_verbose:
                    print(f"  {title!r}\n    {one!r}\n    {other!r}")
    print(f"{preset:20} {total:6} headings {different:5} different")
    return documents, theirs


def main() -> int:
    """Compare the presets, print the figures and write the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("presets", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--documents", type=int, default=120)
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    sample: dict[str, object] = {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "programs": versions()}
    for preset in options.presets:
        if not PROGRAMS[preset][0]():
            print(f"{preset:20} program not found")
            continue
        documents, theirs = compared(preset, options.documents, is_verbose=options.verbose)
        pairs = list(zip(documents, theirs, strict=True))[:RECORDED]
        sample[preset] = [{"headings": headings, "anchors": anchors} for headings, anchors in pairs]
    if options.record:
        options.record.write_text(json.dumps(sample, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    assert set(PROGRAMS) <= set(PRESETS)
    sys.exit(main())
