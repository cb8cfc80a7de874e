#!/bin/bash
# Prints the area of the vector crypto unit in NAND2 equivalents, as yosys maps it to OSU's 0.18 um cells.
#
#     rtl/area.sh [PARAMETER=VALUE…]                 the whole unit, flattened
#     rtl/area.sh --by-module [PARAMETER=VALUE…]     each module, not flattened, so that none is optimised together with others
#     rtl/area.sh --by-extension [PARAMETER=VALUE…]  the whole unit, and without each extension: takes 10 times as long
#     rtl/area.sh --core [PARAMETER=VALUE…]          the core by module, with VLEN and DLEN only; its vector registers are flip-flops
#     rtl/area.sh --csv VLEN=256 DLEN=128            what each extension and each draft takes: cores/zvku-area.csv
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
    --by-module | --by-extension | --csv | --core) table=$1; shift ;;
esac
for p in "$@"; do
    [[ $p =~ ^((VLEN|DLEN)=[0-9]+|[ZX][a-z0-9]+=[01])$ ]] || { echo "rtl/area.sh: $p: not VLEN=N, DLEN=N, or an extension with =0 or =1" >&2; exit 2; }
done
top=zvku
directories=.
if [ "$table" = --core ]; then
    top=zvcore
    directories='. ../zkr ../core'
fi
# Packages first.
sources=$(for d in $directories; do ls "$d"/*_pkg.sv; done; for d in $directories; do ls "$d"/*.sv | grep -v _pkg.sv; done)
nand2=$(awk '/cell *\(NAND2X1\)/ { found = 1 } found && /area *:/ { gsub(/[^0-9.]/, "", $3); print $3; exit }' "$liberty")
stat=$(mktemp)
trap 'rm -f "$stat"' EXIT

# Writes the cell counts and areas of $top with these parameters to $stat; $1 is -flatten or empty.
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

# The area of the flattened unit.
whole() {
    synthesise -flatten "$@"
    awk '/Chip area/ { area = $NF } END { printf "%d\n", area }' "$stat"
}

by_module() {
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

if [ "$table" = --csv ]; then printf "# "; fi
echo "$top${*:+ $*}: $(yosys -V), $(basename "$liberty"), NAND2 = $nand2"
case $table in
    --by-module | --core) by_module "$@" ;;
    --by-extension) by_extension "$@" ;;
    --csv) csv "$@" ;;
    *) whole "$@" | awk -v n="$nand2" '{ printf "area %d, %.1f kGE\n", $1, $1 / n / 1000 }' ;;
esac
