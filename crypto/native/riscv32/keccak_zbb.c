/* Keccak by Zbb, without zip and unzip: bits are sorted by exchanging groups of them. */
#include "insn.h"

/* Exchanges the bits of `mask` with those `by` places above. */
static inline uint32_t exchange(uint32_t x, int by, uint32_t mask)
{
    uint32_t t = (x ^ x >> by) & mask;
    return x ^ t ^ t << by;
}

static inline uint32_t unzip(uint32_t x)
{
    return exchange(exchange(exchange(exchange(x, 1, 0x22222222), 2, 0x0c0c0c0c), 4, 0x00f000f0), 8, 0x0000ff00);
}

static inline uint32_t zip(uint32_t x)
{
    return exchange(exchange(exchange(exchange(x, 8, 0x0000ff00), 4, 0x00f000f0), 2, 0x0c0c0c0c), 1, 0x22222222);
}

#define UNZIP unzip
#define ZIP zip
#define PACK(low, high) (((low) & 0xffff) | (high) << 16)

#include "keccak_interleaved.h"

/* One block is left to portable code: converting the state costs as much time as it saves in one permutation. */
void cv_keccak_zbb_rv32(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes)
{
    if (blocks == 1)
        cv_portable_keccak(state, data, blocks, lanes);
    else
        absorb(state, data, blocks, lanes);
}

void cv_keccak_zbb_rv32_squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes)
{
    if (blocks == 1)
        cv_generic_keccak_squeeze(state, out, blocks, lanes);
    else
        squeeze(state, out, blocks, lanes);
}
