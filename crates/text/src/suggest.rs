//! Suggests the known name that was probably meant.

use std::cmp::Reverse;

/// The member of `names` nearest to `word`, ignoring case; `None` if more than a third of the letters (of two letters,
/// more than one) would have to change.
///
/// ```
/// let names = ["aes-128-gcm", "aes-128-ccm"];
/// assert_eq!(capvec_text::suggest::nearest("aes-128-gmc", names), Some("aes-128-gcm"));
/// assert_eq!(capvec_text::suggest::nearest("", names), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer words are not misspelt names, and the comparison takes quadratic time.
    const MAX_LENGTH: usize = 64;
    let len = word.chars().count();
    if len == 0 || len > MAX_LENGTH {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let near = names.into_iter().map(|name| {
        let lower = name.to_ascii_lowercase();
        let common = lower.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        // Among equally near names, prefer an error at the end of the word to one at its beginning.
        (strsim::damerau_levenshtein(&word, &lower), Reverse(common), name)
    });
    let near = near.filter(|(wrong, ..)| *wrong <= (len / 3).max(1) && *wrong < len);
    near.min_by_key(|(wrong, common, _)| (*wrong, *common)).map(|(.., name)| name)
}

/// " (did you mean …?)", or an empty string.
pub fn hint<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}
