/* Kernels of RV32: bit manipulation and scalar cryptography. */
#include "internal.h"

void cv_aes32_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_aes32_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_aes32_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
void cv_sm4_zksed_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                              const uint8_t *iv);
void cv_sm4_zksed_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_sm4_zksed_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_ghash_zbkc_zbkb_rv32(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks);
void cv_sha256_zknh(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sha512_zknh_rv32(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_sm3_zksh(uint32_t state[8], const uint8_t *data, size_t blocks);
#define KECCAK(name) \
    void name(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes); \
    void name##_squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes)
KECCAK(cv_keccak_zbb_rv32);
KECCAK(cv_keccak_zbkb_rv32);

static const struct cv_backend backends[] = {
#ifndef CV_NO_AES
    {
        .name = "aes_zkn",
        .needs = CV_CAP_ZKNE | CV_CAP_ZKND,
        .aes = {
            .ecb_encrypt = cv_aes32_encrypt,
            .ecb_decrypt = cv_aes32_decrypt,
            .cbc_encrypt = cv_aes32_cbc_encrypt,
        },
    },
#endif
#ifndef CV_NO_SM4
    {
        .name = "sm4_zksed",
        .needs = CV_CAP_ZKSED,
        .sm4 = {
            .ecb_encrypt = cv_sm4_zksed_encrypt,
            .ecb_decrypt = cv_sm4_zksed_decrypt,
            .cbc_encrypt = cv_sm4_zksed_cbc_encrypt,
        },
    },
#endif
#ifndef CV_NO_GCM
    {
        .name = "ghash_zbkc_zbkb",
        .needs = CV_CAP_ZBKC | CV_CAP_ZBKB,
        .ghash.blocks = cv_ghash_zbkc_zbkb_rv32,
    },
#endif
#ifndef CV_NO_SHA2
    {
        .name = "sha256_zknh, sha512_zknh",
        .needs = CV_CAP_ZKNH,
        .hash = {
            .sha256 = cv_sha256_zknh,
            .sha512 = cv_sha512_zknh_rv32,
        },
    },
#endif
#ifndef CV_NO_SHA3
    {
        .name = "keccak_zbb",
        .needs = CV_CAP_ZBB,
        .hash = {
            .keccak = cv_keccak_zbb_rv32,
            .keccak_squeeze = cv_keccak_zbb_rv32_squeeze,
        },
    },
    {
        .name = "keccak_zbkb",
        .needs = CV_CAP_ZBKB,
        .hash = {
            .keccak = cv_keccak_zbkb_rv32,
            .keccak_squeeze = cv_keccak_zbkb_rv32_squeeze,
        },
    },
#endif
#ifndef CV_NO_SM3
    {
        .name = "sm3_zksh",
        .needs = CV_CAP_ZKSH,
        .hash.sm3 = cv_sm3_zksh,
    },
#endif
};

const struct cv_backend *cv_native_backend(cv_token token, size_t *next)
{
    return cv_next_backend(backends, sizeof backends / sizeof *backends, token, next);
}

cv_token cv_native_usable(cv_token token)
{
    return token;
}

size_t cv_native_many(cv_token token, size_t count, size_t least)
{
    (void)token, (void)count, (void)least;
    return 0;
}

size_t cv_native_long(cv_token token, enum cv_long what)
{
    (void)token, (void)what;
    return SIZE_MAX;
}
