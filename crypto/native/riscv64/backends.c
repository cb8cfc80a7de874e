/* Kernels of 64-bit RISC-V, by what they need. */
#include "caps_table.h"
#include "api.h"

/* aes_zvkned.S */
void cv_aes_zvkned_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_aes_zvkned_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
/* aes_zvkned_zvkb.S */
void cv_aes_zvkned_zvkb_ctr32(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                              const uint8_t *iv, uint32_t counter);

static const struct cv_backend backends[] = {
    {
        .name = "aes_zvkned",
        .needs = CV_CAP_V | CV_CAP_ZVKNED,
        .aes = {
            .ecb_encrypt = cv_aes_zvkned_ecb_encrypt,
            .ecb_decrypt = cv_aes_zvkned_ecb_decrypt,
        },
    },
    {
        .name = "aes_zvkned_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKNED | CV_CAP_ZVKB,
        .aes = {
            .ctr32 = cv_aes_zvkned_zvkb_ctr32,
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
