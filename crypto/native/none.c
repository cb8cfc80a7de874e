/* No kernels: every algorithm is portable C. */
#include "operations.h"

const struct cv_backend *cv_native_backend(cv_token token, size_t *next)
{
    (void)token, (void)next;
    return NULL;
}

cv_token cv_native_usable(cv_token token)
{
    return token;
}

size_t cv_native_many(cv_token token, size_t count, size_t least)
{
    (void)token, (void)count, (void)least;
    return 0;
}

size_t cv_native_long(cv_token token, enum cv_long what)
{
    (void)token, (void)what;
    return SIZE_MAX;
}
