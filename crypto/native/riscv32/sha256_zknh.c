/* SHA-256 by Zknh: an instruction for each sigma. */
#include "insn.h"
#include "internal.h"

#define WORD uint32_t
#define ROUNDS 64
#define K cv_sha256_k
#define LOAD cv_load_be32
#define BIG_A cv_sha256sum0
#define BIG_E cv_sha256sum1
#define SMALL_FAR cv_sha256sig0
#define SMALL_NEAR cv_sha256sig1

#include "sha2_rounds.h"

void cv_sha256_zknh(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    compress(state, data, blocks);
}
