/* Mbed TLS has no initialisation call: with an operating system, code is selected when the program is loaded. Without
 * one, call cv_init; until then all code is portable C. */
#include "capvec.h"

__attribute__((constructor)) static void choose(void)
{
    cv_init_environment();
}
