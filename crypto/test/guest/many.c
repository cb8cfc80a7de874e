/* Cycles per message of cv_hash_many with SHA3-256: one by one, always with vectors, as libcapvec selects, and as it
 * selects after tuning. Prints `least THRESHOLD`, the result of tuning, then lines `COUNT x LENGTH: ALONE VECTORS CHOSEN
 * TUNED`. Then the same for one message of ChaCha20 and of Poly1305: `chacha20 x LENGTH: …`. */
#include "internal.h"
#include <stdio.h>

#define MOST 32
#define LONGEST 1000

static uint8_t text[LONGEST + 8 * MOST] __attribute__((aligned(8))), digest[MOST][32];
static const uint8_t *messages[MOST];
static uint8_t *digests[MOST];

static uint8_t data[16384] __attribute__((aligned(8)));

static uint64_t cycles(void)
{
    uint64_t value;
    __asm__ volatile("fence\n\trdcycle %0" : "=r"(value) : : "memory");
    return value;
}

static void alone(size_t len, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cv_hash_message(&cv_sha3_256, digests[i], messages[i], len);
}

static void many(size_t len, size_t count)
{
    cv_hash_many(&cv_sha3_256, digests, 32, messages, len, count);
}

/* The second run, with warm caches. */
static void print_cost(void (*hash)(size_t len, size_t count), size_t len, size_t count)
{
    uint64_t took = 0;
    for (int run = 0; run < 2; run++) {
        took = cycles();
        hash(len, count);
        took = cycles() - took;
    }
    printf(" %llu", (unsigned long long)(took / count));
}

static void chacha20(size_t len, size_t count)
{
    static const uint8_t key[32], nonce[12];
    cv_chacha20 c;
    (void)count;
    cv_chacha20_init(&c, key, nonce, 1);
    cv_chacha20_update(&c, data, data, len);
}

static void poly1305(size_t len, size_t count)
{
    static const uint8_t key[32] = { 1 };
    uint8_t tag[16];
    (void)count;
    cv_poly1305_message(key, tag, data, len);
}

static void print_long(const char *name, void (*function)(size_t len, size_t count), enum cv_long what)
{
    static const size_t lengths[] = { 16, 64, 256, 1024, 8192, 16384 };
    const size_t tuned = cv_long_from(cv_kernels_in_use(), what), from[] = { SIZE_MAX, 1, 0, tuned };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        printf("%s x %zu:", name, lengths[i]);
        for (size_t k = 0; k < 4; k++) {
            cv_set_long_from(what, from[k]);
            print_cost(function, lengths[i], 1);
        }
        printf("\n");
    }
}

int main(void)
{
    static const size_t lengths[] = { 32, LONGEST }, counts[] = { 1, 2, 3, 4, 5, 8, 9, MOST };
    size_t tuned;
    if (cv_init_environment() != CV_OK)
        return 1;
    cv_tune(cycles);
    tuned = cv_many_threshold();
    printf("least %zu\n", tuned);
    for (size_t i = 0; i < MOST; i++)
        messages[i] = text + 8 * i, digests[i] = digest[i];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            const size_t least[] = { 1, 0, tuned };
            printf("%zu x %zu:", counts[n], lengths[i]);
            print_cost(alone, lengths[i], counts[n]);
            for (size_t k = 0; k < 3; k++) {
                cv_hash_many_threshold(least[k]);
                print_cost(many, lengths[i], counts[n]);
            }
            printf("\n");
        }
    }
    print_long("chacha20", chacha20, CV_CHACHA20);
    print_long("poly1305", poly1305, CV_POLY1305);
    return 0;
}
