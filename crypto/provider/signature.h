/* Signatures: what the schemes (pkey_mldsa.c, pkey_slhdsa.c) and the operations (signature.c) share. */
#ifndef CV_PROVIDER_SIGNATURE_H
#define CV_PROVIDER_SIGNATURE_H

#include "pkey.h"

#define PV_MAX_CONTEXT 255

/* How the bytes to sign become the message of the scheme's inner functions. */
enum pv_form {
    PV_PURE, /* the context string is put before them */
    PV_RAW,  /* they are that message */
    PV_MU,   /* they represent it: the external mu of ML-DSA */
};

struct pv_message {
    const uint8_t *bytes, *context;
    size_t len, context_len;
    enum pv_form form;
};

/* Functions return 1, or 0 on failure. Without `random`, a signature is deterministic. */
struct pv_signature_scheme {
    struct pv_scheme keys;
    int (*sign)(const struct pv_key *key, uint8_t *signature, const struct pv_message *m, const uint8_t *random);
    int (*verify)(const struct pv_key *key, const uint8_t *signature, size_t len, const struct pv_message *m);
};

#endif
