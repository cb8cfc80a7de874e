/* Expectations in the guest programs of these tests. A failed one is printed with its file and line. */
#include <errno.h>
#include <stdio.h>

static int failures;

#define EXPECT(c) \
    do { \
        if (!(c)) { \
            printf("%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #c, errno); \
            failures++; \
        } \
    } while (0)

/* The call returns -1 with this error. */
#define FAILS(call, error) \
    do { \
        errno = 0; \
        EXPECT((long)(call) == -1 && errno == (error)); \
    } while (0)
