#!/bin/sh
# sbatch --array=1-64 slurm.sh: each task of the array does its share of the jobs, and finished jobs are never run again, so the
# whole array can simply be submitted once more. To submit only some of its tasks again, give the number of tasks that it had:
# SHARES=64 sbatch --array=3,7 slurm.sh. The plan and the results lie on a file system that all nodes share.
#SBATCH --job-name=capvec-sweep
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -eu
: "${SLURM_ARRAY_TASK_COUNT:?submit it as an array: sbatch --array=1-64 slurm.sh}"
# The tasks of an array with gaps are not numbered one after the other, so some shares would be done twice and others not at all.
if [ -z "${SHARES:-}" ] && [ $((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1)) -ne "$SLURM_ARRAY_TASK_COUNT" ]; then
    echo 'slurm.sh: this array has gaps; say how many tasks the whole array has: SHARES=64 sbatch --array=3,7 slurm.sh' >&2
    exit 2
fi
shares=${SHARES:-$SLURM_ARRAY_TASK_COUNT}
# Numbers that follow each other have different remainders, whether they begin with 0 or 1.
share=$((SLURM_ARRAY_TASK_ID % shares + 1))/$shares
exec "${CAPVEC:-capvec}" sweep work "${PLAN:-jobs}" --results "${RESULTS:-results}" \
    --share "$share" --workers "${SLURM_CPUS_PER_TASK:-1}" --quiet
