/* Post-quantum operations on keys and seeds that are marked as secret, for `capvec ct`. The argument names the scheme. */
#include "secrets_schemes.h"
#include "capvec.h"
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 2 || cv_init_environment() != CV_OK)
        return 2;
    for (size_t n = 0; scheme_name(n); n++)
        if (strcmp(argv[1], scheme_name(n)) == 0)
            return !check_scheme(n);
    return 2;
}
