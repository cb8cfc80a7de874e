"""Measurements: `capvec bench`, `capvec kat` and `capvec explore`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from capvec.command import CheckFailed, cores, flags, output
from capvec.core import Core
from capvec.record import Record

#: Flags of the command with which it prints no record.
_NO_RECORD = ("help", "list", "setup_only")


def _measured(words: list[str], core: Any, options: dict[str, Any], progress: bool, check: bool) -> Record:
    """The record that the command prints if it is run with these words and options."""
    for name in _NO_RECORD:
        if options.get(name):
            flag = name.replace("_", "-")
            raise TypeError(f"{name}: `capvec {words[0]} --{flag}` makes no record; run it in a shell")
    words = [*words, *cores(core), *flags({**options, "format": "json", "quiet": not progress})]
    text, failed = output(words, progress=progress, checks=True)
    record = Record(json.loads(text))
    if failed is not None and check:
        raise CheckFailed(failed, record)
    return record


def bench(
    *,
    cases: str | Iterable[str] | None = None,
    caps: str | Iterable[str] | None = None,
    core: Core | str | Iterable[Core | str] | None = None,
    vlen: int | Iterable[int] | None = None,
    bytes: int | Iterable[int] | None = None,
    subject: str | Iterable[str] | None = None,
    progress: bool = False,
    check: bool = True,
    **options: Any,
) -> Record:
    """Measures a library on capability sets, and checks its answers. Without arguments: the published cases of stock OpenSSL on
    the core karu64.

    Other flags of `capvec bench` are keyword arguments: ``target="native"``, ``explain=True``, ``kat="all"``. With `progress`,
    messages are shown on standard error. A wrong answer raises `CheckFailed`, whose `record` has everything else, unless
    `check` is False.

    Examples:
        >>> record = bench(cases="sha256", caps=["scalar", "full"], bytes=1024)  # doctest: +SKIP
        >>> [round(row["speedup"], 1) for row in record.rows]  # doctest: +SKIP
        [1.0, 7.7]
    """
    named = {"cases": cases, "caps": caps, "vlen": vlen, "bytes": bytes, "subject": subject}
    return _measured(["bench"], core, {**named, **options}, progress, check)


def kat(
    *,
    algorithms: str | Iterable[str] | None = None,
    caps: str | Iterable[str] | None = None,
    core: Core | str | Iterable[Core | str] | None = None,
    vlen: int | Iterable[int] | None = None,
    subject: str | None = None,
    progress: bool = False,
    check: bool = True,
    **options: Any,
) -> Record:
    """Checks a library's answers against test vectors, on capability sets. Other flags of `capvec kat` are keyword arguments.
    A wrong answer raises `CheckFailed`, unless `check` is False.
    """
    named = {"algorithms": algorithms, "caps": caps, "vlen": vlen, "subject": subject}
    return _measured(["kat"], core, {**named, **options}, progress, check)


def explore(
    with_: str | Iterable[str],
    *,
    cases: str | Iterable[str],
    core: Core | str | None = None,
    progress: bool = False,
    check: bool = True,
    **options: Any,
) -> Record:
    """What extensions would buy, proposed ones included: `cases` with and without each of `with_`. Other flags of `capvec
    explore` are keyword arguments.

    Examples:
        >>> explore("zvknhk0p2", cases="sha3", core="karu64", vlen=256)  # doctest: +SKIP
    """
    return _measured(["explore"], core, {"with_": with_, "cases": cases, **options}, progress, check)
