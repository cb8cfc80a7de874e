"""capvec: measures, verifies and explores cryptographic acceleration on processors.

Examples:
    >>> import capvec
    >>> capvec.Core("karu64").replace(vlen=512).vlen
    512
    >>> hart = capvec.Hart("rv64gc")
    >>> hart.load("li a0, 6; li a1, 7; mul a0, a0, a1; ebreak")
    65536
    >>> hart.run()
    'ebreak'
    >>> hart.x["a0"]
    42

Figures are those of the command ``capvec``, which comes with the package: same figures, same messages.
"""

from capvec import isa
from capvec._native import Error, Trap, __version__, core_names
from capvec.command import CheckFailed, command
from capvec.core import Core, Parameter
from capvec.hart import Access, Hart, Step
from capvec.isa import assemble, disassemble
from capvec.measure import bench, explore, kat
from capvec.record import Record
from capvec.run import Run, run

__all__ = [
    "Access",
    "CheckFailed",
    "Core",
    "Error",
    "Hart",
    "Parameter",
    "Record",
    "Run",
    "Step",
    "Trap",
    "__version__",
    "assemble",
    "bench",
    "command",
    "core_names",
    "disassemble",
    "explore",
    "isa",
    "kat",
    "run",
]
