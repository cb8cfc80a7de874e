//! The vectors that `capvec bench` checks, read once for all targets and jobs.

use super::args::{Args, Kat};
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_bench::case::Case;
use capvec_bench::sweep::Gate;
use capvec_guest::LibraryKind;
use capvec_kat::VectorGate;
use capvec_text::escape;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A gate, with everything that it depends on.
struct Read {
    depth: Kat,
    vectors: Option<PathBuf>,
    kind: LibraryKind,
    cases: Vec<String>,
    gate: Option<Arc<dyn Gate>>,
}

/// The gates that were read.
static READ: Mutex<Vec<Read>> = Mutex::new(Vec::new());

/// The gate that these flags ask for, for these cases of a library of this kind. A gate is read once: a command may have a thousand
/// cores.
pub fn of(args: &Args, cases: &[Case], kind: LibraryKind) -> Result<Option<Arc<dyn Gate>>> {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let cases_read: Vec<String> = cases.iter().map(|c| format!("{c:?}")).collect();
    let same = |r: &&Read| {
        (r.depth, &r.vectors, r.kind, &r.cases) == (args.kat, &args.vectors, kind, &cases_read)
    };
    if let Some(read) = read.iter().find(same) {
        return Ok(read.gate.clone());
    }
    let gate = gate(args, cases, kind)?;
    let (depth, vectors) = (args.kat, args.vectors.clone());
    read.push(Read { depth, vectors, kind, cases: cases_read, gate: gate.clone() });
    Ok(gate)
}

fn gate(args: &Args, cases: &[Case], kind: LibraryKind) -> Result<Option<Arc<dyn Gate>>> {
    Ok(match args.kat {
        Kat::None if args.vectors.is_some() => {
            return Err(Usage(
                "--vectors has no effect with --kat none; leave out one of them".into(),
            )
            .into());
        }
        Kat::None => None,
        depth => {
            let all = depth == Kat::All;
            let gate = VectorGate::of(cases, all, args.vectors.as_deref(), kind).map_err(usage)?;
            if let Some(dir) = &args.vectors {
                for case in gate.unchecked().into_iter().filter_map(|i| cases.get(i)) {
                    say!(
                        "warning: --vectors {}: there are no vectors for {}, so its figures rest on the case's own answers",
                        escape::path(dir),
                        case.id
                    );
                }
            }
            Some(Arc::new(gate))
        }
    })
}
