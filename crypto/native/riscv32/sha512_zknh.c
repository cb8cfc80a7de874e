/* SHA-512 by Zknh on RV32, where a word is a pair of registers and a sigma takes two instructions. */
#include "insn.h"
#include "internal.h"

static inline uint64_t join(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

#define HIGH(x) ((uint32_t)((x) >> 32))
#define LOW(x) ((uint32_t)(x))

static inline uint64_t big_a(uint64_t x)
{
    return join(cv_sha512sum0r(HIGH(x), LOW(x)), cv_sha512sum0r(LOW(x), HIGH(x)));
}

static inline uint64_t big_e(uint64_t x)
{
    return join(cv_sha512sum1r(HIGH(x), LOW(x)), cv_sha512sum1r(LOW(x), HIGH(x)));
}

static inline uint64_t small_far(uint64_t x)
{
    return join(cv_sha512sig0h(HIGH(x), LOW(x)), cv_sha512sig0l(LOW(x), HIGH(x)));
}

static inline uint64_t small_near(uint64_t x)
{
    return join(cv_sha512sig1h(HIGH(x), LOW(x)), cv_sha512sig1l(LOW(x), HIGH(x)));
}

#define WORD uint64_t
#define ROUNDS 80
#define K cv_sha512_k
#define LOAD cv_load_be64
#define BIG_A big_a
#define BIG_E big_e
#define SMALL_FAR small_far
#define SMALL_NEAR small_near

#include "sha2_rounds.h"

void cv_sha512_zknh_rv32(uint64_t state[8], const uint8_t *data, size_t blocks)
{
    compress(state, data, blocks);
}
