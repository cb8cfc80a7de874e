/* What the Verilator model of zvku looks like from outside: its ports as two structures, and four functions. */
#ifndef CAPVEC_RTL_SHIM_H
#define CAPVEC_RTL_SHIM_H

#include <stdint.h>

/* Widest beat in bytes. Narrower ones use the first of them. */
enum { ZVKU_BEAT = 64 };

struct zvku_in {
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
    uint8_t op_vd[ZVKU_BEAT];
    uint8_t op_vs2[ZVKU_BEAT];
    uint8_t op_vs1[ZVKU_BEAT];
};

struct zvku_out {
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
    uint8_t res_data[ZVKU_BEAT];
};

#ifdef __cplusplus
extern "C" {
#endif
/* A unit after reset. */
void *zvku_new(void);
void zvku_free(void *unit);
/* Applies inputs and gives the outputs that they lead to, in the present cycle. */
void zvku_eval(void *unit, const struct zvku_in *in, struct zvku_out *out);
/* The rising edge of the clock, with the inputs that were applied last. */
void zvku_clock(void *unit);
#ifdef __cplusplus
}
#endif
#endif
