/* Kinds that libcapvec lacks: none of their operations is found. */
#include "driver.h"

const struct kind keygen_kind = { .name = "keygen" }, signature_kind = { .name = "signature" };
const struct kind kem_kind = { .name = "kem" }, exchange_kind = { .name = "exchange" };
