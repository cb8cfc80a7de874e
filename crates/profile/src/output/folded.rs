//! Collapsed stacks, as flame-graph tools read them: a line for each call path, with its own cycles.

use crate::tree::Profile;

/// The lines. What would end a frame's name is replaced.
pub fn folded(profile: &Profile) -> String {
    let name = |node: &u32| {
        let function = profile.nodes[*node as usize].function;
        profile.functions[function as usize].name.replace([';', '\n', '\r'], "_")
    };
    let line = |k: usize| {
        let path: Vec<String> = profile.path(k as u32).iter().map(name).collect();
        format!("{} {}\n", path.join(";"), profile.nodes[k].own.cycles)
    };
    let counted = |k: &usize| profile.nodes[*k].own.cycles > 0;
    (0..profile.nodes.len()).filter(counted).map(line).collect()
}
