/* What authenticated ciphers share. */
#ifndef CV_PROVIDER_AEAD_H
#define CV_PROVIDER_AEAD_H

#include "cipher.h"

#define PV_TAG 16
/* Of GCM, whose nonces SP 800-38D bounds by 2^61 bytes; OpenSSL takes 128. */
#define PV_MAX_NONCE 512

/* Where a nonce is in its life. */
enum pv_nonce {
    PV_NONCE_NONE,
    PV_NONCE_SET,  /* the message has not begun */
    PV_NONCE_USED, /* the message has begun */
    PV_NONCE_SPENT, /* the message is over; another one wants another nonce */
    PV_NONCE_LOST   /* the message was broken off, by another key, direction or length; so does another one */
};

struct pv_aead {
    struct pv_ctx base;
    uint8_t nonce[PV_MAX_NONCE];
    size_t nonce_len;
    enum pv_nonce state;
    uint8_t tag[PV_TAG];
    size_t tag_len; /* 0 if none is known */
    /* A record of TLS up to 1.2: what its header adds, and how much longer than the text it is. */
    uint8_t tls_aad[PV_TLS_AAD];
    size_t tls_aad_len, tls_pad;
};

/* What differs between parameters of one AEAD and those of another; each gives 0 on failure. */
struct pv_aead_params {
    int (*set_tag)(struct pv_aead *a, const uint8_t *tag, size_t len); /* `tag` is NULL to set the length only */
    int (*get_tag)(struct pv_aead *a, uint8_t *tag, size_t len);
    int (*set_nonce_len)(struct pv_aead *a, size_t len);
    int (*tls_aad)(struct pv_aead *a, const uint8_t *aad);
    int (*tls_fixed)(struct pv_aead *a, const uint8_t *fixed, size_t len);
    /* The explicit part of a nonce: one that is made here, and one that came with a record. NULL if not a thing. */
    int (*tls_make)(struct pv_aead *a, uint8_t *explicit_part, size_t len);
    int (*tls_came)(struct pv_aead *a, const uint8_t *explicit_part, size_t len);
    size_t usual_tag; /* told as the tag's length as long as none is known */
};

int pv_aead_set(struct pv_aead *a, const struct pv_aead_params *own, const OSSL_PARAM params[]);
int pv_aead_get(struct pv_aead *a, const struct pv_aead_params *own, OSSL_PARAM params[]);
OSSL_FUNC_cipher_gettable_ctx_params_fn pv_aead_gettable;
OSSL_FUNC_cipher_settable_ctx_params_fn pv_aead_settable;

/* Keeps what TLS adds to a record's header, with the length that its text has: `explicit_len` bytes before it and, in
 * decryption, `tag_len` behind it are none of it. */
int pv_aead_tls_aad(struct pv_aead *a, const uint8_t *aad, size_t explicit_len, size_t tag_len);

/* Sets a direction or has got a key: a message that has begun cannot go on under another one, and its tag is none. */
void pv_aead_direction(struct pv_aead *a, int encrypt);
void pv_aead_new_key(struct pv_aead *a);

/* Keeps a nonce of at most `max` bytes, and at least `min`. */
int pv_aead_nonce(struct pv_aead *a, const uint8_t *nonce, size_t len, size_t min, size_t max);

#endif
