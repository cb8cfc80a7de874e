/* Java's JCA, in a virtual machine that this process begins (JNI), with the class CapvecJca. Such a process has threads, and so cannot be
 * forked: each group of jobs begins a machine for itself, with its first operation. Data is copied to the class's arrays and back. */
#define _GNU_SOURCE
#include "driver.h"
#include "runtime.h"
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
    LANGUAGE_MODE("ChaCha20", 32, 16, STREAM_CIPHER, 1, "s"),
    { 0 },
};

const EVP_MD library_hashes[] = { LANGUAGE_HASHES, { 0 } };

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

/* Its garbage has room for longer than a measurement. */
static void settle(void)
{
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

static int seal(EVP_CIPHER_CTX *ctx, const unsigned char *message, unsigned char *sealed)
{
    put(message, BYTES);
    (*java)->CallStaticVoidMethod(java, jca, found[SEAL], *(jint *)ctx->state, (jint)BYTES);
    if (!succeeded())
        return 0;
    get(sealed, BYTES + LONGEST_TAG);
    return 1;
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    const char *mode = ctx->cipher->own;
    jint *object = ctx->state;
    library_close(ctx);
    put(key, (size_t)ctx->cipher->key_len);
    *object = (*java)->CallStaticIntMethod(java, jca, found[KEY], (jint)*mode, (jboolean)(ctx->encrypt != 0),
                                           (jint)ctx->cipher->key_len);
    if (!succeeded())
        return *object = 0;
    warm_up_cipher(ctx);
    return 1;
}

static int hash_message(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    put(data, len);
    (*java)->CallStaticVoidMethod(java, jca, found[HASH], hash_place(md), (jint)len);
    if (!succeeded())
        return 0;
    get(out, (size_t)md->size);
    return 1;
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

#include "no_shake.h"

#include "no_macs.h"

#include "no_ccm.h"
