"""Sweeps on a Ray cluster.

Ray divides the jobs and replaces workers that are lost. Nothing is sent back: results lie in a directory that all nodes share, so a job
that ran twice, or whose worker died after it, makes no difference.
"""

from __future__ import annotations

import json
import os

import ray

from capvec._native import Error
from capvec.sweep import Plan
from capvec.sweep import work as _work

#: How often Ray runs a task again whose worker died.
RETRIES = 5


@ray.remote(num_cpus=1, max_retries=RETRIES)
def _part(text: str, results: str) -> str | None:
    """Runs the jobs of a part of a plan; returns what failed."""
    try:
        _work(Plan(text), results=results, workers=1)
    except Error as e:
        return str(e)
    return None


def work(plan: Plan, *, results: str | os.PathLike[str], batch: int = 16) -> None:
    """Runs the jobs that have no result yet on the cluster of `ray.init`, by default one of this machine. `results` is a directory that
    all nodes share; `batch` is the number of jobs that a worker does in turn. Raises `capvec.Error` with the jobs that failed, when all
    others are done.
    """
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    first, *jobs = plan.text.splitlines(keepends=True)
    head = json.loads(first)

    def part(jobs: list[str]) -> str:
        return "".join([json.dumps(head | {"jobs": len(jobs)}), "\n", *jobs])

    parts = [part(jobs[i : i + batch]) for i in range(0, len(jobs), batch)]
    place = os.path.abspath(results)
    failed = [text for text in ray.get([_part.remote(part, place) for part in parts]) if text]
    if failed:
        raise Error("\n".join(failed))
