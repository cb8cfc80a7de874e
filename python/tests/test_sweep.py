"""Sweeps."""

import importlib.util
import json
import math
import os
import signal
import subprocess
import sys
import threading
import types
from pathlib import Path

import numpy as np
import pytest

import capvec
import capvec.sweep

EXAMPLES = Path(__file__).parents[2] / "examples" / "sweep"
AXES = {"core": ["ideal", "karu64"], "vlen": [128, 256], "caps": ["scalar", "zvkb_zvknhb"]}
COMMON = {"cases": "sha256", "bytes": 64, "kat": "none"}


@pytest.fixture(scope="module")
def plan():
    return capvec.sweep.plan(AXES, common=COMMON, exclude=[{"core": "ideal", "vlen": 128}])


def test_a_plan_of_axes_is_that_of_a_file(plan, tmp_path):
    file = tmp_path / "sweep.toml"
    axes = "".join(f"{k} = {json.dumps(v)}\n" for k, v in AXES.items())
    common = "".join(f"{k} = {json.dumps(v)}\n" for k, v in COMMON.items())
    file.write_text(f"[axes]\n{axes}[common]\n{common}[[exclude]]\ncore='ideal'\nvlen=128\n")
    assert capvec.sweep.plan(file) == plan and len(plan) == len(plan.jobs) == 6
    assert plan.jobs[0].flags[:2] == ("--core", "ideal")
    with pytest.raises(capvec.Error, match="^the sweep: axes.vlan .*did you mean vlen"):
        capvec.sweep.plan({"vlan": [128]})
    with pytest.raises(capvec.Error, match="^the plan, line 1: "):
        capvec.sweep.merge(capvec.sweep.Plan("rubbish\n"))
    dotted = capvec.sweep.plan({"vector.startup": np.array([2, 4]), "vlen": np.int64(128)})
    assert [job.flags[1] for job in dotted.jobs] == ["vector.startup=2", "vector.startup=4"]


def test_values_of_axes_are_numbers_and_strings_of_any_script(tmp_path):
    own = tmp_path / "m😀.toml"
    own.write_bytes((EXAMPLES.parents[1] / "cores" / "karu64.toml").read_bytes())
    plan = capvec.sweep.plan({"core": [str(own)]}, common=COMMON)
    assert str(own) in plan.jobs[0].flags
    for value in (math.nan, math.inf, None, b"x", np.float32("nan"), {"a": 1}):
        with pytest.raises(capvec.Error, match="^the sweep: axes.vector.startup: .* is not a value; values are"):
            capvec.sweep.plan({"vector.startup": [2, value]})


def test_files_are_utf_8_whatever_the_locale_is(tmp_path):
    code = (
        "import capvec, capvec.sweep, sys; r = capvec.Record({'rows': [], 'note': '\\u2192'}); r.save('r.json'); "
        "assert capvec.Record.read('r.json').data == r.data; capvec.sweep.Plan('\\u2192').save('p'); "
        "assert len(capvec.sweep.plan({'core': ['x\\u2192.toml']}, common={'cases': 'sha256'})) == 1"
    )
    (tmp_path / "x→.toml").write_bytes((EXAMPLES.parents[1] / "cores" / "karu64.toml").read_bytes())
    environment = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert "→" in (tmp_path / "r.json").read_text(encoding="utf-8")


def test_work_and_merge(plan, tmp_path):
    (tmp_path / "none").mkdir()
    with pytest.raises(capvec.Error, match="no job has a result|have no result"):
        capvec.sweep.merge(plan, results=tmp_path / "none", partial=True)
    capvec.sweep.work(plan, results=tmp_path / "r", share="1/2")
    assert len(capvec.sweep.merge(plan, results=tmp_path / "r", partial=True)) == 3
    capvec.sweep.work(plan, results=tmp_path / "r")
    assert len(capvec.sweep.merge(plan, results=tmp_path / "r")) == 6


@pytest.fixture
def script(tmp_path, monkeypatch):
    """A function that puts a shell script in the place of the command."""

    def place(text):
        file = tmp_path / "command"
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
        monkeypatch.setenv("CAPVEC_COMMAND", str(file))

    return place


def test_a_wrong_answer_in_a_sweep_raises_and_the_record_is_kept(plan, script):
    script("""echo '{"rows": []}'; echo 'capvec: sha256: wrong answer' >&2; exit 1""")
    with pytest.raises(capvec.CheckFailed, match="^sha256: wrong answer$") as failed:
        capvec.sweep.merge(plan)
    assert failed.value.record.data == capvec.sweep.merge(plan, check=False).data == {"rows": []}


def test_progress_is_shown_on_a_terminal(plan, script, tmp_path, monkeypatch):
    script(f'echo "$@" > {tmp_path}/given')
    for terminal, quiet, silent in [(True, False, False), (True, True, True), (False, False, True)]:
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        capvec.sweep.work(plan, quiet=quiet)
        assert ("--quiet" in (tmp_path / "given").read_text()) == silent


def test_the_script_for_slurm_does_a_share_for_each_task(plan, tmp_path):
    """As sbatch would call it: with the variables of an array's tasks."""
    plan.save(tmp_path / "jobs")
    for task in (10, 11):
        variables = {
            "SLURM_ARRAY_TASK_ID": str(task),
            "SLURM_ARRAY_TASK_MIN": "10",
            "SLURM_ARRAY_TASK_MAX": "11",
            "SLURM_ARRAY_TASK_COUNT": "2",
            "CAPVEC": capvec.command(),
        }
        subprocess.run([EXAMPLES / "slurm.sh"], cwd=tmp_path, env={**os.environ, **variables}, check=True)
    assert len(capvec.sweep.merge(plan, results=tmp_path / "results")) == 6


def test_ray_keeps_jobs_together_that_are_replayed(monkeypatch):
    pytest.importorskip("ray")
    from capvec.sweep import ray as cluster

    monkeypatch.setattr(cluster, "TOGETHER", cluster.REPLAYED)
    axes = {"dcache.miss": range(65), "caps": ["scalar", "full"]}
    plan = capvec.sweep.plan(axes, common=COMMON)
    parts = cluster._parts(plan, batch=16)
    assert [len(part) for part in parts] == [32, 33, 32, 33]
    assert all(len({cluster._family(job) for job in part.jobs}) == 1 for part in parts)
    assert {job for part in parts for job in part.jobs} == set(plan.jobs)
    few = capvec.sweep.plan({**axes, "dcache.miss": range(10)}, common=COMMON)
    assert [len(part) for part in cluster._parts(few, batch=16)] == [16, 4]


def test_a_worker_of_ray_gets_at_least_one_job(plan, tmp_path, monkeypatch):
    """This needs no Ray: what is imported stands in for it."""
    monkeypatch.setitem(sys.modules, "ray", types.SimpleNamespace(remote=lambda **_: lambda f: f))
    spec = importlib.util.spec_from_file_location("cluster", Path(capvec.sweep.__path__[0], "ray.py"))
    cluster = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cluster)
    for batch in (0, -1):
        with pytest.raises(capvec.Error, match=f"^batch={batch}: a worker does at least 1 job"):
            cluster.work(plan, results=tmp_path, batch=batch)
    assert sum(map(len, cluster._parts(plan, 1))) == len(plan)


def test_ray_survives_the_loss_of_workers(plan, tmp_path):
    ray = pytest.importorskip("ray")
    from capvec.sweep import ray as cluster

    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        stop = threading.Event()

        def kill():
            """Kills what runs jobs, again and again, while they run."""
            for _ in range(4):
                if stop.wait(1.5):
                    return
                running = f"sweep work .*{tmp_path}"
                found = subprocess.run(["pgrep", "-f", running], capture_output=True, text=True)
                for pid in found.stdout.split():
                    parent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
                    for victim in (int(parent), int(pid)):
                        try:
                            os.kill(victim, signal.SIGKILL)
                        except ProcessLookupError:
                            pass

        killer = threading.Thread(target=kill)
        killer.start()
        cluster.work(plan, results=tmp_path / "ray", batch=1)
        stop.set()
        killer.join()
    finally:
        ray.shutdown()
    capvec.sweep.work(plan, results=tmp_path / "alone")
    one, other = (capvec.sweep.merge(plan, results=tmp_path / name) for name in ("ray", "alone"))
    one.data.pop("command"), other.data.pop("command")
    assert one.data == other.data

