"""Harts."""

import faulthandler
import gc
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import capvec

LOOP = "li t0, {n}; again: addi t0, t0, -1; bnez t0, again; ebreak"


def test_registers_by_number_and_name():
    hart = capvec.Hart("rv64gc")
    hart.x["a0"] = -1
    hart.x[11] = 5
    hart.x[0] = 7
    assert (hart.x["x10"], hart.x["a1"], hart.x["zero"]) == (2**64 - 1, 5, 0)
    assert list(hart.x)[10:12] == [2**64 - 1, 5]
    hart.f["fa0"] = 1
    assert hart.f[10] == 1
    for key, error in [
        ("q1", KeyError),
        ("x-1", KeyError),
        (32, IndexError),
        ("x32", IndexError),
        ("x999", IndexError),
    ]:
        with pytest.raises(error, match="there (is no|are) register"):
            hart.x[key]
    with pytest.raises(IndexError, match="registers v0 to v31, not 999"):
        hart.vector(999)
    with pytest.raises(KeyError, match="no register fp"):
        hart.f["fp"]
    hart.x["fp"] = 9
    assert hart.x["s0"] == 9
    for registers in (hart.x, hart.f):
        with pytest.raises(OverflowError, match="has more than 64 bits"):
            registers[1] = 2**70


def test_registers_take_the_integers_of_numpy_and_no_objects():
    hart = capvec.Hart("rv64gcv")
    hart.x[np.uint8(1)] = np.uint64(2**64 - 1)
    hart.x[2] = np.int8(-1)
    hart.f[3] = np.int64(-1)
    assert hart.x[1] == hart.x[2] == hart.f[3] == 2**64 - 1
    for value in ([object()], "text", None):
        with pytest.raises(TypeError, match="bytes or an array of numbers, not of"):
            hart.v[1] = value
    assert not hart.v[1].any()


def test_the_interface_is_described():
    """The stub's names are those at run time."""
    hart = capvec.Hart("rv64gc")
    hart.map(addr=0x20000, size=0x1000, perm="rw")
    hart.write(addr=0x20000, data=b"abc")
    assert hart.read(addr=0x20000, size=3) == b"abc"
    for name in ("pc", "xlen", "vlen", "instret", "cycles", "csr", "map", "read", "write"):
        assert getattr(capvec.Hart, name).__doc__, name


def test_rv32():
    hart = capvec.Hart("rv32gc")
    hart.load("li a0, -2; srli a1, a0, 1; ebreak")
    assert hart.run() == "ebreak"
    assert (hart.x["a0"], hart.x["a1"]) == (2**32 - 2, 2**31 - 1)


def test_aes_round_equals_the_standard():
    """FIPS 197, appendix B: the input of round 1, its round key, and the start of round 2."""
    hart = capvec.Hart("rv64gcv_zvkned", vlen=128)
    hart.v[2] = bytes.fromhex("193de3bea0f4e22b9ac68d2ae9f84808")
    hart.v[4] = bytes.fromhex("a0fafe1788542cb123a339392a6c7605")
    hart.load("vsetivli zero, 4, e32, m1, ta, ma; vaesem.vv v2, v4; ebreak")
    hart.run()
    assert hart.v[2].tobytes().hex() == "a49c7ff2689f352b6b5bea43026a5049"


@pytest.mark.parametrize("vlen", [128, 256, 1024])
@pytest.mark.parametrize("agnostic", ["undisturbed", "ones"])
def test_vectors_equal_numpy(vlen, agnostic):
    seed = 1
    rng = np.random.default_rng(seed)
    hart = capvec.Hart("rv64gcv", vlen=vlen, agnostic=agnostic)
    lanes = vlen // 16
    a, b = (rng.integers(0, 2**32, lanes, dtype=np.uint32) for _ in range(2))
    hart.v[8], hart.v[10] = a, b
    hart.v[12] = np.zeros(lanes, np.uint32)
    hart.load(f"li t1, {lanes - 1}; vsetvli t0, t1, e32, m2, ta, ma; vmul.vv v12, v8, v10; ebreak")
    assert hart.run() == "ebreak" and hart.x["t0"] == lanes - 1 == hart.csr("vl")
    got = hart.vector(12, np.uint32, registers=2)
    assert (got[:-1] == (a * b)[:-1]).all()
    assert got[-1] == (0 if agnostic == "undisturbed" else 2**32 - 1)


def test_memory_and_traps():
    hart = capvec.Hart("rv64gc")
    hart.map(0x20000, 0x1000, "rw")
    hart.write(0x20010, b"\x01\x02\x03\x04")
    hart.load("lui t0, 0x20; lw a0, 16(t0); sw a0, 20(t0); lw a1, 0(zero)")
    steps = [hart.step() for _ in range(3)]
    assert steps[1].text == "lw a0, 16(t0)"
    assert steps[1].accesses == (capvec.Access(0x20010, 4, False),)
    assert steps[2].accesses == (capvec.Access(0x20014, 4, True),)
    assert hart.read(0x20014, 4) == b"\x01\x02\x03\x04"
    with pytest.raises(capvec.Trap) as trap:
        hart.step()
    assert (trap.value.cause, trap.value.code, trap.value.tval) == ("LoadPage", 13, 0)
    assert trap.value.pc == hart.pc == 0x1000C and hart.instret == 3
    with pytest.raises(capvec.Error, match="0x90000 is not mapped"):
        hart.read(0x90000, 1)
    for bad in [(0x1001, 4096, "r"), (0, 100, "r"), (0, 4096, "q"), (2**63, 4096, "r")]:
        with pytest.raises(capvec.Error):
            hart.map(*bad)


def test_an_instruction_that_the_hart_lacks_says_what_it_needs():
    hart = capvec.Hart("rv64gcv")
    hart.load(capvec.assemble("vaesem.vv v2, v4", "rv64gcv_zvkned"))
    with pytest.raises(capvec.Trap, match="vaesem.vv needs zvkned") as trap:
        hart.run()
    assert trap.value.reason == "vaesem.vv needs zvkned"


def test_code_that_changes_is_executed_as_it_is():
    hart = capvec.Hart("rv64gc")
    for value in (1, 2, 3):
        hart.load(f"li a0, {value}; ebreak")
        hart.run()
        assert hart.x["a0"] == value


def test_the_model_of_a_core_counts_cycles():
    program = LOOP.format(n=1000)
    counts = {}
    for name in ("ideal", "karu64"):
        hart = capvec.Hart(core=name)
        hart.load(program)
        hart.run()
        counts[name] = (hart.instret, hart.cycles)
    assert counts["ideal"] == (2001, 2001)
    assert counts["karu64"][0] == 2001 and counts["karu64"][1] > 2001


def test_a_limit_ends_a_run():
    hart = capvec.Hart("rv64gc")
    hart.load(LOOP.format(n=2**40))
    assert hart.run(limit=1000) == "limit"
    assert 1000 <= hart.instret < 1100


def test_other_threads_run_meanwhile_and_ctrl_c_stops_it():
    hart = capvec.Hart("rv64gc")
    hart.load(LOOP.format(n=2**62))
    seen = []

    def interrupt():
        seen.append("this thread runs although the hart does")
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.05, interrupt)
    # A job that a shell runs in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        hart.run()
    timer.join()
    signal.signal(signal.SIGINT, before)
    assert seen and hart.instret > 0


def test_ctrl_c_stops_code_whose_instructions_take_long():
    """Scalar code, then vector instructions of a millisecond each: what counts is time, not instructions."""
    hart = capvec.Hart("rv64gcv", vlen=65536)
    hart.map(0x20000, 0x1000, "rw")
    hart.load(
        "li t0, 100000; again: addi t0, t0, -1; bnez t0, again; lui a0, 0x20; li t1, -1; "
        "vsetvli t1, t1, e8, m8, ta, ma; long: vlse8.v v8, (a0), zero; j long"
    )
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        hart.run(limit=230_000)
    signal.signal(signal.SIGINT, before)
    # A run that checks for signals too seldom is interrupted when it is over.
    assert 200_000 < hart.instret < 230_000


@pytest.mark.parametrize("core", ["ideal", "karu64", "spacemit-x100"])
def test_figures_do_not_depend_on_how_a_run_is_divided(core):
    """A run is divided by time, so it never is in the same places twice."""
    program = (
        "lui a0, 0x20; li s1, 3000; outer: andi t2, s1, 7; again: addi t2, t2, -1; sd t2, 8(a0); ld t3, 8(a0); "
        "bgez t2, again; vsetivli zero, 16, e8, m2, ta, ma; vlse8.v v8, (a0), zero; vadd.vv v2, v8, v2; "
        "addi s1, s1, -1; bnez s1, outer; ebreak"
    )
    seen = set()
    for limit in (None, 1, 2, 7, 100, 1000, 4096):
        hart = capvec.Hart("rv64gcv", core=core)
        hart.map(0x20000, 0x1000, "rw")
        hart.load(program)
        while hart.run(limit) == "limit":
            pass
        seen.add((hart.instret, hart.cycles, hart.x["t2"], hart.v[2].tobytes()))
    assert len(seen) == 1


def test_a_hart_belongs_to_its_thread(capfd):
    """Also while it runs, and what other threads drop is no error."""
    with ThreadPoolExecutor(1) as pool:
        hart = pool.submit(capvec.Hart, "rv64gc").result()
        calls = [
            repr,
            lambda h: h.pc,
            lambda h: setattr(h, "pc", 4),
            lambda h: h.x[1],
            lambda h: h.load("ebreak"),
            lambda h: h.map(0, 4096, "r"),
            capvec.Hart.step,
            capvec.Hart.run,
        ]
        for call in calls:
            with pytest.raises(capvec.Error, match="another thread made this hart.*make a hart in each"):
                call(hart)
        pool.submit(hart.load, LOOP.format(n=2**62)).result()
        running = pool.submit(hart.run, 200_000_000)
        while not running.done():
            with pytest.raises(capvec.Error, match="another thread made this hart"):
                hart.instret  # noqa: B018
        assert running.result() == "limit"
        del hart, running
        gc.collect()
        assert pool.submit(lambda: capvec.Hart("rv64gc").instret).result() == 0
    assert capfd.readouterr().err == ""


def test_what_other_threads_dropped_is_freed_by_its_own():
    """A hart takes address space, of which there are not enough for all of these."""
    with ThreadPoolExecutor(1) as pool:
        sizes = set()
        for _ in range(20):
            pool.submit(capvec.Hart, "rv64gc").result()
            sizes.add(int(Path("/proc/self/statm").read_text().split()[0]) >> 20)
    assert len(sizes) < 5


def test_handlers_of_signals_can_use_the_hart():
    hart = capvec.Hart("rv64gc")
    hart.load(LOOP.format(n=2**62))
    before = signal.signal(signal.SIGALRM, lambda *_: hart.load("ebreak"))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    assert hart.run() == "ebreak"
    signal.signal(signal.SIGALRM, before)


def test_wrong_arguments():
    for arguments in [{"vlen": 100}, {"vlen": 64}, {"agnostic": "both"}, {"core": "karu65"}]:
        with pytest.raises(capvec.Error):
            capvec.Hart("rv64gcv", **arguments)
    with pytest.raises(capvec.Error, match="256 to 65536"):
        capvec.Hart("rv64gcv_zvl256b", vlen=128)
    hart = capvec.Hart("rv64gcv", vlen=128)
    with pytest.raises(IndexError):
        hart.v[31] = bytes(17)
    with pytest.raises(capvec.Error, match="no CSR nope"):
        hart.csr("nope")


@pytest.mark.parametrize(
    ("use", "argument"),
    [
        (lambda h: h.run(limit=-1), "limit=-1: "),
        (lambda h: h.run(limit=2**64), "limit=18446744073709551616: "),
        (lambda h: h.read(-1, 1), "addr=-1: "),
        (lambda h: h.read(0, -1), "size=-1: "),
        (lambda h: h.write(2**64, b""), "addr=.*: "),
        (lambda h: h.map(0, -4096, "r"), "size=-4096: "),
        (lambda h: h.is_mapped(-1), "addr=-1: "),
        (lambda h: h.load("nop", at=-4096), "at=-4096: "),
        (lambda h: setattr(h, "pc", -1), "pc=-1: "),
        (lambda h: h.vector(0, registers=256), "registers=256: "),
        (lambda h: capvec.Hart("rv64gc", seed=-1), "seed=-1: "),
        (lambda h: capvec.Hart("rv64gc", vlen=2**40), "VLEN is a power .* not 1099511627776$"),
        (lambda h: capvec.Hart("rv64gc", vlen=-1), "vlen=-1: "),
        (lambda h: capvec.disassemble(2**32), "word=4294967296: .* to 2\\*\\*32 - 1"),
        (lambda h: capvec.disassemble(1, xlen=1000), "XLEN is 32 or 64, not 1000"),
        (lambda h: capvec.disassemble(1, xlen=256 + 64), "XLEN is 32 or 64, not 320"),
    ],
)
def test_numbers_that_are_too_large_or_negative_are_named(use, argument):
    with pytest.raises(capvec.Error, match=f"^{argument}"):
        use(capvec.Hart("rv64gcv"))


def test_csrs_by_name_and_number():
    hart = capvec.Hart("rv64gcv", vlen=512)
    for name in ("vlenb", "0xc22", "0xC22", "3106", 0xC22, np.uint16(0xC22)):
        assert hart.csr(name) == 64
    for name in ("0x1c22", 65536 + 0xC22, -1, "0x", ""):
        with pytest.raises(capvec.Error, match=f"no CSR {name} that can be read"):
            hart.csr(name)


def test_a_core_without_a_vector_unit_has_no_hart_with_vectors():
    """Its model could not count their cycles."""
    with pytest.raises(capvec.Error, match="has no vector unit"):
        capvec.Hart("rv64gcv", core="sifive-u74")


def test_faults_of_translated_code_are_the_guests_whatever_handlers_python_has():
    was_enabled = faulthandler.is_enabled()
    hart = capvec.Hart("rv64gc")
    hart.map(0x20000, 0x1000, "r")
    try:
        for _ in range(3):
            # A handler that was installed after the engine.
            faulthandler.disable()
            faulthandler.enable()
            hart.load("lui a0, 0x20; again: lw t1, 0(a0); addi a0, a0, 64; j again")
            with pytest.raises(capvec.Trap) as trap:
                hart.run()
            assert (trap.value.cause, trap.value.tval) == ("LoadPage", 0x21000)
            assert hart.x["a0"] == 0x21000
    finally:
        if not was_enabled:
            faulthandler.disable()
