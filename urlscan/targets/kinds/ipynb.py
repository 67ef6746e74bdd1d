"""Read the anchors of Jupyter notebooks: those of their cells in Markdown."""

from urlscan.documents.regions import reader_of
from urlscan.targets.kinds import markdown
from urlscan.targets.kinds.base import Collector, LineNumbers


def collect(text: str, collector: Collector) -> None:
    """Add the anchors of the cells in Markdown, with the lines of the notebook."""
    numbers = LineNumbers(text)
    for region in reader_of("ipynb")(text, "ipynb"):
        if region.kind != "markdown":
            continue
        pieces: list[str] = []
        lines = [numbers.line(region.start)]
        consumed = region.start
        for start, end, replacement in (*region.replacements, (region.end, region.end, "")):
            between = text[consumed:start]  # a string of JSON has no line ends
            pieces += (between, replacement)
            lines += [numbers.line(end)] * replacement.count("\n")
            consumed = end
        collector.line_numbers = lines
        markdown.collect("".join(pieces), collector)
    collector.line_numbers = None
