/* SHA-256's compression function. */
#include "internal.h"

#define WORD uint32_t
#define BITS 32
#define ROUNDS 64
#define K cv_sha256_k
#define LOAD cv_load_be32
#define SUM_A 2, 13, 22
#define SUM_E 6, 11, 25
#define SIGMA_FAR 7, 18, 3
#define SIGMA_NEAR 17, 19, 10

#include "sha2_rounds.h"

void cv_portable_sha256(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    compress(state, data, blocks);
}
