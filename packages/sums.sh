#!/usr/bin/env bash
# sums.sh [DIR]: writes SHA256SUMS for all packages in the directory (default: dist), whichever scripts made them.
set -euo pipefail
cd "${1:-$(dirname "$0")/../dist}"
shopt -s nullglob
packages=(capvec*.tar.gz capvec*.cdx.json capvec*.deb capvec*.whl)
if [ ${#packages[@]} = 0 ]; then
    echo "packages/sums.sh: no package in $PWD; make dist, make deb and make wheels make them" >&2
    exit 1
fi
sha256sum -- "${packages[@]}" >SHA256SUMS
cat SHA256SUMS
