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

These tables show stock OpenSSL of Debian trixie on the core model `karu64` (75 MHz, VLEN 256). `make tables` generates this page. The known
answers passed on every capability set that has figures here. The columns are explained below each table; [methodology.md](methodology.md)
says what the figures mean and what they do not, and [models.md](models.md) how accurate the core model is. `--format csv` also prints
decryption, exact counts and every set that was measured. `dispatch` stands for several sets, one for each path that OpenSSL can take in a
case.
END
    table 'Symmetric algorithms' --cases symmetric --caps scalar,dispatch,auto,full
    table 'Public-key algorithms' --cases pkey --caps scalar,dispatch,auto,full
} >docs/tables.new
mv docs/tables.new docs/tables.md
