/* Go's crypto packages, from a shared library that contains Go's runtime (gocrypto.go). A process that has begun the runtime has threads,
 * and so cannot be forked: each group of jobs loads the library for itself, with its first operation. */
#define _GNU_SOURCE
#include "language.h"
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GO_LIBRARY "/capvec/gocrypto.so" /* next to the driver */

const EVP_CIPHER library_ciphers[] = {
    LETTERED_AES("AES-128", 16),
    LETTERED_AES("AES-192", 24),
    LETTERED_AES("AES-256", 32),
    { 0 },
};

const EVP_MD library_hashes[] = { LANGUAGE_HASHES, { 0 } };

/* The functions of the library; a handle is Go's name for an object, 0 for none. */
static struct {
    void (*version)(char *out, size_t len);
    uintptr_t (*key)(uintptr_t old, int mode, int encrypt, const void *key, size_t len);
    int (*iv)(uintptr_t, const void *iv, size_t len);
    void (*authenticate)(uintptr_t, const void *in, size_t len);
    int (*crypt)(uintptr_t, void *out, const void *in, size_t len, const void *tag, size_t tag_len);
    int (*tag)(uintptr_t, void *tag);
    void (*free)(uintptr_t);
    uintptr_t (*hash_new)(int which);
    void (*hash_update)(uintptr_t, const void *in, size_t len);
    void (*hash_end)(uintptr_t, void *out);
    uintptr_t (*hash_copy)(uintptr_t, int which);
    void (*hash)(int which, void *out, const void *in, size_t len);
} go;

static void wait_forever(int signal)
{
    (void)signal;
    for (;;)
        pause();
}

/* Stops the threads of the runtime, whose work would be counted: its monitor wakes up every 20 microseconds to 10 milliseconds, and
 * interrupts what runs for longer. Nothing needs them: the calling thread keeps what it needs to run, and no memory is collected. */
static int stop_threads(void)
{
    struct sigaction action = { .sa_handler = wait_forever, .sa_flags = SA_ONSTACK };
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL || sigaction(SIGRTMAX, &action, NULL))
        return 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        int thread = atoi(task->d_name);
        if (thread && thread != getpid() && tgkill(getpid(), thread, SIGRTMAX))
            return 0;
    }
    return closedir(tasks) == 0 && usleep(1000) == 0;
}

static void load(void)
{
    static const char *const names[] = { "go_version",     "go_key",      "go_iv",        "go_authenticate",
                                         "go_crypt",       "go_tag",      "go_free",      "go_hash_new",
                                         "go_hash_update", "go_hash_end", "go_hash_copy", "go_hash" };
    char version[48];
    void *library, *found[sizeof names / sizeof *names];
    if (go.version)
        return;
    library = dlopen(GO_LIBRARY, RTLD_NOW);
    for (size_t i = 0; library && i < sizeof names / sizeof *names; i++)
        if ((found[i] = dlsym(library, names[i])) == NULL)
            library = NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        _Exit(1);
    }
    _Static_assert(sizeof go == sizeof found, "a name for each function");
    memcpy(&go, found, sizeof go);
    /* The first call waits until the runtime has begun. */
    go.version(version, sizeof version);
    if (!stop_threads()) {
        fputs("the threads of Go's runtime cannot be stopped\n", stderr);
        _Exit(1);
    }
}

int library_begin(void)
{
    return 1;
}

const char *library_version(void)
{
    static char text[64] = "Go ";
    char version[48] = "";
    load();
    go.version(version, sizeof version - 1);
    /* Go's own text begins with `go`. */
    strcat(text, version + 2);
    return text;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    load();
    return sizeof(uintptr_t);
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    const char *mode = ctx->cipher->own;
    uintptr_t *handle = ctx->state;
    *handle = go.key(*handle, *mode, ctx->encrypt, key, (size_t)ctx->cipher->key_len);
    return *handle != 0;
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    return go.iv(*(uintptr_t *)ctx->state, ctx->iv, ctx->iv_len);
}

int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    (void)last;
    return go.crypt(*(uintptr_t *)ctx->state, out, in, len, ctx->tag, ctx->encrypt ? 0 : ctx->tag_len);
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    go.authenticate(*(uintptr_t *)ctx->state, in, len);
    return 1;
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    return go.tag(*(uintptr_t *)ctx->state, tag);
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    uintptr_t *handle = ctx->state;
    go.free(*handle);
    *handle = 0;
}

size_t library_hash_size(const EVP_MD *md)
{
    (void)md;
    load();
    return sizeof(uintptr_t);
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    *(uintptr_t *)ctx->state = go.hash_new(hash_place(ctx->md));
    return 1;
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    go.hash_update(*(uintptr_t *)ctx->state, data, len);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    go.hash_end(*(uintptr_t *)ctx->state, out);
}

int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    uintptr_t copy = go.hash_copy(*(const uintptr_t *)in->state, hash_place(in->md));
    memcpy(out->state, &copy, sizeof copy);
    return copy != 0;
}

void library_hash_close(EVP_MD_CTX *ctx)
{
    go.free(*(uintptr_t *)ctx->state);
}

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    load();
    go.hash(hash_place(md), out, data, len);
    return 1;
}

#include "no_shake.h"

#include "no_macs.h"

#include "no_ccm.h"
