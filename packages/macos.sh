#!/usr/bin/env bash
# Links the command for macOS and makes out/macos/capvec-….whl with it. Nothing here can run them: docs/hosts.md says what they do there.
set -euo pipefail
cd "$(dirname "$0")/.."
. packages/env.sh
trap 'rm -rf python/capvec.data' EXIT
for target in ${TARGETS:-aarch64-apple-darwin x86_64-apple-darwin}; do
    rustup target add "$target"
    cargo zigbuild --locked -p capvec --target "$target"
    mkdir -p python/capvec.data/scripts
    cp "target/$target/debug/capvec" python/capvec.data/scripts/
    (cd python && maturin build --locked --zig --target "$target" --out ../out/macos)
done
ls -l out/macos
