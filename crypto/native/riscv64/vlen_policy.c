/* What depends on VLEN: which capabilities kernels can use, how many states keccak_many processes at once, and from how many
 * blocks on other algorithms use lanes. */
#include "caps_table.h"
#include "operations.h"

/* Any version of vkeccak.vi. */
#define VKECCAK (CV_CAP_ZVKK0P2024 | CV_CAP_ZVKNHK0P1 | CV_CAP_ZVKNHK0P2)

/* The prototype of vkeccak.vi cannot address a state at VLEN 128, where it takes more than eight registers. */
cv_token cv_native_usable(cv_token token)
{
    size_t bytes;
    if (cv_has(token, CV_CAP_V | CV_CAP_ZVKK0P2024)) {
        __asm__("csrr %0, 0xc22" : "=r"(bytes));
        if (bytes < 32)
            token.caps &= ~CV_CAP_ZVKK0P2024;
    }
    return token;
}

/* Cycles of vector code relative to permutations of one state by scalar code, on karu64, marian and ux900 at their VLEN.
 * With Zvkb, one state takes 0.5 to 1.04 times the cycles of portable C and 1.9 to 2.7 times those of Zbb; a full register 0.7 to
 * 1.9 times those of C, and 1.8 (VLEN 128) to 4.9 times those of Zbb. With V only, one state takes 1.2 to 1.4 times (C)
 * and 3.2 to 4.1 times (Zbb), a full register 1.4 to 2.4 and 3.2 to 7.9 times (records/kernels.md, whose
 * figures with Zvkb are of an earlier kernel). */
static size_t fewest(cv_token token, size_t lanes)
{
    if (cv_has(token, CV_CAP_ZBB))
        return lanes == 2 && cv_has(token, CV_CAP_ZVKB) ? 2 : 8;
    return cv_has(token, CV_CAP_ZVKB) ? 1 : 2;
}

size_t cv_native_many(cv_token token, size_t count, size_t least)
{
    size_t lanes, rest;
    /* vkeccak.vi takes one state after the other. */
    if (!cv_has(token, CV_CAP_V) || (cv_native_usable(token).caps & VKECCAK))
        return 0;
    __asm__("csrr %0, 0xc22" : "=r"(lanes));
    lanes /= 8;
    if (least == 0)
        least = fewest(token, lanes);
    /* A power of two. */
    rest = count & (lanes - 1);
    return (lanes < least ? 0 : count - rest) + (rest < least ? 0 : rest);
}

/* With vectors of any length, ChaCha20's first block takes nearly as many cycles as four, and scalar code with Zbb takes
 * half of those without Zbb (records/kernels.md). Poly1305 with vectors beats scalar multiplication where registers are as
 * long as marian's, and on no core model with shorter ones. */
size_t cv_native_long(cv_token token, enum cv_long what)
{
    size_t bytes;
    if (!cv_has(token, CV_CAP_V))
        return SIZE_MAX;
    if (what == CV_CHACHA20)
        return (cv_has(token, CV_CAP_ZVKB) ? 1 : 2) + (cv_has(token, CV_CAP_ZBB) ? 1 : 0);
    __asm__("csrr %0, 0xc22" : "=r"(bytes));
    return bytes >= 64 ? 96 : SIZE_MAX;
}
