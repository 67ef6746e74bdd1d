"""Draw charts: bars in tables, and columns by year.

They are written here and not by a library: a chart of pygal has 62 KB, scripts, the address of a server, and colors
that do not follow the reader's choice of dark or light; vl-convert, which renders Vega charts, is a package of 33 MB.
"""

from collections.abc import Iterator, Sequence
from html import escape as escape_html

from urlscan.formats.page import number, table, text_of
from urlscan.report.queries import Bar, Years

# The drawing of the columns, in units of its view box.
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 260, 46, 24, 8
_LABELS = 12  # years with a label
_WIDEST = 72


def bar_table(
    bars: Sequence[Bar], heading: str, numbers: tuple[str, ...], filter_name: str = "", links: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a table in which each row has a bar.

    Args:
        bars: the rows; bars have the length of `total`.
        numbers: the headings of `total` and, if the rows have it, of `more`.
        filter_name: the filter of the table of URLs that a row sets; "" for none.
        links: HTML in place of the names, such as links to rules.
    """
    longest = max((bar.total for bar in bars), default=0)
    rows = []
    for position, bar in enumerate(bars):
        name = links[position] if links else text_of(bar.name)
        length = max(0.5, round(100 * bar.total / longest, 2)) if bar.total else 0
        row = (
            f'<td>{name}<svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect width="{length}" height="1"/></svg></td><td class="number">{bar.total:,}</td>'
        )
        if len(numbers) > 1:
            row += f'<td class="number">{bar.more or 0:,}</td>'
        if filter_name:
            value = escape_html(bar.name)
            row += (
                f'<td class="action"><button type="button" data-filter="{filter_name}" data-value="{value}" hidden'
                f' aria-label="Show URLs with {value}">Show</button></td>'
            )
        rows.append(row)
    headings = [("", heading), *(("number", name) for name in numbers)]
    if filter_name:
        headings.append(("action", "Filter"))
    yield table(headings, rows, attributes=' class="bars"')


def year_columns(years: Years) -> Iterator[str]:
    """Yield a drawing with a column for each year, and the same numbers as a table."""
    highest = _rounded_up(max(map(sum, years.counts.values())))
    step = (_WIDTH - _LEFT) / len(years.counts)
    width = min(step * 0.76, _WIDEST)
    every = -(-len(years.counts) // _LABELS)
    first, last = min(years.counts), max(years.counts)
    yield '<ul class="legend">'
    for position, scheme in enumerate(years.schemes):
        yield f'<li><span class="swatch s{position}"></span>{text_of(scheme)}</li>'
    yield "</ul>\n"
    label = f"URLs by year and scheme, {first} to {last}; the numbers follow as a table"
    yield (
        '<div class="drawing" tabindex="0" role="region" aria-label="Chart of URLs by year">'
        f'<svg class="columns" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">\n'
    )
    for part in range(5):
        y = _y(highest * part / 4, highest)
        yield f'<line x1="{_LEFT}" x2="{_WIDTH}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{_short(highest * part / 4)}</text>\n'
    for position, (year, counts) in enumerate(years.counts.items()):
        x = _LEFT + position * step
        yield from _column(year, years.schemes, counts, (x + (step - width) / 2, width), highest)
        if position % every == 0:
            middle = min(x + step / 2, _WIDTH - 16)
            yield f'<text x="{middle:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{year}</text>\n'
    yield "</svg></div>\n<details><summary>The numbers as a table</summary>\n"
    rows = (
        f"<td>{year}</td>" + "".join(f'<td class="number">{count:,}</td>' for count in counts)
        for year, counts in years.counts.items()
    )
    headings = [("", "Year"), *(("number", text_of(scheme)) for scheme in years.schemes)]
    yield table(headings, rows, scroll='aria-label="URLs by year"') + "</details>\n"
    if years.outside:
        urls = number(years.outside, "URL")
        yield f'<p class="facts">{urls} of messages with other years, often by wrong clocks.</p>\n'


def _column(
    year: int, schemes: Sequence[str], counts: Sequence[int], place: tuple[float, float], highest: float
) -> Iterator[str]:
    """Yield the rectangles of a year, the first scheme at the bottom; `place` is the left side and the width."""
    below = 0
    for position, count in enumerate(counts):
        if count:
            bottom, top = _y(below, highest), _y(below + count, highest)
            below += count
            yield (
                f'<rect class="s{position}" x="{place[0]:.1f}" y="{top}" width="{place[1]:.1f}"'
                f' height="{max(bottom - top, 0.5):.1f}"><title>{year}, {text_of(schemes[position])}: {count:,}</title>'
                "</rect>\n"
            )


def _y(count: float, highest: float) -> float:
    return round(_HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * count / highest, 1)


def _rounded_up(count: int) -> int:
    """Return the next number of the form 4, 8, 20, 40, 80, 200, ..., which four lines divide evenly."""
    size = 1
    while True:
        for head in (4, 8, 20):
            if count <= head * size:
                return head * size
        size *= 10


def _short(count: float) -> str:
    """Return a number for an axis: 800, 2k, 1.5M."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:g}{name}"
    return f"{count:g}"
