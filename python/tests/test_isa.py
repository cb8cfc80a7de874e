"""The instruction table and the assembler."""

import pytest

import capvec


def test_the_table_is_complete_and_typed():
    rows = {i.name: i for i in capvec.isa.instructions()}
    aes = rows["vaesem.vv"]
    assert (aes.operands, aes.extensions, aes.data_independent) == ("vd, vs2", ("zvkned",), "always")
    assert aes.match & aes.mask == aes.match
    names = [e.name for e in capvec.isa.extensions()]
    assert names[0] == "i" and "zvknhk0p2" in names
    by_name = {e.name: e for e in capvec.isa.extensions()}
    assert by_name["zvknhk0p2"].draft == "zvknhk" and "zvkned" in by_name["zvkn"].implies


def test_text_and_words_are_inverse():
    for instruction in capvec.isa.instructions():
        if instruction.operands == "vd, vs2" and instruction.xlen is None:
            text = f"{instruction.name} v8, v16"
            isa = "rv64gcv_" + instruction.extensions[0]
            word = int.from_bytes(capvec.assemble(text, isa), "little")
            assert word & instruction.mask == instruction.match


def test_errors_say_what_is_wrong():
    with pytest.raises(capvec.Error, match="line 2: vaesem.vv needs zvkned"):
        capvec.assemble("nop\nvaesem.vv v2, v4", "rv64gcv")
    with pytest.raises(capvec.Error, match="rv64q9"):
        capvec.assemble("nop", "rv64q9")
    assert capvec.disassemble(0xFFFFFFFF) is None
    with pytest.raises(capvec.Error, match="XLEN is 32 or 64"):
        capvec.disassemble(0x13, xlen=128)
