/* The schemes of secrets_schemes.c, for programs on Linux and without an operating system. */
#ifndef SECRETS_SCHEMES_H
#define SECRETS_SCHEMES_H

#include <stddef.h>

/* The name of the scheme with this number; NULL after the last one. */
const char *scheme_name(size_t number);
/* Whether all answers were right. */
int check_scheme(size_t number);

#endif
