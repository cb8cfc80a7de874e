"""Programs in the simulator."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from capvec._native import Error
from capvec.command import command, cores, flags, message
from capvec.core import Core


@dataclass(frozen=True)
class Run:
    """A run of a program: what it printed, and what it took on the modelled core.

    `status` is the program's exit status (128 plus the signal that ended it). `retired` are instructions, `cycles` those of the
    core model, `seconds` cycles at the core's frequency. `by_class`, `by_extension` and `by_instruction` count retired
    instructions. `profile` has the cycles of each call path, from the outermost function in, if it was requested.
    """

    program: tuple[str, ...]
    status: int
    stdout: bytes
    stderr: bytes
    core: str
    retired: int
    cycles: int
    seconds: float
    by_class: dict[str, int] = field(repr=False)
    by_extension: dict[str, int] = field(repr=False)
    by_instruction: dict[str, int] = field(repr=False)
    profile: dict[tuple[str, ...], int] | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.stdout.decode()


def _folded(text: str) -> dict[tuple[str, ...], int]:
    """Collapsed stacks: names joined by semicolons, a space, a number. Functions of one name may have lines of their own."""
    cycles: Counter[tuple[str, ...]] = Counter()
    for line in filter(None, text.splitlines()):
        stack, _, number = line.rpartition(" ")
        cycles[tuple(stack.split(";"))] += int(number)
    return dict(cycles)


def _words(program: Sequence[str | os.PathLike[str]]) -> tuple[str, ...]:
    """The program and its arguments."""
    if isinstance(program, str | bytes):
        shown = os.fsdecode(program).split()
        raise TypeError(f"program is a list of the program and its arguments, not a string; write {shown}")
    words = tuple(os.fspath(word) for word in program)
    if not words:
        raise ValueError(
            'program is empty; write a list of a program and its arguments, such as ["openssl", "version"]'
        )
    return words


def _variables(env: Mapping[str, str]) -> list[str]:
    """The flags that set the guest's environment. What no environment can hold would become another variable."""
    words: list[str] = []
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(
                f"env: {name!r}: {value!r}: a name is not empty and has no =, and neither it nor its value has a NUL"
            )
        words += ["--env", f"{name}={value}"]
    return words


def run(
    program: Sequence[str | os.PathLike[str]],
    *,
    core: Core | str | None = None,
    isa: str | None = None,
    vlen: int | None = None,
    env: Mapping[str, str] | None = None,
    bind: str | Iterable[str] = (),
    input: bytes | None = None,
    cwd: str | os.PathLike[str] | None = None,
    profile: bool = False,
    check: bool = False,
    **options: Any,
) -> Run:
    """Runs a program of the sysroot on a modelled core, and returns what it printed and what it took.

    Other flags of `capvec run` are keyword arguments: ``sysroot="dev"``, ``max_insns=10**9``, ``timeout=60``, ``bare=True``.
    `cwd` is the directory of the host that the program sees as its own. With `check`, a status other than 0 raises
    `capvec.Error`, and so does everything that capvec refuses.

    Examples:
        >>> run(["openssl", "version"]).text  # doctest: +SKIP
        'OpenSSL 3.5.9 29 Sep 2026 (Library: OpenSSL 3.5.9 29 Sep 2026)\\n'
    """
    words, variables = _words(program), _variables(env or {})
    if options.get("help"):
        raise TypeError("help: `capvec run --help` runs nothing; run it in a shell")
    with tempfile.TemporaryDirectory(prefix="capvec-") as folder:
        stats, stacks = Path(folder, "stats.json"), Path(folder, "profile.folded")
        line = [command(), "run", *cores(core), *flags({"isa": isa, "vlen": vlen, "bind": bind, **options})]
        line += [*variables, "--stats-json", str(stats)]
        if profile:
            line += ["--profile", str(stacks)]
        nothing = subprocess.DEVNULL if input is None else None
        done = subprocess.run(
            [*line, "--", *words], input=input, stdin=nothing, capture_output=True, cwd=cwd, check=False
        )
        if not stats.exists():
            raise Error(message(done.stderr) or f"capvec run ended with status {done.returncode}")
        figures = json.loads(stats.read_text(encoding="utf-8"))
        folded = _folded(stacks.read_text(encoding="utf-8")) if profile else None
    result = Run(
        program=words,
        status=done.returncode,
        stdout=done.stdout,
        stderr=done.stderr,
        core=figures["core"],
        retired=figures["retired"],
        cycles=figures["cycles"],
        seconds=figures["seconds"],
        by_class=figures.get("by_class", {}),
        by_extension=figures.get("by_extension", {}),
        by_instruction=figures.get("by_instruction", {}),
        profile=folded,
    )
    if check and result.status != 0:
        said = result.stderr.decode(errors="replace").strip()
        raise Error(f"{words[0]} ended with status {result.status}: {said}")
    return result
