/* Kernels of 64-bit RISC-V, by what they need. */
#include "caps_table.h"
#include "api.h"

/* Prototypes, by what a kernel does. */
#define EXPAND(name) void name(cv_block_key *key, const uint8_t *bytes, unsigned bits)
#define ECB(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
#define CHAIN(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
#define CTR32(name) \
    void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv, uint32_t counter)
#define XTS(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak)
#define GCM(name) \
    void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv, \
              uint32_t counter, const cv_ghash_key *hash, uint8_t *y)
#define MAC(name) void name(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks)
#define OCB(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb)
#define GHASH(name) void name(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks)

EXPAND(cv_aes_zvkned_expand);
ECB(cv_aes_zvkned_ecb_encrypt);
ECB(cv_aes_zvkned_ecb_decrypt);
CHAIN(cv_aes_zvkned_cbc_encrypt);
CHAIN(cv_aes_zvkned_cbc_decrypt);
CHAIN(cv_aes_zvkned_cfb_encrypt);
CHAIN(cv_aes_zvkned_cfb_decrypt);
MAC(cv_aes_zvkned_mac);
OCB(cv_aes_zvkned_ocb_encrypt);
OCB(cv_aes_zvkned_ocb_decrypt);
CTR32(cv_aes_zvkned_zvkb_ctr32);
XTS(cv_aes_zvkned_zvkb_zvkg_xts_encrypt);
XTS(cv_aes_zvkned_zvkb_zvkg_xts_decrypt);
GCM(cv_aes_zvkned_zvkb_zvkg_gcm_encrypt);
GCM(cv_aes_zvkned_zvkb_zvkg_gcm_decrypt);
GHASH(cv_ghash_zvkg);
EXPAND(cv_sm4_zvksed_zvkb_expand);
ECB(cv_sm4_zvksed_zvkb_ecb_encrypt);
ECB(cv_sm4_zvksed_zvkb_ecb_decrypt);
CHAIN(cv_sm4_zvksed_zvkb_cbc_encrypt);
CHAIN(cv_sm4_zvksed_zvkb_cbc_decrypt);
CHAIN(cv_sm4_zvksed_zvkb_cfb_encrypt);
CHAIN(cv_sm4_zvksed_zvkb_cfb_decrypt);
MAC(cv_sm4_zvksed_zvkb_mac);
CTR32(cv_sm4_zvksed_zvkb_ctr32);
XTS(cv_sm4_zvksed_zvkb_zvkg_xts_encrypt);
XTS(cv_sm4_zvksed_zvkb_zvkg_xts_decrypt);
XTS(cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt);
XTS(cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt);
GCM(cv_sm4_zvksed_zvkb_zvkg_gcm_encrypt);
GCM(cv_sm4_zvksed_zvkb_zvkg_gcm_decrypt);

static const struct cv_backend backends[] = {
    {
        .name = "aes_zvkned",
        .needs = CV_CAP_V | CV_CAP_ZVKNED,
        .aes = {
            .expand = cv_aes_zvkned_expand,
            .ecb_encrypt = cv_aes_zvkned_ecb_encrypt,
            .ecb_decrypt = cv_aes_zvkned_ecb_decrypt,
            .cbc_encrypt = cv_aes_zvkned_cbc_encrypt,
            .cbc_decrypt = cv_aes_zvkned_cbc_decrypt,
            .cfb_encrypt = cv_aes_zvkned_cfb_encrypt,
            .cfb_decrypt = cv_aes_zvkned_cfb_decrypt,
            .mac = cv_aes_zvkned_mac,
            .ocb_encrypt = cv_aes_zvkned_ocb_encrypt,
            .ocb_decrypt = cv_aes_zvkned_ocb_decrypt,
        },
    },
    {
        .name = "aes_zvkned_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKNED | CV_CAP_ZVKB,
        .aes = {
            .ctr32 = cv_aes_zvkned_zvkb_ctr32,
        },
    },
    {
        .name = "aes_zvkned_zvkb_zvkg",
        .needs = CV_CAP_V | CV_CAP_ZVKNED | CV_CAP_ZVKB | CV_CAP_ZVKG,
        .aes = {
            .xts_encrypt = cv_aes_zvkned_zvkb_zvkg_xts_encrypt,
            .xts_decrypt = cv_aes_zvkned_zvkb_zvkg_xts_decrypt,
            .gcm_encrypt = cv_aes_zvkned_zvkb_zvkg_gcm_encrypt,
            .gcm_decrypt = cv_aes_zvkned_zvkb_zvkg_gcm_decrypt,
        },
    },
    {
        .name = "ghash_zvkg",
        .needs = CV_CAP_V | CV_CAP_ZVKG,
        .ghash = {
            .blocks = cv_ghash_zvkg,
        },
    },
    {
        .name = "sm4_zvksed_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKSED | CV_CAP_ZVKB,
        .sm4 = {
            .expand = cv_sm4_zvksed_zvkb_expand,
            .ecb_encrypt = cv_sm4_zvksed_zvkb_ecb_encrypt,
            .ecb_decrypt = cv_sm4_zvksed_zvkb_ecb_decrypt,
            .cbc_encrypt = cv_sm4_zvksed_zvkb_cbc_encrypt,
            .cbc_decrypt = cv_sm4_zvksed_zvkb_cbc_decrypt,
            .cfb_encrypt = cv_sm4_zvksed_zvkb_cfb_encrypt,
            .cfb_decrypt = cv_sm4_zvksed_zvkb_cfb_decrypt,
            .ctr32 = cv_sm4_zvksed_zvkb_ctr32,
            .mac = cv_sm4_zvksed_zvkb_mac,
        },
    },
    {
        .name = "sm4_zvksed_zvkb_zvkg",
        .needs = CV_CAP_V | CV_CAP_ZVKSED | CV_CAP_ZVKB | CV_CAP_ZVKG,
        .sm4 = {
            .xts_encrypt = cv_sm4_zvksed_zvkb_zvkg_xts_encrypt,
            .xts_decrypt = cv_sm4_zvksed_zvkb_zvkg_xts_decrypt,
            .xts_gb_encrypt = cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt,
            .xts_gb_decrypt = cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt,
            .gcm_encrypt = cv_sm4_zvksed_zvkb_zvkg_gcm_encrypt,
            .gcm_decrypt = cv_sm4_zvksed_zvkb_zvkg_gcm_decrypt,
        },
    },
};

const struct cv_backend *cv_native_backend(cv_token token, size_t *next)
{
    while (*next < sizeof backends / sizeof *backends) {
        const struct cv_backend *b = &backends[(*next)++];
        if (cv_has(token, b->needs))
            return b;
    }
    return NULL;
}
