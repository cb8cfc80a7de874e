//! Reads both sides' commit logs, reduced to what both contain.

use crate::layout::CODE;

/// Bits of `mstatus` that say whether a unit was used: SD, FS and VS. capvec keeps them dirty, which the manual
/// allows.
const UNITS: u64 = 1 << 63 | 3 << 13 | 3 << 9;

/// One retired instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Address.
    pub pc: u64,
    /// The instruction word.
    pub bits: u32,
    /// What it wrote and accessed, except vector registers, which the sides log by different rules; the end of a case
    /// logs them completely.
    pub effects: String,
}

/// Whether the token is a register name, followed by its value.
fn is_register(token: &str) -> bool {
    let (kind, rest) = token.split_at_checked(1).unwrap_or_default();
    "xfvc".contains(kind) && rest.starts_with(|c: char| c.is_ascii_digit())
}

/// `mret`, or an instruction on the CSR itself.
fn writes_mstatus(bits: u32) -> bool {
    const MRET: u32 = 0x3020_0073;
    const MSTATUS: u32 = 0x300;
    bits == MRET || bits & 0x7f == 0x73 && bits >> 20 == MSTATUS
}

/// Removes values of stores that the same instruction overwrites later: capvec logs what memory holds after the
/// instruction.
fn last_stores(tokens: Vec<&str>) -> Vec<&str> {
    // Position of the value, and the bytes that it covers.
    let store = |n: usize| {
        let [mem, at, value] = tokens.get(n..n + 3)? else { return None };
        let (at, digits) = (number(at)?, value.strip_prefix("0x")?.len() as u64);
        (*mem == "mem").then_some((n + 2, at..at.wrapping_add(digits / 2)))
    };
    let stores: Vec<_> = (0..tokens.len()).filter_map(store).collect();
    let overwritten = |(n, (_, own)): (usize, &(usize, std::ops::Range<u64>))| {
        stores[n + 1..].iter().any(|(_, other)| own.start < other.end && other.start < own.end)
    };
    let lost: Vec<usize> =
        stores.iter().enumerate().filter(|s| overwritten(*s)).map(|(_, (at, _))| *at).collect();
    (0..tokens.len()).filter(|n| lost.binary_search(n).is_err()).map(|n| tokens[n]).collect()
}

fn number(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

impl Line {
    /// The addresses that it accessed.
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        let tokens = || self.effects.split_whitespace();
        let accesses = tokens().zip(tokens().skip(1)).filter(|(t, _)| *t == "mem");
        accesses.filter_map(|(_, at)| number(at))
    }

    /// Reads `core   0: 0 0x0000000080000000 (0x00000013) x1  0x… mem 0x…`; `None` for any other line.
    pub fn parse(text: &str) -> Option<Line> {
        let mut tokens = text.split_whitespace();
        let head: [&str; 5] = std::array::from_fn(|_| tokens.next().unwrap_or_default());
        let [_, _, mode, pc, bits] = head;
        let bits = number(bits.strip_prefix('(')?.strip_suffix(')')?)? as u32;
        let mut effects = mode.to_string();
        let tokens = last_stores(tokens.collect());
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            if !is_register(token) {
                // `mem`, addresses and values; SEW, LMUL and vl appear only before vector registers.
                if token == "mem" || token.starts_with("0x") {
                    effects += &format!(" {token}");
                }
                continue;
            }
            let value = tokens.next()?;
            let shown = match token {
                _ if token.starts_with('v') => continue,
                // Spike also logs mstatus for the first instruction that uses a unit.
                "c768_mstatus" if !writes_mstatus(bits) => continue,
                "c768_mstatus" => format!("{:#x}", number(value)? & !UNITS),
                _ => value.to_string(),
            };
            effects += &format!(" {token} {shown}");
        }
        Some(Line { pc: number(pc)?, bits, effects })
    }
}

/// vstart, if the line shows it: the instruction wrote it, or the handler read it.
pub fn vstart(line: &Line) -> Option<u64> {
    /// `csrr x6, vstart`.
    const READ: u32 = 0x0080_2373;
    let name = if line.bits == READ { "x6" } else { "c8_vstart" };
    let mut tokens = line.effects.split_whitespace().skip_while(|t| *t != name);
    number(tokens.nth(1)?)
}

/// Lines of the handler up to the one that reads `mepc`.
const TO_MEPC: usize = 12;

/// Whether the first line belongs to an instruction that trapped, judging by the handler after it. Spike logs vector
/// accesses that set vstart and trap, and no other trapping instructions.
fn has_trapped(lines: &[Line]) -> bool {
    let Some((line, after)) = lines.split_first() else { return false };
    let mepc = format!(" x5 {:#018x}", line.pc);
    after.first().is_some_and(|l| l.pc == CODE)
        && after.iter().take(TO_MEPC).any(|l| l.effects.contains(&mepc))
}

/// The lines of each case, from `entry` to `end`: from one execution of `next` to the following one.
pub fn cases(text: &str, entry: u64, next: u64, end: u64) -> Vec<Vec<Line>> {
    let lines: Vec<Line> = text
        .lines()
        .filter_map(Line::parse)
        .skip_while(|l| l.pc != entry)
        .take_while(|l| l.pc != end)
        .collect();
    let retired = (0..lines.len()).filter(|n| !has_trapped(&lines[*n..])).map(|n| &lines[n]);
    let mut out = vec![Vec::new()];
    for line in retired {
        if line.pc == next {
            out.push(Vec::new());
        }
        out.last_mut().into_iter().for_each(|c| c.push(line.clone()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_reduced_to_what_both_sides_log() {
        let parse = |l| Line::parse(l).expect("a line");
        let line = parse(
            "core   0: 0 0x0000000965300000 (0x02010207) e8 m1 l16 v4  0x01 c8_vstart 0x0 mem 0x10 mem 0x20 0x1",
        );
        assert_eq!((line.pc, line.bits), (0x9_6530_0000, 0x0201_0207));
        assert_eq!(line.effects, "0 c8_vstart 0x0 mem 0x10 mem 0x20 0x1");
        let used = parse(
            "core   0: 0 0x0000000080000000 (0x0000a007) c768_mstatus 0x8000000200006600 f0  0x1",
        );
        assert_eq!(used.effects, "0 f0 0x1");
        let written =
            parse("core   0: 3 0x0000000080000000 (0x30200073) c768_mstatus 0x8000000200006680");
        assert_eq!(written.effects, "3 c768_mstatus 0x200000080");
        assert_eq!(Line::parse("core   0: exception trap_illegal_instruction, epc 0x0"), None);
        assert_eq!(Line::parse(""), None);
    }

    #[test]
    fn overwritten_values_are_left_out() {
        let effects = |l| Line::parse(l).expect("a line").effects;
        let head = "core   0: 0 0x0000000000000000 (0x0a64e827)";
        let line = format!("{head} mem 0x10 0x1111 mem 0x11 0x22 mem 0x12 0x33 mem 0x18 0x44");
        assert_eq!(effects(&line), "0 mem 0x10 mem 0x11 0x22 mem 0x12 0x33 mem 0x18 0x44");
    }

    #[test]
    fn trapped_instructions_are_left_out() {
        let line = |pc: u64, rest: &str| format!("core   0: 0 {pc:#018x} (0x00000013) {rest}\n");
        let trapped = [line(0x84, ""), line(CODE, ""), line(CODE + 4, "x5  0x0000000000000084")];
        let text = line(0x80, "") + &trapped.concat() + &line(0x88, "") + &line(CODE, "");
        let pcs: Vec<u64> = cases(&text, 0x80, 1, 2)[0].iter().map(|l| l.pc).collect();
        assert_eq!(pcs, [0x80, CODE, CODE + 4, 0x88, CODE]);
    }

    #[test]
    fn cases_begin_at_next() {
        let line = |pc: u64| format!("core   0: 3 {pc:#018x} (0x00000013)\n");
        let text: String =
            [0x1000, 0x80, 0x84, 0x88, 0x90, 0x88, 0x94, 0x98, 0x98].map(line).concat();
        let cases = cases(&text, 0x80, 0x88, 0x98);
        let pcs = |c: &Vec<Line>| c.iter().map(|l| l.pc).collect::<Vec<_>>();
        assert_eq!(
            cases.iter().map(pcs).collect::<Vec<_>>(),
            [vec![0x80, 0x84], vec![0x88, 0x90], vec![0x88, 0x94]]
        );
    }
}
