"""Harts, for teaching and tests."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from capvec import _native
from capvec.core import Core
from capvec.isa import assemble

PAGE = 4096

#: ABI names of the x registers, by number (psABI, "Register Convention").
X_NAMES = (
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6"
).split()
#: ABI names of the f registers, by number.
F_NAMES = (
    "ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7 "
    "fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11"
).split()


@dataclass(frozen=True)
class Access:
    """A memory access: address and size in bytes, and whether it stored."""

    addr: int
    size: int
    store: bool


@dataclass(frozen=True)
class Step:
    """An instruction that retired: its address, its bits, its text and its memory accesses."""

    pc: int
    word: int
    text: str
    accesses: tuple[Access, ...]


class _Registers(ABC):
    """Registers by number or name."""

    def __init__(self, hart: Hart) -> None:
        self._hart = hart

    def __len__(self) -> int:
        return 32

    @abstractmethod
    def __getitem__(self, key: SupportsIndex | str) -> Any: ...

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(32))


def _number(key: SupportsIndex | str, letter: str, names: list[str]) -> int:
    """The number of a register, which may be given by a name: `letter` and its number, or one of `names`."""
    if isinstance(key, str):
        name = "s0" if key == "fp" else key
        if name in names:
            return names.index(name)
        if key[:1] != letter or not (key[1:].isascii() and key[1:].isdecimal()):
            raise KeyError(f"there is no register {key}")
        number = int(key[1:])
    else:
        number = operator.index(key)
    if not 0 <= number < 32:
        raise IndexError(f"there are registers {letter}0 to {letter}31, not {number}")
    return number


def _unsigned(value: SupportsIndex, bits: int) -> int:
    """An integer, also one of numpy's, in two's complement."""
    number = operator.index(value)
    if not -(1 << bits - 1) <= number < 1 << bits:
        raise OverflowError(f"{number} has more than {bits} bits")
    return number % (1 << bits)


class XRegisters(_Registers):
    """The x registers, by number or ABI name, as unsigned numbers of XLEN bits. Negative numbers are stored in two's
    complement; x0 stays zero."""

    def __getitem__(self, key: SupportsIndex | str) -> int:
        return self._hart.get_x(_number(key, "x", X_NAMES))

    def __setitem__(self, key: SupportsIndex | str, value: SupportsIndex) -> None:
        self._hart.set_x(_number(key, "x", X_NAMES), _unsigned(value, self._hart.xlen))


class FRegisters(_Registers):
    """The f registers, by number or ABI name: their 64 bits as unsigned numbers (single precision is NaN-boxed)."""

    def __getitem__(self, key: SupportsIndex | str) -> int:
        return self._hart.get_f(_number(key, "f", F_NAMES))

    def __setitem__(self, key: SupportsIndex | str, value: SupportsIndex) -> None:
        self._hart.set_f(_number(key, "f", F_NAMES), _unsigned(value, 64))


class VRegisters(_Registers):
    """The vector registers by number: arrays of VLEN/8 bytes, which are copies. What is assigned is converted to bytes, and
    may fill several registers, or the first bytes of one."""

    def __getitem__(self, key: SupportsIndex | str) -> npt.NDArray[np.uint8]:
        return self._hart.vector(_number(key, "v", []), np.uint8)

    def __setitem__(self, key: SupportsIndex | str, value: npt.ArrayLike | bytes) -> None:
        if not isinstance(value, bytes | bytearray | memoryview):
            array = np.asarray(value)
            # The bytes of other types are addresses in Python's memory, or text in an encoding that nobody chose.
            if array.dtype.kind not in "biufcV":
                raise TypeError(
                    f"a vector register takes bytes or an array of numbers, not of {array.dtype.name}"
                )
            value = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        self._hart.set_v(_number(key, "v", []), bytes(value))


class Hart(_native.Hart):
    """A hart without an operating system, with zeroed registers.

    `core` is a `Core` or a name; its model counts the cycles of `run`, and its ISA and VLEN hold where `isa` and `vlen` are not
    given. `isa` can be given without its name: ``Hart("rv64gcv_zvkned")``. `agnostic` is what becomes of agnostic elements:
    "undisturbed" or "ones". `seed` is that of the entropy source (Zkr). Only the thread that made a hart can use it;
    on others, its methods raise `capvec.Error`.

    Examples:
        >>> hart = Hart("rv64gcv", vlen=256)
        >>> hart.v[2] = np.arange(8, dtype=np.uint32)
        >>> hart.load("vsetivli t0, 8, e32, m1, ta, ma; vadd.vv v1, v2, v2; ebreak")
        65536
        >>> hart.run()
        'ebreak'
        >>> hart.vector(1, np.uint32).tolist()
        [0, 2, 4, 6, 8, 10, 12, 14]
    """

    #: Where `load` puts code by default.
    CODE = 0x1_0000

    def __new__(
        cls,
        isa: str | None = None,
        *,
        core: Core | str = "ideal",
        vlen: int | None = None,
        agnostic: str = "undisturbed",
        seed: int = 0,
    ) -> Hart:
        core = core if isinstance(core, Core) else Core(core)
        return super().__new__(cls, core, isa, vlen, agnostic, seed)

    @property
    def x(self) -> XRegisters:
        """The x registers."""
        return XRegisters(self)

    @property
    def f(self) -> FRegisters:
        """The f registers."""
        return FRegisters(self)

    @property
    def v(self) -> VRegisters:
        """The vector registers."""
        return VRegisters(self)

    def vector(self, number: int, dtype: npt.DTypeLike = np.uint8, registers: int = 1) -> npt.NDArray[Any]:
        """The elements of a group of vector registers, from register `number` on; a copy."""
        little = np.dtype(dtype).newbyteorder("<")
        return np.frombuffer(self.get_v(_number(number, "v", []), registers), little).astype(dtype)

    @property
    def isa(self) -> str:
        """The hart's ISA string, with everything that its extensions imply."""
        names = self.extensions
        single = "".join(n for n in names if len(n) == 1)
        return f"rv{self.xlen}{single}" + "".join(f"_{n}" for n in names if len(n) > 1)

    def load(self, code: str | bytes, at: int = CODE) -> int:
        """Assembles lines, or takes code, writes it to address `at`, and sets pc to it. Memory that is not mapped there is
        mapped, readable and executable. Returns the address.
        """
        if isinstance(code, str):
            code = assemble(code, self.isa, at)
        first, last = at // PAGE, (at + max(len(code), 1) - 1) // PAGE
        for page in range(first, last + 1):
            if not self.is_mapped(page * PAGE):
                self.map(page * PAGE, PAGE, "rx")
        self.write(at, code)
        self.pc = at
        return at

    def step(self) -> Step:  # type: ignore[override]
        """Executes one instruction, without the core's model: it takes one cycle. Raises `capvec.Trap` if it traps."""
        step = super().step()
        return Step(step["pc"], step["word"], step["text"], tuple(Access(*a) for a in step["accesses"]))

    def run(self, limit: int | None = None) -> str:
        """Runs with the core's model until an `ebreak` ("ebreak" is returned, and pc is its address), an `ecall` ("ecall"), or
        until about `limit` instructions have retired, at the end of a block ("limit"). Other traps raise `capvec.Trap`.
        Python's other threads run meanwhile, and Ctrl-C stops it.
        """
        return self.run_until((1 << 64) - 1 if limit is None else limit)

    def __repr__(self) -> str:
        return f"<Hart rv{self.xlen}, VLEN {self.vlen}, pc {self.pc:#x}, {self.instret} retired>"
