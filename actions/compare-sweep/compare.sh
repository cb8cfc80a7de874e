#!/usr/bin/env bash
# compare.sh SWEEP BASE OUT [PERCENT]: measures the sweep file SWEEP in the checkout that is the current directory and at the
# commit BASE, and writes OUT/comment.md, the comparison. Fails as `capvec compare` does: if a figure grew by more than PERCENT,
# an answer is now wrong, or a row is missing.
set -euo pipefail
if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo 'usage: compare.sh SWEEP BASE OUT [PERCENT]' >&2
    exit 2
fi
sweep=$1 base=$2 out=$3 fail_over=${4:-}
# GitHub accepts no comment of more than 65536 characters.
limit=60000

git rev-parse --quiet --verify "$base^{commit}" >/dev/null || {
    echo "compare.sh: this checkout lacks the commit $base; give actions/checkout the input 'fetch-depth: 0'" >&2
    exit 2
}

mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "$out/before" "$out/after" "$out/comment.md"

# measure TREE NAME: the record OUT/NAME. Jobs that are the same before and after run once, since they share their results.
measure() {
    cd "$1"
    capvec sweep plan "$sweep" -o "$out/$2.jobs"
    capvec sweep work "$out/$2.jobs" --results "$out/results" --quiet
    capvec sweep merge "$out/$2.jobs" --results "$out/results" --out "$out/$2" --format md >"$out/$2.md"
}

# begin: the first lines of the comment. comment.sh finds the comment of an earlier run by the first one.
begin() {
    printf '<!-- capvec sweep: %s -->\n### capvec: `%s`\n\n' "$sweep" "$sweep"
}

# figures: all figures of the pull request, folded, as far as they fit.
figures() {
    printf '\n<details><summary>All figures of this pull request</summary>\n\n'
    if [ "$(wc -c <"$out/after.md")" -le $((limit - $(wc -c <"$out/comment.md"))) ]; then
        cat "$out/after.md"
    else
        echo 'They are too long for a comment; `capvec sweep` prints them.'
    fi
    printf '\n</details>\n'
}

(measure "$PWD" after)
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree" || true' EXIT
git worktree add --quiet --force --detach "$tree" "$base"
if [ ! -e "$tree/$sweep" ]; then
    { begin; echo "There is no such file in $(git rev-parse --short "$base"), so there is nothing to compare with."; } >"$out/comment.md"
    figures >>"$out/comment.md"
    exit 0
fi
(measure "$tree" before)

# compare [FLAGS]: the comparison, and its status.
compare() {
    status=0
    capvec compare "$out/before" "$out/after" --format md ${fail_over:+--fail-over "$fail_over"} "$@" >"$out/compared.md" 2>"$out/messages" ||
        status=$?
}

compare
# A core whose parameters changed is another core. With a single core on both sides, it is clear which to compare.
[ "$status" -ne 2 ] || compare --across core
{
    begin
    echo "Compared with $(git rev-parse --short "$base")${fail_over:+; a figure may grow by $fail_over}."
    echo
    if [ "$(wc -c <"$out/compared.md")" -le "$limit" ]; then
        cat "$out/compared.md"
    else
        echo 'The comparison is too long for a comment; `capvec compare` prints it.'
    fi
    # What failed, such as rows that are missing.
    sed 's/^/> /' "$out/messages"
} >"$out/comment.md"
figures >>"$out/comment.md"
exit "$status"
