//! Joins the records of several libraries or cores on one target.

use crate::Record;

impl Record {
    /// Adds what was measured for another library or core on the same target.
    pub fn join(&mut self, more: Record) {
        // A library lacks the same cases on every core.
        let kept = self.not_offered.clone();
        self.rows.extend(more.rows);
        self.configurations.extend(more.configurations);
        self.speed.extend(more.speed);
        self.dispatch.extend(more.dispatch);
        self.regions.extend(more.regions);
        self.not_offered.extend(more.not_offered.into_iter().filter(|n| !kept.contains(n)));
        let new = |p: &String| !self.packages.contains(p);
        let packages: Vec<_> = more.packages.into_iter().filter(new).collect();
        self.packages.extend(packages);
        for mut core in more.cores {
            // In a sweep, it is most often the last one.
            if self.cores.iter().rev().any(|own| own.label == core.label) {
                continue;
            }
            if let Some(last) = self.cores.last() {
                core.share(last);
            }
            self.cores.push(core);
        }
        let new = |b: &crate::Manifest| !self.builds.iter().any(|own| own.name == b.name);
        let builds: Vec<_> = more.builds.into_iter().filter(new).collect();
        self.builds.extend(builds);
        self.target.warnings.extend(more.target.warnings);
        if !self.driver.contains(&more.driver) {
            self.driver = format!("{} {}", self.driver, more.driver).trim().into();
        }
        if self.target.processor != more.target.processor {
            self.target.processor.clear();
        }
        if self.self_check == "exact" {
            self.self_check = more.self_check;
        }
        if self.target.counter_check == "exact" {
            self.target.counter_check = more.target.counter_check;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;
    use crate::{CoreRecord, ParameterRecord};
    use std::sync::Arc;

    /// A thousand variants of a core would keep its parameters a thousand times.
    #[test]
    fn cores_share_the_parameters_in_which_they_agree() {
        let core = |label: &str, startup: i32| {
            let parameter = |key: &str, value: i32| {
                Arc::new(ParameterRecord {
                    key: key.into(),
                    value: value.into(),
                    ..ParameterRecord::default()
                })
            };
            let parameters = vec![parameter("fetch.cycles", 8), parameter("startup", startup)];
            CoreRecord { label: label.into(), parameters, ..CoreRecord::default() }
        };
        let [mut all, more] = [core("a", 2), core("b", 4)]
            .map(|core| Record { cores: vec![core], ..Record::default() });
        all.join(more);
        let [a, b] = &all.cores[..] else { panic!("{:?}", all.cores) };
        assert_eq!(*b, core("b", 4));
        let shared = [0, 1].map(|i| Arc::ptr_eq(&a.parameters[i], &b.parameters[i]));
        assert_eq!(shared, [true, false]);
    }

    #[test]
    fn joining_keeps_faults_of_either_record_and_each_core_once() {
        let core = |label: &str| CoreRecord { label: label.into(), ..CoreRecord::default() };
        let mut all = Record { cores: vec![core("a")], driver: "d".into(), ..record() };
        let mut more = Record { cores: vec![core("a"), core("b")], driver: "e".into(), ..record() };
        more.self_check = "1001 instead of 1000".into();
        more.target.warnings = vec!["noisy".into()];
        all.join(more);
        let labels: Vec<&str> = all.cores.iter().map(|c| c.label.as_str()).collect();
        assert_eq!((labels, all.driver.as_str()), (vec!["a", "b"], "d e"));
        assert_eq!((all.rows.len(), all.configurations.len()), (8, 4));
        assert_eq!(all.self_check, "1001 instead of 1000");
        assert_eq!(all.target.warnings, ["noisy"]);
        all.join(record());
        assert_eq!((all.self_check.as_str(), all.driver.as_str()), ("1001 instead of 1000", "d e"));
    }
}
