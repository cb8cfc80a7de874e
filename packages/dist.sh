#!/usr/bin/env bash
# Makes dist/: static binaries for Linux, each as an archive with manual pages and completions, their SBOM, and SHA256SUMS.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1-} in
    -h | --help)
        cat <<'TEXT'
Usage: [TARGETS="x86_64-unknown-linux-musl …"] packages/dist.sh

Builds capvec with musl for each target (default: x86-64 and AArch64), so that it needs no C library on the machine where it runs.
Needs rustup, python3 with venv (for zig, which compiles the C of dependencies and links) and cargo-cyclonedx
(cargo install --locked cargo-cyclonedx).
TEXT
        exit ;;
esac
targets=${TARGETS:-x86_64-unknown-linux-musl aarch64-unknown-linux-musl}
cargo cyclonedx --version >/dev/null 2>&1 || {
    echo 'packages/dist.sh: cargo-cyclonedx is missing: cargo install --locked cargo-cyclonedx' >&2
    exit 2
}
. packages/env.sh
version=$(cargo pkgid -p capvec | sed 's/.*[#@]//')
here=$(uname -m)-unknown-linux-musl
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; rm -f crates/*/*.cdx.json' EXIT

for target in $here $targets; do
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    cargo zigbuild --release --locked -p capvec --target "$target"
done
packages/pages.sh "target/$here/release/capvec" "$scratch/pages"

mkdir -p dist
rm -f dist/capvec-*-linux-musl.*
for target in $targets; do
    name=capvec-$version-$target
    mkdir "$scratch/$name"
    cp -R "target/$target/release/capvec" LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md packages/INSTALL.txt \
        "$scratch/pages/." "$scratch/$name/"
    chmod -R u=rwX,go=rX "$scratch/$name"
    tar -C "$scratch" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
        gzip -9n >"dist/$name.tar.gz"
    # cargo-cyclonedx writes one SBOM for each package; only the program's is kept, since it covers everything linked in.
    cargo cyclonedx --manifest-path crates/cli/Cargo.toml --format json --spec-version 1.5 --target "$target" \
        --override-filename sbom.cdx --quiet
    sed "s#file://$PWD#file:///capvec#g" crates/cli/sbom.cdx.json >"dist/$name.cdx.json"
done
packages/sums.sh
