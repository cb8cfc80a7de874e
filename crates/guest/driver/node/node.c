/* Node's module crypto. Node takes the stack on which a process begins, and this program runs on another: each continues where the other
 * waits for it. Calls go to nodecrypto.js through Node-API; data is copied to its buffers and back. A process that has begun Node has
 * threads, and so cannot be forked: each group of jobs begins Node for itself, with its first operation. */
#define _GNU_SOURCE
#include "driver.h"
#include "runtime.h"
#include <dlfcn.h>
#include <node_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* Its algorithms, by EVP's names and by Node's. XTS takes a message at once. */
#define NAMED_BLOCKS(name, bytes, own) \
    LANGUAGE_MODE(name "-ECB", bytes, 0, ECB_MODE, 16, own "-ecb"), \
        LANGUAGE_MODE(name "-CBC", bytes, 16, CBC_MODE, 16, own "-cbc"), \
        LANGUAGE_MODE(name "-CTR", bytes, 16, CTR_MODE, 1, own "-ctr")
#define NAMED_AES(bits) \
    NAMED_BLOCKS("AES-" #bits, bits / 8, "aes-" #bits), \
        LANGUAGE_MODE("AES-" #bits "-GCM", bits / 8, 12, GCM_MODE, 1, "aes-" #bits "-gcm")

const EVP_CIPHER library_ciphers[] = {
    NAMED_AES(128),
    NAMED_AES(192),
    NAMED_AES(256),
    NAMED_BLOCKS("SM4", 16, "sm4"),
    LANGUAGE_MODE("AES-128-XTS", 32, 16, XTS_MODE, 0, "aes-128-xts"),
    LANGUAGE_MODE("AES-256-XTS", 64, 16, XTS_MODE, 0, "aes-256-xts"),
    LANGUAGE_MODE("ChaCha20", 32, 16, STREAM_CIPHER, 1, "chacha20"),
    { 0 },
};

/* OpenSSL, with which Node computes, takes EVP's names in any case. */
const EVP_MD library_hashes[] = { LANGUAGE_HASHES, { "SM3", 32, 64, NULL }, { 0 } };

/* The functions of nodecrypto.js. */
enum operation {
    ROOM,
    COLLECT,
    KEY,
    IV,
    AUTHENTICATE,
    CRYPT,
    SEAL,
    TAG,
    CHECK,
    FREE,
    HASH_NEW,
    HASH_UPDATE,
    HASH_END,
    HASH_COPY,
    HASH,
    OPERATIONS
};

static const char *const names[OPERATIONS] = {
    [ROOM] = "room",
    [COLLECT] = "collect",
    [KEY] = "key",
    [IV] = "iv",
    [AUTHENTICATE] = "authenticate",
    [CRYPT] = "crypt",
    [SEAL] = "seal",
    [TAG] = "tag",
    [CHECK] = "check",
    [FREE] = "free",
    [HASH_NEW] = "hashNew",
    [HASH_UPDATE] = "hashUpdate",
    [HASH_END] = "hashEnd",
    [HASH_COPY] = "hashCopy",
    [HASH] = "hash",
};

/* The functions of Node that are called. */
#define FUNCTIONS(f) \
    f(napi_module_register) f(napi_create_function) f(napi_set_named_property) f(napi_get_named_property) \
        f(napi_get_cb_info) f(napi_get_buffer_info) f(napi_create_array) f(napi_set_element) \
            f(napi_create_string_utf8) f(napi_create_int32) f(napi_get_value_int32) f(napi_get_undefined) \
                f(napi_call_function) f(napi_get_and_clear_last_exception) f(napi_open_handle_scope) \
                    f(napi_close_handle_scope) f(napi_get_node_version)
#define DECLARE(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(DECLARE)
    int (*start)(int argc, char **argv); /* node::Start */
} node;

enum { ARGUMENTS = 3, STACK = 8 << 20 };

/* What Node is to do next, and what came of it. */
static struct {
    enum operation operation;
    int32_t arguments[ARGUMENTS], result;
    int succeeded;
} request;

/* Where Node and this program wait. */
static ucontext_t in_node, in_program;
static int has_begun;
static char version[64] = "Node ";
/* The buffers, and the bytes that they have room for. */
static unsigned char *in_buffer, *out_buffer;
static size_t room;

static void fail(const char *what)
{
    fprintf(stderr, "Node: %s\n", what);
    _Exit(1);
}

static void expect(napi_status status, const char *what)
{
    if (status != napi_ok)
        fail(what);
}

/* Has Node call a function. Returns whether it has thrown nothing. */
static int call(enum operation operation, int32_t a, int32_t b, int32_t c)
{
    request.operation = operation;
    request.arguments[0] = a, request.arguments[1] = b, request.arguments[2] = c;
    if (swapcontext(&in_program, &in_node) != 0)
        fail("it cannot continue");
    return request.succeeded;
}

/* Calls the function of a request; handles of before belong to the caller. */
static void answer(napi_env env, napi_value operations)
{
    napi_value function, result, arguments[ARGUMENTS];
    expect(node.napi_get_named_property(env, operations, names[request.operation], &function),
           names[request.operation]);
    for (int i = 0; i < ARGUMENTS; i++)
        expect(node.napi_create_int32(env, request.arguments[i], &arguments[i]), "no number");
    request.succeeded = node.napi_call_function(env, operations, function, ARGUMENTS, arguments, &result) == napi_ok;
    if (!request.succeeded)
        node.napi_get_and_clear_last_exception(env, &result);
    else if (node.napi_get_value_int32(env, result, &request.result) != napi_ok)
        request.result = 0;
}

/* serve(operations): does what the program asks for, and never returns. */
static napi_value serve_program(napi_env env, napi_callback_info info)
{
    napi_value operations;
    size_t count = 1;
    expect(node.napi_get_cb_info(env, info, &count, &operations, NULL, NULL), "no functions");
    while (swapcontext(&in_node, &in_program) == 0) {
        napi_handle_scope scope;
        expect(node.napi_open_handle_scope(env, &scope), "no scope");
        answer(env, operations);
        expect(node.napi_close_handle_scope(env, scope), "no end of a scope");
    }
    fail("it cannot wait");
    return operations;
}

/* share(input, output): where the buffers are. */
static napi_value share(napi_env env, napi_callback_info info)
{
    napi_value buffers[2], nothing;
    size_t count = 2, size;
    expect(node.napi_get_cb_info(env, info, &count, buffers, NULL, NULL), "no buffers");
    expect(node.napi_get_buffer_info(env, buffers[0], (void **)&in_buffer, &size), "no buffer");
    expect(node.napi_get_buffer_info(env, buffers[1], (void **)&out_buffer, &size), "no buffer");
    expect(node.napi_get_undefined(env, &nothing), "nothing");
    return nothing;
}

static void add_function(napi_env env, napi_value exports, const char *name, napi_callback callback)
{
    napi_value function;
    expect(node.napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function), name);
    expect(node.napi_set_named_property(env, exports, name, function), name);
}

static void add_name(napi_env env, napi_value array, uint32_t at, const char *name)
{
    napi_value text;
    expect(node.napi_create_string_utf8(env, name, NAPI_AUTO_LENGTH, &text), name);
    expect(node.napi_set_element(env, array, at, text), name);
}

/* The module that nodecrypto.js asks for. */
static napi_value make_module(napi_env env, napi_value exports)
{
    const napi_node_version *number;
    napi_value ciphers, hashes;
    add_function(env, exports, "serve", serve_program);
    add_function(env, exports, "share", share);
    expect(node.napi_create_array(env, &ciphers), "ciphers");
    for (uint32_t i = 0; library_ciphers[i].name; i++)
        add_name(env, ciphers, i, library_ciphers[i].own);
    expect(node.napi_set_named_property(env, exports, "ciphers", ciphers), "ciphers");
    expect(node.napi_create_array(env, &hashes), "hashes");
    for (uint32_t i = 0; library_hashes[i].name; i++)
        add_name(env, hashes, i, library_hashes[i].name);
    expect(node.napi_set_named_property(env, exports, "hashes", hashes), "hashes");
    expect(node.napi_get_node_version(env, &number), "no version");
    snprintf(version, sizeof version, "Node %u.%u.%u", number->major, number->minor, number->patch);
    return exports;
}

static napi_module module = { NAPI_MODULE_VERSION, 0, __FILE__, make_module, "capvec", NULL, { 0 } };

/* All its work in one thread, so that nothing is compiled or collected at times that differ from case to case; what is repeated is compiled
 * soon; garbage has room for longer than a measurement. The arguments are one piece of memory, as Node expects. */
static void begin_node(void)
{
    static char arguments[] = "node\0--no-warnings\0--single-threaded\0--v8-pool-size=0\0--expose-gc\0"
                              "--interrupt-budget=4000\0--minimum-invocations-after-ic-update=20\0"
                              "--min-semi-space-size=64\0--max-semi-space-size=64\0/capvec/nodecrypto.js";
    char *argv[12];
    int argc = 0;
    for (char *argument = arguments; argument < arguments + sizeof arguments; argument += strlen(argument) + 1)
        argv[argc++] = argument;
    argv[argc] = NULL;
    void *library = dlopen("libnode.so", RTLD_NOW);
    if (!library)
        fail(dlerror());
#define FIND(name) \
    if (!(node.name = (__typeof__(node.name))dlsym(library, #name))) \
        fail(dlerror());
    FUNCTIONS(FIND)
    if (!(node.start = (int (*)(int, char **))dlsym(library, "_ZN4node5StartEiPPc")))
        fail(dlerror());
    /* What is registered before Node begins can be found without loading a file. */
    node.napi_module_register(&module);
    node.start(argc, argv);
    fail("it has ended");
}

static struct {
    int argc;
    char **argv;
} command;

/* The program, on its own stack. Node's threads and destructors do not end in order, so the process ends without them. */
static void run_program(void)
{
    extern int main(int argc, char **argv);
    int status = main(command.argc, command.argv);
    fflush(NULL);
    _Exit(status);
}

/* Before the program begins: has it run on another stack, and begins Node when it asks for the first time. */
__attribute__((constructor)) static void change_stacks(int argc, char **argv)
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED || getcontext(&in_program) != 0)
        fail("no stack");
    command.argc = argc, command.argv = argv;
    in_program.uc_stack.ss_sp = stack;
    in_program.uc_stack.ss_size = STACK;
    makecontext(&in_program, run_program, 0);
    if (swapcontext(&in_node, &in_program) != 0)
        fail("the program cannot begin");
    begin_node();
}

/* Makes room for this many bytes. */
static void make_room(size_t bytes)
{
    if (bytes <= room)
        return;
    room = bytes;
    if (!call(ROOM, (int32_t)bytes, 0, 0))
        fail("no memory for a message");
}

static void load(void)
{
    if (has_begun)
        return;
    has_begun = 1;
    if (swapcontext(&in_program, &in_node) != 0)
        fail("it cannot begin");
    make_room(BYTES);
}

static void settle(void)
{
    call(COLLECT, 0, 0, 0);
}

static void put(const void *data, size_t len)
{
    make_room(len + LONGEST_TAG);
    memcpy(in_buffer, data, len);
}

static void get(void *data, size_t len)
{
    memcpy(data, out_buffer, len);
}

const char *library_version(void)
{
    load();
    return version;
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    int32_t *object = ctx->state;
    if (*object)
        call(FREE, *object, 0, 0);
    *object = 0;
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    int32_t *object = ctx->state, which = (int32_t)(ctx->cipher - library_ciphers);
    library_close(ctx);
    put(key, (size_t)ctx->cipher->key_len);
    if (!call(KEY, which, ctx->encrypt, ctx->cipher->key_len))
        return 0;
    *object = request.result;
    warm_up_cipher(ctx);
    return 1;
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    put(ctx->iv, ctx->iv_len);
    return call(IV, *(int32_t *)ctx->state, (int32_t)ctx->iv_len, 0);
}

int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    (void)last;
    put(in, len);
    if (!call(CRYPT, *(int32_t *)ctx->state, (int32_t)len, 0))
        return 0;
    get(out, len);
    return 1;
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    put(in, len);
    return call(AUTHENTICATE, *(int32_t *)ctx->state, (int32_t)len, 0);
}

/* Node compares tags itself: of a message that was decrypted, it has the right one or none. */
int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    int32_t object = *(int32_t *)ctx->state;
    if (ctx->encrypt) {
        if (!call(TAG, object, 0, 0))
            return 0;
        get(tag, LONGEST_TAG);
        return 1;
    }
    put(ctx->tag, ctx->tag_len);
    memcpy(tag, ctx->tag, ctx->tag_len);
    return call(CHECK, object, (int32_t)ctx->tag_len, 0);
}

static int seal(EVP_CIPHER_CTX *ctx, const unsigned char *message, unsigned char *sealed)
{
    put(message, BYTES);
    if (!call(SEAL, *(int32_t *)ctx->state, BYTES, 0))
        return 0;
    get(sealed, BYTES + LONGEST_TAG);
    return 1;
}

static int hash_message(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    put(data, len);
    if (!call(HASH, hash_place(md), (int32_t)len, 0))
        return 0;
    get(out, (size_t)md->size);
    return 1;
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    int succeeded = call(HASH_NEW, hash_place(ctx->md), 0, 0);
    *(int32_t *)ctx->state = succeeded ? request.result : 0;
    return succeeded;
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    put(data, len);
    call(HASH_UPDATE, *(int32_t *)ctx->state, (int32_t)len, 0);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    if (!call(HASH_END, *(int32_t *)ctx->state, 0, 0))
        fail("a hash does not end");
    get(out, (size_t)ctx->md->size);
}

int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    int succeeded = call(HASH_COPY, *(int32_t *)in->state, 0, 0);
    *(int32_t *)out->state = succeeded ? request.result : 0;
    return succeeded;
}

void library_hash_close(EVP_MD_CTX *ctx)
{
    int32_t object = *(int32_t *)ctx->state;
    if (object)
        call(FREE, object, 0, 0);
}

#include "no_shake.h"

#include "no_macs.h"

#include "no_ccm.h"
