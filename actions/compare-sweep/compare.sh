#!/usr/bin/env bash
# compare.sh SWEEP BASE OUT [PERCENT]: measures the sweep file SWEEP in the checkout that is the current directory and at the
# commit BASE, and writes OUT/comment.md, the comparison. Fails as `capvec compare` does: if a figure grew by more than PERCENT,
# an answer is now wrong, or a row is missing. If the sweep cannot be measured, the comment says so. Needs python3.
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
rm -rf "$out/before" "$out/after" "$out/pairs" "$out/comment.md"

# measure TREE NAME: the record OUT/NAME. Jobs that are the same before and after run once, since they share their results.
measure() {
    cd "$1" &&
        capvec sweep plan "$sweep" -o "$out/$2.jobs" &&
        capvec sweep work "$out/$2.jobs" --results "$out/results" --quiet &&
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

# measured TREE NAME WHERE: the same; or a comment that says why not, instead of the comment of an earlier run.
measured() {
    local status=0
    (measure "$1" "$2") 2>"$out/messages" || status=$?
    cat "$out/messages" >&2
    [ "$status" -ne 0 ] || return 0
    {
        begin
        printf 'The sweep failed %s, so there is no comparison:\n\n' "$3"
        tail -c "$((limit / 2))" "$out/messages" | sed 's/^/    /'
    } >"$out/comment.md"
    exit "$status"
}

measured "$PWD" after 'with this pull request'
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree" || true' EXIT
git worktree add --quiet --force --detach "$tree" "$base"
if [ ! -e "$tree/$sweep" ]; then
    { begin; echo "There is no such file in $(git rev-parse --short "$base"), so there is nothing to compare with."; } >"$out/comment.md"
    figures >>"$out/comment.md"
    exit 0
fi
measured "$tree" before "at $(git rev-parse --short "$base")"

# pairs: the records of both sides in pairs that can be compared. A core whose file changed is another core; of the same name, it is
# compared with what it was: by OUT/pairs/N-before.json and N-after.json. All other cores are in OUT/pairs/0-before.json and 0-after.json.
pairs() {
    python3 - "$out" <<'END'
import json, pathlib, sys

out = pathlib.Path(sys.argv[1])
(out / "pairs").mkdir()
records = [json.loads((out / side / "record.json").read_text()) for side in ("before", "after")]
digests = [{}, {}]
for record, of in zip(records, digests):
    for row in record["rows"]:
        of.setdefault(row["core"], set()).add(row["core_digest"])
old, new = digests
# Two cores of one name on one side could not be told apart.
changed = [name for name in old if name in new and old[name] != new[name] and len(old[name] | new[name]) == 2]

def write(number, is_in):
    for side, record in zip(("before", "after"), records):
        rows = [row for row in record["rows"] if is_in(row["core"])]
        if not rows and number == 0 and changed:
            continue
        (out / "pairs" / f"{number}-{side}.json").write_text(json.dumps({**record, "rows": rows}))

write(0, lambda core: core not in changed)
for number, name in enumerate(changed, 1):
    write(number, lambda core: core == name)
END
}

# compare N [FLAGS]: adds the comparison of a pair, and what failed, such as rows that are missing. The status is that of the worst one.
compare() {
    local n=$1 is=0
    shift
    capvec compare "$out/pairs/$n-before.json" "$out/pairs/$n-after.json" --format md ${fail_over:+--fail-over "$fail_over"} "$@" \
        >"$out/one.md" 2>"$out/messages" || is=$?
    # Cores of different names: with a single core on both sides, it is clear which to compare.
    if [ "$is" -eq 2 ] && [ $# -eq 0 ]; then
        compare "$n" --across core
        return
    fi
    {
        cat "$out/one.md"
        sed 's/^/> /' "$out/messages"
        echo
    } >>"$out/compared.md"
    [ "$is" -le "$status" ] || status=$is
}

pairs
status=0
: >"$out/compared.md"
for before in "$out"/pairs/*-before.json; do
    n=$(basename "$before" -before.json)
    across=()
    [ "$n" -eq 0 ] || across=(--across core)
    compare "$n" ${across[@]+"${across[@]}"}
done
{
    begin
    echo "Compared with $(git rev-parse --short "$base")${fail_over:+; a figure may grow by $fail_over}."
    echo
    if [ "$(wc -c <"$out/compared.md")" -le "$limit" ]; then
        cat "$out/compared.md"
    else
        echo 'The comparison is too long for a comment; `capvec compare` prints it.'
    fi
} >"$out/comment.md"
figures >>"$out/comment.md"
exit "$status"
