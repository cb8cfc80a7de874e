/* Sizes of contexts, which only C knows: in the order of `Kind` in src/ffi.rs. */
#include "capvec.h"
#include "capvec_mlkem.h"

extern const size_t cv_test_sizes[];
const size_t cv_test_sizes[] = {
    sizeof(cv_block_key),
    sizeof(cv_stream),
    sizeof(cv_gcm),
    sizeof(cv_ccm),
    sizeof(cv_ocb),
    sizeof(cv_cmac),
    sizeof(cv_hash),
    sizeof(cv_hmac),
    sizeof(cv_chacha20),
    sizeof(cv_poly1305),
    sizeof(cv_chacha20_poly1305),
    sizeof(cv_mlkem_key),
};
