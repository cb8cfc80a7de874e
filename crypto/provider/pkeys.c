/* The list of key pairs and key encapsulation mechanisms. */
#include "pkey.h"

#define MLKEM512 "ML-KEM-512:MLKEM512:id-alg-ml-kem-512:2.16.840.1.101.3.4.4.1"
#define MLKEM768 "ML-KEM-768:MLKEM768:id-alg-ml-kem-768:2.16.840.1.101.3.4.4.2"
#define MLKEM1024 "ML-KEM-1024:MLKEM1024:id-alg-ml-kem-1024:2.16.840.1.101.3.4.4.3"

const OSSL_ALGORITHM pv_key_managements[] = {
    { MLKEM512, PV_PROPERTY, pv_mlkem512_keys, NULL },
    { MLKEM768, PV_PROPERTY, pv_mlkem768_keys, NULL },
    { MLKEM1024, PV_PROPERTY, pv_mlkem1024_keys, NULL },
    { "X25519MLKEM768", PV_PROPERTY, pv_x25519_mlkem768_keys, NULL },
    { "SecP256r1MLKEM768", PV_PROPERTY, pv_p256_mlkem768_keys, NULL },
    { "SecP384r1MLKEM1024", PV_PROPERTY, pv_p384_mlkem1024_keys, NULL },
    { NULL, NULL, NULL, NULL },
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
