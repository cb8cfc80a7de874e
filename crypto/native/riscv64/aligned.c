/* Scalar kernels need aligned data, since other accesses may trap; unaligned data is copied block by block. */
#include "internal.h"

void cv_keccak_zbb_aligned(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes);
void cv_sha256_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sha256_zknh_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sha512_zbb_aligned(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_sha512_zknh_zbb_aligned(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_sm3_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sm3_zksh_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks);

static inline int is_aligned(const uint8_t *data)
{
    return ((uintptr_t)data & 7) == 0;
}

#define ALIGNED(name, word, size) \
    void name(word state[8], const uint8_t *data, size_t blocks) \
    { \
        uint64_t block[(size) / 8]; \
        if (is_aligned(data)) { \
            name##_aligned(state, data, blocks); \
            return; \
        } \
        for (; blocks; blocks--, data += sizeof block) { \
            memcpy(block, data, sizeof block); \
            name##_aligned(state, (const uint8_t *)block, 1); \
        } \
        cv_wipe(block, sizeof block); \
    }

#ifndef CV_NO_SHA2
ALIGNED(cv_sha256_zbb, uint32_t, 64)
ALIGNED(cv_sha256_zknh_zbb, uint32_t, 64)
ALIGNED(cv_sha512_zbb, uint64_t, 128)
ALIGNED(cv_sha512_zknh_zbb, uint64_t, 128)
#endif
#ifndef CV_NO_SM3
ALIGNED(cv_sm3_zbb, uint32_t, 64)
ALIGNED(cv_sm3_zksh_zbb, uint32_t, 64)
#endif

#ifndef CV_NO_SHA3
void cv_keccak_zbb(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes)
{
    uint64_t block[21];
    if (lanes == 0 || is_aligned(data)) {
        cv_keccak_zbb_aligned(state, data, blocks, lanes);
        return;
    }
    for (; blocks; blocks--, data += 8 * lanes) {
        memcpy(block, data, 8 * lanes);
        cv_keccak_zbb_aligned(state, (const uint8_t *)block, 1, lanes);
    }
    cv_wipe(block, sizeof block);
}
#endif
