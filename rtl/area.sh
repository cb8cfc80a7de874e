#!/bin/bash
# Prints the area of the vector crypto unit in NAND2 equivalents, as yosys maps it to OSU's 0.18 um cells.
#
#     rtl/area.sh [PARAMETER=VALUE…]                 the whole unit, flattened
#     rtl/area.sh --by-module [PARAMETER=VALUE…]     each module, not flattened, so that none is optimised together with others
#     rtl/area.sh --by-extension [PARAMETER=VALUE…]  the whole unit, and without each extension: takes 10 times as long
#     rtl/area.sh --core [PARAMETER=VALUE…]          the core by module, with VLEN and DLEN only; its vector registers are flip-flops
#     rtl/area.sh --csv VLEN=256 DLEN=128            what each extension and each draft takes: cores/zvku-area.csv
#     rtl/area.sh --all VLEN=256 DLEN=128            all of these, and the unit with drafts and at DLEN 256: the tables of records/rtl.md
#
# Other parameters are those of rtl/zvku/zvku.sv, such as DLEN=256 Zvksh=0. Needs yosys and the liberty file of Debian's
# qflow-tech-osu018; LIBERTY names another. A netlist takes one to two minutes.
set -euo pipefail
cd "$(dirname "$0")/zvku"
liberty=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}

command -v yosys >/dev/null || { echo 'rtl/area.sh: no yosys on PATH; Debian: apt install yosys' >&2; exit 2; }
[ -r "$liberty" ] || {
    echo "rtl/area.sh: cannot read $liberty; Debian: apt install qflow-tech-osu018, or set LIBERTY" >&2
    exit 2
}

table=
case ${1:-} in
    --by-module | --by-extension | --csv | --core | --all) table=$1; shift ;;
esac
for p in "$@"; do
    [[ $p =~ ^((VLEN|DLEN)=[0-9]+|[ZX][a-z0-9]+=[01])$ ]] || { echo "rtl/area.sh: $p: not VLEN=N, DLEN=N, or an extension with =0 or =1" >&2; exit 2; }
done
# The top module, and the directories with its sources, which are listed with packages first.
design() {
    top=$1
    shift
    sources=$(for d in "$@"; do ls "$d"/*_pkg.sv; done; for d in "$@"; do ls "$d"/*.sv | grep -v _pkg.sv; done)
}
design zvku .
nand2=$(awk '/cell *\(NAND2X1\)/ { found = 1 } found && /area *:/ { gsub(/[^0-9.]/, "", $3); print $3; exit }' "$liberty")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Writes the cell counts and areas of $top with these parameters to the file $stat; $1 is -flatten or empty.
synthesise() {
    local flatten=$1 parameters=
    shift
    for p in "$@"; do parameters+=" -chparam ${p/=/ }"; done
    yosys -q -p "
        read_verilog -sv $(echo $sources)
        hierarchy -check -top $top $parameters
        synth $flatten -top $top
        dfflibmap -liberty $liberty
        abc -liberty $liberty
        opt_clean
        tee -q -o $stat stat -liberty $liberty -top $top" >&2
}

# The area of the flattened unit, which is synthesised once for the same parameters.
whole() {
    local known="$work/area $*" stat
    if [ ! -e "$known" ]; then
        stat=$(mktemp -p "$work")
        synthesise -flatten "$@"
        awk '/Chip area/ { area = $NF } END { printf "%d\n", area }' "$stat" > "$stat.area"
        mv "$stat.area" "$known"
    fi
    cat "$known"
}

# The unit, with drafts, and with another datapath.
units() {
    local name area
    row() {
        name=$1
        shift
        area=$(whole "$@")
        awk -v name="$name" -v a="$area" -v n="$nand2" 'BEGIN { printf "| %s | %d | %.1f |\n", name, a, a / n / 1000 }'
    }
    printf '| unit | area | kGE |\n|---|---|---|\n'
    row '`zvku`' "$@"
    row 'with all rounds of AES, `Zvknf0p2022=1`' "$@" Zvknf0p2022=1
    row 'with vkeccak 0.1, `Zvknhk0p1=1`' "$@" Zvknhk0p1=1
    row 'with vkeccak 0.2, `Zvknhk0p2=1`' "$@" Zvknhk0p2=1
    row 'with vmulq, `Xcapvecmulq0p1=1`' "$@" Xcapvecmulq0p1=1
    row 'with vkeccak 0.2 and vmulq' "$@" Zvknhk0p2=1 Xcapvecmulq0p1=1
    row '`zvku` at DLEN 256' "${@/DLEN=*/DLEN=256}"
}

by_module() {
    local stat
    stat=$(mktemp -p "$work")
    synthesise '' "$@"
    awk -v nand2="$nand2" '
        /Chip area for module/ { own[substr($5, 2, length($5) - 3)] = $NF }
        /design hierarchy/ { tree = 1; next }
        tree && /Number of wires/ { tree = 0 }
        tree && NF == 2 {
            match($0, /^ */)
            depth[++n] = (RLENGTH - 3) / 2
            name[n] = $1
            count[n] = $2
            at[depth[n]] = n
            if (depth[n] > 0) parent[n] = at[depth[n] - 1]
        }
        END {
            for (i = n; i > 0; i--) {
                total[i] += own[name[i]] + own["\\" name[i]]
                if (i > 1) total[parent[i]] += count[i] * total[i]
            }
            print "| module | instances | kGE each |\n|---|--:|--:|"
            for (i = 1; i <= n; i++) {
                if (depth[i] > 4 || total[i] == 0) continue  # zvku_hold: wires
                match(name[i], /z(vku|vcore|kr)[a-z0-9_]*/)
                indent = sprintf("%" 2 * depth[i] "s", "")
                gsub(/ /, "\\&nbsp;", indent)
                printf "| %s`%s` | %d | %.2f |\n", indent, substr(name[i], RSTART, RLENGTH), count[i], total[i] / nand2 / 1000
            }
        }' "$stat"
}

by_extension() {
    local all off area
    all=$(whole "$@")
    awk -v a="$all" -v n="$nand2" 'BEGIN { printf "| off | area | kGE | less by |\n|---|--:|--:|--:|\n| none | %d | %.1f | |\n", a, a / n / 1000 }'
    for off in Zvbb=0 'Zvbb=0 Zvkb=0' Zvbc=0 Zvkg=0 Zvkned=0 Zvknhb=0 'Zvknhb=0 Zvknha=0' Zvksed=0 Zvksh=0; do
        # shellcheck disable=SC2086 # one parameter to a word
        area=$(whole "$@" $off)
        awk -v off="${off//=0/}" -v all="$all" -v a="$area" -v n="$nand2" 'BEGIN {
            gsub(/ /, " and ", off)
            printf "| %s | %d | %.1f | %.1f |\n", off, a, a / n / 1000, (all - a) / n / 1000
        }'
    done
}

# What each extension takes if all others stay, in kGE. Zvbb includes Zvkb, and Zvknhb Zvknha.
csv() {
    local all no_zvbb no_zvkb no_zvknhb no_zvknha e
    row() {
        awk -v e="$1" -v a="$2" -v b="$3" -v n="$nand2" 'BEGIN { printf "%s,%.1f\n", tolower(e), (a - b) / n / 1000 }'
    }
    all=$(whole "$@")
    no_zvbb=$(whole "$@" Zvbb=0)
    no_zvkb=$(whole "$@" Zvbb=0 Zvkb=0)
    no_zvknhb=$(whole "$@" Zvknhb=0)
    no_zvknha=$(whole "$@" Zvknhb=0 Zvknha=0)
    echo 'extension,kge'
    row Zvbb "$all" "$no_zvkb"
    row Zvkb "$no_zvbb" "$no_zvkb"
    row Zvknhb "$all" "$no_zvknha"
    row Zvknha "$no_zvknhb" "$no_zvknha"
    for e in Zvbc Zvkg Zvkned Zvksed Zvksh; do row "$e" "$all" "$(whole "$@" "$e=0")"; done
    for e in Zvknhk0p1 Zvknhk0p2 Xcapvecmulq0p1 Zvknf0p2022; do row "$e" "$(whole "$@" "$e=1")" "$all"; done
}

# Without extensions, which the core's parameters do not name.
core() {
    local p sizes=()
    for p in "$@"; do
        if [[ $p == ?LEN=* ]]; then sizes+=("$p"); fi
    done
    design zvcore . ../zkr ../core
    by_module "${sizes[@]}"
}

# Runs this in the background, with at most one command for each processor; what it prints goes to a file.
started=()
start() {
    local to=$1
    shift
    # Whether one failed is asked at the end.
    if ((${#started[@]} >= $(nproc))); then wait -n || true; fi
    "$@" > "$work/$to" &
    started+=($!)
}

# All tables; every netlist is made before they are printed, the largest first.
all() {
    local variant job
    start core core "$@"
    start modules by_module "$@"
    for variant in '' Zvknf0p2022=1 Zvknhk0p1=1 Zvknhk0p2=1 Xcapvecmulq0p1=1 'Zvknhk0p2=1 Xcapvecmulq0p1=1' \
        Zvbb=0 'Zvbb=0 Zvkb=0' Zvbc=0 Zvkg=0 Zvkned=0 Zvknhb=0 'Zvknhb=0 Zvknha=0' Zvksed=0 Zvksh=0; do
        # shellcheck disable=SC2086 # one parameter to a word
        start whole whole "$@" $variant
    done
    start whole whole "${@/DLEN=*/DLEN=256}"
    for job in "${started[@]}"; do wait "$job"; done
    units "$@"
    echo && by_extension "$@"
    echo && cat "$work/modules"
    echo && csv "$@"
    echo && cat "$work/core"
}

tools="$(yosys -V), $(basename "$liberty"), NAND2 = $nand2"
case $table in
    --csv) echo "# zvku${*:+ $*}: $tools" ;;
    --core) echo "zvcore${*:+ $*}: $tools" ;;
    *) echo "zvku${*:+ $*}: $tools" ;;
esac
case $table in
    --by-module) by_module "$@" ;;
    --by-extension) by_extension "$@" ;;
    --csv) csv "$@" ;;
    --core) core "$@" ;;
    --all) all "$@" ;;
    *) whole "$@" | awk -v n="$nand2" '{ printf "area %d, %.1f kGE\n", $1, $1 / n / 1000 }' ;;
esac
