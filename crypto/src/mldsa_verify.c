/* ML-DSA: verifying the signature of a message representative (FIPS 204, algorithm 8, from step 7). Nothing is secret. */
#include "mldsa.h"

/* HintBitUnpack (algorithm 21) of one polynomial: indices from `first` to `end`, which must increase. 0 if they do not. */
static int unpack_hint(uint32_t h[N], const uint8_t *in, size_t first, size_t end)
{
    memset(h, 0, sizeof(uint32_t[N]));
    for (size_t i = first; i < end; i++) {
        if (i > first && in[i - 1] >= in[i])
            return 0;
        h[in[i]] = 1;
    }
    return 1;
}

/* Whether the ends of the polynomials' hints are in order, and what follows the last one is zero. */
static int hints_are_canonical(const cv_mldsa_kind *kind, const uint8_t *in)
{
    size_t end = 0;
    for (unsigned i = 0; i < kind->k; i++) {
        if (in[kind->omega + i] < end || in[kind->omega + i] > kind->omega)
            return 0;
        end = in[kind->omega + i];
    }
    for (; end < kind->omega; end++)
        if (in[end])
            return 0;
    return 1;
}

struct work {
    uint32_t z[MOST_L][N], c[N], f[N], g[N];
    uint8_t bytes[192] __attribute__((aligned(8)));
    cv_hash h;
};

/* Updates the hash with the high bits of A z - c t1 2^d, corrected by the hints; 0 if these are malformed. */
static int recover(const cv_mldsa_key *key, struct work *w, const uint8_t *hints)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    for (unsigned i = 0; i < kind->k; i++) {
        size_t first = i ? hints[kind->omega + i - 1] : 0;
        ops->multiply(w->f, cv_mldsa_row(key, i), w->z[0], kind->l);
        ops->multiply(w->g, w->c, cv_mldsa_t1(key) + N * i, 1);
        ops->subtract(w->f, w->f, w->g);
        ops->inverse(w->f);
        if (!unpack_hint(w->g, hints, first, hints[kind->omega + i]))
            return 0;
        ops->use_hint(w->f, w->f, w->g, kind->gamma2);
        ops->pack(w->bytes, w->f, kind->w1_bits);
        cv_hash_update(&w->h, w->bytes, 32 * kind->w1_bits);
    }
    return 1;
}

int cv_mldsa_verify_mu(const cv_mldsa_key *key, const uint8_t *signature, size_t len, const uint8_t mu[CV_MLDSA_MU])
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    const cv_mldsa_kind *kind = key->kind;
    const uint8_t *z = signature, *hints;
    struct work w;
    if (!kind || !(key->parts & HAS_PUBLIC))
        return CV_ERR_KEY;
    if (len != cv_mldsa_signature_size(kind))
        return CV_ERR_SIGNATURE;
    hints = signature + len - kind->omega - kind->k;
    if (!hints_are_canonical(kind, hints))
        return CV_ERR_SIGNATURE;
    z += kind->challenge;
    for (unsigned i = 0; i < kind->l; i++, z += 32 * (kind->gamma1_bits + 1)) {
        ops->unpack_below(w.z[i], z, kind->gamma1_bits + 1u, UINT32_C(1) << kind->gamma1_bits);
        if (ops->exceeds(w.z[i], (UINT32_C(1) << kind->gamma1_bits) - kind->beta))
            return CV_ERR_SIGNATURE;
        ops->ntt(w.z[i]);
    }
    cv_mldsa_sample_ball(w.c, signature, kind->challenge, kind->tau);
    ops->ntt(w.c);
    cv_hash_init(&w.h, &cv_shake256);
    cv_hash_update(&w.h, mu, CV_MLDSA_MU);
    if (!recover(key, &w, hints))
        return CV_ERR_SIGNATURE;
    cv_xof_squeeze(&w.h, w.bytes, kind->challenge);
    return cv_same(w.bytes, signature, kind->challenge) ? CV_OK : CV_ERR_SIGNATURE;
}
