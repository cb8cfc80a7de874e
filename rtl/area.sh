#!/bin/bash
# Prints the area of the flattened vector crypto unit in NAND2 equivalents, as yosys maps it to OSU's 0.18 um cells.
#
#     rtl/area.sh [PARAMETER=VALUE…]      parameters of rtl/zvku/zvku.sv, such as DLEN=256 Zvksh=0
#
# Needs yosys and the liberty file of Debian's qflow-tech-osu018; LIBERTY names another.
set -euo pipefail
cd "$(dirname "$0")/zvku"
liberty=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}

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

yosys -q -p "
    read_verilog -sv zvku_op_pkg.sv zvku_pkg.sv $(echo $sources)
    hierarchy -check -top zvku $parameters
    synth -flatten -top zvku
    dfflibmap -liberty $liberty
    abc -liberty $liberty
    opt_clean
    tee -q -o $stat stat -liberty $liberty" >&2

echo "zvku${*:+ $*}: $(yosys -V), $(basename "$liberty"), NAND2 = $nand2"
awk -v nand2="$nand2" '/Chip area/ { printf "area %s, %.1f kGE\n", $NF, $NF / nand2 / 1000 }' "$stat"
