#!/bin/sh
# sbatch --array=1-64 slurm.sh: each task of the array does its share of the jobs, and finished jobs are never run again, so a
# failed task is simply submitted once more. The plan and the results lie on a file system that all nodes share.
#SBATCH --job-name=capvec-sweep
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -eu
: "${SLURM_ARRAY_TASK_COUNT:?submit it as an array: sbatch --array=1-64 slurm.sh}"
share=$((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-1} + 1))/$SLURM_ARRAY_TASK_COUNT
exec "${CAPVEC:-capvec}" sweep work "${PLAN:-jobs}" --results "${RESULTS:-results}" \
    --share "$share" --workers "${SLURM_CPUS_PER_TASK:-1}" --quiet
