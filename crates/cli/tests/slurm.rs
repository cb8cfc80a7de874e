//! The script of examples/sweep for Slurm, without Slurm: what it does with the variables that Slurm sets.

use std::path::Path;
use std::process::Command;

/// The share that a task of a Slurm array takes, or the status with which it ends and why.
fn slurm_share(shares: &str, [min, max, count]: [u32; 3], id: u32) -> Result<String, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sweep/slurm.sh");
    let output = Command::new("sh")
        .arg(script)
        .env("CAPVEC", "echo")
        .env("SHARES", shares)
        .env("SLURM_ARRAY_TASK_ID", id.to_string())
        .env("SLURM_ARRAY_TASK_MIN", min.to_string())
        .env("SLURM_ARRAY_TASK_MAX", max.to_string())
        .env("SLURM_ARRAY_TASK_COUNT", count.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let share = text.split_whitespace().skip_while(|word| *word != "--share").nth(1);
    share.map(String::from).ok_or(String::from_utf8(output.stderr).unwrap())
}

/// A task that is submitted again by itself takes the share that it had in the whole array.
#[test]
fn tasks_of_a_slurm_array_take_each_share_once_also_when_some_are_submitted_again() {
    for first in [0, 1, 5] {
        let mut shares: Vec<String> = (first..first + 4)
            .map(|id| slurm_share("", [first, first + 3, 4], id).unwrap())
            .collect();
        for (id, share) in (first..).zip(&shares) {
            assert_eq!(slurm_share("4", [id, id, 1], id).as_ref(), Ok(share));
            assert_eq!(slurm_share("4", [0, 9, 2], id).as_ref(), Ok(share));
        }
        shares.sort_unstable();
        assert_eq!(shares, ["1/4", "2/4", "3/4", "4/4"]);
    }
    for gaps in [[3, 7, 2], [0, 6, 4]] {
        let error = slurm_share("", gaps, gaps[0]).unwrap_err();
        assert!(error.contains("SHARES=64 sbatch --array=3,7 slurm.sh"), "{error}");
    }
}
