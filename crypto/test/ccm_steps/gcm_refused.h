/* A step that should have been refused, or NULL. */
const char *gcm_refused(void);
