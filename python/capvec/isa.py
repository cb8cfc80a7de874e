"""The instruction table: every instruction and extension that capvec models, drafts included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from capvec import _native


@dataclass(frozen=True)
class Instruction:
    """An instruction of the table.

    `mask` and `match` are its fixed bits. `xlen` is None if it exists for 32 and 64. Any one of `extensions` makes it legal.
    `data_independent` is "zkt", "zvkt", "always" or None: what makes its latency independent of data. `taint` is the rule by
    which `capvec ct` follows secrets through it.
    """

    name: str
    operands: str
    mask: int
    match: int
    bytes: int
    xlen: int | None
    extensions: tuple[str, ...]
    cls: str
    data_independent: str | None
    taint: str
    source: str


@dataclass(frozen=True)
class Extension:
    """An extension; `draft` is the name without a version if it is not ratified."""

    name: str
    title: str
    implies: tuple[str, ...]
    draft: str | None


@cache
def instructions() -> tuple[Instruction, ...]:
    """Every instruction, in the table's order.

    Examples:
        >>> sorted(i.name for i in instructions() if "zvkg" in i.extensions)
        ['vghsh.vv', 'vgmul.vv']
    """

    def made(row: dict[str, Any]) -> Instruction:
        row = dict(row, cls=row["class"], extensions=tuple(row["extensions"]))
        del row["class"]
        return Instruction(**row)

    return tuple(map(made, _native.instructions()))


@cache
def extensions() -> tuple[Extension, ...]:
    """Every extension, drafts included, in canonical order."""
    rows = _native.extensions()
    return tuple(Extension(**dict(row, implies=tuple(row["implies"]))) for row in rows)


def assemble(text: str, isa: str = "rv64gcv", at: int = 0) -> bytes:
    """The code of a few lines of assembly for a hart with this ISA; the first instruction is at address `at`. Lines end with a
    newline or a semicolon; `#` starts a comment; `name:` is a label. Raises `capvec.Error`, which names the line.

    Examples:
        >>> assemble("vaesem.vv v2, v4", "rv64gcv_zvkned").hex()
        '772141a2'
    """
    return _native.assemble(text, isa, at)


def disassemble(word: int, xlen: int = 64, pc: int = 0) -> str | None:
    """The text of an instruction word of any extension; None if it is not an instruction.

    Examples:
        >>> disassemble(0xA2412177)
        'vaesem.vv v2, v4'
    """
    return _native.disassemble(word, xlen, pc)
