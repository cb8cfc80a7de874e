/* Jobs: the words of a line, and the kind of algorithm that they select.
 *
 * A job begins with KIND ALGORITHM PARAMETER OPERATION; each kind has a file that describes its words. Bytes are
 * hexadecimal; they and PARAMETER may be `-` for none, and a message may be `@LEN`, whose byte i is i mod 251. */
#include "driver.h"
#include <string.h>
#ifdef CAPVEC_LONG
# include <sys/mman.h>
#endif

static const struct kind *const kinds[] = {
#ifdef CAPVEC_TLS
    &handshake_kind,
    &resumption_kind,
    &record_kind,
#else
    &cipher_kind, &aead_kind,      &setup_kind, &digest_kind,   &mac_kind,
    &keygen_kind, &signature_kind, &kem_kind,   &exchange_kind,
#endif
};

/* Decoded words of the current job, each aligned: key, IV, associated data and input, followed by the message of a
 * measurement, or output and tag of a vector. The low bits of the address do not depend on the driver's size, since
 * they decide cache conflicts. */
static unsigned char arena[6 * (MAX_MESSAGE + 64)] __attribute__((aligned(SAME_SET)));
static size_t arena_used;

char *begin_job(char *line)
{
    arena_used = 0;
    return strtok(line, " ");
}

#ifdef CAPVEC_LONG
static unsigned char *message;

/* Its address has the same low bits as that of the usual driver's buffer. */
int place_message(size_t len)
{
    unsigned char *at = mmap(NULL, len + 2 * SAME_SET, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 0;
    message = at + (SAME_SET - (uintptr_t)at % SAME_SET) % SAME_SET + 4 * (MAX_MESSAGE + 64);
    return 1;
}

unsigned char *measured_message(void)
{
    return message;
}
#else
unsigned char *measured_message(void)
{
    return arena + 4 * (MAX_MESSAGE + 64);
}
#endif

int job_is(const struct job *job, const char *operation)
{
    return strcmp(job->operation, operation) == 0;
}

void fill(unsigned char *buffer, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buffer[i] = (unsigned char)(i % 251);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int parse_number(const char *word, size_t max, size_t *number)
{
    *number = 0;
    if (word == NULL || *word == 0)
        return 0;
    for (; *word; word++) {
        if (*word < '0' || *word > '9')
            return 0;
        *number = *number * 10 + (size_t)(*word - '0');
        if (*number > max)
            return 0;
    }
    return 1;
}

char *next_word(void)
{
    return strtok(NULL, " ");
}

int take_number(uint64_t *number)
{
    return parse_number(next_word(), UINT64_MAX / 16, number);
}

int take_bytes(struct bytes *b)
{
    return decode_bytes(next_word(), b);
}

int decode_bytes(const char *word, struct bytes *b)
{
    b->data = arena + arena_used;
    b->len = 0;
    if (word == NULL)
        return 0;
    if (word[0] == '@') {
        if (!parse_number(word + 1, MAX_MESSAGE, &b->len))
            return 0;
        fill(b->data, b->len);
    } else if (strcmp(word, "-") != 0) {
        for (; word[0]; word += 2) {
            int high = hex_digit(word[0]), low = high < 0 ? -1 : hex_digit(word[1]);
            if (low < 0 || b->len == MAX_MESSAGE)
                return 0;
            b->data[b->len++] = (unsigned char)(high << 4 | low);
        }
    }
    arena_used += (b->len + 63) / 64 * 64;
    return 1;
}

const struct kind *take_what(struct job *job)
{
    const char *name = strtok(NULL, " ");
    job->algorithm = strtok(NULL, " ");
    job->parameter = strtok(NULL, " ");
    job->operation = strtok(NULL, " ");
    if (job->operation == NULL)
        return NULL;
    if (strcmp(job->parameter, "-") == 0)
        job->parameter = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (const char *const *op = kinds[i]->operations; *op && strcmp(kinds[i]->name, name) == 0; op++)
            if (job_is(job, *op))
                return kinds[i];
    return NULL;
}
