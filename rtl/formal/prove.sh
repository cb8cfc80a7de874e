#!/bin/bash
# Proves properties of the vector crypto unit, and of the core's scoreboard, with yosys and its SAT solver, prints each, and ends with an
# error if one does not hold. Products are proved by polynomials.py, with Python 3.
set -euo pipefail
cd "$(dirname "$0")/../zvku"
# A program, and its Debian package. The SAT solver is a part of yosys; abc, which comes with it, is a program of its own.
need() {
    command -v "$1" >/dev/null || { echo "rtl/formal/prove.sh: no $1 on PATH; Debian: apt install $2" >&2; exit 2; }
}
need yosys yosys
need yosys-abc yosys
need python3 python3
sources=$(ls ./*.sv | grep -v _pkg.sv)
out=$(mktemp)
netlist=$(mktemp)
trap 'rm -f "$out" "$netlist"' EXIT

# Runs yosys on the unit and on ../formal/$1.sv, with these commands after the design is read.
prove() {
    local what=$1 text=$2
    shift 2
    if ! yosys -q -p "read_verilog -formal -sv zvku_op_pkg.sv zvku_pkg.sv $(echo $sources) $*" > "$out" 2>&1; then
        echo "FAILED: $text"
        tail -n 40 "$out"
        exit 1
    fi
    echo "proved: $text ($what)"
}

# For every input, by SAT: the assertions of ../formal/$1.sv.
always() {
    local top=$1 text=$2
    shift 2
    prove "$top" "$text" ../formal/"$top".sv "$@" ";
        prep -flatten -top $top; memory_map; opt -full; sat -verify -prove-asserts"
}

# The same for its port bad_o of $2 bits, four at a time: many XORs at once are hard for SAT.
zero() {
    local top=$1 width=$2 text=$3 each=
    for ((n = 0; n < width; n += 4)); do each+="sat -verify -prove bad_o[$((n + 3)):$n] 0; "; done
    prove "$top" "$text" ../formal/"$top".sv "; prep -flatten -top $top; memory_map; opt; $each"
}

# For $2 cycles from reset, whatever the inputs are: the assertions of ../formal/$1.sv.
from_reset() {
    local top=$1 cycles=$2 text=$3
    shift 3
    prove "$top" "$text" ../formal/"$top".sv "$@" ";
        prep -flatten -top $top; async2sync; opt -full;
        sat -verify -prove-asserts -set-assumes -tempinduct -tempinduct-baseonly -maxsteps $((cycles + 1)) -set-at 1 rst_ni 0 -seq 1"
}

# For every input: zvku_$1 equals $1 of ../formal/$2.sv. Signals of the same name are compared one by one.
equal() {
    local module=$1 file=$2 text=$3
    prove "$module" "$text" ../formal/"$file".sv "; hierarchy -check; proc; flatten $module zvku_$module; opt_clean;
        equiv_make $module zvku_$module both; hierarchy -top both; opt_clean; equiv_simple; equiv_status -assert"
}

# For every input, as polynomials over GF(2): module $1.
polynomials() {
    local module=$1 text=$2
    prove "$module" "$text" "; hierarchy -check -top $module; proc; flatten; opt -full; techmap; opt -full; write_json $netlist;
        exec -expect-return 0 -- python3 ../formal/polynomials.py $netlist"
}

# For all time: no path leads from operands, the mask or the scalar to a handshake, a beat's number or the end of an instruction. The mask
# decides which bytes are written, and nothing else. Each bit of a register is traced separately.
no_path() {
    local text=$1
    shift
    prove "$*" "$text" "; hierarchy -check -top zvku $(printf -- '-chparam %s ' "${@/=/ }"); prep -flatten -top zvku; memory_map; opt -full; simplemap; splitnets -ports;
        opt_clean; select -set data i:op_vd_i* i:op_vs2_i* i:op_vs1_i* i:op_mask_i* i:rs1_i*; select -assert-any @data;
        select -set control o:insn_* o:op_* o:res_valid_o o:res_beat_o* o:res_last_o; select -assert-any @control;
        select -assert-none @control %ci* @data %i"
}

# For all time: the answer to an instruction depends on it, vtype, vl and vstart alone. No path leads there from a register, insn_valid_i or
# another channel; some lead to insn_ready_o.
answered() {
    local text=$1
    shift
    prove "$*" "$text" "; hierarchy -check -top zvku $(printf -- '-chparam %s ' "${@/=/ }"); prep -flatten -top zvku; opt_clean;
        select -set answer o:insn_illegal_o o:insn_empty_o; select -assert-count 2 @answer; select -set others t:\$*dff* i:insn_valid_i i:op_* i:res_*;
        select -assert-any o:insn_ready_o %ci* @others %i; select -assert-none @answer %ci* @others %i"
}

# For all time: no register depends on an instruction's operands, mask or x register once its last result was taken. Modules are mapped to
# gates before they are put together, which is faster; no flip-flop has an enable or a synchronous reset, which cleared.py does not know.
cleared() {
    local text=$1
    shift
    prove "$*" "$text" "../formal/cleared.sv; hierarchy -check -top cleared $(printf -- '-chparam %s ' "${@/=/ }"); proc; memory; opt_expr; opt_clean;
        techmap; opt; dfflegalize -cell \$_DFF_P_ x -cell \$_DFF_PN0_ x -cell \$_DFF_PN1_ x; opt_clean; flatten; opt_clean;
        write_json $netlist; exec -expect-return 0 -- python3 ../formal/cleared.py $netlist yosys-abc"
}

always sboxes 'the S-boxes of AES are those of FIPS 197, and that of SM4 is the table of GB/T 32907' ../formal/sm4_sbox.sv
zero aes 256 'ShiftRows, MixColumns, AddRoundKey, their inverses and the key expansion are those of FIPS 197'
always sm4 'the round of SM4 and that of its key expansion are those of GB/T 32907'
always sums 'the sums of SHA-2 are those of two words of 32 bits, or one of 64'
zero sm3 256 'the round of SM3 is that of GB/T 32905'
equal sha2_round sha2 'the rounds of SHA-2 are those of FIPS 180-4'
equal sha2_schedule sha2 'the message schedule of SHA-2 is that of FIPS 180-4'
polynomials zvku_clmul 'the product of GHASH is that of SP 800-38D, and vclmul and vclmulh are the halves of the product'
polynomials zvku_sm3 'the message expansion of SM3 is that of GB/T 32905'
independent='the cycles in which the unit takes beats and gives results do not depend on operands, the mask or the scalar'
for dlen in 64 128 256; do
    no_path "$independent" VLEN=256 DLEN=$dlen Zvknhk0p2=1 Xcapvecmulq0p1=1 Zvknf0p2022=1
done
no_path "$independent" VLEN=256 DLEN=128 Zvknhk0p1=1
answer='whether an instruction is illegal or empty depends on it, vtype, vl and vstart alone, not on what the unit is doing'
for dlen in 64 128; do
    answered "$answer" VLEN=256 DLEN=$dlen Zvknhk0p2=1 Xcapvecmulq0p1=1 Zvknf0p2022=1
done
forgotten='when an instruction has ended, no register depends on its operands, mask or x register'
cleared "$forgotten" VLEN=256 DLEN=128
cleared "$forgotten" VLEN=256 DLEN=64 Zvknhk0p2=1 Xcapvecmulq0p1=1 Zvknf0p2022=1
from_reset handshake 10 'in 10 cycles from reset, no result is lost, comes twice or out of order, or waits for more than 4 cycles'
from_reset scoreboard 5 'in 5 cycles from reset, each beat reads what those before it in program order write, and no write overtakes another' \
    ../core/zvcore_vhazard.sv ../core/zvcore_vorder.sv ../core/zvcore_vfetch.sv
