/* Composes the kernels: portable ones, replaced by those of each backend that the hart may run.
 *
 * A table is filled under a lock and then published, so readers see only complete tables. There are CV_TABLES tables (four; one
 * without atomics), one for each of the last sets of capabilities: whoever used a table before `cv_init`, or uses one in another
 * thread meanwhile, keeps it unchanged. With more sets than tables, the oldest table is filled again. */
#include "atomic.h"
#include "internal.h"

/* The table without capabilities, and those with capabilities. Several of the latter are needed only if threads call
 * `cv_init` with different capabilities. */
static struct cv_kernels portable, chosen[CV_TABLES];
static CV_ATOMIC(const struct cv_kernels *) in_use;
static CV_ATOMIC(size_t) many, tuned[CV_LONGS];
static cv_lock lock = CV_UNLOCKED;

#define REPLACE(field) from->field ? (void)(into->field = from->field) : (void)0;

/* Replaces ECB, and drops modes that were made for another ECB: modes on top of the new one are better. */
static void replace_block(struct cv_block_ops *into, const struct cv_block_ops *from)
{
    if (from->ecb_encrypt) {
        struct cv_block_ops modes = cv_portable_modes;
        modes.expand = into->expand;
        *into = modes;
    }
    CV_BLOCK_OPS(REPLACE)
}

static void replace_ghash(struct cv_ghash_ops *into, const struct cv_ghash_ops *from)
{
    CV_GHASH_OPS(REPLACE)
}

static void replace_hash(struct cv_hash_ops *into, const struct cv_hash_ops *from)
{
    CV_HASH_OPS(REPLACE)
}

static void replace_chacha(struct cv_chacha_ops *into, const struct cv_chacha_ops *from)
{
    CV_CHACHA_OPS(REPLACE)
}

static void replace_mlkem(struct cv_mlkem_ops *into, const struct cv_mlkem_ops *from)
{
    CV_MLKEM_OPS(REPLACE)
}

static void replace_mldsa(struct cv_mldsa_ops *into, const struct cv_mldsa_ops *from)
{
    CV_MLDSA_OPS(REPLACE)
}

static void compose(struct cv_kernels *kernels, cv_token token)
{
    const struct cv_backend *backend;
    size_t next = 0;
    kernels->token = token;
    kernels->composed = 1;
    kernels->aes = kernels->sm4 = cv_portable_modes;
#ifndef CV_NO_AES
    replace_block(&kernels->aes, &cv_portable_aes);
#endif
#ifndef CV_NO_SM4
    replace_block(&kernels->sm4, &cv_portable_sm4);
#endif
#ifndef CV_NO_GCM
    kernels->ghash = cv_portable_ghash;
#endif
    kernels->hash = cv_portable_hash;
#ifndef CV_NO_CHACHA20
    kernels->chacha.chacha20 = cv_portable_chacha20;
#endif
#ifndef CV_NO_POLY1305
    kernels->chacha.poly1305 = cv_portable_poly1305;
#endif
    kernels->chacha_short = kernels->chacha;
#ifndef CV_NO_MLKEM
    kernels->mlkem = cv_portable_mlkem;
#endif
#ifndef CV_NO_MLDSA
    kernels->mldsa = cv_portable_mldsa;
#endif
    while ((backend = cv_native_backend(cv_native_usable(token), &next))) {
        replace_block(&kernels->aes, &backend->aes);
        replace_block(&kernels->sm4, &backend->sm4);
        replace_ghash(&kernels->ghash, &backend->ghash);
        replace_hash(&kernels->hash, &backend->hash);
        replace_chacha(&kernels->chacha, &backend->chacha);
        replace_mlkem(&kernels->mlkem, &backend->mlkem);
        replace_mldsa(&kernels->mldsa, &backend->mldsa);
        /* A few blocks do not fill vector lanes, so kernels that use lanes are slower on them. */
        if (!backend->lanes)
            replace_chacha(&kernels->chacha_short, &backend->chacha);
    }
    for (int what = 0; what < CV_LONGS; what++)
        kernels->long_from[what] = cv_native_long(token, (enum cv_long)what);
}

/* The table for these capabilities. If none has them, the next table in turn: an empty one while there are any, then the
 * oldest. */
static struct cv_kernels *table_for(cv_token token)
{
    static size_t next;
    if (!token.caps)
        return &portable;
    for (size_t i = 0; i < CV_TABLES; i++) {
        if (chosen[i].composed && chosen[i].token.caps == token.caps)
            return &chosen[i];
    }
    return &chosen[next++ % CV_TABLES];
}

/* A table for the same capabilities is left alone: other threads may be using it. */
static void use(cv_token token, int only_first)
{
    cv_take(&lock);
    if (!only_first || cv_published(&in_use) == NULL) {
        struct cv_kernels *kernels = table_for(token);
        if (!kernels->composed || kernels->token.caps != token.caps)
            compose(kernels, token);
        cv_publish(&in_use, kernels);
    }
    cv_give(&lock);
}

/* A separate function, so that callers that find a table need no stack frame. */
static __attribute__((noinline)) const struct cv_kernels *first_use(void)
{
    use((cv_token){ 0 }, 1);
    return cv_published(&in_use);
}

const struct cv_kernels *cv_kernels_in_use(void)
{
    const struct cv_kernels *kernels = cv_published(&in_use);
    return kernels ? kernels : first_use();
}

int cv_init(const char *caps)
{
    cv_token token = { 0 };
    int error = CV_OK;
#ifdef CV_CAPS_FIXED
    if (caps == NULL)
        caps = CV_CAPS_FIXED;
#endif
    if (caps == NULL)
        token = cv_token_detect();
    else
        error = cv_token_parse(&token, caps);
    use(token, 0);
    return error;
}

size_t cv_caps(char *text, size_t room)
{
    return cv_token_names(cv_kernels_in_use()->token, text, room);
}

void cv_hash_many_threshold(size_t least)
{
    cv_set_number(&many, least);
}

size_t cv_long_from(const struct cv_kernels *kernels, enum cv_long what)
{
    size_t blocks = cv_number(&tuned[what]);
    return blocks ? blocks : kernels->long_from[what];
}

void cv_set_long_from(enum cv_long what, size_t blocks)
{
    cv_set_number(&tuned[what], blocks);
}

size_t cv_many_threshold(void)
{
    return cv_number(&many);
}

/* A call of memset takes as long as writing about a hundred bytes by words. */
void cv_wipe(void *data, size_t len)
{
    if (len <= 128 && (((uintptr_t)data | len) & 7) == 0)
        cv_zero_words(data, 0, len);
    else if (len)
        memset(data, 0, len);
    __asm__ volatile("" : : "r"(data) : "memory");
}
