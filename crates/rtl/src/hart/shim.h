/* What the Verilator model of zvcore looks like from outside: its ports as two structures, and four functions. */
#ifndef CAPVEC_RTL_CORE_SHIM_H
#define CAPVEC_RTL_CORE_SHIM_H

#include <stdint.h>

/* Widest line in bytes. Narrower ones use the first of them. */
enum { ZVCORE_LINE = 64 };

struct zvcore_in {
    uint64_t boot;
    uint64_t time;
    uint64_t imem_rdata;
    uint32_t imem_gnt;
    uint32_t imem_rvalid;
    uint32_t dmem_gnt;
    uint32_t dmem_rvalid;
    uint8_t dmem_rdata[ZVCORE_LINE];
};

struct zvcore_out {
    uint64_t imem_addr;
    uint64_t dmem_addr;
    uint64_t dmem_strb;
    uint64_t pc;
    uint64_t tval;
    uint64_t rd_data;
    uint64_t v_strb;
    uint32_t imem_req;
    uint32_t dmem_req;
    uint32_t dmem_we;
    uint32_t valid;
    uint32_t trap;
    uint32_t insn;
    uint32_t cause;
    uint32_t rd_we;
    uint32_t rd;
    uint32_t v_we;
    uint32_t v_addr;
    uint32_t reserved;
    uint8_t dmem_wdata[ZVCORE_LINE];
    uint8_t v_data[ZVCORE_LINE];
};

#ifdef __cplusplus
extern "C" {
#endif
/* A core after reset, in the cycle before it looks at `boot`. */
void *zvcore_new(void);
void zvcore_free(void *core);
/* Applies inputs and gives the outputs that they lead to, in the present cycle. */
void zvcore_eval(void *core, const struct zvcore_in *in, struct zvcore_out *out);
/* The rising edge of the clock, with the inputs that were applied last. */
void zvcore_clock(void *core);
#ifdef __cplusplus
}
#endif
#endif
