// The ports of zvcore_clocked as two structures, with which ports.rs must agree.
#ifndef CAPVEC_RTL_CORE_PORTS_H
#define CAPVEC_RTL_CORE_PORTS_H

// zvcore_clocked samples its inputs at the clock's edge.
#define CLOCKED

#include <cstdint>
#include <cstring>

#include "Vmodel.h"
#include "verilated.h"

// Widest data port in bytes. If DLEN is smaller, the first bytes are used.
constexpr size_t kWidest = 64;
constexpr size_t kLine = DLEN / 8;
// Bits of the number of a word of the vector registers.
constexpr int kAddrBits = __builtin_ctz(32 * VLEN / DLEN);

struct inputs {
    uint64_t boot;
    uint64_t time;
    uint64_t imem_rdata;
    uint32_t imem_gnt;
    uint32_t imem_rvalid;
    uint32_t dmem_gnt;
    uint32_t dmem_rvalid;
    uint32_t raw_valid;
    uint32_t raw;
    uint32_t alarm;
    uint32_t fatal;
    uint8_t dmem_rdata[kWidest];
};

struct outputs {
    uint64_t imem_addr;
    uint64_t dmem_addr;
    uint64_t dmem_strb;
    uint64_t pc;
    uint64_t tval;
    uint64_t rd_data;
    uint64_t v_strb[2];
    uint32_t imem_req;
    uint32_t dmem_req;
    uint32_t dmem_we;
    uint32_t valid;
    uint32_t trap;
    uint32_t insn;
    uint32_t cause;
    uint32_t rd_we;
    uint32_t rd;
    uint32_t tagged;
    uint32_t tag;
    uint32_t v_we;
    uint32_t v_tag[2];
    uint32_t v_addr[2];
    uint8_t dmem_wdata[kWidest];
    uint8_t v_data[2][kWidest];
};

// A port of up to 64 bits is an integer, a wider one an array of 32-bit words: both are little-endian bytes.
inline void apply(Vmodel &m, const inputs &in)
{
    m.boot_i = in.boot;
    m.time_i = in.time;
    m.raw_valid_i = in.raw_valid;
    m.raw_i = in.raw;
    m.alarm_i = in.alarm;
    m.fatal_i = in.fatal;
    m.imem_gnt_i = in.imem_gnt;
    m.imem_rvalid_i = in.imem_rvalid;
    m.imem_rdata_i = in.imem_rdata;
    m.dmem_gnt_i = in.dmem_gnt;
    m.dmem_rvalid_i = in.dmem_rvalid;
    std::memcpy(&m.dmem_rdata_i, in.dmem_rdata, kLine);
}

inline void sample(const Vmodel &m, outputs &out)
{
    out.imem_req = m.imem_req_o;
    out.imem_addr = m.imem_addr_o;
    out.dmem_req = m.dmem_req_o;
    out.dmem_addr = m.dmem_addr_o;
    out.dmem_we = m.dmem_we_o;
    out.dmem_strb = m.dmem_strb_o;
    std::memcpy(out.dmem_wdata, &m.dmem_wdata_o, kLine);
    out.valid = m.retire_valid_o;
    out.trap = m.retire_trap_o;
    out.pc = m.retire_pc_o;
    out.insn = m.retire_insn_o;
    out.cause = m.retire_cause_o;
    out.tval = m.retire_tval_o;
    out.rd_we = m.retire_rd_we_o;
    out.rd = m.retire_rd_o;
    out.rd_data = m.retire_rd_data_o;
    out.tagged = m.retire_tagged_o;
    out.tag = m.retire_tag_o;
    out.v_we = m.retire_v_we_o;
    std::memset(out.v_strb, 0, sizeof out.v_strb);
    for (int i = 0; i < 2; i++) {
        out.v_tag[i] = m.retire_v_tag_o >> (8 * i) & 0xff;
        out.v_addr[i] = m.retire_v_addr_o >> (kAddrBits * i) & ((1u << kAddrBits) - 1);
        const uint8_t *strb = reinterpret_cast<const uint8_t *>(&m.retire_v_strb_o);
        const uint8_t *data = reinterpret_cast<const uint8_t *>(&m.retire_v_data_o);
        std::memcpy(&out.v_strb[i], strb + kLine / 8 * i, kLine / 8);
        std::memcpy(out.v_data[i], data + kLine * i, kLine);
    }
}

#endif
