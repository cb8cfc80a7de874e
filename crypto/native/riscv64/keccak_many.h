/* Keccak-f[1600] of many states: a state in each lane of a register. The including file has
 *   FIRST_LANES ... LAST_LANES  the registers of lanes 0 to 8, 9 to 12, 13 to 16, 17, 18 to 20 and 21 to 24; lane A[x, y] is
 *                               number x + 5 y
 *   FROM, T                     registers that are free between permutations
 *   keccak_begin, keccak_end    prologue and epilogue; the latter returns
 *   keccak_in, keccak_out       conversions of states after loading and before storing
 *   keccak_rounds               24 rounds, which may clobber CONST, END and WORD */
#ifndef CV_KECCAK_MANY_H
#define CV_KECCAK_MANY_H

#include "vector.h"

#define STATES  a0
#define STRIDE  a1
#define DATA    a2
#define BLOCKS  a3
#define LANES   a4
#define COUNT   a5
#define LEFT    a6
/* CONST, END and WORD are for the rounds; AT and REST, in the same registers, for the code outside of them. */
#define CONST   t1
#define END     t2
#define WORD    t3
#define AT      t2
#define REST    t3

.hidden cv_keccak_constants

.macro absorb lanes:vararg
    .irp lane, \lanes
    vluxei64.v  T, (AT), FROM
    addi        AT, AT, 8
    vxor.vv     \lane, \lane, T
    .endr
.endm

.macro all insn
    mv          AT, STATES
    .irp lane, FIRST_LANES, LANES_9, LANES_13, LANE_17, LANES_18, LAST_LANES
    \insn      \lane, (AT)
    add         AT, AT, STRIDE
    .endr
.endm

/* For each state and block: state ^= block, then 24 rounds (FIPS 202, algorithms 7 and 8), for as many states as a
 * register has 64-bit words.
 *
 * void name(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes, size_t count)
 * states: lane i of state j is at `states` plus `stride` i bytes and j words. data: addresses of each state's blocks.
 * blocks, count > 0; lanes 0, 9, 13, 17, 18 or 21. Clobbers a0, a2, a5, a6, t1 ... t3, all vector registers, and what
 * the macros clobber. */
.macro keccak_many name
cv_function \name
    keccak_begin
1:  vsetvli     zero, COUNT, e64, m1, ta, ma
    all         vle64.v
    keccak_in
    mv          LEFT, BLOCKS
2:  mv          REST, LANES
    beqz        REST, 3f
    /* The block's offset. */
    sub         AT, BLOCKS, LEFT
    mul         AT, AT, LANES
    slli        AT, AT, 3
    vle64.v     FROM, (DATA)
    absorb      FIRST_LANES
    addi        REST, REST, -9
    beqz        REST, 3f
    absorb      LANES_9
    addi        REST, REST, -4
    beqz        REST, 3f
    absorb      LANES_13
    addi        REST, REST, -4
    beqz        REST, 3f
    absorb      LANE_17
    addi        REST, REST, -1
    beqz        REST, 3f
    absorb      LANES_18
3:  lla         CONST, cv_keccak_constants
    keccak_rounds
    addi        LEFT, LEFT, -1
    bnez        LEFT, 2b
    keccak_out
    all         vse64.v
    csrr        REST, 0xc20
    sub         COUNT, COUNT, REST
    slli        REST, REST, 3
    add         STATES, STATES, REST
    add         DATA, DATA, REST
    bnez        COUNT, 1b
    keccak_end
cv_end \name
.endm

#endif
