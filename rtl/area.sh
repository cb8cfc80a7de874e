#!/bin/bash
# Area of the vector crypto unit in NAND2 equivalents, by module, as yosys maps it to OSU's 0.18 um cells.
#
#     rtl/area.sh [PARAMETER=VALUE…]      parameters of rtl/zvku/zvku.sv, such as DLEN=256 Zvksh=0
#
# Needs yosys and the liberty file of Debian's qflow-tech-osu018; LIBERTY names another.
set -euo pipefail
cd "$(dirname "$0")/zvku"
liberty=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
# Datapaths whose hierarchy is kept, so that each has a row; the rest is flattened into the unit.
modules="zvku_bits zvku_mul zvku_cipher zvku_sha2 zvku_sm3 zvku_decode"

command -v yosys >/dev/null || { echo 'rtl/area.sh: no yosys on PATH; Debian: apt install yosys' >&2; exit 2; }
[ -r "$liberty" ] || {
    echo "rtl/area.sh: cannot read $liberty; Debian: apt install qflow-tech-osu018, or set LIBERTY" >&2
    exit 2
}

parameters=
for p in "$@"; do
    [[ $p =~ ^(VLEN|DLEN|Zv[a-z]+)=[0-9]+$ ]] || { echo "rtl/area.sh: $p: not PARAMETER=VALUE" >&2; exit 2; }
    parameters+=" -chparam ${p/=/ }"
done
sources=$(ls ./*.sv | grep -v _pkg.sv)
nand2=$(awk '/cell *\(NAND2X1\)/ { found = 1 } found && /area *:/ { gsub(/[^0-9.]/, "", $3); print $3; exit }' "$liberty")
stat=$(mktemp)
trap 'rm -f "$stat"' EXIT

# A module with parameters has them behind its name, or their digest before it.
yosys -q -w 'did not match any module' -p "
    read_verilog -sv zvku_op_pkg.sv zvku_pkg.sv $(echo $sources)
    hierarchy -check -top zvku $parameters
    setattr -mod -set keep_hierarchy 1 $(for m in $modules; do echo "*$m *$m?[A-Z]*"; done | xargs)
    synth -flatten -top zvku
    dfflibmap -liberty $liberty
    abc -liberty $liberty
    opt_clean -purge
    tee -q -o $stat stat -liberty $liberty -top zvku" >&2

echo "zvku${*:+ $*}: $(yosys -V), $(basename "$liberty"), NAND2 = $nand2"
# Areas of modules, their instances from the hierarchy, and the sum.
awk -v nand2="$nand2" '
    function kept(name) { return match(name, /zvku_[a-z0-9]+/) ? substr(name, RSTART, RLENGTH) : "zvku" }
    /^=== design hierarchy/ { hierarchy = 1 }
    hierarchy && /zvku/ && NF == 2 && !/Chip/ { count[$1] += $2 }
    /Chip area for module/ { name = $5; gsub(/[\x27:]/, "", name); area[name] = $NF }
    /Chip area for top module/ { total = $NF }
    END {
        for (m in area) {
            name = m
            sub(/^\\/, "", name)
            n = name in count ? count[name] : (m in count ? count[m] : 1)
            rows[kept(name)] += n * area[m] / nand2 / 1000
        }
        for (r in rows) printf "%-12s %6.1f kGE\n", r == "zvku" ? "the rest" : substr(r, 6), rows[r] | "sort -k2 -n -r -t\" \""
        close("sort -k2 -n -r -t\" \"")
        printf "%-12s %6.1f kGE\n", "all", total / nand2 / 1000
    }' "$stat"
