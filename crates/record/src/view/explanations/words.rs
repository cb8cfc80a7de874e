//! What extensions do, in words.

use crate::best::SAME_SPEED;
use crate::compute::explain::idle;
use crate::{Effect, Explanation, Reached};
use capvec_text::digits::RATIO;

impl Effect {
    fn is_idle(&self) -> bool {
        idle(self.least) && idle(self.most)
    }

    /// What it was added to, in brackets.
    fn compared(&self) -> String {
        match self.pairs {
            1 => format!("on {}", self.most_on),
            n => format!("on {n} sets"),
        }
    }
}

fn or_dash(words: Vec<String>) -> String {
    if words.is_empty() { "–".into() } else { words.join(", ") }
}

fn with_company(extension: &str, company: &[String]) -> String {
    match company.is_empty() {
        true => extension.into(),
        false => format!("{extension} with {}", company.join(" ")),
    }
}

impl Explanation {
    /// Whether the chain leads to the best set.
    pub(super) fn on_the_chain(&self) -> &'static str {
        match self.reached {
            Reached::Best => "yes",
            Reached::AnotherSet => "another set",
            Reached::No => "no",
        }
    }

    /// Extensions that never changed the speed, with what they were added to, except those with unmeasured
    /// combinations.
    pub(super) fn idle(&self) -> String {
        let open = |e: &Effect| self.unmeasured.iter().any(|u| u.extension == e.extension);
        let idle: Vec<&Effect> = self.effects.iter().filter(|e| e.is_idle() && !open(e)).collect();
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for e in idle {
            let compared = e.compared();
            match groups.iter_mut().find(|g| g.0 == compared) {
                Some(g) => g.1.push(&e.extension),
                None => groups.push((compared, vec![&e.extension])),
            }
        }
        or_dash(
            groups.into_iter().map(|(on, names)| format!("{} ({on})", names.join(" "))).collect(),
        )
    }

    /// Extensions that had an effect only together with others.
    pub(super) fn together(&self) -> String {
        let needing = self.effects.iter().filter(|e| !e.needs.is_empty());
        or_dash(needing.map(|e| with_company(&e.extension, &e.needs)).collect())
    }

    /// What was not measured.
    pub(super) fn missing(&self) -> String {
        let mut words: Vec<String> =
            self.unmeasured.iter().map(|u| with_company(&u.extension, &u.with)).collect();
        let and = if words.is_empty() { "" } else { "and " };
        match self.others {
            0 => {}
            1 => words.push(format!("{and}1 other")),
            n => words.push(format!("{and}{n} others")),
        }
        or_dash(words)
    }

    /// Extensions that cost speed somewhere, with the worst factor.
    pub(super) fn slowing(&self) -> String {
        let slows = self.effects.iter().filter(|e| e.least < 1.0 - SAME_SPEED);
        let words: Vec<String> =
            slows.map(|e| format!("{} ({})", e.extension, RATIO.text(e.least))).collect();
        if words.is_empty() { "–".into() } else { words.join(" ") }
    }
}
