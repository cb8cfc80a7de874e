use super::super::{Built, build};
use super::*;
use crate::hart::Agnostic;
use crate::insn::Handler;
use crate::testing::{config, word};
use capvec_isa::Op;

const AT: u64 = 1 << 20;
const NEXT: u64 = AT + PAGE;
const RWX: Perm = Perm(7);
/// What is built is not executed.
const NO_SEMANTICS: [Handler; Op::COUNT] = [|_, _| unreachable!(); Op::COUNT];

fn step() -> u32 {
    word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (5, 5, 1))
}

fn jump() -> u32 {
    word(Op::Jal, |d| d.imm = 0)
}

/// A page of code, whose last words are these.
fn page(last: &[u32]) -> Memory {
    let mem = Memory::new().expect("an address space");
    mem.map(AT, PAGE, RWX).expect("a page");
    put(&mem, NEXT - 4 * last.len() as u64, last);
    mem
}

fn put(mem: &Memory, at: u64, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write(at, &bytes).expect("a writable page");
}

/// The block at an address, and its number of instructions.
fn built(mem: &Memory, at: u64) -> (Source, usize) {
    let config = config(&[], 128, Agnostic::Undisturbed);
    let Ok(Built { insns, source, .. }) = build(mem, &config, &NO_SEMANTICS, at) else {
        panic!("a block at {at:#x}")
    };
    (source, insns.len())
}

#[test]
fn only_its_bytes_matter_for_a_block_that_ends_in_a_jump() {
    let mem = page(&[step(), step(), jump(), step()]);
    let start = NEXT - 12;
    let (source, n) = built(&mem, start);
    assert_eq!((n, source.pages(start).collect::<Vec<_>>()), (2, vec![AT]));
    put(&mem, NEXT - 16, &[jump()]);
    put(&mem, NEXT - 4, &[jump()]);
    assert!(source.is_at(&mem, start));
    put(&mem, start, &[jump()]);
    assert!(!source.is_at(&mem, start));
}

/// A word that does not decode ends the block; when it does decode, the block is longer.
#[test]
fn the_word_that_ends_a_block_matters() {
    let mem = page(&[step(), 0, step()]);
    let (source, n) = built(&mem, NEXT - 12);
    assert_eq!(n, 1);
    put(&mem, NEXT - 4, &[jump()]);
    assert!(source.is_at(&mem, NEXT - 12));
    put(&mem, NEXT - 8, &[step()]);
    assert!(!source.is_at(&mem, NEXT - 12));
    assert_eq!(built(&mem, NEXT - 12).1, 3);
}

/// A block that ends where nothing can be fetched is longer once something can.
#[test]
fn the_page_that_ends_a_block_matters() {
    // The page contains the second instruction completely, or only half of it.
    for (at, n) in [(NEXT - 8, 2), (NEXT - 6, 1)] {
        let mem = page(&[]);
        mem.map(NEXT, PAGE, Perm::RW).expect("a page");
        put(&mem, at, &[step(), step(), jump()]);
        let (source, len) = built(&mem, at);
        assert_eq!((len, source.pages(at).collect::<Vec<_>>()), (n, vec![AT, NEXT]));
        assert!(source.is_at(&mem, at));
        assert!(mem.protect(NEXT, PAGE, RWX));
        assert!(!source.is_at(&mem, at));
        let (source, len) = built(&mem, at);
        assert_eq!((len, source.pages(at).collect::<Vec<_>>()), (3, vec![AT, NEXT]));
        mem.unmap(NEXT, PAGE).expect("a page");
        assert!(!source.is_at(&mem, at));
    }
}

#[test]
fn the_longest_block() {
    let mem = page(&[step(); 1024]);
    let (source, n) = built(&mem, AT);
    assert_eq!(n, super::super::MAX);
    put(&mem, AT + 4 * n as u64, &[0]);
    assert!(source.is_at(&mem, AT), "the word after it does not matter");
    // The longest source: one instruction less, and the word that ends the block.
    let (longest, n) = built(&mem, AT + 4);
    assert_eq!(n, super::super::MAX - 1);
    assert!(longest.is_at(&mem, AT + 4));
}
