//! Selecting cases by name.

use super::case_files::share_keys;
use super::{Case, Kind, all, parse};
use anyhow::{Context, Result, anyhow, bail};
use capvec_record::published;
use capvec_text::suggest;

/// Names that stand for several cases.
const GROUPS: [&str; 7] = ["all", "published", "kernels", "symmetric", "pkey", "pqc", "tls"];

/// The cases of a user's own file; their names must not clash with the built-in ones.
fn own(path: &str, all: &[Case]) -> Result<Vec<Case>> {
    let text = std::fs::read_to_string(path)?;
    let mut cases = parse(&text)?;
    share_keys(&mut cases, all)?;
    for (i, c) in cases.iter().enumerate() {
        for name in [&c.id, &c.family] {
            if GROUPS.contains(&name.as_str())
                || all.iter().any(|o| o.id == *name || o.family == *name)
            {
                bail!(
                    "the name \"{name}\" is taken by a case, family or group of capvec's own; choose another"
                );
            }
        }
        if cases[..i].iter().any(|o| o.id == c.id) {
            bail!("two cases are named \"{}\"", c.id);
        }
    }
    Ok(cases)
}

/// The cases that `name` selects: one of [`GROUPS`] (`published`: those of the published table, in its order), a
/// family, one case, or all cases of a file, by its path.
fn named(flag: &str, name: &str, all: &[Case]) -> Result<Vec<Case>> {
    let those = |f: &dyn Fn(&Case) -> bool| all.iter().filter(|c| f(c)).cloned().collect();
    let group = GROUPS.iter().find(|g| g.eq_ignore_ascii_case(name));
    Ok(match group.copied().unwrap_or(name) {
        "all" => those(&Case::is_in_groups),
        "symmetric" => those(&|c| c.kind != Kind::Pkey && c.is_in_groups()),
        "pkey" => those(&|c| c.kind == Kind::Pkey && !c.on_demand),
        "pqc" => those(&|c| c.is_post_quantum() && !c.on_demand),
        "tls" => those(&|c| c.kind == Kind::Tls),
        "published" => {
            let rows = published::speeds::KARU64.lines()?;
            rows.iter().filter_map(|r| all.iter().find(|c| c.id == r.case)).cloned().collect()
        }
        // Cases with a published kernel or an estimate.
        "kernels" => {
            let kernels = capvec_record::published::kernels::kernels()?;
            those(&|c| kernels.iter().any(|k| k.case == c.id))
        }
        _ => {
            let found: Vec<Case> = spelled(name, all).into_iter().cloned().collect();
            // Titles contain slashes too.
            let path = name.ends_with(".toml") || (found.is_empty() && name.contains('/'));
            if path { own(name, all).with_context(|| format!("{flag} {name}"))? } else { found }
        }
    })
}

/// Letters and digits of a name, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Names that contain `part`, such as a curve's name; if there are none, names that contain every piece of it, as for
/// `chacha-poly`. As many as fit in a line.
fn containing<'a>(part: &str, names: &[&'a str]) -> Vec<&'a str> {
    const SHORTEST: usize = 3;
    const MOST: usize = 4;
    let having = |parts: &[String]| -> Vec<&'a str> {
        if parts.is_empty() || parts.iter().any(|p| p.len() < SHORTEST) {
            return Vec::new();
        }
        let has_all = |name: &str| parts.iter().all(|p| plain(name).contains(p));
        names.iter().copied().filter(|n| has_all(n)).take(MOST).collect()
    };
    let whole = having(&[plain(part)]);
    let parts = part.split(|c: char| !c.is_alphanumeric()).map(plain);
    if whole.is_empty() {
        having(&parts.filter(|p| !p.is_empty()).collect::<Vec<_>>())
    } else {
        whole
    }
}

/// The cases of `all` whose id or family is `name`; if there are none, those whose id or family is `name` with other
/// capitals or separators, as in `AES_128_GCM`; else those with that title, or else with that EVP name.
pub fn spelled<'a>(name: &str, all: &'a [Case]) -> Vec<&'a Case> {
    let wanted = plain(name);
    let is = |text: &String| !wanted.is_empty() && plain(text) == wanted;
    let ways: [&dyn Fn(&Case) -> bool; 4] = [
        &|c| c.id == name || c.family == name,
        &|c| is(&c.id) || is(&c.family),
        &|c| is(&c.title),
        &|c| is(&c.algorithm),
    ];
    let found = ways.iter().map(|way| all.iter().filter(|c| way(c)).collect::<Vec<_>>());
    found.into_iter().find(|those| !those.is_empty()).unwrap_or_default()
}

/// The error for a name that is neither in `groups` nor in `all`; `what` is the kind of thing that is named, and `list`
/// says where the names are listed.
pub fn unknown(
    [flag, name]: [&str; 2],
    [what, list]: [&str; 2],
    groups: &[&str],
    all: &[Case],
) -> anyhow::Error {
    let mut families: Vec<&str> = all.iter().map(|c| c.family.as_str()).collect();
    families.dedup();
    let ids = all.iter().map(|c| c.id.as_str());
    let known: Vec<&str> =
        ids.chain(families.iter().copied()).chain(groups.iter().copied()).collect();
    let hint = match (suggest::hint(name, known.iter().copied()), containing(name, &known)) {
        (none, parts) if none.is_empty() && !parts.is_empty() => {
            format!(" (did you mean {}?)", parts.join(", "))
        }
        (hint, _) => hint,
    };
    families.sort_unstable();
    families.dedup();
    anyhow!(
        "{flag} {name}: no such {what}{hint}; {list}; groups: {}; families: {}",
        groups.join(", "),
        families.join(", ")
    )
}

/// Where names of cases are listed.
pub const LIST: &str = "`capvec bench --list` lists the names";

/// Refuses a blank name: alone, as from a variable that is not set, or next to a comma of a list.
pub fn refuse_blank(flag: &str, names: &[String], list: &str) -> Result<()> {
    let Some(blank) = names.iter().position(|n| n.trim().is_empty()) else { return Ok(()) };
    let place = match names.len() - 1 {
        0 => bail!("{flag} {:?}: it names nothing; {list}", names[0]),
        1 => ["before the comma", "after the comma"][blank],
        _ if blank == 0 => "before the first comma",
        last if blank == last => "after the last comma",
        _ => "between two commas",
    };
    bail!("{flag} {}: a name is missing {place}; add it, or remove the comma", names.join(","))
}

/// The cases with these names, without duplicates; for an empty list all cases, those on demand too.
///
/// # Errors
/// Names the flag, and what is unknown or wrong in a file.
pub fn select(names: &[String]) -> Result<Vec<Case>> {
    select_by("--cases", names)
}

/// The same where the names come from another flag.
///
/// # Errors
/// As for [`select`].
pub fn select_by(flag: &str, names: &[String]) -> Result<Vec<Case>> {
    let all = all()?;
    if names.is_empty() {
        return Ok(all);
    }
    refuse_blank(flag, names, LIST)?;
    let mut chosen: Vec<Case> = Vec::new();
    for name in names {
        let found = named(flag, name, &all)?;
        if found.is_empty() {
            let what = if flag == "--algorithms" { "algorithm" } else { "case" };
            return Err(unknown([flag, name], [what, LIST], &GROUPS, &all));
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
    use capvec_guest::LibraryKind;

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
        assert_eq!(count("pqc"), count("ml-kem") + count("ml-dsa") + count("slh-dsa") - 1);
        // A signature takes minutes: selected only by its own name or its family's.
        let ids = |name: &str| select(&[name.into()]).unwrap().into_iter().map(|c| c.id);
        assert!(!ids("all").any(|i| i == "slh-dsa-sha2-128s"));
        assert!(ids("slh-dsa").any(|i| i == "slh-dsa-sha2-128s"));
        assert_eq!(count("slh-dsa-sha2-128s"), 1);
        // Handshakes are no algorithms: selected only by name.
        assert!(!ids("all").any(|i| i.starts_with("tls13-")));
        assert_eq!((count("tls13"), count("tls")), (12, 12));
        assert_eq!(select(&["aes".into(), "aes-128-ecb".into()]).unwrap().len(), count("aes"));
    }

    #[test]
    fn a_users_post_quantum_case_is_one_of_libcapvec() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/slh-dsa-sets.toml");
        let cases = select(&[file.into()]).unwrap();
        assert_eq!(cases.len(), 9);
        assert!(cases.iter().all(|c| c.is_in(LibraryKind::Capvec)));
        let x25519 = select(&["x25519".into()]).unwrap();
        assert!(!x25519[0].is_in(LibraryKind::Capvec));
    }

    #[test]
    fn an_unknown_case_is_named() {
        let e = |name: &str| select(&[name.into()]).unwrap_err().to_string();
        let text = e("aes-127");
        assert!(text.contains("aes-127") && text.contains("--list") && text.len() < 300, "{text}");
        for (name, meant) in
            [("aes-128-gmc", "aes-128-gcm"), ("symetric", "symmetric"), ("sha265", "sha256")]
        {
            assert!(e(name).contains(&format!("did you mean {meant}?")), "{}", e(name));
        }
        // A part of the name that distinguishes some cases from others.
        assert!(e("P-256").contains("did you mean ecdsa-p256, ecdh-p256, tls13-x25519-p256-aes128gcm, tls13-x25519-p256-chacha20?"), "{}", e("P-256"));
        assert!(e("p-").contains("no such case;"), "{}", e("p-"));
        assert!(
            e("chacha-poly").contains("did you mean chacha20-poly1305?"),
            "{}",
            e("chacha-poly")
        );
        assert!(e("--").contains("no such case"));
        // A single blank name is not blamed on a comma.
        assert!(e("").contains("names nothing") && !e("").contains("comma"), "{}", e(""));
    }

    #[test]
    fn the_error_for_a_missing_name_says_at_which_comma() {
        for (list, place) in [
            ("sha256,", "--cases sha256,: a name is missing after the comma;"),
            (",sha256", "--cases ,sha256: a name is missing before the comma;"),
            (",", "--cases ,: a name is missing before the comma;"),
            ("a,b,", "missing after the last comma"),
            (",a,b", "missing before the first comma"),
            ("a, ,b", "missing between two commas"),
        ] {
            let names: Vec<String> = list.split(',').map(String::from).collect();
            let error = select(&names).unwrap_err().to_string();
            assert!(error.contains(place) && !error.contains('"'), "{list}: {error}");
        }
    }

    #[test]
    fn case_and_separators_in_names_do_not_matter() {
        let ids = |name: &str| -> Vec<String> {
            select(&[name.into()]).unwrap().into_iter().map(|c| c.id).collect()
        };
        for name in ["AES-128-GCM", "aes_128_gcm", "Aes-128-Gcm", "AES128GCM"] {
            assert_eq!(ids(name), ["aes-128-gcm"], "{name}");
        }
        assert_eq!(ids("SHA-256"), ["sha256"]);
        assert_eq!(ids("SHA"), ids("sha"));
        assert_eq!(ids("Published"), ids("published"));
        // The names that tables print.
        for case in all().unwrap() {
            assert!(ids(&case.title).contains(&case.id), "{}", case.title);
        }
    }
}
