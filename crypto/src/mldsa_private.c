/* ML-DSA: private keys. */
#include "mldsa.h"

/* t0 is encoded by its difference from this. */
#define TOP_T0 (1 << (D - 1))

/* Expands the matrix, and computes t from s1 and s2, which are not yet in the NTT domain; then all parts are. Hashes the
 * encoded public key on the way (algorithm 6, from step 3). */
static void complete(cv_mldsa_key *key)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    unsigned k = key->kind->k, l = key->kind->l;
    uint32_t(*s1)[N] = key->polys, (*s2)[N] = s1 + l, (*t0)[N] = s2 + k, (*t1)[N] = t0 + k, (*matrix)[N] = t1 + k;
    uint8_t bytes[POLY_T1] __attribute__((aligned(8)));
    cv_hash h;
    cv_mldsa_expand(matrix, key->rho, k, l);
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, key->rho, 32);
    for (unsigned i = 0; i < l; i++)
        ops->ntt(s1[i]);
    for (unsigned i = 0; i < k; i++) {
        ops->multiply(t1[i], matrix[l * i], s1[0], l);
        ops->inverse(t1[i]);
        ops->add(t1[i], t1[i], s2[i]);
        ops->round(t1[i], t0[i], t1[i]);
        ops->pack(bytes, t1[i], 10);
        cv_hash_update(&h, bytes, sizeof bytes);
        ops->shift(t1[i]);
        ops->ntt(t1[i]);
        ops->ntt(s2[i]);
        ops->ntt(t0[i]);
    }
    cv_xof_squeeze(&h, key->public_hash, 64);
}

void cv_mldsa_generate(cv_mldsa_key *key, const cv_mldsa_kind *kind, const uint8_t seed[CV_MLDSA_SEED])
{
    struct {
        uint8_t rho[32], small[64], private_seed[32];
    } seeds __attribute__((aligned(8)));
    const uint8_t dimensions[2] = { kind->k, kind->l };
    cv_hash h;
    memmove(key->seed, seed, CV_MLDSA_SEED);
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, key->seed, CV_MLDSA_SEED);
    cv_hash_update(&h, dimensions, sizeof dimensions);
    cv_xof_squeeze(&h, (uint8_t *)&seeds, sizeof seeds);
    /* Part of the public key. */
    CV_PUBLIC(seeds.rho, sizeof seeds.rho);
    key->kind = kind;
    key->parts = HAS_PUBLIC | HAS_PRIVATE | HAS_SEED;
    memcpy(key->rho, seeds.rho, 32);
    memcpy(key->private_seed, seeds.private_seed, 32);
    cv_mldsa_sample_small(key->polys, seeds.small, (size_t)kind->l + kind->k, kind->eta);
    complete(key);
    cv_wipe(&h, sizeof h);
    cv_wipe(&seeds, sizeof seeds);
}

/* skEncode (algorithm 24). s1 and s2 are consecutive in the key, too. */
static void encode_private(const cv_mldsa_key *key, uint8_t *bytes)
{
    const cv_mldsa_kind *kind = key->kind;
    uint32_t f[N];
    memcpy(bytes, key->rho, 32);
    memcpy(bytes + 32, key->private_seed, 32);
    memcpy(bytes + 64, key->public_hash, 64);
    bytes += 128;
    for (unsigned i = 0; i < (unsigned)kind->l + kind->k; i++, bytes += 32 * kind->eta_bits) {
        cv_mldsa_restore(f, key->polys[i]);
        cv_mldsa_kernels()->pack_below(bytes, f, kind->eta_bits, kind->eta);
    }
    for (unsigned i = 0; i < kind->k; i++, bytes += POLY_T0) {
        cv_mldsa_restore(f, cv_mldsa_t0(key) + N * i);
        cv_mldsa_kernels()->pack_below(bytes, f, D, TOP_T0);
    }
    cv_wipe(f, sizeof f);
}

/* Refuses a coefficient out of range, and an inconsistent t0 or hash: the key is then encoded to other bytes. Whether a key is
 * refused is public. */
int cv_mldsa_import_private(cv_mldsa_key *key, const cv_mldsa_kind *kind, const uint8_t *bytes, size_t len)
{
    uint8_t again[MOST_PRIVATE] __attribute__((aligned(8)));
    int same, wrong;
    key->kind = NULL;
    key->parts = 0;
    if (len != cv_mldsa_private_size(kind))
        return CV_ERR_LENGTH;
    memcpy(key->rho, bytes, 32);
    memcpy(key->private_seed, bytes + 32, 32);
    key->kind = kind;
    for (unsigned i = 0; i < (unsigned)kind->l + kind->k; i++) {
        cv_mldsa_kernels()->unpack_below(key->polys[i], bytes + 128 + 32 * kind->eta_bits * i, kind->eta_bits,
                                         kind->eta);
        wrong = cv_mldsa_kernels()->exceeds(key->polys[i], kind->eta + 1u);
        CV_PUBLIC(&wrong, sizeof wrong);
        if (wrong)
            goto refused;
    }
    complete(key);
    encode_private(key, again);
    same = cv_same(again, bytes, len);
    cv_wipe(again, sizeof again);
    CV_PUBLIC(&same, sizeof same);
    if (!same)
        goto refused;
    key->parts = HAS_PUBLIC | HAS_PRIVATE;
    return CV_OK;
refused:
    cv_wipe(key, cv_mldsa_secret_size(kind));
    return CV_ERR_KEY;
}

int cv_mldsa_export_private(const cv_mldsa_key *key, uint8_t *bytes)
{
    if (!cv_mldsa_has(key, HAS_PRIVATE))
        return CV_ERR_KEY;
    encode_private(key, bytes);
    return CV_OK;
}

int cv_mldsa_export_seed(const cv_mldsa_key *key, uint8_t seed[CV_MLDSA_SEED])
{
    if (!cv_mldsa_has(key, HAS_SEED))
        return CV_ERR_KEY;
    memcpy(seed, key->seed, CV_MLDSA_SEED);
    return CV_OK;
}
