"""Records: what was measured, with everything that is needed to judge it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capvec._native import Error
from capvec.chart import chart
from capvec.command import CheckFailed, flags, output

if TYPE_CHECKING:
    import altair
    import pandas
    import polars


#: What makes the files that `Record.read` reads.
_WRITES = "Record.save and `capvec bench --out` write records"
#: How many names of a column a record shows; a sweep has thousands of cores.
_NAMED = 3


def _numbers(texts: list[str | None]) -> list[Any]:
    """These values of a parameter as integers or, if one is a fraction, as floats; unchanged if one is not a number."""
    for kind in (int, float):
        try:
            return [None if text is None else kind(text) for text in texts]
        except ValueError:
            continue
    return texts


class Record:
    """What `bench`, `kat` or `explore` measured: the content of `record.json`, whose fields docs/record.schema.json describes.

    `data` is all of it, `rows` its rows: dictionaries with the names of the columns of results.csv, except those of parameters that
    were set, which `to_pandas` and `to_polars` add. What `explore` measured is in `data["points"]`, and by function in
    `data["functions"]`.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Record:
        """The record in this file, or in record.json of this directory, which `capvec bench --out` wrote."""
        place = Path(path)
        file = place / "record.json" if place.is_dir() else place
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as e:
            raise Error(f"{file} is not a record, or not all of one: {e}; {_WRITES}") from e
        if not isinstance(data, dict):
            raise Error(f"{file} is not a record, which is a JSON object; {_WRITES}")
        return cls(data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the record to this file, as JSON."""
        Path(path).write_text(json.dumps(self.data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows."""
        rows: list[dict[str, Any]] = self.data.get("rows", [])
        return rows

    def _settings(self) -> dict[str, list[Any]]:
        """The columns of results.csv after those that every record has: of each parameter that was set for any core, its value for
        each row, as a number if all its values are; None where the row's core has it from its file.
        """
        cores = {core["label"]: dict(core.get("settings", ())) for core in self.data.get("cores", ())}
        keys = dict.fromkeys(key for settings in cores.values() for key in settings)
        return {key: _numbers([cores.get(row.get("core"), {}).get(key) for row in self.rows]) for key in keys}

    def _section(self, name: str) -> list[dict[str, Any]]:
        """A list of the record, as rows of a frame."""
        found = self.data.get(name)
        if isinstance(found, list):
            if name != "rows":
                return found
            columns = self._settings()
            return [
                {**row, **{key: column[i] for key, column in columns.items()}} for i, row in enumerate(found)
            ]
        lists = ", ".join(key for key, value in self.data.items() if isinstance(value, list))
        raise Error(f"section={name!r}: the record has no such list; it has {lists or 'none'}")

    def to_pandas(self, section: str = "rows") -> pandas.DataFrame:
        """The rows, or another list of the record, as a pandas DataFrame. Rows have a column for each parameter that was set
        (``set=["vector.startup=2,4"]``, or an axis of a sweep), as results.csv does.
        """
        import pandas

        return pandas.DataFrame(self._section(section))

    def to_polars(self, section: str = "rows") -> polars.DataFrame:
        """The rows, or another list of the record, as a Polars DataFrame, with the columns of `to_pandas`."""
        import polars

        return polars.DataFrame(self._section(section), infer_schema_length=None)

    def plot(self, y: str = "cycles_per_byte", **encoding: Any) -> altair.Chart:
        """A chart of one figure, a column with numbers (Altair, Vega-Lite): over message sizes if there are several, otherwise a bar
        for each capability set; cases next to each other. Directions, VLENs, cores and subjects, if there are several, are told
        apart by dashes or bars of their own. `encoding` replaces channels: ``plot(color="core:N")``.
        """
        return chart(self.rows, y, encoding)

    def report(self, path: str | os.PathLike[str] = "report.html", *, title: str | None = None) -> Path:
        """Writes the report, an HTML page that needs nothing else, to this file, and returns its path."""
        if os.fspath(path) == "-":
            raise Error("path='-': to the command that is standard output; name a file (./- is one, too)")
        with tempfile.TemporaryDirectory(prefix="capvec-") as folder:
            file = Path(folder, "record.json")
            self.save(file)
            words = ["report", str(file), *flags({"output": os.fspath(path), "title": title})]
            output(words, names={file: "the record"})
        return Path(path)

    def compare(self, new: Record, *, check: bool = False, **options: Any) -> list[dict[str, Any]]:
        """Compares a newer record with this one, row by row: the rows with a difference. Other flags of `capvec compare` are
        keyword arguments, such as ``fail_over="2%"``. With `check`, what the command calls a failure raises `CheckFailed`.
        """
        with tempfile.TemporaryDirectory(prefix="capvec-") as folder:
            files = [Path(folder, "old.json"), Path(folder, "new.json")]
            for record, file in zip((self, new), files, strict=True):
                record.save(file)
            words = ["compare", *map(str, files), *flags({**options, "format": "json"})]
            names = dict(zip(files, ("the old record", "the new record"), strict=True))
            text, failed = output(words, checks=True, names=names)
        if failed is not None and check:
            raise CheckFailed(failed)
        pairs = json.loads(text)["pairs"]
        differs = [p["broken"] or any(c["verdict"] != "same" for c in p["changes"]) for p in pairs]
        return [pair for pair, different in zip(pairs, differs, strict=True) if different]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        def names(key: str) -> str:
            found = list(dict.fromkeys(str(row[key]) for row in self.rows if row.get(key)))
            others = len(found) - _NAMED
            return ", ".join(found if others <= 1 else [*found[:_NAMED], f"{others} others"])

        parts = [f"{len(self)} rows", *(names(key) for key in ("version", "core", "capset"))]
        return f"<Record: {'; '.join(part for part in parts if part)}>"
