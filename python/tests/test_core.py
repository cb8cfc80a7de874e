"""Core models."""

import copy
import multiprocessing
import pickle
from pathlib import Path

import pytest

import capvec

FILES = Path(__file__).parents[2] / "cores"


def test_parameters_have_sources():
    core = capvec.Core("karu64")
    assert "karu64" in capvec.core_names() and core.vlen == 256 and core.model == "in-order"
    p = core.parameters["core.frequency"]
    assert (p.value, p.source) == (core.frequency, "published table")
    assert core.parameters["scalar.mul"].value == {"latency": 4, "occupancy": 4}


def test_replace_makes_another_core():
    core = capvec.Core("karu64")
    other = core.replace({"vector.startup": 2}, vlen=512)
    assert (core.vlen, other.vlen) == (256, 512)
    assert core != other and core == capvec.Core("karu64") == other.replace({"vector.startup": 7.5}, vlen=256)
    assert len({core, capvec.Core("karu64"), other}) == 2
    assert other.flags() == ["--core", "karu64", "--set", "vector.startup=2", "--set", "vlen=512"]
    assert "modified" in repr(other)


def test_errors_have_the_messages_of_the_command():
    with pytest.raises(capvec.Error, match="did you mean karu64"):
        capvec.Core("karu46")
    with pytest.raises(capvec.Error, match="did you mean vector.startup"):
        capvec.Core("karu64").replace({"vector.starup": 1})
    with pytest.raises(capvec.Error, match="power of two"):
        capvec.Core("karu64").replace(vlen=200)


def test_cores_can_be_copied_and_sent_to_other_processes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (FILES / "karu64.toml").read_text(encoding="utf-8").replace('name = "karu64"', 'name = "mine"', 1)
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    named, own = capvec.Core("karu64"), capvec.Core("mine.toml")
    cores = [core for c in (named, own) for core in (c, c.replace({"vector.startup": 2}, vlen=512))]
    pickled = [pickle.dumps(core) for core in cores]
    monkeypatch.chdir("/")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        sent = pool.map(capvec.Core.flags, cores[:2]) + pool.map(str, cores[:2])
    assert sent == [core.flags() for core in cores[:2]] + [repr(core) for core in cores[:2]]
    for core, data in zip(cores, pickled, strict=True):
        for other in (copy.copy(core), copy.deepcopy(core), pickle.loads(data)):
            assert other == core and (other.label, other.vlen) == (core.label, core.vlen)
    (tmp_path / "mine.toml").write_text(text.replace("75_000_000", "80_000_000"), encoding="utf-8")
    with pytest.raises(capvec.Error, match="mine.toml is no longer the core that was pickled"):
        pickle.loads(pickled[2])
