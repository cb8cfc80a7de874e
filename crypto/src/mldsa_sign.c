/* ML-DSA: signing a message representative (FIPS 204, algorithm 7, from step 7). */
#include "mldsa.h"

/* Appendix C allows giving up after this many attempts, not earlier; the probability is below 2^-256. */
#define ATTEMPTS 814

struct work {
    uint32_t y[7][N], z[7][N]; /* z is y in the NTT domain first */
    uint32_t w[8][N], c[N], f[N], g[N];
    uint8_t hash[64], mask_seed[64];
};

/* The commitment: w = A y, and the challenge's hash of mu and its high bits. */
static void commit(const cv_mldsa_key *key, struct work *w, const uint8_t mu[64], uint16_t kappa)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    uint8_t bytes[192] __attribute__((aligned(8)));
    cv_hash h;
    cv_mldsa_sample_mask(w->y, w->mask_seed, kappa, kind->l, kind->gamma1_bits);
    for (unsigned i = 0; i < kind->l; i++) {
        memcpy(w->z[i], w->y[i], sizeof w->z[i]);
        ops->ntt(w->z[i]);
    }
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, mu, 64);
    for (unsigned i = 0; i < kind->k; i++) {
        ops->multiply(w->w[i], cv_mldsa_row(key, i), w->z[0], kind->l);
        ops->inverse(w->w[i]);
        ops->decompose(w->f, w->g, w->w[i], kind->gamma2);
        ops->pack(bytes, w->f, kind->w1_bits);
        cv_hash_update(&h, bytes, 32 * kind->w1_bits);
    }
    cv_xof_squeeze(&h, w->hash, kind->challenge);
    cv_wipe(&h, sizeof h);
    cv_wipe(bytes, sizeof bytes);
}

/* f = c s, not in the NTT domain. */
static void challenge_times(struct work *w, const uint32_t *s)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    ops->multiply(w->f, w->c, s, 1);
    ops->inverse(w->f);
}

/* z = y + c s1; 0 if it would reveal something. */
static int respond(const cv_mldsa_key *key, struct work *w)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    for (unsigned i = 0; i < kind->l; i++) {
        challenge_times(w, cv_mldsa_s1(key) + N * i);
        ops->add(w->z[i], w->y[i], w->f);
        if (ops->exceeds(w->z[i], (UINT32_C(1) << kind->gamma1_bits) - kind->beta))
            return 0;
    }
    /* w - c s2. */
    for (unsigned i = 0; i < kind->k; i++) {
        challenge_times(w, cv_mldsa_s2(key) + N * i);
        ops->subtract(w->w[i], w->w[i], w->f);
        ops->decompose(w->g, w->f, w->w[i], kind->gamma2);
        if (ops->exceeds(w->f, kind->gamma2 - kind->beta))
            return 0;
    }
    return 1;
}

/* HintBitPack (algorithm 20) of one polynomial after `used` ones. */
static size_t pack_hint(uint8_t *out, const uint32_t h[N], size_t used)
{
    for (size_t j = 0; j < N; j++)
        if (h[j])
            out[used++] = (uint8_t)j;
    return used;
}

/* The hints in w; 0 if there are too many, or if one would not suffice. */
static int hint(const cv_mldsa_key *key, struct work *w)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    size_t ones = 0;
    for (unsigned i = 0; i < kind->k; i++) {
        challenge_times(w, cv_mldsa_t0(key) + N * i);
        if (ops->exceeds(w->f, kind->gamma2))
            return 0;
        ops->add(w->f, w->w[i], w->f);
        ones += ops->make_hint(w->w[i], w->w[i], w->f, kind->gamma2);
    }
    return ones <= kind->omega;
}

/* sigEncode (algorithm 26). Only what is accepted is written. */
static void encode(const cv_mldsa_kind *kind, const struct work *w, uint8_t *out)
{
    size_t used = 0;
    memcpy(out, w->hash, kind->challenge);
    out += kind->challenge;
    for (unsigned i = 0; i < kind->l; i++, out += 32 * (kind->gamma1_bits + 1))
        cv_mldsa_kernels()->pack_below(out, w->z[i], kind->gamma1_bits + 1u, UINT32_C(1) << kind->gamma1_bits);
    memset(out, 0, (size_t)kind->omega + kind->k);
    for (unsigned i = 0; i < kind->k; i++) {
        used = pack_hint(out, w->w[i], used);
        out[kind->omega + i] = (uint8_t)used;
    }
}

int cv_mldsa_sign_mu(const cv_mldsa_key *key, uint8_t *signature, const uint8_t mu[CV_MLDSA_MU], const uint8_t *random)
{
    static const uint8_t zeros[CV_MLDSA_RANDOM];
    const cv_mldsa_kind *kind = key->kind;
    struct work w;
    cv_hash h;
    int status = CV_ERR_KEY;
    if (!kind || !(key->parts & HAS_PRIVATE))
        return CV_ERR_KEY;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, key->private_seed, 32);
    cv_hash_update(&h, random ? random : zeros, CV_MLDSA_RANDOM);
    cv_hash_update(&h, mu, CV_MLDSA_MU);
    cv_xof_squeeze(&h, w.mask_seed, sizeof w.mask_seed);
    cv_wipe(&h, sizeof h);
    for (unsigned attempt = 0; attempt < ATTEMPTS && status; attempt++) {
        commit(key, &w, mu, (uint16_t)(attempt * kind->l));
        cv_mldsa_sample_ball(w.c, w.hash, kind->challenge, kind->tau);
        cv_mldsa_kernels()->ntt(w.c);
        if (respond(key, &w) && hint(key, &w)) {
            encode(kind, &w, signature);
            status = CV_OK;
        }
    }
    cv_wipe(&w, sizeof w);
    return status;
}
