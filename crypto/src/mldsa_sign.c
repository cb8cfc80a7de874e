/* ML-DSA: signing a message representative (FIPS 204, algorithm 7, from step 7), a message or a digest. */
#include "mldsa.h"

/* Appendix C allows giving up after this many attempts, not earlier; the probability is below 2^-256. */
#define ATTEMPTS 814

/* How many polynomials of the mask y are held: with a small stack they are computed one at a time, and again for the response z
 * and for its encoding. */
#ifdef CV_SMALL_STACK
# define HELD 1
#else
# define HELD MOST_L
#endif

struct work {
#ifndef CV_SMALL_STACK
    uint32_t y[HELD][N];
#endif
    uint32_t z[HELD][N]; /* y in the NTT domain first */
    uint32_t w[MOST_K][N], c[N], f[N], g[N];
    uint8_t hash[64], mask_seed[64];
    uint16_t kappa;
};

/* With a small stack, z replaces y. */
static uint32_t (*mask_of(struct work *w))[N]
{
#ifdef CV_SMALL_STACK
    return w->z;
#else
    return w->y;
#endif
}

/* w += A y, for the `count` polynomials of y from `first` on; all but y in the NTT domain. */
static void multiply(const cv_mldsa_key *key, struct work *w, unsigned first, unsigned count)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    for (unsigned i = 0; i < count; i++) {
        if (w->z != mask_of(w))
            memcpy(w->z[i], mask_of(w)[i], sizeof w->z[i]);
        ops->ntt(w->z[i]);
    }
    for (unsigned i = 0; i < key->kind->k; i++) {
        uint32_t *to = first ? w->f : w->w[i];
        ops->multiply(to, cv_mldsa_row(key, i) + N * first, w->z[0], count);
        if (first)
            ops->add(w->w[i], w->w[i], to);
    }
}

/* The commitment: w = A y, and the challenge's hash of mu and its high bits. The hash is part of the signature, or of one that
 * is rejected, which reveals nothing about the key. */
static void commit(const cv_mldsa_key *key, struct work *w, const uint8_t mu[64])
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    uint8_t bytes[192] __attribute__((aligned(8)));
    cv_hash h;
    for (unsigned first = 0; first < kind->l; first += HELD) {
        unsigned count = kind->l - first < HELD ? kind->l - first : HELD;
        cv_mldsa_sample_mask(mask_of(w), w->mask_seed, w->kappa + first, count, kind->gamma1_bits);
        multiply(key, w, first, count);
    }
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, mu, 64);
    for (unsigned i = 0; i < kind->k; i++) {
        ops->inverse(w->w[i]);
        ops->decompose(w->f, w->g, w->w[i], kind->gamma2);
        ops->pack(bytes, w->f, kind->w1_bits);
        cv_hash_update(&h, bytes, 32 * kind->w1_bits);
    }
    cv_xof_squeeze(&h, w->hash, kind->challenge);
    CV_PUBLIC(w->hash, sizeof w->hash);
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

/* Whether an attempt fails here. That it fails reveals nothing about the key, and the bound that decides is the same for all. */
static int too_large(const uint32_t f[N], uint32_t bound)
{
    int exceeds = cv_mldsa_kernels()->exceeds(f, bound);
    CV_PUBLIC(&exceeds, sizeof exceeds);
    return exceeds;
}

/* Polynomial i of z = y + c s1. */
static const uint32_t *response(const cv_mldsa_key *key, struct work *w, unsigned i)
{
    uint32_t *z = w->z[i % HELD];
    if (HELD < MOST_L)
        cv_mldsa_sample_mask(mask_of(w), w->mask_seed, w->kappa + i, 1, key->kind->gamma1_bits);
    challenge_times(w, cv_mldsa_s1(key) + N * i);
    cv_mldsa_kernels()->add(z, mask_of(w)[i % HELD], w->f);
    return z;
}

/* 0 if the response would reveal something. */
static int respond(const cv_mldsa_key *key, struct work *w)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    for (unsigned i = 0; i < kind->l; i++)
        if (too_large(response(key, w, i), (UINT32_C(1) << kind->gamma1_bits) - kind->beta))
            return 0;
    /* w - c s2. */
    for (unsigned i = 0; i < kind->k; i++) {
        challenge_times(w, cv_mldsa_s2(key) + N * i);
        ops->subtract(w->w[i], w->w[i], w->f);
        ops->decompose(w->g, w->f, w->w[i], kind->gamma2);
        if (too_large(w->f, kind->gamma2 - kind->beta))
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
        if (too_large(w->f, kind->gamma2))
            return 0;
        ops->add(w->f, w->w[i], w->f);
        ones += ops->make_hint(w->w[i], w->w[i], w->f, kind->gamma2);
    }
    CV_PUBLIC(&ones, sizeof ones);
    return ones <= kind->omega;
}

/* sigEncode (algorithm 26). Only what is accepted is written, so it is public. */
static void encode(const cv_mldsa_key *key, struct work *w, uint8_t *out)
{
    const cv_mldsa_kind *kind = key->kind;
    size_t used = 0;
    CV_PUBLIC(w->w, sizeof w->w);
    memcpy(out, w->hash, kind->challenge);
    out += kind->challenge;
    for (unsigned i = 0; i < kind->l; i++, out += 32 * (kind->gamma1_bits + 1)) {
        const uint32_t *z = HELD < MOST_L ? response(key, w, i) : w->z[i];
        cv_mldsa_kernels()->pack_below(out, z, kind->gamma1_bits + 1u, UINT32_C(1) << kind->gamma1_bits);
    }
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
    w.kappa = 0;
    for (unsigned attempt = 0; attempt < ATTEMPTS && status; attempt++, w.kappa += kind->l) {
        commit(key, &w, mu);
        cv_mldsa_sample_ball(w.c, w.hash, kind->challenge, kind->tau);
        cv_mldsa_kernels()->ntt(w.c);
        if (respond(key, &w) && hint(key, &w)) {
            encode(key, &w, signature);
            status = CV_OK;
        }
    }
    cv_wipe(&w, sizeof w);
    return status;
}

int cv_mldsa_sign(const cv_mldsa_key *key, uint8_t *signature, const uint8_t *message, size_t len,
                  const uint8_t *context, size_t context_len, const uint8_t *random)
{
    uint8_t mu[CV_MLDSA_MU];
    int status = cv_mldsa_represent(key, mu, NULL, message, len, context, context_len);
    return status ? status : cv_mldsa_sign_mu(key, signature, mu, random);
}

int cv_mldsa_sign_digest(const cv_mldsa_key *key, uint8_t *signature, const cv_hash_kind *hash, const uint8_t *digest,
                         size_t len, const uint8_t *context, size_t context_len, const uint8_t *random)
{
    uint8_t mu[CV_MLDSA_MU];
    int status = cv_mldsa_represent(key, mu, hash, digest, len, context, context_len);
    return status ? status : cv_mldsa_sign_mu(key, signature, mu, random);
}
