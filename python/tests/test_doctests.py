"""The examples in docstrings, and the code of docs/python.md."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import capvec

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
MODULES = [capvec.__name__] + [f"capvec.{m.name}" for m in pkgutil.iter_modules(capvec.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    if name != "capvec._native":
        assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_page_runs(tmp_path, monkeypatch):
    """All its code in order, as a reader would paste it, except the shell's lines and the example that has to fail."""
    pytest.importorskip("altair")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"(?:^    .*\n|^\n)+", PAGE.read_text(), re.MULTILINE)
    code = [re.sub("^    ", "", b, flags=re.MULTILINE) for b in blocks if b.strip()]
    code = [b for b in code if not b.strip().startswith(("make", ">>>"))]
    assert len(code) >= 5
    names = {}
    for block in code:
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "report.html").exists() and names["run"].status == 0
    assert names["hart"].vector(2).any()
