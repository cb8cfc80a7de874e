//! Published figures of Marian: `published/marian_table1.csv`.

use crate::figures::Counts;

const MARIAN: &str = include_str!("../../../published/marian_table1.csv");

/// The published counts of a case; `None` if there are none.
pub fn of(case: &str) -> Option<Counts> {
    let mut lines = MARIAN.lines().filter(|l| !l.starts_with('#')).skip(1);
    lines.find_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [operation, direction, _, _, cycles, instructions] = fields[..] else { return None };
        if case != format!("{operation} {direction}") {
            return None;
        }
        Some(Counts { cycles: cycles.parse().ok()?, instructions: instructions.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_rows_are_found() {
        assert_eq!(of("AES128 decrypt"), Some(Counts { cycles: 226, instructions: 53 }));
        assert_eq!(of("AES-128-ECB"), None);
        let cases = MARIAN.lines().filter(|l| !l.starts_with('#')).skip(1).count();
        assert_eq!(cases, 9);
    }
}
