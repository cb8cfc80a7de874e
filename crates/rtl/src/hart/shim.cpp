// The C functions of shim.h on the Verilator model. DLEN is the model's.
#include "shim.h"

#include <cstring>

#include "Vmodel.h"
#include "verilated.h"

namespace {

constexpr size_t kLine = DLEN / 8;

struct Core {
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

void *zvcore_new() {
    auto *core = new Core;
    Vmodel &m = core->model;
    m.rst_ni = 0;
    m.eval();
    tick(m);
    m.rst_ni = 1;
    m.eval();
    return core;
}

void zvcore_free(void *core) {
    delete static_cast<Core *>(core);
}

void zvcore_eval(void *core, const zvcore_in *in, zvcore_out *out) {
    Vmodel &m = static_cast<Core *>(core)->model;
    m.boot_i = in->boot;
    m.time_i = in->time;
    m.imem_gnt_i = in->imem_gnt;
    m.imem_rvalid_i = in->imem_rvalid;
    m.imem_rdata_i = in->imem_rdata;
    m.dmem_gnt_i = in->dmem_gnt;
    m.dmem_rvalid_i = in->dmem_rvalid;
    // A port of up to 64 bits is an integer, a wider one an array of 32-bit words: little-endian bytes both.
    std::memcpy(&m.dmem_rdata_i, in->dmem_rdata, kLine);
    m.eval();
    out->imem_req = m.imem_req_o;
    out->imem_addr = m.imem_addr_o;
    out->dmem_req = m.dmem_req_o;
    out->dmem_addr = m.dmem_addr_o;
    out->dmem_we = m.dmem_we_o;
    out->dmem_strb = m.dmem_strb_o;
    std::memcpy(out->dmem_wdata, &m.dmem_wdata_o, kLine);
    out->valid = m.retire_valid_o;
    out->trap = m.retire_trap_o;
    out->pc = m.retire_pc_o;
    out->insn = m.retire_insn_o;
    out->cause = m.retire_cause_o;
    out->tval = m.retire_tval_o;
    out->rd_we = m.retire_rd_we_o;
    out->rd = m.retire_rd_o;
    out->rd_data = m.retire_rd_data_o;
    out->v_we = m.retire_v_we_o;
    out->v_addr = m.retire_v_addr_o;
    out->v_strb = m.retire_v_strb_o;
    std::memcpy(out->v_data, &m.retire_v_data_o, kLine);
}

void zvcore_clock(void *core) {
    tick(static_cast<Core *>(core)->model);
}
