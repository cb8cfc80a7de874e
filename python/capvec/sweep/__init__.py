"""Sweeps: every combination of cores, parameters, capability sets, sizes …, as jobs that can run anywhere (docs/sweeps.md).

Examples:
    >>> plan = plan("sweep.toml")  # doctest: +SKIP
    >>> work(plan)  # doctest: +SKIP
    >>> record = merge(plan)  # doctest: +SKIP
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from capvec._native import Error
from capvec.command import CheckFailed, flags, output
from capvec.record import Record

__all__ = ["Job", "Plan", "merge", "plan", "work"]

#: A value of an axis, or several.
Values = str | int | float | Iterable[str | int | float]


@dataclass(frozen=True)
class Job:
    """One measurement: its digest, and the flags of `capvec bench`."""

    id: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """The jobs of a sweep, as the text that `capvec sweep plan` writes."""

    text: str

    @property
    def jobs(self) -> list[Job]:
        """The jobs, in order."""
        lines = map(json.loads, self.text.splitlines()[1:])
        return [Job(line["id"], tuple(line["flags"])) for line in lines]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the plan to a file, for `capvec sweep work`."""
        Path(path).write_text(self.text, encoding="utf-8")

    def __len__(self) -> int:
        return self.text.count("\n") - 1

    def __repr__(self) -> str:
        return f"<Plan: {len(self)} jobs>"


def _toml(table: Mapping[str, Any], name: str) -> str:
    """A table whose values are strings, numbers or lists of them, which TOML writes as JSON does."""

    def value(key: str, v: Any) -> Any:
        if isinstance(v, np.generic):
            v = v.item()
        if isinstance(v, Iterable) and not isinstance(v, str | bytes | Mapping):
            return [value(key, one) for one in v]
        if not isinstance(v, str | int | float) or (isinstance(v, float) and not math.isfinite(v)):
            raise Error(
                f"the sweep: {name.strip('[]')}.{key}: {v!r} is not a value; values are numbers and strings, or lists of them"
            )
        return v

    # A dotted key is a table in TOML, so it is not quoted.
    lines = (f"{key} = {json.dumps(value(key, v), ensure_ascii=False)}" for key, v in table.items())
    return "\n".join([name, *lines, ""])


def plan(
    sweep: str | os.PathLike[str] | Mapping[str, Values],
    *,
    common: Mapping[str, Values] | None = None,
    exclude: Iterable[Mapping[str, Values]] = (),
) -> Plan:
    """The jobs of a sweep: of a file, or of axes and their values.

    Examples:
        >>> len(plan({"vlen": [128, 256], "vector.startup": [2, 4, 7.5]}))  # doctest: +SKIP
        6
    """
    if isinstance(sweep, str | os.PathLike):
        return Plan(output(["sweep", "plan", os.fspath(sweep)])[0])
    tables = [_toml(sweep, "[axes]"), _toml(common or {}, "[common]")]
    tables += [_toml(one, "[[exclude]]") for one in exclude]
    with tempfile.TemporaryDirectory(prefix="capvec-") as folder:
        file = Path(folder, "sweep.toml")
        file.write_text("\n".join(tables), encoding="utf-8")
        return Plan(output(["sweep", "plan", str(file)], names={file: "the sweep"})[0])


def _with(plan: Plan, words: list[str], options: dict[str, Any], **how: bool) -> tuple[str, str | None]:
    """The output of a command that takes this plan."""
    with tempfile.TemporaryDirectory(prefix="capvec-") as folder:
        file = Path(folder, "jobs")
        plan.save(file)
        return output([*words, str(file), *flags(options)], names={file: "the plan"}, **how)


def on_terminal(quiet: bool) -> bool:
    """Whether progress is shown: unless `quiet`, where standard error is a terminal."""
    return not quiet and sys.stderr is not None and sys.stderr.isatty()


def work(
    plan: Plan,
    *,
    results: str | os.PathLike[str] | None = None,
    share: str | None = None,
    workers: int | None = None,
    quiet: bool = False,
) -> None:
    """Runs the jobs that have no result yet; `share` is one of several parts, such as "3/8". On a terminal, the command shows its
    progress and its messages on standard error, unless `quiet`. Raises `capvec.Error` when all other jobs are done if some failed:
    its message names them.
    """
    shown = on_terminal(quiet)
    options = {"results": results, "share": share, "workers": workers, "quiet": not shown}
    _with(plan, ["sweep", "work"], options, progress=shown)


def merge(
    plan: Plan,
    *,
    results: str | os.PathLike[str] | None = None,
    partial: bool = False,
    check: bool = True,
) -> Record:
    """One record of all results. Raises `capvec.Error` if a job has none, unless `partial`. A wrong answer raises
    `capvec.CheckFailed`, whose `record` has everything else, unless `check` is False.
    """
    options = {"results": results, "partial": partial, "format": "json"}
    text, failed = _with(plan, ["sweep", "merge"], options, checks=True)
    record = Record(json.loads(text))
    if failed is not None and check:
        raise CheckFailed(failed, record)
    return record
