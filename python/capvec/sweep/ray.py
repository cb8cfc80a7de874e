"""Sweeps on a Ray cluster.

Ray divides the jobs and replaces workers that are lost. Nothing is sent back: results lie in a directory that all nodes share, so a job
that ran twice, or whose worker died after it, makes no difference.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import pairwise

import ray

from capvec._native import Error
from capvec.sweep import Job, Plan, on_terminal
from capvec.sweep import work as _work

#: How often Ray runs a task again whose worker died.
RETRIES = 5
#: Fewest jobs that differ only in parameters of a core for which the command replays a recording (docs/sweeps.md).
REPLAYED = 32
#: Jobs that a worker gets at least, if as many can be replayed together: recording can take as long as `REPLAYED` runs, and every
#: worker records anew.
TOGETHER = 4 * REPLAYED


@ray.remote(num_cpus=1, max_retries=RETRIES)
def _part(text: str, results: str) -> str | None:
    """Runs the jobs of a part of a plan; returns what failed."""
    try:
        _work(Plan(text), results=results, workers=1, quiet=True)
    except Error as e:
        return str(e)
    return None


def _family(job: Job) -> tuple[str, ...]:
    """The flags of a job without the parameters of its core."""
    before = ("", *job.flags)
    return tuple(flag for flag, last in zip(job.flags, before, strict=False) if "--set" not in (flag, last))


def _parts(plan: Plan, batch: int) -> list[Plan]:
    """The plan in parts of about `batch` jobs, without dividing what is replayed together into parts that are too small for it."""
    first, *lines = plan.text.splitlines(keepends=True)
    head = json.loads(first)
    families: dict[tuple[str, ...], list[str]] = {}
    for job, line in zip(plan.jobs, lines, strict=True):
        families.setdefault(_family(job), []).append(line)
    parts, others = [], []
    for family in families.values():
        if len(family) < REPLAYED:
            others += family
        else:
            count = max(1, len(family) // max(batch, TOGETHER))
            ends = [len(family) * i // count for i in range(count + 1)]
            parts += [family[start:end] for start, end in pairwise(ends)]
    parts += [others[i : i + batch] for i in range(0, len(others), batch)]
    # The first line of a plan has the number of its jobs.
    return [Plan("".join([json.dumps(head | {"jobs": len(part)}) + "\n", *part])) for part in parts]


def work(plan: Plan, *, results: str | os.PathLike[str], batch: int = 16, quiet: bool = False) -> None:
    """Runs the jobs that have no result yet on the cluster of `ray.init`, by default one of this machine. `results` is a directory that
    all nodes share; `batch` is the number of jobs that a worker does in turn; of those that differ only in parameters of the core and
    can be replayed, it gets 128 or more, if there are as many. A terminal shows how many jobs are done, unless `quiet`. Raises
    `capvec.Error` with the jobs that failed, when all others are done, and at once if `batch` is less than 1.
    """
    if batch < 1:
        raise Error(f"batch={batch}: a worker does at least 1 job in turn")
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    place = os.path.abspath(results)
    running = {_part.remote(part.text, place): len(part) for part in _parts(plan, batch)}
    done, failed = 0, []
    while running:
        (part, *_), _rest = ray.wait(list(running))
        done += running.pop(part)
        failed += [text for text in [ray.get(part)] if text]
        if on_terminal(quiet):
            print(f"\r{done}/{len(plan)} jobs", end="" if running else "\n", file=sys.stderr, flush=True)
    if failed:
        raise Error("\n".join(failed))
