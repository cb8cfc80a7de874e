/* The first of what CCM of Mbed TLS must refuse, or must not be disturbed by, and does otherwise; NULL if there is none. */
const char *ccm_refused(void);
