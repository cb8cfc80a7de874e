#!/usr/bin/env bash
# Makes dist/capvec-….whl: the package, its native library and the command, for one or several targets of Rust whose standard library is
# installed. zig links for an old glibc, so that one wheel serves many distributions.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=${TARGETS:-x86_64-unknown-linux-gnu}
glibc=2.28
tools=target/python-tools
if ! cmp -s python/requirements-build.txt $tools/requirements-build.txt; then
    python3 -m venv --clear $tools
    $tools/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r python/requirements-build.txt
    cp python/requirements-build.txt $tools/
fi
PATH=$PWD/$tools/bin:$PATH
# Neither times nor the places of the sources go into what is built.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=capvec --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
export PATH SOURCE_DATE_EPOCH RUSTFLAGS
export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=true
trap 'rm -rf python/capvec.data' EXIT
for target in $targets; do
    cargo zigbuild --release --locked -p capvec --target "$target.$glibc"
    mkdir -p python/capvec.data/scripts
    cp "target/$target/release/capvec" python/capvec.data/scripts/
    (cd python && maturin build --release --locked --zig --target "$target" \
        --compatibility "manylinux_${glibc/./_}" --out ../dist)
done
ls -l dist/*.whl
