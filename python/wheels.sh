#!/usr/bin/env bash
# Makes dist/capvec-….whl: the package, its native library and the command, for one or several targets of Rust whose standard library is
# installed. zig links for an old glibc, so that one wheel serves many distributions.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=${TARGETS:-x86_64-unknown-linux-gnu}
glibc=2.28
. packages/env.sh
trap 'rm -rf python/capvec.data' EXIT
for target in $targets; do
    cargo zigbuild --release --locked -p capvec --target "$target.$glibc"
    mkdir -p python/capvec.data/scripts
    cp "target/$target/release/capvec" python/capvec.data/scripts/
    (cd python && maturin build --release --locked --zig --target "$target" \
        --compatibility "manylinux_${glibc/./_}" --out ../dist)
done
python3 python/place_independent.py "$PWD" dist/*.whl
packages/sums.sh
