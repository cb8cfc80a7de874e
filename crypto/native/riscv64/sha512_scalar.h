/* SHA-512 in integer registers. */
#define BYTES 8
#define LOAD  ld
#define STORE sd

#include "sha2_scalar.h"

.hidden cv_sha512_k

/* A word, big-endian. */
.macro words_one word, offset
    ld          \word, \offset(T)
    rev8        \word, \word
.endm

.macro words
    words_one   W0, 0
    words_one   W1, 8
    words_one   W2, 16
    words_one   W3, 24
    words_one   W4, 32
    words_one   W5, 40
    words_one   W6, 48
    words_one   W7, 56
    words_one   W8, 64
    words_one   W9, 72
    words_one   W10, 80
    words_one   W11, 88
    words_one   W12, 96
    words_one   W13, 104
    words_one   W14, 112
    words_one   W15, 120
.endm
