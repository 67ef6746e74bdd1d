"""Draw charts: bars in tables, and columns by year or month.

They are written here and not by a library: a chart of pygal has 62 KB, scripts, the address of a server, and colors
that do not follow the reader's choice of dark or light; vl-convert, which renders Vega charts, is a package of 33 MB.
"""

import itertools
from collections.abc import Iterator, Sequence
from html import escape as escape_html

from urlscan.api.pages import number, table, text_of
from urlscan.report.queries import Bar, Timeline

# The drawing of the columns, in pixels.
_HEIGHT, _BOTTOM, _TOP = 260, 24, 16
_SMALL = 48  # the height of a small drawing
_LABELS = 12  # periods with a label
_WIDEST = 10  # percent of the width
_EDGE = 7  # percent of the width, in which labels are not centered


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


def columns(timeline: Timeline) -> Iterator[str]:
    """Yield a drawing with a column for each year or month, and the same numbers as a table.

    Horizontal positions are percentages, so that the drawing has the width of the page and its labels keep their size.
    """
    counts, unit = timeline.counts, timeline.unit
    # The four lines divide 4, 8, 20, 40, 80, 200, ... evenly.
    steps = (head * 10**power for power in itertools.count() for head in (4, 8, 20))
    most = max(map(sum, counts.values()))
    highest = next(step for step in steps if step >= most)
    first, last = min(counts), max(counts)
    yield '<ul class="legend">'
    for position, scheme in enumerate(timeline.names):
        yield f'<li><span class="swatch s{position}"></span>{text_of(scheme)}</li>'
    yield "</ul>\n"
    label = f"URLs by {unit} and scheme, {first} to {last}; the numbers follow as a table"
    size = f'width="100%" height="{_HEIGHT}"'
    yield f'<div class="drawing"><svg class="columns" {size} role="img" aria-label="{label}">\n'
    for part in range(5):
        y = _y(highest * part / 4, highest)
        yield f'<line x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        if part:
            yield f'<text x="0" y="{y - 3}">{_short(highest * part / 4)}</text>\n'
    step = 100 / len(counts)
    width = min(step * 0.76, _WIDEST)
    every = -(-len(counts) // _LABELS)
    for position, (period, numbers) in enumerate(counts.items()):
        middle = (position + 0.5) * step
        yield from _column(period, timeline.names, numbers, (middle - width / 2, width), highest)
        if position % every == 0:
            sparse = ' class="sparse"' if position // every % 3 else ""
            yield f'<text{sparse} {_anchor(middle)} y="{_HEIGHT - 6}">{period}</text>\n'
    yield "</svg></div>\n<details><summary>The numbers as a table</summary>\n"
    rows = (
        f"<td>{period}</td>" + "".join(f'<td class="number">{count:,}</td>' for count in numbers)
        for period, numbers in counts.items()
    )
    headings = [("", unit.title()), *(("number", text_of(scheme)) for scheme in timeline.names)]
    yield table(headings, rows, scroll=f'aria-label="URLs by {unit}"') + "</details>\n"
    if timeline.outside:
        urls = number(timeline.outside, "URL")
        yield f'<p class="facts">{urls} of messages with earlier or later dates, often by wrong clocks.</p>\n'


def _anchor(middle: float) -> str:
    """Return the attributes of a label below the middle of a column, which stays within the drawing."""
    if middle < _EDGE:
        return 'x="0" text-anchor="start"'
    if middle > 100 - _EDGE:
        return 'x="100%" text-anchor="end"'
    return f'x="{middle:.2f}%" text-anchor="middle"'


def small_columns(timeline: Timeline) -> Iterator[str]:
    """Yield a small drawing for each name of a timeline; each has a scale of its own."""
    first, last = min(timeline.counts), max(timeline.counts)
    step = 100 / len(timeline.counts)
    yield '<ul class="small">\n'
    for position, name in enumerate(timeline.names):
        numbers = [row[position] for row in timeline.counts.values()]
        highest = max(numbers)
        label = f"URLs of {text_of(name)} by {timeline.unit}, {first} to {last}: {sum(numbers):,}, at most {highest:,}"
        yield f'<li><b>{text_of(name)}</b><svg width="100%" height="{_SMALL}" role="img" aria-label="{label}">'
        for index, (period, count) in enumerate(zip(timeline.counts, numbers, strict=True)):
            if count:
                height = max(round(_SMALL * count / highest, 1), 1)
                yield (
                    f'<rect x="{index * step:.2f}%" y="{_SMALL - height}" width="{step * 0.8:.2f}%" height="{height}">'
                    f"<title>{period}: {count:,}</title></rect>"
                )
        yield f"</svg><span>{first}</span><span>max {_short(float(f'{highest:.2g}'))}</span><span>{last}</span></li>\n"
    yield "</ul>\n"


def _column(
    period: str, schemes: Sequence[str], counts: Sequence[int], extent: tuple[float, float], highest: float
) -> Iterator[str]:
    """Yield the rectangles of a period, the first scheme at the bottom; `extent` is the left side and the width."""
    below = 0
    for position, count in enumerate(counts):
        if count:
            bottom, top = _y(below, highest), _y(below + count, highest)
            below += count
            title = f"{period}, {text_of(schemes[position])}: {count:,}"
            yield (
                f'<rect class="s{position}" x="{extent[0]:.2f}%" y="{top}" width="{extent[1]:.2f}%"'
                f' height="{max(bottom - top, 0.5):.1f}"><title>{title}</title></rect>\n'
            )


def _y(count: float, highest: float) -> float:
    return round(_HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * count / highest, 1)


def _short(count: float) -> str:
    """Return a number for an axis: 800, 2k, 1.5M."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:g}{name}"
    return f"{count:g}"
