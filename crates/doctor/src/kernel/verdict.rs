//! The verdict on each of a kernel's implementations: a function of its files.

use super::release::Release;
use super::system::{Driver, System};
use super::table::{Build, Implementation, Remarks, Table, remarks, table};
use anyhow::Result;
use capvec_record::doctor::{Kernel, KernelFinding};

pub const USED: &str = "used";
pub const BUILT: &str = "built";
pub const NOT_LOADED: &str = "not loaded";
pub const NOT_CHOSEN: &str = "not chosen";
pub const BLOCKED: &str = "blocked";
pub const NOT_BUILT: &str = "not built";
pub const NO_CODE: &str = "no such code";
pub const LACKING: &str = "extension lacking";
pub const NO_ALGORITHM: &str = "no such algorithm";

/// What is found about a kernel.
pub fn judge(s: &System) -> Result<Kernel> {
    let (table, remarks) = (table(s.arch)?, remarks()?);
    let findings = table.implementation.iter().map(|i| one(s, &table, &remarks, i)).collect();
    Ok(Kernel {
        release: s.shown.clone(),
        architecture: s.arch.name().into(),
        config: s.config_file.clone(),
        remarks: words(s, &remarks).map(|(word, what)| format!("{word}: {what}")).collect(),
        findings,
    })
}

/// Words of the command line that take acceleration away, and what they do.
fn words<'a>(s: &'a System, remarks: &'a Remarks) -> impl Iterator<Item = (&'a str, &'a str)> {
    let words = s.cmdline.iter().flat_map(|c| c.split_whitespace());
    words.filter_map(|word| {
        let is = |known: &str| word == known || known.ends_with('=') && word.starts_with(known);
        remarks.cmdline.iter().find(|w| is(&w.word)).map(|w| (word, w.what.as_str()))
    })
}

/// The option that builds this code in this kernel: one that is set, or else the newest that its release has.
fn option<'a>(s: &System, table: &'a Table, i: &Implementation) -> Option<&'a Build> {
    let builds =
        || i.built.iter().rev().filter_map(|o| table.build.iter().find(|b| b.option == *o));
    let set = builds().find(|b| s.has(&b.option));
    set.or_else(|| builds().find(|b| b.rule(&s.release).is_some()))
}

/// A verdict with its reason.
struct Judged {
    verdict: &'static str,
    why: String,
    remedy: Option<String>,
}

impl Judged {
    fn fine(verdict: &'static str, why: String) -> Judged {
        Judged { verdict, why, remedy: None }
    }
}

fn one(s: &System, table: &Table, remarks: &Remarks, i: &Implementation) -> KernelFinding {
    let build = option(s, table, i);
    let Judged { verdict, why, remedy } = verdict(s, table, remarks, i, build);
    KernelFinding {
        algorithm: i.algorithm.clone(),
        extensions: i.extensions.clone(),
        option: build.map(|b| format!("CONFIG_{}", b.option)).unwrap_or_default(),
        value: build.and_then(|b| s.value(&b.option)).unwrap_or("n").into(),
        driver: best(s, i).map(|d| d.driver.clone()),
        verdict: verdict.into(),
        slower: [NOT_CHOSEN, BLOCKED, NOT_BUILT, NO_CODE].contains(&verdict),
        why,
        remedy,
    }
}

/// The driver that the kernel uses for the first of the algorithm's names that it knows.
fn best<'a>(s: &'a System, i: &Implementation) -> Option<&'a Driver> {
    let all = s.drivers.as_deref()?;
    i.names.iter().find_map(|n| all.iter().filter(|d| d.name == *n).max_by_key(|d| d.priority))
}

fn verdict(
    s: &System,
    table: &Table,
    remarks: &Remarks,
    i: &Implementation,
    build: Option<&Build>,
) -> Judged {
    if !i.portable.iter().any(|o| s.has(o)) && !build.is_some_and(|b| s.has(&b.option)) {
        let options = i.portable.join(", ");
        let why = format!("none of {options} is set, so this kernel does not compute it at all");
        return Judged::fine(NO_ALGORITHM, why);
    }
    if let Some(lacking) = lacking(s, i) {
        return Judged::fine(LACKING, lacking);
    }
    let Some(build) = build else {
        let since =
            i.built.iter().find_map(|o| table.build.iter().find(|b| b.option == *o)?.since());
        return no_code(s, since);
    };
    if !s.has(&build.option) {
        return not_built(s, remarks, build);
    }
    let option = &build.option;
    let Some(module) = &build.module else {
        return match s.shows {
            Some(_) => Judged::fine(USED, format!("{option}: the library chooses it at boot")),
            None => Judged::fine(
                BUILT,
                format!(
                    "{option}: chosen at boot if the processor has {}",
                    i.extensions.join(", ")
                ),
            ),
        };
    };
    driver_verdict(s, remarks, i, option, module)
}

/// The verdict on code that is a driver of the crypto API.
fn driver_verdict(
    s: &System,
    remarks: &Remarks,
    i: &Implementation,
    option: &str,
    module: &str,
) -> Judged {
    let ours = |d: &Driver| i.drivers.iter().any(|part| d.driver.contains(part.as_str()));
    let is_module = s.value(option) == Some("m");
    let how = if is_module { format!("module {module}") } else { "built in".into() };
    let Some(all) = &s.drivers else {
        return Judged::fine(BUILT, format!("{option}: {how}"));
    };
    match best(s, i) {
        Some(d) if ours(d) => {
            return Judged::fine(
                USED,
                format!("{} has the highest priority, {}", d.driver, d.priority),
            );
        }
        Some(d) if all.iter().any(|other| other.name == d.name && ours(other)) => {
            return Judged {
                verdict: NOT_CHOSEN,
                why: format!("{} has a higher priority, {}", d.driver, d.priority),
                remedy: Some(match &d.module {
                    Some(other) => format!(
                        "remove the module {other}, or have programs request the accelerated driver by name"
                    ),
                    None => format!(
                        "have programs request the accelerated driver by name: {} is built in, and the kernel chooses by priority",
                        d.driver
                    ),
                }),
            };
        }
        _ => {}
    }
    if is_module && let Some(word) = blocks(s, remarks, module) {
        let remedy = Some(format!("remove {word} from the kernel's command line"));
        return Judged {
            verdict: BLOCKED,
            why: format!("{word} keeps {module} from being loaded"),
            remedy,
        };
    }
    let loaded = s.modules.as_ref().is_some_and(|m| m.contains(&module.replace('-', "_")));
    if is_module && !loaded {
        let why =
            format!("module {module}; the kernel loads it when a program asks for the algorithm");
        return Judged {
            verdict: NOT_LOADED,
            why,
            remedy: Some(format!("to have it at once: modprobe {module}")),
        };
    }
    Judged::fine(BUILT, format!("{how}, but without a driver in /proc/crypto so far"))
}

/// The word of the command line that keeps a module from being loaded.
fn blocks<'a>(s: &'a System, remarks: &'a Remarks, module: &str) -> Option<&'a str> {
    let module = module.replace('-', "_");
    let listed = |word: &&str| {
        let list = word
            .strip_prefix("module_blacklist=")
            .or_else(|| word.strip_prefix("modprobe.blacklist="));
        list.is_some_and(|l| l.split(',').any(|m| m.replace('-', "_") == module))
    };
    let all = words(s, remarks).find(|(word, _)| *word == "nomodule").map(|(word, _)| word);
    all.or_else(|| s.cmdline.as_deref()?.split_whitespace().find(listed))
}

/// What the processor lacks, if that is known.
fn lacking(s: &System, i: &Implementation) -> Option<String> {
    let known = s.shows.as_ref().or(s.device_tree.as_ref())?;
    let lacking: Vec<&str> =
        i.extensions.iter().map(String::as_str).filter(|e| !known.contains(*e)).collect();
    if lacking.is_empty() {
        return None;
    }
    let names = lacking.join(", ");
    let named =
        |tree: &std::collections::BTreeSet<String>| lacking.iter().all(|e| tree.contains(*e));
    Some(match &s.device_tree {
        Some(tree) if named(tree) => {
            format!("the device tree names {names}, but the kernel does not: it may be too old")
        }
        Some(_) if s.shows.is_none() => {
            format!("the device tree does not name {names} for every hart")
        }
        Some(_) => format!("neither the kernel nor the device tree names {names} for every hart"),
        None => format!("/proc/cpuinfo does not show {names}"),
    })
}

fn no_code(s: &System, since: Option<&Release>) -> Judged {
    let since = since.map_or(String::new(), |r| format!("; such code is known from Linux {r} on"));
    Judged {
        verdict: NO_CODE,
        why: format!("capvec knows no accelerated code for it in Linux {}{since}", s.release),
        remedy: Some("boot a newer kernel".into()),
    }
}

/// Why an option is not set: what it needs and lacks, or only that nobody set it.
fn not_built(s: &System, remarks: &Remarks, build: &Build) -> Judged {
    let option = &build.option;
    let rule = build.rule(&s.release);
    let needs = rule.map_or(&[][..], |r| &r.needs);
    let unmet: Vec<&String> = needs.iter().filter(|n| !s.has(n)).collect();
    let Some(first) = unmet.first() else {
        return Judged {
            verdict: NOT_BUILT,
            why: format!("{option} is not set; what it needs is there"),
            remedy: Some(format!("build the kernel with CONFIG_{option}")),
        };
    };
    let names: Vec<&str> = unmet.iter().map(|n| n.as_str()).collect();
    let since = rule.filter(|r| build.since() != Some(&r.since));
    let since = since.map_or(String::new(), |r| format!("since Linux {}, ", r.since));
    let are = if names.len() == 1 { "is" } else { "are" };
    let why = format!("{since}{option} needs {}, which {are} not set", names.join(" and "));
    let remark = remarks.option.iter().find(|r| r.name == **first);
    let also = remark.map_or(&[][..], |r| &r.also).iter().map(String::as_str);
    let wanted: Vec<String> = also.chain(names).map(|n| format!("CONFIG_{n}")).collect();
    let only = remark.map_or(String::new(), |r| format!(", {}", r.only));
    Judged {
        verdict: NOT_BUILT,
        why,
        remedy: Some(format!("build the kernel with {}{only}", wanted.join(" and "))),
    }
}
