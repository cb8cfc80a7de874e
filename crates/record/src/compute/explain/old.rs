//! Records of versions that kept explanations, but not the rules of the dispatch that they follow from.

use crate::Explanation;
use std::collections::HashMap;

type Key<'a> = (&'a str, u32, &'a str, &'a str, usize);

/// Takes over what followed from the rules: what an extension needs, and which combinations were not measured.
pub(super) fn keep_rules(computed: &mut [Explanation], stored: &[Explanation]) {
    let stored: HashMap<Key, &Explanation> = stored.iter().map(|e| (key(e, &e.core), e)).collect();
    for own in computed {
        // Before several cores were possible, explanations did not name one.
        let of = |core| stored.get(&key(own, core)).copied();
        let Some(old) = of(&own.core).or_else(|| of("")) else { continue };
        for effect in &mut own.effects {
            let same = old.effects.iter().find(|e| e.extension == effect.extension);
            effect.needs = same.map(|e| e.needs.clone()).unwrap_or_default();
        }
        own.unmeasured.clone_from(&old.unmeasured);
        own.others = old.others;
    }
}

fn key<'a>(e: &'a Explanation, core: &'a str) -> Key<'a> {
    (core, e.vlen, &e.case, &e.direction, e.bytes)
}
