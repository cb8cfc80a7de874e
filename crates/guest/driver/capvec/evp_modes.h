/* All ciphers; an entry without a name ends the table. */
#ifndef CAPVEC_EVP_MODES_H
#define CAPVEC_EVP_MODES_H

#include "evp.h"

extern const EVP_CIPHER evp_ciphers[];

/* Galois/counter mode. */
int evp_gcm_iv(EVP_CIPHER_CTX *ctx);
int evp_gcm_update(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len);
int evp_gcm_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr);
int evp_gcm_final(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len);

/* Counter mode with CBC-MAC. */
int evp_ccm_iv(EVP_CIPHER_CTX *ctx);
int evp_ccm_update(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len);
int evp_ccm_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr);
int evp_ccm_final(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len);

/* Offset codebook mode. */
int evp_ocb_iv(EVP_CIPHER_CTX *ctx);
int evp_ocb_update(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len);
int evp_ocb_final(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len);

/* ChaCha20, alone and with Poly1305. */
int evp_key_chacha(EVP_CIPHER_CTX *ctx, const unsigned char *bytes);
int evp_iv_chacha20(EVP_CIPHER_CTX *ctx);
int evp_update_chacha20(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len);
int evp_iv_chacha20_poly1305(EVP_CIPHER_CTX *ctx);
int evp_update_chacha20_poly1305(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len);
int evp_ctrl_chacha20_poly1305(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr);
int evp_final_chacha20_poly1305(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len);

#endif
