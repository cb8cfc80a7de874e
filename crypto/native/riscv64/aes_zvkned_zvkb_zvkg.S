/* AES in Galois/counter mode. Needs: V, Zvkned, Zvkb, Zvkg. */
#include "aes_gcm.h"

aes_gcm cv_aes_zvkned_zvkb_zvkg_gcm, 0

.section .note.GNU-stack, "", @progbits
