/* What the drivers need from the library in addition to EVP. */
#include "driver.h"
#include "evp.h"
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The heap begins after the driver, at an address whose low bits do not depend on the driver's size. */
int begin_library(void)
{
    uintptr_t end = (uintptr_t)sbrk(0);
    if (sbrk((intptr_t)(-end % SAME_SET)) == (void *)-1)
        return 0;
    if (cv_init_environment() != CV_OK) {
        fputs("CAPVEC_CAPS has a word that is no extension\n", stderr);
        exit(1);
    }
    return 1;
}

const char *OpenSSL_version(int which)
{
    (void)which;
    return "libcapvec";
}

static unsigned long vlen(void)
{
    unsigned long bytes;
    /* vlenb, by its number, for assemblers that do not know the name. */
    __asm__ volatile("csrr %0, 0xc22" : "=r"(bytes));
    return 8 * bytes;
}

/* In OpenSSL's format, so that one reader suffices for both. */
const char *OPENSSL_info(int which)
{
    static char text[512];
    char caps[256];
    (void)which;
    /* The last letter, m, is included in G. */
    size_t len = cv_caps(caps, sizeof caps);
    if (len && caps[len - 1] == 'm' && (len == 1 || caps[len - 2] == '_'))
        caps[len == 1 ? 0 : len - 2] = 0;
    int vector = strstr(caps, "v") && (caps[0] == 'v' || strstr(caps, "_v"));
    int used = snprintf(text, sizeof text, "OPENSSL_riscvcap=RV64GC%s%s", caps[0] ? "_" : "", caps);
    if (vector)
        snprintf(text + used, sizeof text - (size_t)used, " vlen:%lu", vlen());
    return text;
}
