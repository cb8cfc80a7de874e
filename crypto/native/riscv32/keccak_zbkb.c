/* Keccak by Zbkb, which converts a word in one instruction. */
#include "insn.h"

#define UNZIP cv_unzip
#define ZIP cv_zip
#define PACK cv_pack

#include "keccak_interleaved.h"

void cv_keccak_zbkb_rv32(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes)
{
    absorb(state, data, blocks, lanes);
}

void cv_keccak_zbkb_rv32_squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes)
{
    squeeze(state, out, blocks, lanes);
}
