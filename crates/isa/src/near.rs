//! The known name that was probably meant.

use std::cmp::Reverse;

/// The nearest of `names` to `word`, letters of either case alike; none if a third of its letters are wrong.
///
/// ```
/// let names = ["aes-128-gcm", "aes-128-ccm"];
/// assert_eq!(capvec_isa::near::nearest("aes-128-gmc", names), Some("aes-128-gcm"));
/// assert_eq!(capvec_isa::near::nearest("", names), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer words are no name with a slip, and comparing them is quadratic.
    const LONGEST: usize = 64;
    let len = word.chars().count();
    if len == 0 || len > LONGEST {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let near = names.into_iter().map(|name| {
        let lower = name.to_ascii_lowercase();
        let common = lower.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        // Of equally near ones, a slip at the end is likelier than one at the beginning.
        (strsim::damerau_levenshtein(&word, &lower), Reverse(common), name)
    });
    let near = near.filter(|(wrong, ..)| *wrong <= (len / 3).max(1) && *wrong < len);
    near.min_by_key(|(wrong, common, _)| (*wrong, *common)).map(|(.., name)| name)
}

/// " (did you mean …?)", or nothing.
pub fn hint<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}
