"""The page of the reference has every name, and stubs say what the library says."""

import ast
import re
from pathlib import Path

import capvec
import capvec.sweep
from capvec import _native

HERE = Path(__file__).parents[1]
PAGE = (HERE.parent / "docs" / "site" / "python.md").read_text()


def test_the_reference_has_every_name():
    shown = set(re.findall(r"^::: capvec\.(?:\w+\.)*(\w+)$", PAGE, re.MULTILINE))
    modules = {"isa": ["assemble", "disassemble"], "sweep": capvec.sweep.__all__}
    shown |= {name for module, names in modules.items() if module in shown for name in names}
    assert [n for n in [*capvec.__all__, *capvec.sweep.__all__] if n not in shown and n != "__version__"] == []


def test_docstrings_of_stubs_are_those_of_the_library():
    stubs = ast.parse((HERE / "capvec" / "_native.pyi").read_text())
    checked = 0
    for top in stubs.body:
        if not isinstance(top, (ast.ClassDef, ast.FunctionDef)):
            continue
        native = getattr(_native, top.name)
        inner = [n for n in getattr(top, "body", []) if isinstance(n, ast.FunctionDef)]
        for node, real in [(top, native)] + [(n, getattr(native, n.name)) for n in inner]:
            text = ast.get_docstring(node)
            if text is not None:
                assert text == real.__doc__, node.name
                checked += 1
    assert checked > 15
