/* SM4 in XTS mode, independent of how tweaks are computed. */
#ifndef CV_SM4_XTS_H
#define CV_SM4_XTS_H

#include "sm4.h"

#define ORDER   v10
#define RESULT  v12

.macro load keys
    addi        KEY, KEY, \keys
    sm4_load_keys KEY
    sm4_order   ORDER, m2
.endm

.macro crypt keys
    vrev8.v     DATA, DATA
    sm4_crypt   RESULT, DATA, ORDER
.endm

/* Defines `name`, an XTS operation of cv_block_ops. The round keys begin `keys` bytes into the context. If `shifts` is
 * given, that function takes short messages. */
.macro sm4_xts name, begin, next, keys, ieee=1, shifts
cv_function \name
    .ifnb \shifts
    few_by_shifts \shifts
    .endif
    xts         \begin, \next, load, crypt, RESULT, \keys, \ieee
cv_end \name
.endm

#endif
