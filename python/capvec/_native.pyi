"""The native part, made by PyO3. `capvec` has what is for users."""

from typing import Any

from typing_extensions import Self

__version__: str

class Error(Exception):
    """Something that capvec cannot do, with the reason and the remedy."""

class Trap(Error):
    """An instruction trapped: `cause` (name), `code` (as in mcause), `tval`, `pc` and, for an illegal instruction, `reason`."""

    cause: str
    code: int
    tval: int
    pc: int
    reason: str | None

class Core:
    def __new__(cls, name: str, settings: list[tuple[str, str]] = ...) -> Self: ...
    @property
    def name(self) -> str:
        """The name of the core."""
    @property
    def label(self) -> str:
        """Its name in tables and records: the name, and the settings if there are any."""
    @property
    def title(self) -> str:
        """What the core is, in a few words."""
    @property
    def isa(self) -> str:
        """Its ISA string."""
    @property
    def vlen(self) -> int:
        """Bits of a vector register."""
    @property
    def frequency(self) -> int:
        """Clock frequency in hertz."""
    @property
    def model(self) -> str:
        """How it counts cycles: `in-order`, `out-of-order`, or `ideal` for one cycle per instruction."""
    @property
    def digest(self) -> str:
        """SHA-256 of its parameters, in hexadecimal."""
    @property
    def origin(self) -> tuple[str, list[tuple[str, str]]]: ...
    def parameter_list(self) -> list[tuple[str, str, str]]: ...

class Hart:
    pc: int
    def __new__(
        cls,
        core: Core,
        isa: str | None = ...,
        vlen: int | None = ...,
        agnostic: str = ...,
        seed: int = ...,
    ) -> Self: ...
    @property
    def xlen(self) -> int:
        """Bits of an x register: 32 or 64."""
    @property
    def vlen(self) -> int:
        """Bits of a vector register."""
    @property
    def extensions(self) -> list[str]:
        """The names of its extensions."""
    @property
    def instret(self) -> int:
        """The number of instructions that have retired."""
    @property
    def cycles(self) -> int:
        """Clock cycles since the hart was made: those of the core's model in `run`, and one for each `step`."""
    def get_x(self, number: int) -> int: ...
    def set_x(self, number: int, value: int) -> None: ...
    def get_f(self, number: int) -> int: ...
    def set_f(self, number: int, value: int) -> None: ...
    def get_v(self, number: int, count: int) -> bytes: ...
    def set_v(self, number: int, value: bytes) -> None: ...
    def csr(self, name: str | int) -> int:
        """The value of a CSR, by name or number (an integer, or text such as "0xc22"), as code of the hart's mode sees it."""
    def map(self, addr: int, size: int, perm: str) -> None:
        """Maps zeroed memory; whole pages of 4096 bytes."""
    def is_mapped(self, addr: int) -> bool:
        """Whether the page with this address is mapped."""
    def read(self, addr: int, size: int) -> bytes:
        """The `size` bytes at address `addr`, whatever the permissions of the memory are."""
    def write(self, addr: int, data: bytes) -> None:
        """Writes the bytes `data` to address `addr`, whatever the permissions of the memory are; changes of code take effect at once."""
    def step(self) -> dict[str, Any]: ...
    def run_until(self, limit: int) -> str: ...

def core_names() -> list[str]:
    """The names of the shipped cores."""
def assemble(text: str, isa: str, at: int = ...) -> bytes: ...
def disassemble(word: int, xlen: int = ..., pc: int = ...) -> str | None: ...
def instructions() -> list[dict[str, Any]]: ...
def extensions() -> list[dict[str, Any]]: ...
