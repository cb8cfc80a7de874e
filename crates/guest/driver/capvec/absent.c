/* Kinds that libcapvec does not have: no operation of theirs is found. */
#include "driver.h"

const struct kind keygen_kind = { .name = "keygen" }, signature_kind = { .name = "signature" };
const struct kind kem_kind = { .name = "kem" }, exchange_kind = { .name = "exchange" };
