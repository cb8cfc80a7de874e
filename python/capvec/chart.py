"""Charts of records (Altair, Vega-Lite)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from capvec._native import Error

if TYPE_CHECKING:
    import altair

Row = dict[str, Any]

#: What tells rows apart besides the case, the capability set and the message size.
_VARYING = ("direction", "vlen", "core", "subject")
#: The column of a chart's data that joins those in which its rows differ.
_VARIANT = "variant"


def _values(rows: Sequence[Row], column: str) -> list[Any]:
    """The values of a column, each once, in the order of the rows."""
    return list(dict.fromkeys(row.get(column) for row in rows))


def _drawn(rows: Sequence[Row], y: str) -> list[Row]:
    """The rows that have this figure."""

    def numbers(row: Row) -> list[str]:
        return [c for c, v in row.items() if isinstance(v, int | float) and not isinstance(v, bool)]

    drawn = [row for row in rows if y in numbers(row)]
    if not drawn:
        valid = dict.fromkeys(c for row in rows for c in numbers(row))
        having = f"they have {', '.join(valid)}" if valid else "there are none with figures"
        raise Error(f"y={y!r}: no row of the record has this figure; {having}")
    return drawn


def _with_variants(rows: list[Row]) -> list[Row]:
    """The rows' single values; where rows differ in more than the chart's axes, also a text that says in what."""
    varying = [c for c in _VARYING if len(_values(rows, c)) > 1]
    single = [{c: v for c, v in row.items() if not isinstance(v, list | dict)} for row in rows]
    for row in single if varying else []:
        words = (f"VLEN {row[c]}" if c == "vlen" else str(row[c]) for c in varying if row.get(c))
        row[_VARIANT] = ", ".join(words)
    return single


def _lines(y: str, rows: list[Row], variants: list[str]) -> tuple[Any, dict[str, Any]]:
    """A line over message sizes for each capability set and variant."""
    import altair

    scale = altair.Scale(type="log" if all(row[y] > 0 for row in rows) else "linear")
    channels: dict[str, Any] = {
        "x": altair.X("bytes:Q", scale=altair.Scale(type="log", base=2), title="message in bytes"),
        "y": altair.Y(f"{y}:Q", scale=scale),
        "color": altair.Color("capset:N", sort=_values(rows, "capset")),
    }
    if variants:
        legend = altair.Legend(labelLimit=0)
        # The legend of dashes would show equal dots; that of shapes tells lines apart, too.
        channels["strokeDash"] = altair.StrokeDash(f"{_VARIANT}:N", sort=variants, legend=None)
        channels["shape"] = altair.Shape(f"{_VARIANT}:N", sort=variants, title=None, legend=legend)
    return {"type": "line", "point": True}, channels


def _bars(y: str, rows: list[Row], variants: list[str]) -> tuple[Any, dict[str, Any]]:
    """A bar for each capability set; variants next to each other."""
    import altair

    order = _values(rows, "capset")
    # Bars on top of each other would show sums, which mean nothing.
    channels: dict[str, Any] = {
        "x": altair.X("capset:N", sort=order, title=None),
        "y": altair.Y(f"{y}:Q", stack=None),
        "color": altair.Color("capset:N", sort=order),
    }
    if variants:
        channels["xOffset"] = altair.XOffset(f"{_VARIANT}:N", sort=variants)
        legend = altair.Legend(labelLimit=0)
        channels["color"] = altair.Color(f"{_VARIANT}:N", sort=variants, title=None, legend=legend)
    return {"type": "bar"}, channels


def chart(rows: Sequence[Row], y: str, encoding: dict[str, Any]) -> altair.Chart:
    """The chart of `capvec.Record.plot`, with one mark for each row that has the figure."""
    import altair

    drawn = _with_variants(_drawn(rows, y))
    variants = [v for v in _values(drawn, _VARIANT) if v is not None]
    draw = _lines if len(_values(drawn, "bytes")) > 1 else _bars
    mark, channels = draw(y, drawn, variants)
    tooltip = ["case", "capset", *_VARYING, "bytes", y]
    numbers = ("vlen", "bytes", y)
    present = [c for c in dict.fromkeys(tooltip) if _values(drawn, c) != [None]]
    channels["tooltip"] = [f"{c}:{'Q' if c in numbers else 'N'}" for c in present]
    if "case" in present:
        channels["column"] = altair.Column("case:N", sort=_values(drawn, "case"), title=None)
    data = altair.Data(values=drawn)  # type: ignore[no-untyped-call]
    made: altair.Chart = (
        altair.Chart(data, mark=mark).encode(**(channels | encoding)).resolve_scale(y="independent")
    )
    return made
