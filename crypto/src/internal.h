/* What the library's own files share. */
#ifndef CV_INTERNAL_H
#define CV_INTERNAL_H

#include "api.h"
#include "caps_table.h"
#include <string.h>

/* The kernels in use. Written by `cv_init` only. */
struct cv_kernels {
    cv_token token;
    struct cv_block_ops aes;
};
extern struct cv_kernels cv_kernels;

/* Portable kernels. */
extern const struct cv_block_ops cv_portable_aes;

/* Modes over `ecb_encrypt` of the key's cipher, for those that have nothing better. */
void cv_generic_ctr32(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                      uint32_t counter);

/* Capabilities by a string, or found out. Errors: CV_ERR_CAPS. */
int cv_token_parse(cv_token *token, const char *text);
cv_token cv_token_detect(void);

static inline uint32_t cv_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void cv_store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24), p[1] = (uint8_t)(v >> 16), p[2] = (uint8_t)(v >> 8), p[3] = (uint8_t)v;
}

static inline uint64_t cv_load_le64(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static inline void cv_store_le64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* out = a ^ b */
static inline void cv_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = a[i] ^ b[i];
}

#endif
