// The ports of zkr as two structures, with which mod.rs must agree.
#ifndef CAPVEC_RTL_ZKR_PORTS_H
#define CAPVEC_RTL_ZKR_PORTS_H

#include <cstdint>

#include "Vmodel.h"
#include "verilated.h"

struct inputs {
    uint32_t raw_valid;
    uint32_t raw;
    uint32_t alarm;
    uint32_t fatal;
    uint32_t access;
    uint32_t write;
    uint32_t machine;
    uint32_t allowed;
};

struct outputs {
    uint32_t illegal;
    uint32_t seed;
};

inline void apply(Vmodel &m, const inputs &in)
{
    m.raw_valid_i = in.raw_valid;
    m.raw_i = in.raw;
    m.alarm_i = in.alarm;
    m.fatal_i = in.fatal;
    m.access_i = in.access;
    m.write_i = in.write;
    m.machine_i = in.machine;
    m.allowed_i = in.allowed;
}

inline void sample(const Vmodel &m, outputs &out)
{
    out.illegal = m.illegal_o;
    out.seed = m.seed_o;
}

#endif
