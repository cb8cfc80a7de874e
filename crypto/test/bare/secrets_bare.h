/* The parts of secrets.c. */
#ifndef SECRETS_BARE_H
#define SECRETS_BARE_H

#include "secrets.h"
#include <capvec.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the program with an error if `holds` is 0; `what` says what failed. */
void require(int holds, const char *what);

void check_ciphers(const uint8_t *key, const uint8_t *text, size_t len);

#endif
