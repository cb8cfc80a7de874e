/* SHA-512's compression function. */
#include "internal.h"

#define WORD uint64_t
#define BITS 64
#define ROUNDS 80
#define K cv_sha512_k
#define LOAD cv_load_be64
#define SUM_A 28, 34, 39
#define SUM_E 14, 18, 41
#define SIGMA_FAR 1, 8, 7
#define SIGMA_NEAR 19, 61, 6

#include "sha2_rounds.h"

void cv_portable_sha512(uint64_t state[8], const uint8_t *data, size_t blocks)
{
    compress(state, data, blocks);
}
