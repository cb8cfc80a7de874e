"""Rewrites wheels so that they do not depend on the directory in which they were built: the bill of materials that maturin adds names it.

place_independent.py DIRECTORY WHEEL…
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path


def record(names: dict[str, bytes], own: str) -> bytes:
    """RECORD of a wheel with these files: the digest and the size of each, but for RECORD itself."""
    lines = []
    for name, data in names.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},,\n" if name == own else f"{name},sha256={digest},{len(data)}\n")
    return "".join(lines).encode()


def rewrite(wheel: Path, directory: bytes) -> None:
    with zipfile.ZipFile(wheel) as archive:
        infos = archive.infolist()
        files = {info.filename: archive.read(info) for info in infos}
    for name in files:
        if name.endswith(".cyclonedx.json"):
            files[name] = files[name].replace(directory, b"/capvec")
    own = next(name for name in files if name.endswith(".dist-info/RECORD"))
    files[own] = record(files, own)
    partial = wheel.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w") as archive:
        for info in infos:
            # With its time and its mode.
            archive.writestr(info, files[info.filename], zipfile.ZIP_DEFLATED, 9)
    partial.replace(wheel)


if __name__ == "__main__":
    for name in sys.argv[2:]:
        rewrite(Path(name), sys.argv[1].encode())
