/* What the drivers need from the library in addition to EVP. */
#include "driver.h"
#include "packaged.h"
#include <openssl/crypto.h>
#include <unistd.h>

/* The heap begins after the driver, at an address whose low bits do not depend on the driver's size. */
int begin_library(void)
{
    uintptr_t end = (uintptr_t)sbrk(0);
    return sbrk((intptr_t)(-end % SAME_SET)) != (void *)-1 && library_begin();
}

const char *OpenSSL_version(int which)
{
    (void)which;
    return library_version();
}

/* None of the libraries reports which features of the processor it uses. */
const char *OPENSSL_info(int which)
{
    (void)which;
    return NULL;
}
