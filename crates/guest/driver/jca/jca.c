/* Java's JCA, in a virtual machine that this process begins (JNI), with the class CapvecJca. Such a process has threads, and so cannot be
 * forked: each group of jobs begins a machine for itself, with its first operation. Data is copied to the class's arrays and back. */
#define _GNU_SOURCE
#include "counter_simulated.h"
#include "driver.h"
#include "language.h"
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE "/usr/lib/jvm/default-java/lib/server/libjvm.so"

const EVP_CIPHER library_ciphers[] = {
    LETTERED_AES("AES-128", 16),
    LETTERED_AES("AES-192", 24),
    LETTERED_AES("AES-256", 32),
    LETTERED_MODE("ChaCha20", 32, 16, STREAM_CIPHER, 1, "s"),
    { 0 },
};

/* The static methods of the class. */
enum method {
    KEY,
    IV,
    AUTHENTICATE,
    CRYPT,
    SEAL,
    TAG,
    FREE,
    HASH_NEW,
    HASH_UPDATE,
    HASH_END,
    HASH_COPY,
    HASH,
    ROOM,
    VERSION,
    METHODS
};

static const struct {
    const char *name, *type;
} methods[METHODS] = {
    [KEY] = { "key", "(IZI)I" },
    [IV] = { "iv", "(II)V" },
    [AUTHENTICATE] = { "authenticate", "(II)V" },
    [CRYPT] = { "crypt", "(III)V" },
    [SEAL] = { "seal", "(II)V" },
    [TAG] = { "tag", "(I)V" },
    [FREE] = { "free", "(I)V" },
    [HASH_NEW] = { "hashNew", "(I)I" },
    [HASH_UPDATE] = { "hashUpdate", "(II)V" },
    [HASH_END] = { "hashEnd", "(I)V" },
    [HASH_COPY] = { "hashCopy", "(I)I" },
    [HASH] = { "hash", "(II)V" },
    [ROOM] = { "room", "(I)V" },
    [VERSION] = { "version", "()Ljava/lang/String;" },
};

/* Bytes of a message to warm up. */
enum { BYTES = 16384 };

static JNIEnv *java;
static jclass jca;
static jmethodID found[METHODS];
/* The arrays, and the bytes that they have room for. */
static jbyteArray in_array, out_array;
static size_t room;

static void fail(const char *what)
{
    if (java && (*java)->ExceptionCheck(java))
        (*java)->ExceptionDescribe(java);
    fprintf(stderr, "Java's virtual machine: %s\n", what);
    _Exit(1);
}

/* Whether no exception was thrown; one is dropped. */
static int succeeded(void)
{
    if (!(*java)->ExceptionCheck(java))
        return 1;
    (*java)->ExceptionClear(java);
    return 0;
}

static jbyteArray array(const char *name)
{
    jfieldID field = (*java)->GetStaticFieldID(java, jca, name, "[B");
    jobject local = field ? (*java)->GetStaticObjectField(java, jca, field) : NULL;
    jobject global = local ? (*java)->NewGlobalRef(java, local) : NULL;
    if (!global)
        fail("no array");
    (*java)->DeleteLocalRef(java, local);
    return global;
}

/* Makes room for this many bytes. */
static void make_room(size_t bytes)
{
    if (bytes <= room)
        return;
    room = bytes;
    (*java)->CallStaticVoidMethod(java, jca, found[ROOM], (jint)bytes);
    if (!succeeded())
        fail("no memory for a message");
    if (in_array) {
        (*java)->DeleteGlobalRef(java, in_array);
        (*java)->DeleteGlobalRef(java, out_array);
    }
    in_array = array("in");
    out_array = array("out");
}

/* What is repeated is compiled soon, while the caller waits: what is measured is code that is not compiled again. One collector of
 * garbage, which has room for long, and no files of statistics: both would work at times that differ from case to case. */
static void begin_machine(void)
{
    static JavaVMOption options[] = {
        { "-Djava.class.path=/capvec", NULL }, /* next to the driver */
        { "-Xbatch", NULL },
        { "-XX:CompileThresholdScaling=0.05", NULL },
        { "-XX:+UseSerialGC", NULL },
        { "-Xmn128m", NULL },
        { "-Xmx256m", NULL },
        { "-XX:-UsePerfData", NULL },
    };
    JavaVMInitArgs arguments = { JNI_VERSION_1_8, sizeof options / sizeof *options, options, JNI_FALSE };
    void *library = dlopen(MACHINE, RTLD_NOW);
    jint (*create)(JavaVM **, void **, void *) = NULL;
    JavaVM *machine;
    if (!library || !(create = (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM")))
        fail(dlerror());
    if (create(&machine, (void **)&java, &arguments) != JNI_OK)
        fail("it does not begin");
    jca = (*java)->FindClass(java, "CapvecJca");
    if (!jca)
        fail("no class");
    for (int i = 0; i < METHODS; i++)
        if (!(found[i] = (*java)->GetStaticMethodID(java, jca, methods[i].name, methods[i].type)))
            fail(methods[i].name);
    make_room(BYTES);
}

static void load(void)
{
    if (!java)
        begin_machine();
}

static void put(const void *data, size_t len)
{
    make_room(len + LONGEST_TAG);
    (*java)->SetByteArrayRegion(java, in_array, 0, (jint)len, data);
}

static void get(void *data, size_t len)
{
    (*java)->GetByteArrayRegion(java, out_array, 0, (jint)len, data);
}

int library_begin(void)
{
    return 1;
}

const char *library_version(void)
{
    static char text[64] = "OpenJDK ";
    jstring version;
    const char *chars;
    if (text[8])
        return text;
    load();
    version = (*java)->CallStaticObjectMethod(java, jca, found[VERSION]);
    chars = version ? (*java)->GetStringUTFChars(java, version, NULL) : NULL;
    if (!chars)
        fail("no version");
    strncat(text, chars, sizeof text - strlen(text) - 1);
    (*java)->ReleaseStringUTFChars(java, version, chars);
    return text;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    load();
    return sizeof(jint);
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    put(ctx->iv, ctx->iv_len);
    (*java)->CallStaticVoidMethod(java, jca, found[IV], *(jint *)ctx->state, (jint)ctx->iv_len);
    return succeeded();
}

int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    size_t tag_len = ctx->encrypt ? 0 : ctx->tag_len;
    (void)last;
    put(in, len);
    if (tag_len)
        (*java)->SetByteArrayRegion(java, in_array, (jint)len, (jint)tag_len, (const jbyte *)ctx->tag);
    (*java)->CallStaticVoidMethod(java, jca, found[CRYPT], *(jint *)ctx->state, (jint)len, (jint)tag_len);
    if (!succeeded())
        return 0;
    get(out, len);
    return 1;
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    put(in, len);
    (*java)->CallStaticVoidMethod(java, jca, found[AUTHENTICATE], *(jint *)ctx->state, (jint)len);
    return succeeded();
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    (*java)->CallStaticVoidMethod(java, jca, found[TAG], *(jint *)ctx->state);
    if (!succeeded())
        return 0;
    get(tag, LONGEST_TAG);
    return 1;
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    jint *object = ctx->state;
    if (*object)
        (*java)->CallStaticVoidMethod(java, jca, found[FREE], *object);
    *object = 0;
}

/* In the program that measures alone. */
#pragma weak do_probe

/* Repeats an operation on a message until its instructions no longer change, which is when everything is compiled. The program that checks
 * vectors takes what the machine executes by then, compiled or not. */
static void warm_up(int (*once)(void *context, unsigned char *message), void *context)
{
    enum { SAME = 64, MOST = 2000 };
    static unsigned char message[BYTES];
    uint64_t least = 0, most = 0;
    int same = do_probe ? 0 : SAME;
    for (int rounds = 0; rounds < MOST && same < SAME; rounds++) {
        uint64_t insns = read_instret();
        if (!once(context, message))
            fail("it does not compute");
        insns = read_instret() - insns;
        if (same == 0 || insns > least + least / 64 || insns + insns / 64 < most)
            same = 0, least = most = insns;
        least = insns < least ? insns : least;
        most = insns > most ? insns : most;
        same++;
    }
    if (same < SAME)
        fail("the instructions of an operation keep changing");
}

/* A message in a context with a key. What GCM decrypts has the right tag: with a wrong one, it would be rejected early. */
static int crypt_once(void *context, unsigned char *message)
{
    EVP_CIPHER_CTX *ctx = context;
    int is_gcm = ctx->cipher->mode == EVP_CIPH_GCM_MODE;
    if (ctx->iv_len && !library_iv(ctx))
        return 0;
    if (is_gcm && !ctx->encrypt) {
        unsigned char sealed[BYTES + LONGEST_TAG];
        put(message, BYTES);
        (*java)->CallStaticVoidMethod(java, jca, found[SEAL], *(jint *)ctx->state, (jint)BYTES);
        if (!succeeded())
            return 0;
        get(sealed, sizeof sealed);
        memcpy(ctx->tag, sealed + BYTES, LONGEST_TAG);
        ctx->tag_len = LONGEST_TAG;
        return library_crypt(ctx, sealed, sealed, BYTES, 1);
    }
    return library_crypt(ctx, message, message, BYTES, 1) && (!is_gcm || library_tag(ctx, ctx->tag));
}

static void warm_up_cipher(EVP_CIPHER_CTX *ctx)
{
    EVP_CIPHER_CTX before = *ctx;
    warm_up(crypt_once, ctx);
    *ctx = before;
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    static unsigned char is_warm[2][sizeof library_ciphers / sizeof *library_ciphers];
    const char *mode = ctx->cipher->own;
    unsigned char *warm = &is_warm[ctx->encrypt != 0][ctx->cipher - library_ciphers];
    jint *object = ctx->state;
    library_close(ctx);
    put(key, (size_t)ctx->cipher->key_len);
    *object = (*java)->CallStaticIntMethod(java, jca, found[KEY], (jint)*mode, (jboolean)(ctx->encrypt != 0),
                                           (jint)ctx->cipher->key_len);
    if (!succeeded())
        return *object = 0;
    if (!*warm) {
        *warm = 1;
        warm_up_cipher(ctx);
    }
    return 1;
}

static int hash_once(void *context, unsigned char *message)
{
    (*java)->SetByteArrayRegion(java, in_array, 0, BYTES, (const jbyte *)message);
    (*java)->CallStaticVoidMethod(java, jca, found[HASH], hash_place(context), (jint)BYTES);
    return succeeded();
}

static void load_hash(const EVP_MD *md)
{
    static unsigned char is_warm[sizeof library_hashes / sizeof *library_hashes];
    load();
    if (!is_warm[hash_place(md)]) {
        is_warm[hash_place(md)] = 1;
        warm_up(hash_once, (void *)md);
    }
}

size_t library_hash_size(const EVP_MD *md)
{
    load_hash(md);
    return sizeof(jint);
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    *(jint *)ctx->state = (*java)->CallStaticIntMethod(java, jca, found[HASH_NEW], hash_place(ctx->md));
    return succeeded();
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    put(data, len);
    (*java)->CallStaticVoidMethod(java, jca, found[HASH_UPDATE], *(jint *)ctx->state, (jint)len);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    (*java)->CallStaticVoidMethod(java, jca, found[HASH_END], *(jint *)ctx->state);
    if (!succeeded())
        fail("a hash does not end");
    get(out, (size_t)ctx->md->size);
}

int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    *(jint *)out->state = (*java)->CallStaticIntMethod(java, jca, found[HASH_COPY], *(jint *)in->state);
    return succeeded();
}

void library_hash_close(EVP_MD_CTX *ctx)
{
    jint object = *(jint *)ctx->state;
    if (object)
        (*java)->CallStaticVoidMethod(java, jca, found[FREE], object);
}

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    load_hash(md);
    put(data, len);
    (*java)->CallStaticVoidMethod(java, jca, found[HASH], hash_place(md), (jint)len);
    if (!succeeded())
        return 0;
    get(out, (size_t)md->size);
    return 1;
}

#include "no_shake.h"

#include "no_macs.h"

#include "no_ccm.h"
