// The C functions of shim.h on the Verilator model. DLEN is the model's.
#include "shim.h"

#include <cstring>

#include "Vmodel.h"
#include "verilated.h"

namespace {

constexpr size_t kBeat = DLEN / 8;

struct Unit {
    VerilatedContext context;
    Vmodel model{&context};
};

void tick(Vmodel &m) {
    m.clk_i = 1;
    m.eval();
    m.clk_i = 0;
    m.eval();
}

}  // namespace

void *zvku_new() {
    auto *unit = new Unit;
    Vmodel &m = unit->model;
    m.rst_ni = 0;
    m.eval();
    tick(m);
    m.rst_ni = 1;
    m.eval();
    return unit;
}

void zvku_free(void *unit) {
    delete static_cast<Unit *>(unit);
}

void zvku_eval(void *unit, const zvku_in *in, zvku_out *out) {
    Vmodel &m = static_cast<Unit *>(unit)->model;
    m.insn_valid_i = in->insn_valid;
    m.insn_i = in->insn;
    m.vtype_i = in->vtype;
    m.vill_i = in->vill;
    m.vl_i = in->vl;
    m.vstart_i = in->vstart;
    m.rs1_i = in->rs1;
    m.op_valid_i = in->op_valid;
    m.op_mask_i = in->op_mask;
    m.res_ready_i = in->res_ready;
    // A port of up to 64 bits is an integer, a wider one an array of 32-bit words: little-endian bytes both.
    std::memcpy(&m.op_vd_i, in->op_vd, kBeat);
    std::memcpy(&m.op_vs2_i, in->op_vs2, kBeat);
    std::memcpy(&m.op_vs1_i, in->op_vs1, kBeat);
    m.eval();
    out->insn_ready = m.insn_ready_o;
    out->insn_illegal = m.insn_illegal_o;
    out->insn_empty = m.insn_empty_o;
    out->op_ready = m.op_ready_o;
    out->op_use = m.op_use_o;
    out->op_vd_beat = m.op_vd_beat_o;
    out->op_vs2_beat = m.op_vs2_beat_o;
    out->op_vs1_beat = m.op_vs1_beat_o;
    out->res_valid = m.res_valid_o;
    out->res_beat = m.res_beat_o;
    out->res_last = m.res_last_o;
    out->res_strb = m.res_strb_o;
    std::memcpy(out->res_data, &m.res_data_o, kBeat);
}

void zvku_clock(void *unit) {
    tick(static_cast<Unit *>(unit)->model);
}
