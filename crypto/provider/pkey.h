/* Key pairs: what their management and their operations share.
 *
 * A scheme (ML-KEM, a hybrid with it, ML-DSA or SLH-DSA) converts keys and computes; a kind is one of its parameter sets.
 * Key management (pkey.c, pkey_data.c), key encapsulation (kem.c) and signatures (signature.c) are the same code for all
 * kinds. */
#ifndef CV_PROVIDER_PKEY_H
#define CV_PROVIDER_PKEY_H

#include "provider.h"

/* Names that headers of older versions lack. */
#define PV_SEED "seed"
#define PV_IKME "ikme"

#define PV_MAX_SEED 96
#define PV_MAX_RANDOM 32

struct pv_kind;
struct pv_key;

/* Bytes of a parameter set. `seed` is 0 if keys cannot be made from one. */
struct pv_sizes {
    size_t state, public, private, seed;
    size_t short_private; /* of a private key without its public part, which is passed with it; 0 if none is taken */
    size_t output;        /* of a ciphertext or signature */
    size_t random;        /* of the randomness that an operation takes; 0 if it cannot be chosen */
    size_t secret;        /* of a shared secret */
    size_t wiped;         /* of a state, from its beginning; 0 if all of it may hold secrets */
};

/* Functions return 1, or 0 on failure. Bytes of keys have the sizes above; the key's state is allocated and zero before
 * it is filled. */
struct pv_scheme {
    void (*sizes)(const struct pv_kind *kind, struct pv_sizes *sizes);
    int (*generate)(struct pv_key *key, const uint8_t *seed);
    int (*take_public)(struct pv_key *key, const uint8_t *bytes);
    int (*take_private)(struct pv_key *key, const uint8_t *bytes);
    int (*give_public)(const struct pv_key *key, uint8_t *bytes);
    int (*give_private)(const struct pv_key *key, uint8_t *bytes);
    int (*give_seed)(const struct pv_key *key, uint8_t *seed);
    /* Whether the private and the public key belong together; NULL if an import has checked it. */
    int (*check)(const struct pv_key *key);
    /* `copied` duplicates what a copied state points to, `release` frees it; NULL if it points to nothing. */
    int (*copied)(struct pv_key *key);
    void (*release)(struct pv_key *key);
};

/* Encapsulation. Without `random`, the provider draws it. */
struct pv_kem_scheme {
    struct pv_scheme keys;
    int (*encaps)(const struct pv_key *key, uint8_t *ciphertext, uint8_t *secret, const uint8_t *random);
    int (*decaps)(const struct pv_key *key, uint8_t *secret, const uint8_t *ciphertext, size_t len);
};

struct pv_kind {
    const struct pv_scheme *scheme;
    const void *set; /* libcapvec's parameter set */
    int bits, security_bits;
    uint8_t arc; /* of a signature: the last number of its object identifier */
    /* Of a hybrid: the classical half. */
    const struct pv_classical *classical;
};

struct pv_key {
    struct pv_provider *provider;
    const struct pv_kind *kind;
    void *state; /* NULL if there is no key yet; it always has the public part */
    unsigned has_private, has_seed;
};

/* Random bytes for secrets. */
int pv_random(const struct pv_key *key, uint8_t *out, size_t len);
struct pv_sizes pv_sizes_of(const struct pv_kind *kind);

struct pv_key *pv_key_new(void *provider, const struct pv_kind *kind);
void *pv_key_gen_init(void *provider, const struct pv_kind *kind, int selection, const OSSL_PARAM params[]);
/* Allocates the state; pv_key_clear wipes and frees it. */
int pv_key_begin(struct pv_key *key);
void pv_key_clear(struct pv_key *key);

OSSL_FUNC_keymgmt_free_fn pv_key_free;
OSSL_FUNC_keymgmt_has_fn pv_key_has;
OSSL_FUNC_keymgmt_match_fn pv_key_match;
OSSL_FUNC_keymgmt_validate_fn pv_key_validate;
OSSL_FUNC_keymgmt_dup_fn pv_key_dup;
OSSL_FUNC_keymgmt_import_fn pv_key_import;
OSSL_FUNC_keymgmt_export_fn pv_key_export;
OSSL_FUNC_keymgmt_import_types_fn pv_key_types;
OSSL_FUNC_keymgmt_get_params_fn pv_kem_key_get, pv_signature_key_get;
OSSL_FUNC_keymgmt_gettable_params_fn pv_kem_key_gettable, pv_signature_key_gettable;
OSSL_FUNC_keymgmt_set_params_fn pv_key_set;
OSSL_FUNC_keymgmt_settable_params_fn pv_key_settable;
OSSL_FUNC_keymgmt_gen_fn pv_key_gen;
OSSL_FUNC_keymgmt_gen_cleanup_fn pv_key_gen_cleanup;
OSSL_FUNC_keymgmt_gen_set_params_fn pv_key_gen_set;
OSSL_FUNC_keymgmt_gen_settable_params_fn pv_key_gen_settable;

/* The key management `pv_NAME_keys` of a kind; it has the parameters of `use`, and the entries that follow. */
#define PV_KEYMGMT(id, kind_of, use, ...) \
    static void *id##_new(void *provider) \
    { \
        return pv_key_new(provider, kind_of); \
    } \
    static void *id##_gen_init(void *provider, int selection, const OSSL_PARAM params[]) \
    { \
        return pv_key_gen_init(provider, kind_of, selection, params); \
    } \
    const OSSL_DISPATCH pv_##id##_keys[] = { \
        PV_ENTRY(KEYMGMT_NEW, keymgmt_new, id##_new), \
        PV_ENTRY(KEYMGMT_FREE, keymgmt_free, pv_key_free), \
        PV_ENTRY(KEYMGMT_HAS, keymgmt_has, pv_key_has), \
        PV_ENTRY(KEYMGMT_MATCH, keymgmt_match, pv_key_match), \
        PV_ENTRY(KEYMGMT_VALIDATE, keymgmt_validate, pv_key_validate), \
        PV_ENTRY(KEYMGMT_DUP, keymgmt_dup, pv_key_dup), \
        PV_ENTRY(KEYMGMT_IMPORT, keymgmt_import, pv_key_import), \
        PV_ENTRY(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, pv_key_types), \
        PV_ENTRY(KEYMGMT_EXPORT, keymgmt_export, pv_key_export), \
        PV_ENTRY(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, pv_key_types), \
        PV_ENTRY(KEYMGMT_GET_PARAMS, keymgmt_get_params, pv_##use##_key_get), \
        PV_ENTRY(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, pv_##use##_key_gettable), \
        PV_ENTRY(KEYMGMT_GEN_INIT, keymgmt_gen_init, id##_gen_init), \
        PV_ENTRY(KEYMGMT_GEN, keymgmt_gen, pv_key_gen), \
        PV_ENTRY(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, pv_key_gen_cleanup), \
        PV_ENTRY(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, pv_key_gen_set), \
        PV_ENTRY(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, pv_key_gen_settable), \
        __VA_ARGS__ \
    }

/* Only key exchanges set public keys, which come from a peer. */
#define PV_KEM_KEYMGMT(id, kind_of) \
    PV_KEYMGMT(id, kind_of, kem, PV_ENTRY(KEYMGMT_SET_PARAMS, keymgmt_set_params, pv_key_set), \
               PV_ENTRY(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, pv_key_settable), PV_END)
#define PV_SIGNATURE_KEYMGMT(id, kind_of) PV_KEYMGMT(id, kind_of, signature, PV_END)

extern const OSSL_DISPATCH pv_mlkem512_keys[], pv_mlkem768_keys[], pv_mlkem1024_keys[];
extern const OSSL_DISPATCH pv_x25519_mlkem768_keys[], pv_p256_mlkem768_keys[], pv_p384_mlkem1024_keys[];
extern const OSSL_DISPATCH pv_mldsa44_keys[], pv_mldsa65_keys[], pv_mldsa87_keys[];
extern const OSSL_DISPATCH pv_slhdsa_sha2_128s_keys[], pv_slhdsa_sha2_128f_keys[], pv_slhdsa_sha2_192s_keys[],
    pv_slhdsa_sha2_192f_keys[], pv_slhdsa_sha2_256s_keys[], pv_slhdsa_sha2_256f_keys[];
extern const OSSL_DISPATCH pv_slhdsa_shake_128s_keys[], pv_slhdsa_shake_128f_keys[], pv_slhdsa_shake_192s_keys[],
    pv_slhdsa_shake_192f_keys[], pv_slhdsa_shake_256s_keys[], pv_slhdsa_shake_256f_keys[];
extern const OSSL_DISPATCH pv_kem[], pv_mldsa_signature[], pv_slhdsa_signature[];
extern const struct pv_kind pv_mlkem768, pv_mlkem1024;

#endif
