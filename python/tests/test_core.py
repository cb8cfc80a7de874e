"""Core models."""

import pytest

import capvec


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
