/* Measures an operation twice, and prints a line. */
#include <stdint.h>

/* The line: name, blocks, cycles and instructions of the first run, and of the second. `run` returns a byte of its result, so that the
 * time ends when the result is in memory. */
void measure(const char *name, uint32_t blocks, uint8_t (*run)(const void *), const void *context);
