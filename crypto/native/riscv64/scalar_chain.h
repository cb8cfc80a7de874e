/* Modes that process one block after the other, with a one-block kernel that needs aligned memory. */
#ifndef CV_SCALAR_CHAIN_H
#define CV_SCALAR_CHAIN_H

#include "internal.h"

/* C = E(P), both aligned to 8. */
typedef void cv_one_block(const cv_block_key *key, uint8_t *out, const uint8_t *in);

static inline void cv_chain_add(uint64_t state[2], const uint8_t *in)
{
    state[0] ^= cv_load_le64(in);
    state[1] ^= cv_load_le64(in + 8);
}

static inline void cv_chain_store(uint8_t *out, const uint64_t state[2])
{
    cv_store_le64(out, state[0]);
    cv_store_le64(out + 8, state[1]);
}

/* As cbc_encrypt, cfb_encrypt and mac of operations.h. For the first two, `state` is left holding ciphertext. */
static inline void cv_chain_cbc(cv_one_block *one, const cv_block_key *key, uint8_t *out, const uint8_t *in,
                                size_t blocks, const uint8_t *iv)
{
    uint64_t state[2];
    memcpy(state, iv, CV_BLOCK);
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        cv_chain_add(state, in);
        one(key, (uint8_t *)state, (const uint8_t *)state);
        cv_chain_store(out, state);
    }
}

static inline void cv_chain_cfb(cv_one_block *one, const cv_block_key *key, uint8_t *out, const uint8_t *in,
                                size_t blocks, const uint8_t *iv)
{
    uint64_t state[2];
    memcpy(state, iv, CV_BLOCK);
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        one(key, (uint8_t *)state, (const uint8_t *)state);
        cv_chain_add(state, in);
        cv_chain_store(out, state);
    }
}

static inline void cv_chain_mac(cv_one_block *one, const cv_block_key *key, uint8_t *mac, const uint8_t *in,
                                size_t blocks)
{
    uint64_t state[2];
    memcpy(state, mac, CV_BLOCK);
    for (; blocks; blocks--, in += CV_BLOCK) {
        cv_chain_add(state, in);
        one(key, (uint8_t *)state, (const uint8_t *)state);
    }
    memcpy(mac, state, CV_BLOCK);
    cv_wipe(state, sizeof state);
}

#endif
