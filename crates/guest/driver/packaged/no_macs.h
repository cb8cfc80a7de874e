/* For libraries of which no MAC is called but GMAC. */
#ifndef CAPVEC_NO_MACS_H
#define CAPVEC_NO_MACS_H

#include "packaged.h"

const struct library_mac library_macs[] = { { 0 } };

size_t library_mac_size(const struct library_mac *mac)
{
    (void)mac;
    return 0;
}

int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len)
{
    (void)mac, (void)state, (void)key, (void)len;
    return 0;
}

int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len)
{
    (void)mac, (void)state, (void)data, (void)len;
    return 0;
}

int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out)
{
    (void)mac, (void)state, (void)out;
    return 0;
}

void library_mac_close(const struct library_mac *mac, void *state)
{
    (void)mac, (void)state;
}

#endif
