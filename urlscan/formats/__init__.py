"""Define the output formats.

A format is a function of `Iterable[CheckResult]` and `RenderOptions` that returns `Iterator[str]`. It
receives the results of a whole run, one document after the other, and yields its output in pieces.
"""

# Module and function by name, loaded on first use.
FORMATS = {
    "full": "urlscan.formats.text:render_full",
    "concise": "urlscan.formats.text:render_concise",
    "json": "urlscan.formats.json_:render_json",
    "jsonl": "urlscan.formats.json_:render_jsonl",
    "grouped": "urlscan.formats.text:render_grouped",
    "sarif": "urlscan.formats.sarif:render",
    "github": "urlscan.formats.ci:render_github",
    "gitlab": "urlscan.formats.ci:render_gitlab",
    "junit": "urlscan.formats.ci:render_junit",
    "rdjson": "urlscan.formats.json_:render_rdjson",
    "html": "urlscan.formats.html_:render",
}
# Formats that consist of workflow commands, which no other output may contain.
COMMANDS = ("github",)
# Formats that end with a summary.
SUMMARIZED = ("full", "concise", "grouped")
# Renderers for `--statistics`, for the formats that support it.
STATISTICS = {
    **dict.fromkeys(SUMMARIZED, "urlscan.formats.statistics:render"),
    "json": "urlscan.formats.statistics:render_json",
    "jsonl": "urlscan.formats.statistics:render_jsonl",
}
