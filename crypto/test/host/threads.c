/* Threads that use the library for the first time concurrently, and select its code meanwhile, for ThreadSanitizer and
 * for the answers: prints `threads checked` if all are right. */
#include "internal.h"
#include <pthread.h>
#include <stdio.h>

#define THREADS 8

static pthread_barrier_t together;
/* SHA-256 of "abc" (FIPS 180-4's example), and AES-128 of zeros under a key of zeros. */
static const uint8_t digest[4] = { 0xba, 0x78, 0x16, 0xbf }, block[4] = { 0x66, 0xe9, 0x4b, 0xd4 };

static int right(void)
{
    static const uint8_t zeros[CV_BLOCK];
    uint8_t out[64] = { 0 };
    cv_block_key key;
    cv_gcm gcm;
    int ok;
    cv_hash_message(&cv_sha256, out, (const uint8_t *)"abc", 3);
    ok = memcmp(out, digest, sizeof digest) == 0;
    cv_aes_init(&key, zeros, sizeof zeros);
    cv_ecb_encrypt(&key, out, zeros, 1);
    ok &= memcmp(out, block, sizeof block) == 0;
    cv_gcm_init(&gcm, &key);
    ok &= memcmp(gcm.hash.h, block, sizeof block) == 0;
    cv_poly1305_message(out, out + 32, out, 32);
    return ok;
}

/* Some begin without cv_init, some with it; they select different capabilities. */
static void *use(void *number)
{
    static const char *const sets[] = { NULL, "zbb", "zbkb", "zbb_zbkc" };
    size_t n = *(const size_t *)number, wrong = 0;
    char caps[64];
    pthread_barrier_wait(&together);
    for (int i = 0; i < 50; i++) {
        if ((n + (size_t)i) % 3 == 0)
            wrong += cv_init(sets[n % 4]) != CV_OK;
        if (i % 7 == 3)
            cv_hash_many_threshold(n);
        wrong += !right();
        cv_caps(caps, sizeof caps);
    }
    return wrong ? number : NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    size_t numbers[THREADS], wrong = 0;
    pthread_barrier_init(&together, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, use, &numbers[i]))
            return 2;
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        wrong += result != NULL;
    }
    if (wrong || !right())
        return 1;
    printf("threads checked\n");
    return 0;
}
