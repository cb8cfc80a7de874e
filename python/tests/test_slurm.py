"""The array job of examples/sweep on a real Slurm of one node. Needs Debian's packages slurmctld, slurmd and munge, and root."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

import capvec
import capvec.sweep

SCRIPT = Path(__file__).parents[2] / "examples" / "sweep" / "slurm.sh"
AXES = {"core": ["ideal", "karu64"], "vlen": [128, 256], "caps": ["scalar", "zvkb_zvknhb"], "cases": ["sha256", "sha512"]}
COMMON = {"bytes": 64, "kat": "none"}
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
# Seconds that the cluster may take to start, and a job to end.
PATIENCE = 60

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not all(shutil.which(program) for program in NEEDED),
    reason="needs root, and Debian's slurmctld, slurmd and munge",
)

CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd.log
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def until(condition, what):
    """Waits for a condition."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.2)


@pytest.fixture
def slurm(tmp_path_factory):
    """A cluster of one node, which ends with the test: a function that runs its commands."""
    directory = tmp_path_factory.mktemp("slurm")
    for name in ("state", "spool"):
        (directory / name).mkdir()
    (directory / "munge.key").write_bytes(os.urandom(1024))
    (directory / "munge.key").chmod(0o400)
    host = socket.gethostname().split(".")[0]
    configuration = directory / "slurm.conf"
    processors = os.cpu_count()
    configuration.write_text(
        CONFIGURATION.format(dir=directory, host=host, ports=free_ports(2), processors=processors)
    )
    environment = {**os.environ, "SLURM_CONF": str(configuration), "CAPVEC": capvec.command()}
    munge = ["--socket=munge.socket", "--key-file=munge.key", "--pid-file=munge.pid", "--seed-file=munge.seed"]
    daemons = [
        ["munged", "--foreground", "--force", *munge, "--log-file=munge.log"],
        ["slurmctld", "-D", "-f", configuration],
        ["slurmd", "-D", "-f", configuration, "-N", host],
    ]
    running = []

    def run(*command, cwd=None):
        return subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True, text=True).stdout

    def is_idle():
        found = subprocess.run(["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True, text=True)
        return found.stdout.strip() == "idle"

    try:
        for daemon in daemons:
            with (directory / f"{daemon[0]}.out").open("w") as out:
                running.append(subprocess.Popen(daemon, cwd=directory, env=environment, stdout=out, stderr=out))
            time.sleep(0.5)
        until(is_idle, "Slurm does not start: see " + str(directory))
        yield run
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(PATIENCE)


def test_an_array_job_is_resubmitted_after_a_task_was_lost(slurm, tmp_path):
    plan = capvec.sweep.plan(AXES, common=COMMON)
    plan.save(tmp_path / "jobs")

    def is_done():
        return not slurm("squeue", "-h").strip()

    def submit(array, *flags):
        # A node of the test may have fewer processors than the script asks for.
        command = ["sbatch", "--parsable", f"--array={array}", "--cpus-per-task=1", *flags, str(SCRIPT)]
        return slurm(*command, cwd=tmp_path).strip()

    job = submit("1-4", "--hold")
    slurm("scancel", f"{job}_2")
    slurm("scontrol", "release", job)
    until(is_done, "the array does not end")
    with pytest.raises(capvec.Error, match="have no result"):
        capvec.sweep.merge(plan, results=tmp_path / "results")
    # Only the task that was lost.
    submit("2", "--export=ALL,SHARES=4")
    until(is_done, "the array does not end when it is submitted again")
    record = capvec.sweep.merge(plan, results=tmp_path / "results")
    capvec.sweep.work(plan, results=tmp_path / "here")
    alone = capvec.sweep.merge(plan, results=tmp_path / "here")
    assert len(record) == len(alone) == 16
    assert record.data == alone.data
