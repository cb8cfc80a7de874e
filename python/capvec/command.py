"""The command `capvec`, which comes with the package.

Guest programs run in a process of their own: it confines itself to what the guest needs (seccomp), which Python would not
survive, and it can be stopped at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import shutil
import subprocess
import sys
import sysconfig
import termios
import threading
import tty
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from capvec._native import Error
from capvec.core import Core

#: Names the command, instead of the one that comes with the package.
VARIABLE = "CAPVEC_COMMAND"
#: Flags that the command takes once for each value, since a value may have commas of its own; the others take all values at once.
REPEATED = ("bind", "isa-file", "set", "with")

#: What moves the cursor of a terminal, or colours its text.
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class CheckFailed(Error):
    """A check failed: a wrong answer, or a figure beyond its limit. `record` is what was measured all the same, if anything."""

    def __init__(self, message: str, record: Any = None) -> None:
        super().__init__(message)
        self.record = record


def command() -> str:
    """The path of the command. Raises `capvec.Error` if there is none."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    name = "capvec"
    users = sysconfig.get_preferred_scheme("user")
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=users),
        os.path.dirname(sys.executable),
    ]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    found = shutil.which(name)
    if found is None:
        raise Error(f"the command {name} is missing; reinstall the package, or name it in {VARIABLE}")
    return found


def flags(options: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as flags: `fail_over="2%"` is `--fail-over 2%`; lists are joined by commas, or repeat a flag of
    `REPEATED`; True is a flag without a value; None and False are none."""
    words: list[str] = []
    for name, value in options.items():
        plain = name.strip("_").replace("_", "-")
        flag = "--" + plain
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Iterable) and not isinstance(value, str | bytes | os.PathLike):
            each = [str(one) for one in value]
            for text in each if plain in REPEATED else [",".join(each)]:
                words += [flag, text]
        else:
            words += [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return words


def cores(core: Core | str | Iterable[Core | str] | None) -> list[str]:
    """The flags of one core or several. Cores with different parameters cannot be in one command."""
    if core is None:
        return []
    if isinstance(core, Core):
        return core.flags()
    if isinstance(core, str):
        return ["--core", core]
    each = [c if isinstance(c, Core) else Core(c) for c in core]
    settings = {tuple(c.origin[1]) for c in each}
    if len(settings) > 1:
        raise Error("cores with different parameters cannot be measured in one call; call once for each")
    common = [part for key, value in next(iter(settings), ()) for part in ("--set", f"{key}={value}")]
    return ["--core", ",".join(c.origin[0] for c in each), *common]


def message(printed: bytes) -> str:
    """What the command said on standard error, without its name before each line, and without progress: the names of steps, which end
    in dots, and bars, which are drawn over each other."""
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1] for line in printed.decode(errors="replace").split("\n")]
    plain = [_ESCAPE.sub("", line).removeprefix("capvec: ") for line in lines]
    return "\n".join(line for line in plain if not line.endswith(" ...")).strip()


def _channel() -> tuple[int, int]:
    """The two ends of what carries the command's standard error: a terminal if Python's is one, since bars are drawn only there."""
    if not os.isatty(2):
        return os.pipe()
    ours, its = pty.openpty()
    # Neither adds to the text; and bars are as wide as the window.
    tty.setraw(its)
    fcntl.ioctl(its, termios.TIOCSWINSZ, fcntl.ioctl(2, termios.TIOCGWINSZ, bytes(8)))
    return ours, its


def _show(end: int, printed: bytearray) -> None:
    """Shows what arrives on standard error, and keeps it."""
    with contextlib.suppress(OSError):  # A terminal that nobody writes to any more is an error on Linux.
        while text := os.read(end, 65536):
            printed += text
            with contextlib.suppress(OSError):
                os.write(2, text)
    os.close(end)


def _run_shown(words: list[str]) -> tuple[int, bytes, bytes]:
    """Runs a command and shows its standard error meanwhile. Returns its status and what it printed on standard output and error."""
    printed = bytearray()
    ours, its = _channel()
    try:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=its)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(its)
    reader = threading.Thread(target=_show, args=(ours, printed), daemon=True)
    reader.start()
    with child:
        try:
            text, _none = child.communicate()
        except BaseException:
            child.kill()
            raise
    reader.join()
    return child.returncode, text, bytes(printed)


def output(
    words: list[str],
    *,
    progress: bool = False,
    checks: bool = False,
    names: Mapping[Path, str] | None = None,
) -> tuple[str, str | None]:
    """What the command prints on standard output, and its message if a check failed, else None. With `progress`, what it prints
    on standard error is also shown at once. Raises `capvec.Error` on any other failure, and without `checks` on a failed check, too.
    `names` says what messages call temporary files, which the caller does not know.
    """
    line = [command(), *words]
    if progress:
        status, out, err = _run_shown(line)
    else:
        done = subprocess.run(line, capture_output=True, check=False)
        status, out, err = done.returncode, done.stdout, done.stderr
    said = message(err)
    for path, name in (names or {}).items():
        said = said.replace(str(path), name)
    text = out.decode()
    if status == 0:
        return text, None
    if status == 1 and checks and text:
        return text, said
    raise Error(said or f"capvec {words[0]} ended with status {status}")
