//! Cases by name.

use super::{Case, Kind, all, parse};
use crate::published;
use anyhow::{Context, Result, bail};

/// Names that stand for many cases.
const GROUPS: [&str; 5] = ["all", "published", "kernels", "symmetric", "pkey"];

/// The cases of a user's own file, which must not be taken for others.
fn own(path: &str, all: &[Case]) -> Result<Vec<Case>> {
    let text = std::fs::read_to_string(path)?;
    let cases = parse(&text)?;
    for (i, c) in cases.iter().enumerate() {
        for name in [&c.id, &c.family] {
            if GROUPS.contains(&name.as_str())
                || all.iter().any(|o| o.id == *name || o.family == *name)
            {
                bail!(
                    "the name \"{name}\" is taken by a case or family of capvec's own; choose another"
                );
            }
        }
        if cases[..i].iter().any(|o| o.id == c.id) {
            bail!("two cases are named \"{}\"", c.id);
        }
    }
    Ok(cases)
}

/// The cases that `name` names: one of [`GROUPS`] (`published`: those of the published table, in its order), a family,
/// one case, or all of a file, by its path.
fn named(flag: &str, name: &str, all: &[Case]) -> Result<Vec<Case>> {
    let those = |f: &dyn Fn(&Case) -> bool| all.iter().filter(|c| f(c)).cloned().collect();
    Ok(match name {
        "all" => those(&|c| !c.on_demand),
        "symmetric" => those(&|c| c.kind != Kind::Pkey && !c.on_demand),
        "pkey" => those(&|c| c.kind == Kind::Pkey && !c.on_demand),
        "published" => {
            let rows = published::karu64()?;
            rows.iter().filter_map(|r| all.iter().find(|c| c.id == r.case)).cloned().collect()
        }
        // What a best known kernel or a bound is known for.
        "kernels" => {
            let kernels = crate::kernels::kernels()?;
            those(&|c| kernels.iter().any(|k| k.case == c.id))
        }
        path if path.ends_with(".toml") || path.contains('/') => {
            own(path, all).with_context(|| format!("{flag} {path}"))?
        }
        _ => those(&|c| c.id == name || c.family == name),
    })
}

/// The cases of these names, each once; all of them for an empty list, those on demand too.
///
/// # Errors
/// Names the flag, and what is unknown or wrong in a file.
pub fn select(names: &[String]) -> Result<Vec<Case>> {
    select_by("--cases", names)
}

/// The same where another flag has the names.
///
/// # Errors
/// As above.
pub fn select_by(flag: &str, names: &[String]) -> Result<Vec<Case>> {
    let all = all()?;
    if names.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<Case> = Vec::new();
    for name in names {
        let found = named(flag, name, &all)?;
        if found.is_empty() {
            let known: Vec<_> = all.iter().map(|c| c.id.as_str()).collect();
            bail!(
                "{flag} {name}: no such case; there are all, published, kernels, symmetric, pkey, the families and cases \
                 of `capvec bench --list`, and files of your own, ending in .toml: {}",
                known.join(", ")
            );
        }
        for case in found {
            if !chosen.iter().any(|c| c.id == case.id) {
                chosen.push(case);
            }
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_every_group_has_cases() {
        let cases = all().unwrap();
        for (i, c) in cases.iter().enumerate() {
            let same = |d: &Case| d.id == c.id || d.family == c.id;
            assert!(!cases[..i].iter().any(same) && !GROUPS.contains(&c.id.as_str()), "{}", c.id);
            assert!(c.family != c.id && !c.why.is_empty(), "{}", c.id);
        }
        let count = |name: &str| select(&[name.into()]).unwrap().len();
        assert_eq!(count("symmetric") + count("pkey"), count("all"));
        assert_eq!(count("published"), 10);
        // Minutes for one signature: only by its name or its family's.
        let ids = |name: &str| select(&[name.into()]).unwrap().into_iter().map(|c| c.id);
        assert!(!ids("all").any(|i| i == "slh-dsa-sha2-128s"));
        assert!(ids("slh-dsa").any(|i| i == "slh-dsa-sha2-128s"));
        assert_eq!(count("slh-dsa-sha2-128s"), 1);
        assert_eq!(select(&["aes".into(), "aes-128-ecb".into()]).unwrap().len(), count("aes"));
    }

    #[test]
    fn an_unknown_case_is_named() {
        let e = select(&["aes-127".into()]).unwrap_err().to_string();
        assert!(e.contains("aes-127") && e.contains("aes-128-ecb"), "{e}");
    }
}
