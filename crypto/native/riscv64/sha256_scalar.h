/* SHA-256 in integer registers. */
#define BYTES 4
#define LOAD  lw
#define STORE sw

#include "sha2_scalar.h"

.hidden cv_sha256_k

/* Two words, big-endian. */
.macro words_pair first, second, offset
    ld          \second, \offset(T)
    rev8        \second, \second
    srli        \first, \second, 32
.endm

.macro words
    words_pair  W0, W1, 0
    words_pair  W2, W3, 8
    words_pair  W4, W5, 16
    words_pair  W6, W7, 24
    words_pair  W8, W9, 32
    words_pair  W10, W11, 40
    words_pair  W12, W13, 48
    words_pair  W14, W15, 56
.endm
