#!/usr/bin/env bash
# Makes dist/capvec_….deb, for Debian 12 or newer: the program, manual pages, completions.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo deb --version >/dev/null 2>&1 || { echo 'packages/deb.sh: cargo-deb is missing: cargo install --locked cargo-deb' >&2; exit 2; }
. packages/env.sh
target=$(uname -m)-unknown-linux-gnu
version=$(cargo pkgid -p capvec | sed 's/.*[#@]//')
# The same build as in the wheels, whose glibc is old enough for all of these.
cargo zigbuild --release --locked -p capvec --target "$target.2.28"
rm -rf target/package
mkdir -p target/package dist
cp "target/$target/release/capvec" target/package/
packages/pages.sh target/package/capvec target/package/pages
gzip -9n <CHANGELOG.md >target/package/changelog.gz
cat >target/package/changelog <<TEXT
capvec ($version-1) unstable; urgency=medium

  * See /usr/share/doc/capvec/changelog.gz.

 -- The capvec developers <maintainers@capvec.invalid>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
rm -f dist/capvec_*.deb
# cargo-deb warns that it does not build what it packages.
cargo deb --no-build --no-strip --target "$target" -p capvec --output dist/
packages/sums.sh
