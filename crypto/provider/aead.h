/* What authenticated ciphers share. */
#ifndef CV_PROVIDER_AEAD_H
#define CV_PROVIDER_AEAD_H

#include "cipher.h"

#define PV_TAG 16
/* Longest nonce of GCM. SP 800-38D bounds it by 2^61 bytes; OpenSSL takes 128. */
#define PV_MAX_NONCE 512

/* The state of a nonce. */
enum pv_nonce {
    PV_NONCE_NONE,
    PV_NONCE_SET,  /* the message has not begun */
    PV_NONCE_USED, /* the message has begun */
    PV_NONCE_SPENT, /* the message is over; another one needs another nonce */
    PV_NONCE_LOST   /* another key, direction or length aborted the message; another one needs another nonce */
};

struct pv_aead {
    struct pv_ctx base;
    uint8_t nonce[PV_MAX_NONCE];
    size_t nonce_len;
    enum pv_nonce state;
    uint8_t tag[PV_TAG];
    size_t tag_len; /* 0 if unknown */
    /* A record of TLS up to 1.2: what its header contributes, and how much longer than the text it is. */
    uint8_t tls_aad[PV_TLS_AAD];
    size_t tls_aad_len, tls_pad;
};

/* The differences between the parameters of AEADs; each function returns 0 on failure. */
struct pv_aead_params {
    int (*set_tag)(struct pv_aead *a, const uint8_t *tag, size_t len); /* `tag` is NULL to set the length only */
    int (*get_tag)(struct pv_aead *a, uint8_t *tag, size_t len);
    int (*set_nonce_len)(struct pv_aead *a, size_t len);
    int (*tls_aad)(struct pv_aead *a, const uint8_t *aad);
    int (*tls_fixed)(struct pv_aead *a, const uint8_t *fixed, size_t len);
    /* The explicit part of a nonce: a generated one, and one received with a record. NULL if the mode has none. */
    int (*tls_make)(struct pv_aead *a, uint8_t *explicit_part, size_t len);
    int (*tls_came)(struct pv_aead *a, const uint8_t *explicit_part, size_t len);
    size_t usual_tag; /* reported as the tag's length while it is unknown */
};

int pv_aead_set(struct pv_aead *a, const struct pv_aead_params *own, const OSSL_PARAM params[]);
int pv_aead_get(struct pv_aead *a, const struct pv_aead_params *own, OSSL_PARAM params[]);
OSSL_FUNC_cipher_gettable_ctx_params_fn pv_aead_gettable;
OSSL_FUNC_cipher_settable_ctx_params_fn pv_aead_settable;

/* Stores what TLS derives from a record's header, with the length of the record's text, which excludes the
 * `explicit_len` bytes before it and, in decryption, the `tag_len` bytes after it. */
int pv_aead_tls_aad(struct pv_aead *a, const uint8_t *aad, size_t explicit_len, size_t tag_len);

/* A direction or a key was set: a message that has begun cannot continue, and it has no tag. */
void pv_aead_direction(struct pv_aead *a, int encrypt);
void pv_aead_new_key(struct pv_aead *a);

/* Stores a nonce of `min` to `max` bytes. */
int pv_aead_nonce(struct pv_aead *a, const uint8_t *nonce, size_t len, size_t min, size_t max);

#endif
