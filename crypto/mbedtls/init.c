/* Mbed TLS has no call that comes before all others: where there is an operating system, code is chosen when the program is
 * loaded. Elsewhere, call cv_init; until then all is portable C. */
#include "capvec.h"

__attribute__((constructor)) static void choose(void)
{
    cv_init_environment();
}
