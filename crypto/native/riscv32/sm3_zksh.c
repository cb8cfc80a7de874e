/* SM3 by Zksh: an instruction for each permutation. */
#include "insn.h"
#include "internal.h"

#define P0 cv_sm3p0
#define P1 cv_sm3p1

#include "sm3_rounds.h"

void cv_sm3_zksh(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    rounds_of_blocks(state, data, blocks);
}
