#!/usr/bin/env bash
# Checks capvec built for AArch64 hosts (docs/hosts.md): its figures equal those of this host, and the tests of the crates that
# execute, count and check instructions pass. Needs QEMU 9.2 or later: the one that capvec has fetched, or QEMU_AARCH64.
set -euo pipefail
cd "$(dirname "$0")/.."
triple=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
command -v "$CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER" >/dev/null || {
    echo 'aarch64-linux-gnu-gcc is missing: install gcc-aarch64-linux-gnu (Debian)' >&2
    exit 2
}
rustup target add "$triple"
here=target/release/capvec
"$here" bench --target qemu:aarch64 --setup-only
store=${CAPVEC_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/capvec}
fetched=("$store"/sysroots/*/root/usr/bin/qemu-aarch64)
run=("${QEMU_AARCH64:-${fetched[0]}}" -L /usr/aarch64-linux-gnu)

cargo build --locked --target "$triple" -p capvec
out=out/aarch64
mkdir -p "$out"
for core in ideal karu64 marian; do
    bench=(bench --core "$core" --caps scalar,full --bytes 1024 --format csv)
    "$here" "${bench[@]}" >"$out/$core.x86-64"
    "${run[@]}" "target/$triple/debug/capvec" "${bench[@]}" >"$out/$core.aarch64"
    cmp "$out/$core.x86-64" "$out/$core.aarch64"
    echo "$core: every figure is equal"
done

# Without a core model, the translating engine runs here: the same output and counts as the interpreter.
for engine in interp jit; do
    "${run[@]}" "target/$triple/debug/capvec" run --core ideal --engine "$engine" --stats \
        openssl dgst -sha512 Cargo.lock >"$out/run.$engine" 2>&1
done
cmp "$out/run.interp" "$out/run.jit"
echo 'both engines: the same output and counts'

# QEMU has no system call filters, which the tests named confine need.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="${run[*]}"
crates=(isa sim language timing linux jit asm taint)
cargo test --locked --target "$triple" --no-fail-fast --lib --tests "${crates[@]/#/--package=capvec-}" -- --skip confine::
