/* Hashes by name. */
#ifndef CV_PROVIDER_DIGESTS_H
#define CV_PROVIDER_DIGESTS_H

#include "provider.h"

/* NULL if libcapvec has no fixed-size hash of that name. */
const cv_hash_kind *pv_digest_named(const char *name);

#endif
