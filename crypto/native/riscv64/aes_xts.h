/* AES in XTS mode, independent of how tweaks are computed. */
#ifndef CV_AES_XTS_H
#define CV_AES_XTS_H

#include "aes.h"

.macro load rounds
    aes_load_keys \rounds, KEY
.endm

.macro encrypt rounds
    aes_encrypt DATA, \rounds
.endm

.macro decrypt rounds
    aes_decrypt DATA, \rounds
.endm

/* A function of a cv_block_ops that uses `xts`, for each number of rounds; another function, `shifts`, may handle few
 * blocks. */
.macro aes_xts name, begin, next, crypt, shifts
cv_function \name
    .ifnb \shifts
    few_by_shifts \shifts
    .endif
    aes_by_rounds KEY, .Ltwelve\@, .Lfourteen\@
    xts         \begin, \next, load, \crypt, DATA, 10
.Ltwelve\@:
    xts         \begin, \next, load, \crypt, DATA, 12
.Lfourteen\@:
    xts         \begin, \next, load, \crypt, DATA, 14
cv_end \name
.endm

#endif
