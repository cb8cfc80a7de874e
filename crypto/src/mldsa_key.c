/* ML-DSA: parameter sets and public keys. */
#include "mldsa.h"

#ifndef CV_NO_MLDSA44
const cv_mldsa_kind cv_mldsa44 = { 4, 4, 2, 3, 39, 78, 80, 32, 17, 6, (Q - 1) / 88 };
#endif
#ifndef CV_NO_MLDSA65
const cv_mldsa_kind cv_mldsa65 = { 6, 5, 4, 4, 49, 196, 55, 48, 19, 4, (Q - 1) / 32 };
#endif
#ifndef CV_NO_MLDSA87
const cv_mldsa_kind cv_mldsa87 = { 8, 7, 2, 3, 60, 120, 75, 64, 19, 4, (Q - 1) / 32 };
#endif

size_t cv_mldsa_public_size(const cv_mldsa_kind *kind)
{
    return 32 + (size_t)POLY_T1 * kind->k;
}

size_t cv_mldsa_private_size(const cv_mldsa_kind *kind)
{
    return 128 + (size_t)32 * kind->eta_bits * (kind->k + kind->l) + (size_t)POLY_T0 * kind->k;
}

size_t cv_mldsa_signature_size(const cv_mldsa_kind *kind)
{
    return kind->challenge + (size_t)32 * (kind->gamma1_bits + 1) * kind->l + kind->omega + kind->k;
}

size_t cv_mldsa_key_size(const cv_mldsa_kind *kind)
{
    size_t polys = kind->l + 3u * kind->k + (size_t)kind->k * kind->l, alignment = _Alignof(cv_mldsa_key);
    size_t used = offsetof(cv_mldsa_key, polys) + polys * sizeof(uint32_t[N]);
    return (used + alignment - 1) / alignment * alignment;
}

/* t1 and the matrix follow s1, s2 and t0. */
size_t cv_mldsa_secret_size(const cv_mldsa_kind *kind)
{
    return offsetof(cv_mldsa_key, polys) + (kind->l + 2u * kind->k) * sizeof(uint32_t[N]);
}

static void encode_public(const cv_mldsa_key *key, uint8_t *bytes)
{
    uint32_t t1[N];
    memcpy(bytes, key->rho, 32);
    for (unsigned i = 0; i < key->kind->k; i++) {
        cv_mldsa_restore(t1, cv_mldsa_t1(key) + N * i);
        for (size_t j = 0; j < N; j++)
            t1[j] >>= D;
        cv_mldsa_kernels()->pack(bytes + 32 + POLY_T1 * i, t1, 10);
    }
}

int cv_mldsa_import_public(cv_mldsa_key *key, const cv_mldsa_kind *kind, const uint8_t *bytes, size_t len)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    uint32_t(*t1)[N] = key->polys + kind->l + 2 * kind->k;
    cv_hash h;
    key->kind = NULL;
    key->parts = 0;
    if (len != cv_mldsa_public_size(kind))
        return CV_ERR_LENGTH;
    memcpy(key->rho, bytes, 32);
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, bytes, len);
    cv_xof_squeeze(&h, key->public_hash, 64);
    for (unsigned i = 0; i < kind->k; i++) {
        ops->unpack(t1[i], bytes + 32 + POLY_T1 * i, 10);
        ops->shift(t1[i]);
        ops->ntt(t1[i]);
    }
    cv_mldsa_expand(t1 + kind->k, key->rho, kind->k, kind->l);
    key->kind = kind;
    key->parts = HAS_PUBLIC;
    return CV_OK;
}

int cv_mldsa_export_public(const cv_mldsa_key *key, uint8_t *bytes)
{
    if (!cv_mldsa_has(key, HAS_PUBLIC))
        return CV_ERR_KEY;
    encode_public(key, bytes);
    return CV_OK;
}
