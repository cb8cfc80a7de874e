// The ports of zvku as two structures, with which ports.rs must agree.
#ifndef CAPVEC_RTL_PORTS_H
#define CAPVEC_RTL_PORTS_H

#include <cstdint>
#include <cstring>

#include "Vmodel.h"
#include "verilated.h"

// Widest beat in bytes. If DLEN is smaller, the first bytes are used.
constexpr size_t kWidest = 64;
constexpr size_t kBeat = DLEN / 8;

struct inputs {
    uint64_t rs1;
    uint64_t op_mask;
    uint32_t insn;
    uint32_t vl;
    uint32_t vstart;
    uint32_t vtype;
    uint32_t vill;
    uint32_t insn_valid;
    uint32_t op_valid;
    uint32_t res_ready;
    uint8_t op_vd[kWidest];
    uint8_t op_vs2[kWidest];
    uint8_t op_vs1[kWidest];
};

struct outputs {
    uint64_t res_strb;
    uint32_t insn_ready;
    uint32_t insn_illegal;
    uint32_t insn_empty;
    uint32_t op_ready;
    uint32_t op_use;
    uint32_t op_vd_beat;
    uint32_t op_vs2_beat;
    uint32_t op_vs1_beat;
    uint32_t res_valid;
    uint32_t res_beat;
    uint32_t res_last;
    uint32_t reserved;
    uint8_t res_data[kWidest];
};

// A port of up to 64 bits is an integer, a wider one an array of 32-bit words: both are little-endian bytes.
inline void apply(Vmodel &m, const inputs &in)
{
    m.insn_valid_i = in.insn_valid;
    m.insn_i = in.insn;
    m.vtype_i = in.vtype;
    m.vill_i = in.vill;
    m.vl_i = in.vl;
    m.vstart_i = in.vstart;
    m.rs1_i = in.rs1;
    m.op_valid_i = in.op_valid;
    m.op_mask_i = in.op_mask;
    m.res_ready_i = in.res_ready;
    std::memcpy(&m.op_vd_i, in.op_vd, kBeat);
    std::memcpy(&m.op_vs2_i, in.op_vs2, kBeat);
    std::memcpy(&m.op_vs1_i, in.op_vs1, kBeat);
}

inline void sample(const Vmodel &m, outputs &out)
{
    out.insn_ready = m.insn_ready_o;
    out.insn_illegal = m.insn_illegal_o;
    out.insn_empty = m.insn_empty_o;
    out.op_ready = m.op_ready_o;
    out.op_use = m.op_use_o;
    out.op_vd_beat = m.op_vd_beat_o;
    out.op_vs2_beat = m.op_vs2_beat_o;
    out.op_vs1_beat = m.op_vs1_beat_o;
    out.res_valid = m.res_valid_o;
    out.res_beat = m.res_beat_o;
    out.res_last = m.res_last_o;
    out.res_strb = m.res_strb_o;
    std::memcpy(out.res_data, &m.res_data_o, kBeat);
}

#endif
