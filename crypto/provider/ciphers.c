/* All ciphers, under the names of OpenSSL's own providers, so that aliases and object identifiers find them too. */
#include "provider.h"

#define AES(X, bits, n) \
    X(aes_##bits##_ecb, "AES-" #bits "-ECB:2.16.840.1.101.3.4.1." #n "1") \
    X(aes_##bits##_cbc, "AES-" #bits "-CBC:AES" #bits ":2.16.840.1.101.3.4.1." #n "2") \
    X(aes_##bits##_ofb, "AES-" #bits "-OFB:2.16.840.1.101.3.4.1." #n "3") \
    X(aes_##bits##_cfb, "AES-" #bits "-CFB:2.16.840.1.101.3.4.1." #n "4") \
    X(aes_##bits##_cfb1, "AES-" #bits "-CFB1") \
    X(aes_##bits##_cfb8, "AES-" #bits "-CFB8") \
    X(aes_##bits##_ctr, "AES-" #bits "-CTR") \
    X(aes_##bits##_gcm, "AES-" #bits "-GCM:id-aes" #bits "-GCM:2.16.840.1.101.3.4.1." #n "6") \
    X(aes_##bits##_ccm, "AES-" #bits "-CCM:id-aes" #bits "-CCM:2.16.840.1.101.3.4.1." #n "7") \
    X(aes_##bits##_ocb, "AES-" #bits "-OCB")

/* `n` is the tens digit of the last arc, which is 1 ... 7, 21 ... 27 and 41 ... 47. */
#define ALL(X) \
    AES(X, 128, ) \
    AES(X, 192, 2) \
    AES(X, 256, 4) \
    X(aes_128_xts, "AES-128-XTS:1.3.111.2.1619.0.1.1") \
    X(aes_256_xts, "AES-256-XTS:1.3.111.2.1619.0.1.2") \
    X(sm4_ecb, "SM4-ECB:1.2.156.10197.1.104.1") \
    X(sm4_cbc, "SM4-CBC:SM4:1.2.156.10197.1.104.2") \
    X(sm4_ofb, "SM4-OFB:SM4-OFB128:1.2.156.10197.1.104.3") \
    X(sm4_cfb, "SM4-CFB:SM4-CFB128:1.2.156.10197.1.104.4") \
    X(sm4_ctr, "SM4-CTR:1.2.156.10197.1.104.7") \
    X(sm4_gcm, "SM4-GCM:1.2.156.10197.1.104.8") \
    X(sm4_ccm, "SM4-CCM:1.2.156.10197.1.104.9") \
    X(sm4_xts, "SM4-XTS:1.2.156.10197.1.104.10") \
    X(chacha20, "ChaCha20") \
    X(chacha20_poly1305, "ChaCha20-Poly1305")

#define DECLARE(id, names) extern const OSSL_DISPATCH pv_##id[];
#define LIST(id, names) { names, PV_PROPERTY, pv_##id, NULL },

ALL(DECLARE)

const OSSL_ALGORITHM pv_ciphers[] = { ALL(LIST){ NULL, NULL, NULL, NULL } };
