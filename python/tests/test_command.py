"""What runs the command: programs, measurements, records."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

import capvec
from capvec.command import flags


@pytest.fixture(scope="module")
def record():
    return capvec.bench(cases="sha256", caps=["scalar", "zvkb_zvknhb"], bytes=[64, 1024], core="karu64")


def test_flags():
    given = {"a_b": [1, 2], "c": True, "d": None, "e": False, "with_": "x", "f": 0}
    assert flags(given) == ["--a-b", "1,2", "--c", "--with", "x", "--f", "0"]
    repeated = {"set": ["a=1,2", "b=3"], "isa_file": ["x.toml"], "bind": (), "with_": "y"}
    assert flags(repeated) == ["--set", "a=1,2", "--set", "b=3", "--isa-file", "x.toml", "--with", "y"]


def test_run_counts_what_the_command_counts():
    run = capvec.run(["openssl", "version"], core="ideal")
    assert run.status == 0 and re.match(r"OpenSSL 3\.\d+\.\d+ ", run.text)
    words = ["run", "--core", "ideal", "--stats", "--", "openssl", "version"]
    printed = subprocess.run([capvec.command(), *words], capture_output=True, text=True).stderr
    assert f"{run.retired:_}" in printed and f"{run.cycles:_}" in printed
    assert run.retired == sum(run.by_class.values()) == sum(run.by_instruction.values())
    assert run.by_instruction["addi"] > 0 and run.profile is None


def test_run_with_input_environment_and_profile():
    command = ["openssl", "dgst", "-sha256", "-r"]
    env = {"OPENSSL_riscvcap": "rv64gc"}
    run = capvec.run(command, input=b"abc", profile=True, env=env, core="ideal", check=True)
    assert "vsha2cl.vv" not in run.by_instruction
    assert run.text.split()[0] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sum(run.profile.values()) == run.cycles
    assert any("sha256" in name for stack in run.profile for name in stack)


def test_a_program_that_fails_is_told_from_a_run_that_fails():
    failed = capvec.run(["openssl", "nosuch"])
    assert failed.status == 1 and b"Invalid command" in failed.stderr
    with pytest.raises(capvec.Error, match="openssl ended with status 1: Invalid command"):
        capvec.run(["openssl", "nosuch"], check=True)
    with pytest.raises(capvec.Error, match="nosuchprogram"):
        capvec.run(["nosuchprogram"])
    with pytest.raises(capvec.Error, match="--isa rv64q9"):
        capvec.run(["openssl"], isa="rv64q9")
    with pytest.raises(capvec.Error, match="unexpected argument '--nosuch'"):
        capvec.run(["openssl"], nosuch=1)
    assert capvec.run(["openssl", "speed", "sha256"], max_insns=10**7).status == 124


def test_arguments_that_cannot_be_meant_are_refused():
    with pytest.raises(TypeError, match=r"program is a list .* write \['openssl', 'version'\]"):
        capvec.run("openssl version")
    with pytest.raises(ValueError, match="program is empty"):
        capvec.run([])
    for env in ({"A=B": "c"}, {"": "c"}, {"A\0": "c"}, {"A": "\0"}):
        with pytest.raises(ValueError, match="env: "):
            capvec.run(["openssl"], env=env)
    for option in ("list", "setup_only", "help"):
        with pytest.raises(
            TypeError, match=f"{option}: `capvec bench --.* makes no record; run it in a shell"
        ):
            capvec.bench(**{option: True})
    with pytest.raises(TypeError, match="help: `capvec run --help` runs nothing; run it in a shell"):
        capvec.run(["openssl"], help=True)
    with pytest.raises(TypeError, match="cases"):
        capvec.explore("zvknhk0p2")


def test_bench_returns_the_record_of_the_command(record):
    assert len(record) == 4 and {r["answers"] for r in record.rows} == {"pass"}
    assert record.data["cores"][0]["name"] == "karu64"
    again = capvec.bench(cases="sha256", caps="scalar", bytes=1024, core=capvec.Core("karu64"))
    same = [r for r in record.rows if (r["bytes"], r["capset"]) == (1024, "scalar")]
    assert again.rows[0]["cycles_per_op"] == same[0]["cycles_per_op"]
    assert "karu64" in repr(record)


def test_records_are_saved_read_compared_and_reported(record, tmp_path):
    record.save(tmp_path / "record.json")
    read = capvec.Record.read(tmp_path)
    assert read.data == record.data
    assert record.compare(read) == []
    worse = capvec.Record(json.loads(json.dumps(record.data)))
    worse.rows[0]["cycles_per_op"] *= 2
    with pytest.raises(capvec.CheckFailed):
        record.compare(worse, fail_over="2%", check=True)
    changes = record.compare(worse)[0]["changes"]
    assert [c["change"] for c in changes if c["figure"] == "cycles"] == [1.0]
    page = record.report(tmp_path / "page.html", title="A title")
    assert "A title" in page.read_text()
    with pytest.raises(capvec.Error, match="^path='-': .* standard output; name a file"):
        record.report("-")


def test_a_record_of_many_cores_counts_them(record):
    for count, shown in [(4, "c0, c1, c2, c3"), (1000, "c0, c1, c2, 997 others")]:
        rows = [{"core": f"c{i}", "capset": "full"} for i in range(count)]
        assert repr(capvec.Record({"rows": rows})) == f"<Record: {count} rows; {shown}; full>"


def test_errors_name_what_the_caller_gave(record, tmp_path):
    file = tmp_path / "record.json"
    for text in ('{"rows": [', "[]"):
        file.write_text(text)
        with pytest.raises(capvec.Error, match=f"{file} is not a record"):
            capvec.Record.read(tmp_path)
    with pytest.raises(capvec.Error, match="^the record: "):
        capvec.Record({"rows": 1}).report(tmp_path / "page.html")
    with pytest.raises(capvec.Error, match="^the new record: it has no rows"):
        record.compare(capvec.Record({}))


def test_rows_become_frames(record):
    pandas = pytest.importorskip("pandas")
    frame = record.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["cycles_per_op"].dtype == float
    with pytest.raises(capvec.Error, match="section='rows': the record has no such list; it has points$"):
        capvec.Record({"points": [], "tool": ""}).to_pandas()
    polars = pytest.importorskip("polars")
    assert isinstance(record.to_polars(), polars.DataFrame) and record.to_polars().height == 4


def test_parameters_that_were_set_have_the_columns_of_the_csv():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    wanted = ["--cases", "sha256", "--caps", "scalar,full", "--bytes", "64", "--kat", "none"]
    values = ["vector.startup=2,7.5,9", "vector.datapath=128,vlen"]
    words = [*wanted, *(word for value in values for word in ("--set", value)), "--format", "csv", "--quiet"]
    csv = subprocess.run([capvec.command(), "bench", *words], capture_output=True, check=True).stdout
    record = capvec.bench(cases="sha256", caps=["scalar", "full"], bytes=64, kat="none", set=values)
    columns = ["core", "capset", "vector.startup", "vector.datapath"]
    frame = record.to_pandas()
    assert set(pandas.read_csv(io.BytesIO(csv)).columns) == set(frame.columns)
    printed = pandas.read_csv(io.BytesIO(csv), dtype={"vector.datapath": str})[columns]
    pandas.testing.assert_frame_equal(frame[columns], printed)
    assert record.to_polars()["vector.startup"].to_list() == frame["vector.startup"].to_list()
    assert isinstance(record.to_polars(), polars.DataFrame) and frame["vector.startup"].dtype == float


def test_a_core_that_was_not_set_has_no_value_of_a_setting():
    pytest.importorskip("pandas")
    cores = [{"label": "a; l 2", "settings": [["l", "2"]]}, {"label": "a"}]
    rows = [{"core": "a; l 2"}, {"core": "a"}, {"core": "of an old record"}]
    frame = capvec.Record({"cores": cores, "rows": rows}).to_pandas()
    assert frame["l"].isna().tolist() == [False, True, True] and frame["l"][0] == 2
    assert list(capvec.Record({"rows": rows}).to_pandas().columns) == ["core"]


def test_plots(record):
    pytest.importorskip("altair")
    chart = record.plot().to_dict()
    assert chart["mark"]["type"] == "line" and len(chart["data"]["values"]) == 4
    assert "strokeDash" not in chart["encoding"]
    one = capvec.Record({"rows": [r for r in record.rows if r["bytes"] == 64]})
    assert one.plot("insns_per_byte").to_dict()["mark"]["type"] == "bar"
    for y in ("foo", "case", "ratio"):
        with pytest.raises(capvec.Error, match=f"y='{y}': no row .* they have .*cycles_per_byte"):
            record.plot(y)
    with pytest.raises(capvec.Error, match="there are none with figures"):
        capvec.Record({}).plot()


@pytest.mark.parametrize(
    ("sizes", "channels"), [([64], ["x", "xOffset"]), ([64, 1024], ["x", "color", "strokeDash"])]
)
def test_every_row_has_a_mark_of_its_own(record, sizes, channels):
    """Bars are never sums, and lines go through one direction on one hart."""
    pytest.importorskip("altair")
    rows = [r for r in record.rows if r["bytes"] in sizes]
    rows = [{**r, "direction": d, "vlen": v} for r in rows for d in ("enc", "dec") for v in (128, 256)]
    chart = capvec.Record({"rows": rows}).plot().to_dict()
    assert "dec, VLEN 256" in chart["encoding"][channels[-1]]["sort"]
    places = [tuple(row[chart["encoding"][c]["field"]] for c in channels) for row in chart["data"]["values"]]
    assert len(set(places)) == len(places) == len(rows)
    assert chart["encoding"]["y"].get("stack", "none given") == (None if len(sizes) == 1 else "none given")


def test_cores_with_different_parameters_need_calls_of_their_own():
    core = capvec.Core("karu64")
    with pytest.raises(capvec.Error, match="one call"):
        capvec.bench(core=[core, core.replace(vlen=512)])


def test_a_wrong_answer_raises_and_the_record_is_kept(tmp_path):
    head = "format = capvec-vectors 1\norigin = this test\nlicence = CC0-1.0\n\n"
    wrong = f"algorithm = sha256\nid = wrong\nin = 616263\nout = {'0' * 64}\n"
    (tmp_path / "wrong.txt").write_text(head + wrong)
    wanted = {"algorithms": "sha256", "vectors": tmp_path, "caps": "scalar", "core": "ideal"}
    with pytest.raises(capvec.CheckFailed) as failed:
        capvec.kat(**wanted)
    assert "sha256" in json.dumps(failed.value.record.data)
    assert capvec.kat(**wanted, check=False).data["packages"] == failed.value.record.data["packages"]


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_shown_and_messages_are_kept(terminal, tmp_path):
    """In a process of its own, whose standard error is a pipe or a terminal."""
    script = tmp_path / "command"
    script.write_text(
        "#!/bin/sh\nif [ -t 2 ]; then printf '\\r\\033[2K bar 1/2\\r\\033[2K bar 2/2\\r\\033[2K' >&2; fi\n"
        "echo 'capvec: fetching ...' >&2; echo \"$*\"; [ \"$2\" = x ] || echo '{}'\n"
        "echo 'capvec: sha256: wrong answer' >&2; echo 'capvec: and another' >&2; exit $CODE\n"
    )
    script.chmod(0o755)
    code = (
        "from capvec.command import Error, output\nfor checks in (True, False):\n"
        " try: print(output(['bench'], progress=True, checks=checks))\n except Error as e: print(repr(str(e)))"
    )
    ours, its = pty.openpty() if terminal else os.pipe()
    environment = {**os.environ, "CAPVEC_COMMAND": str(script), "CODE": "1"}
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=its, env=environment
    )
    os.close(its)
    text = child.communicate(timeout=60)[0].decode()
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    said = r"sha256: wrong answer\nand another"
    assert text == f"('bench\\n{{}}\\n', '{said}')\n'{said}'\n"
    assert shown.count("fetching ...") == 2 and shown.count("bar 2/2") == (2 if terminal else 0)


def test_a_refusal_has_the_message_of_the_command_also_with_progress(capfd):
    for progress in (False, True):
        with pytest.raises(capvec.Error, match="^--cases sha257: no such case .did you mean sha256"):
            capvec.bench(cases="sha257", progress=progress)
        assert ("no such case" in capfd.readouterr().err) == progress


def test_ctrl_c_ends_the_command():
    # A job that a shell runs in the background ignores the signal.
    code = "import capvec, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "capvec.run(['openssl', 'speed', '-seconds', '100000', 'sha256'])"
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(1)
    os.killpg(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in err
