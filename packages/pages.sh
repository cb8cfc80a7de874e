#!/usr/bin/env bash
# pages.sh CAPVEC DIR: writes the manual pages (compressed) and the completions of this program to a directory.
set -euo pipefail
capvec=$1
dir=$2
mkdir -p "$dir/completions"
"$capvec" self man "$dir/man1"
gzip -9n "$dir"/man1/*.1
"$capvec" self completions bash >"$dir/completions/capvec.bash"
"$capvec" self completions zsh >"$dir/completions/_capvec"
"$capvec" self completions fish >"$dir/completions/capvec.fish"
