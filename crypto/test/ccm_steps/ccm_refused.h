/* The first violation of what CCM of Mbed TLS must refuse, or must not be affected by; NULL if there is none. */
const char *ccm_refused(void);
