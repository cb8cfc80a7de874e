/* Configuration by environment variables. */
#include "internal.h"
#ifndef CV_FREESTANDING
# include <stdlib.h>
# include <time.h>

static uint64_t nanoseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int cv_init_environment(void)
{
    const char *tune = getenv("CAPVEC_TUNE");
    int error = cv_init(getenv("CAPVEC_CAPS"));
    if (error == CV_OK && tune && strcmp(tune, "1") == 0)
        cv_tune(nanoseconds);
    return error;
}
#endif
