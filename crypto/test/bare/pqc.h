/* Known answers of the post-quantum schemes, and the stack that operations take: pqc.c has the procedure. */
#ifndef CV_PQC_H
#define CV_PQC_H

#include "capvec_mldsa.h"
#include "capvec_mlkem.h"
#include "capvec_slhdsa.h"

/* stack.c: calls `operation`, and returns how many bytes below its caller's frame it has changed. */
uint32_t stack_of(void (*operation)(void));

/* Does the same, and prints ` NAME:BYTES`. */
void measure(const char *name, void (*operation)(void));
/* The next `len` bytes of the inputs. */
void draw(uint8_t *to, size_t len);
/* Adds to the digest of outputs. */
void put(const uint8_t *bytes, size_t len);
/* Ends the program if `holds` is 0. */
void require(int holds, const char *what);
/* begin_set starts inputs and outputs anew and prints the name; end_set prints the digest of all outputs. */
void begin_set(const char *name);
void end_set(void);

/* pqc_slhdsa.c */
void check_slhdsa(void);

#endif
