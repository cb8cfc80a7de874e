//! The processed format of the Firefox Profiler (profiler.firefox.com). Each call path is a sample whose weight is its own
//! cycles, and the samples follow each other on the time axis: they show how much time was spent, not when.

use crate::tree::Profile as Tree;
use fxprof_processed_profile::{
    CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, Profile, ReferenceTimestamp,
    SamplingInterval, StackHandle, ThreadHandle, Timestamp, WeightType,
};
use std::collections::HashMap;
use std::time::Duration;

/// The largest weight of a sample.
const MAX_WEIGHT: u64 = i32::MAX as u64;

/// The profile of a root, under construction.
struct Root {
    thread: ThreadHandle,
    /// Cycles so far.
    cycles: u64,
}

/// The file for a core of this frequency.
pub fn firefox(tree: &Tree, frequency: u64) -> serde_json::Result<Vec<u8>> {
    let start = ReferenceTimestamp::from_duration_since_unix_epoch(Duration::ZERO);
    let interval = SamplingInterval::from_nanos(1_000_000_000 / frequency.clamp(1, 1_000_000_000));
    let mut profile = Profile::new("capvec", start, interval);
    profile.set_symbolicated(true);
    let mut roots: HashMap<u32, Root> = HashMap::new();
    let mut stacks: Vec<Option<StackHandle>> = Vec::with_capacity(tree.nodes.len());
    for (k, n) in tree.nodes.iter().enumerate() {
        let f = &tree.functions[n.function as usize];
        if tree.is_root(k as u32) {
            let thread = add_root(&mut profile, &f.name, k as u32);
            roots.insert(k as u32, Root { thread, cycles: 0 });
            stacks.push(None);
            continue;
        }
        let Some(root) = roots.get_mut(&tree.path(k as u32)[0]) else { continue };
        let name = profile.intern_string(&f.name);
        let (category_pair, flags) = (CategoryHandle::OTHER.into(), FrameFlags::empty());
        let info = FrameInfo { frame: Frame::Label(name), category_pair, flags };
        let frame = profile.intern_frame(root.thread, info);
        let stack = profile.intern_stack(root.thread, stacks[n.parent as usize], frame);
        stacks.push(Some(stack));
        let mut left = n.own.cycles;
        while left > 0 {
            let weight = left.min(MAX_WEIGHT);
            root.cycles += weight;
            left -= weight;
            let nanos = u128::from(root.cycles) * 1_000_000_000 / u128::from(frequency.max(1));
            let at = Timestamp::from_nanos_since_reference(nanos as u64);
            profile.add_sample(root.thread, at, Some(stack), CpuDelta::ZERO, weight as i32);
        }
    }
    serde_json::to_vec(&profile)
}

fn add_root(profile: &mut Profile, name: &str, k: u32) -> ThreadHandle {
    let zero = Timestamp::from_nanos_since_reference(0);
    let process = profile.add_process(name, k + 1, zero);
    let thread = profile.add_thread(process, k + 1, zero, true);
    profile.set_thread_name(thread, name);
    profile.set_thread_samples_weight_type(thread, WeightType::Samples);
    thread
}
