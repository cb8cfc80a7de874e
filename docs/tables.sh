#!/bin/sh
# Writes docs/tables.md: what capvec prints, each with the command that made it. `make tables` runs it.
set -eu
cd "$(dirname "$0")/.."
capvec=${CAPVEC:-target/release/capvec}

table() {
    title=$1
    shift
    printf '\n## %s\n\n    capvec bench %s\n\n' "$title" "$*"
    "$capvec" bench -q "$@" --format md
}

{
    cat <<'END'
# Tables

Stock OpenSSL of Debian trixie on the core model `karu64` (75 MHz, VLEN 256), made by `make tables`; not edited. Every
figure stands on known answers that passed on its capability set. What the columns mean stands below each table, what
the figures mean and what they do not in [methodology.md](methodology.md), how good the core model is in
[models.md](models.md). Decryption, exact counts and every set that was measured are in what `--format csv` prints.
`dispatch` is, case by case, one set for every path that OpenSSL can take.
END
    table 'Symmetric algorithms' --cases symmetric --caps scalar,dispatch,auto,full
    table 'Public-key algorithms' --cases pkey --caps scalar,dispatch,auto,full
} >docs/tables.new
mv docs/tables.new docs/tables.md
