/* The lists of key pairs, key encapsulation mechanisms and signatures. */
#include "pkey.h"

#define MLKEM512 "ML-KEM-512:MLKEM512:id-alg-ml-kem-512:2.16.840.1.101.3.4.4.1"
#define MLKEM768 "ML-KEM-768:MLKEM768:id-alg-ml-kem-768:2.16.840.1.101.3.4.4.2"
#define MLKEM1024 "ML-KEM-1024:MLKEM1024:id-alg-ml-kem-1024:2.16.840.1.101.3.4.4.3"

/* The signature schemes, with the operations of each. Object identifiers are 2.16.840.1.101.3.4.3.ARC. */
#define SIGNATURES(X) \
    X(mldsa44, mldsa, "ML-DSA-44:MLDSA44:id-ml-dsa-44:", "17") \
    X(mldsa65, mldsa, "ML-DSA-65:MLDSA65:id-ml-dsa-65:", "18") \
    X(mldsa87, mldsa, "ML-DSA-87:MLDSA87:id-ml-dsa-87:", "19") \
    X(slhdsa_sha2_128s, slhdsa, "SLH-DSA-SHA2-128s:id-slh-dsa-sha2-128s:", "20") \
    X(slhdsa_sha2_128f, slhdsa, "SLH-DSA-SHA2-128f:id-slh-dsa-sha2-128f:", "21") \
    X(slhdsa_sha2_192s, slhdsa, "SLH-DSA-SHA2-192s:id-slh-dsa-sha2-192s:", "22") \
    X(slhdsa_sha2_192f, slhdsa, "SLH-DSA-SHA2-192f:id-slh-dsa-sha2-192f:", "23") \
    X(slhdsa_sha2_256s, slhdsa, "SLH-DSA-SHA2-256s:id-slh-dsa-sha2-256s:", "24") \
    X(slhdsa_sha2_256f, slhdsa, "SLH-DSA-SHA2-256f:id-slh-dsa-sha2-256f:", "25") \
    X(slhdsa_shake_128s, slhdsa, "SLH-DSA-SHAKE-128s:id-slh-dsa-shake-128s:", "26") \
    X(slhdsa_shake_128f, slhdsa, "SLH-DSA-SHAKE-128f:id-slh-dsa-shake-128f:", "27") \
    X(slhdsa_shake_192s, slhdsa, "SLH-DSA-SHAKE-192s:id-slh-dsa-shake-192s:", "28") \
    X(slhdsa_shake_192f, slhdsa, "SLH-DSA-SHAKE-192f:id-slh-dsa-shake-192f:", "29") \
    X(slhdsa_shake_256s, slhdsa, "SLH-DSA-SHAKE-256s:id-slh-dsa-shake-256s:", "30") \
    X(slhdsa_shake_256f, slhdsa, "SLH-DSA-SHAKE-256f:id-slh-dsa-shake-256f:", "31")

#define SIGNATURE_KEYS(id, operations, names, arc) \
    { names "2.16.840.1.101.3.4.3." arc, PV_PROPERTY, pv_##id##_keys, NULL },
#define SIGNATURE(id, operations, names, arc) \
    { names "2.16.840.1.101.3.4.3." arc, PV_PROPERTY, pv_##operations##_signature, NULL },

const OSSL_ALGORITHM pv_key_managements[] = {
    { MLKEM512, PV_PROPERTY, pv_mlkem512_keys, NULL },
    { MLKEM768, PV_PROPERTY, pv_mlkem768_keys, NULL },
    { MLKEM1024, PV_PROPERTY, pv_mlkem1024_keys, NULL },
    { "X25519MLKEM768", PV_PROPERTY, pv_x25519_mlkem768_keys, NULL },
    { "SecP256r1MLKEM768", PV_PROPERTY, pv_p256_mlkem768_keys, NULL },
    { "SecP384r1MLKEM1024", PV_PROPERTY, pv_p384_mlkem1024_keys, NULL },
    SIGNATURES(SIGNATURE_KEYS){ NULL, NULL, NULL, NULL },
};

const OSSL_ALGORITHM pv_kems[] = {
    { MLKEM512, PV_PROPERTY, pv_kem, NULL },
    { MLKEM768, PV_PROPERTY, pv_kem, NULL },
    { MLKEM1024, PV_PROPERTY, pv_kem, NULL },
    { "X25519MLKEM768", PV_PROPERTY, pv_kem, NULL },
    { "SecP256r1MLKEM768", PV_PROPERTY, pv_kem, NULL },
    { "SecP384r1MLKEM1024", PV_PROPERTY, pv_kem, NULL },
    { NULL, NULL, NULL, NULL },
};

const OSSL_ALGORITHM pv_signatures[] = { SIGNATURES(SIGNATURE){ NULL, NULL, NULL, NULL } };
