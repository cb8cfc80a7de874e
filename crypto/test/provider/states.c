/* Operations in random orders: begin, update, end, again, copy, after failures. What both accept must give the same
 * result. What only one accepts must be an intended difference, in which OpenSSL's answer is worthless: both then begin
 * anew. */
#include "pair.h"

#define STEPS 24

/* Which of the two may refuse what the other accepts. */
enum may_refuse { NEITHER, LIBCAPVEC, EITHER };

/* Whether both accepted it. If one may refuse and does, all that follows differs. */
static int both(int stock_result, int our_result, enum may_refuse who, int *lost, const char *what)
{
    if ((stock_result > 0 && our_result <= 0 && who != NEITHER)
        || (stock_result <= 0 && our_result > 0 && who == EITHER)) {
        *lost = 1;
        return 0;
    }
    same_result(stock_result, our_result, what);
    return stock_result > 0;
}

/* A pair of contexts, and their history. */
struct codes_walk {
    EVP_MAC_CTX *m[2];
    const char *name;
    OSSL_PARAM params[3];
    uint8_t key[32], iv[12];
    size_t key_len;
    int over, lost;
};

/* GMAC begins only with a nonce: neither a key alone nor nothing suffices. With another key in the middle of a message, OpenSSL
 * continues with a result that is a GMAC under neither key. */
static void begin_code(struct codes_walk *w, int with_key)
{
    int gmac = strcmp(w->name, "GMAC") == 0, alone = gmac && with_key && below(3) == 0;
    const OSSL_PARAM *params = with_key && !alone ? w->params : NULL;
    const uint8_t *key = with_key ? w->key : NULL;
    size_t len = with_key ? w->key_len : 0;
    int over = gmac && (alone || (!with_key && w->over));
    w->over = !both(EVP_MAC_init(w->m[0], key, len, params), EVP_MAC_init(w->m[1], key, len, params), NEITHER, &w->lost,
                    "begin")
        || over;
}

static void end_code(struct codes_walk *w)
{
    uint8_t out[2][256] = { { 0 } };
    size_t came[2] = { 0, 0 };
    enum may_refuse who = w->over ? LIBCAPVEC : NEITHER;
    int result = EVP_MAC_final(w->m[0], out[0], &came[0], sizeof out[0]);
    if (both(result, EVP_MAC_final(w->m[1], out[1], &came[1], sizeof out[1]), who, &w->lost, "end")) {
        same_result((int)came[0], (int)came[1], "length");
        same_bytes(out[0], out[1], sizeof out[0], "code");
        w->over = 1;
    }
}

static void copy_codes(struct codes_walk *w)
{
    for (int i = 0; i < 2; i++) {
        EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(w->m[i]);
        /* OpenSSL does not copy a CMAC without a key. */
        if (copy == NULL && i == 0) {
            w->lost = 1;
            return;
        }
        must(copy != NULL, "copied");
        EVP_MAC_CTX_free(w->m[i]);
        w->m[i] = copy;
    }
}

static void code_step(struct codes_walk *w)
{
    uint8_t in[100];
    size_t n = below(sizeof in);
    const OSSL_PARAM *params = w->params;
    /* A message consumes the key. Without a key, OpenSSL's Poly1305 calls a function that does not exist. */
    int fragile = w->over && strcmp(w->name, "POLY1305") == 0;
    switch (fragile ? 0 : below(6)) {
    case 0:
        begin_code(w, fragile || below(2));
        break;
    case 1:
    case 2:
        random_bytes(in, n);
        (void)both(EVP_MAC_update(w->m[0], in, n), EVP_MAC_update(w->m[1], in, n), w->over ? LIBCAPVEC : NEITHER,
                   &w->lost, "update");
        break;
    case 3:
        end_code(w);
        break;
    case 4:
        copy_codes(w);
        break;
    default:
        /* Without the name of a cipher: after that, OpenSSL needs the key again, and a nonce after the name. */
        params += params->key && params->data_type == OSSL_PARAM_UTF8_STRING;
        (void)both(EVP_MAC_CTX_set_params(w->m[0], params), EVP_MAC_CTX_set_params(w->m[1], params),
                   w->over ? EITHER : NEITHER, &w->lost, "parameters");
    }
}

/* A message interrupted by another key cannot continue, and has no code. */
static void interrupt_gmac(const struct codes_walk *w, EVP_MAC *mac)
{
    EVP_MAC_CTX *m = EVP_MAC_CTX_new(mac);
    uint8_t in[20] = { 0 }, out[16];
    size_t came;
    must(EVP_MAC_init(m, w->key, w->key_len, w->params) && EVP_MAC_update(m, in, sizeof in)
             && EVP_MAC_init(m, w->key + 16, w->key_len, NULL),
         "another key");
    must(!EVP_MAC_update(m, in, 1) && !EVP_MAC_final(m, out, &came, sizeof out), "no code after another key");
    EVP_MAC_CTX_free(m);
}

void check_mac_states(const char *name, const char *inner, size_t rounds)
{
    EVP_MAC *mac[2] = { EVP_MAC_fetch(stock, name, NULL), EVP_MAC_fetch(ours, name, "provider=capvec") };
    int hmac = strcmp(name, "HMAC") == 0;
    doing = "states of codes";
    for (size_t i = 0; i < rounds; i++) {
        struct codes_walk w = { .m = { EVP_MAC_CTX_new(mac[0]), EVP_MAC_CTX_new(mac[1]) }, .name = name, .over = 1 };
        OSSL_PARAM *p = w.params;
        random_bytes(w.key, sizeof w.key);
        random_bytes(w.iv, sizeof w.iv);
        w.key_len = inner && !hmac ? 16 : sizeof w.key;
        if (inner)
            *p++ = OSSL_PARAM_construct_utf8_string(hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER, (char *)inner,
                                                    0);
        if (strcmp(name, "GMAC") == 0)
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, w.iv, sizeof w.iv);
        *p = OSSL_PARAM_construct_end();
        /* Its keys have 16 bytes. */
        if (inner && strcmp(inner, "AES-128-GCM") == 0)
            interrupt_gmac(&w, mac[1]);
        for (int step = 0; step < STEPS && !w.lost; step++)
            code_step(&w);
        EVP_MAC_CTX_free(w.m[0]);
        EVP_MAC_CTX_free(w.m[1]);
    }
    EVP_MAC_free(mac[0]);
    EVP_MAC_free(mac[1]);
}

struct hashes_walk {
    EVP_MD *md[2];
    EVP_MD_CTX *h[2];
    int xof, over, lost;
};

static void end_hash(struct hashes_walk *w)
{
    uint8_t out[2][200] = { { 0 } };
    size_t n = 1 + below(sizeof out[0] - 1);
    unsigned came[2] = { 0, 0 };
    int at_will = w->xof && below(2), result[2];
    for (int i = 0; i < 2; i++)
        result[i] = at_will ? EVP_DigestFinalXOF(w->h[i], out[i], n) : EVP_DigestFinal_ex(w->h[i], out[i], &came[i]);
    if (both(result[0], result[1], w->over ? LIBCAPVEC : NEITHER, &w->lost, "end")) {
        same_result((int)came[0], (int)came[1], "length");
        same_bytes(out[0], out[1], sizeof out[0], "digest");
        w->over = 1;
    }
}

static void copy_hashes(struct hashes_walk *w)
{
    EVP_MD_CTX *copy[2] = { EVP_MD_CTX_new(), EVP_MD_CTX_new() };
    int copied =
        both(EVP_MD_CTX_copy_ex(copy[0], w->h[0]), EVP_MD_CTX_copy_ex(copy[1], w->h[1]), NEITHER, &w->lost, "copy");
    for (int i = 0; i < 2; i++) {
        EVP_MD_CTX_free(copied ? w->h[i] : copy[i]);
        w->h[i] = copied ? copy[i] : w->h[i];
    }
}

static void hash_step(struct hashes_walk *w)
{
    uint8_t in[300];
    size_t n = below(sizeof in);
    switch (below(5)) {
    case 0:
        w->over = !both(EVP_DigestInit_ex2(w->h[0], w->md[0], NULL), EVP_DigestInit_ex2(w->h[1], w->md[1], NULL),
                        NEITHER, &w->lost, "begin");
        break;
    case 1:
    case 2:
        random_bytes(in, n);
        (void)both(EVP_DigestUpdate(w->h[0], in, n), EVP_DigestUpdate(w->h[1], in, n), w->over ? LIBCAPVEC : NEITHER,
                   &w->lost, "update");
        break;
    case 3:
        end_hash(w);
        break;
    default:
        copy_hashes(w);
    }
}

void check_digest_states(const char *name, size_t rounds)
{
    struct hashes_walk w = { .md = { EVP_MD_fetch(stock, name, NULL), EVP_MD_fetch(ours, name, "provider=capvec") } };
    w.xof = (EVP_MD_get_flags(w.md[0]) & EVP_MD_FLAG_XOF) != 0;
    doing = "states of hashes";
    for (size_t i = 0; i < rounds; i++) {
        w.h[0] = EVP_MD_CTX_new(), w.h[1] = EVP_MD_CTX_new();
        w.over = 1, w.lost = 0;
        for (int step = 0; step < STEPS && !w.lost; step++)
            hash_step(&w);
        EVP_MD_CTX_free(w.h[0]);
        EVP_MD_CTX_free(w.h[1]);
    }
    EVP_MD_free(w.md[0]);
    EVP_MD_free(w.md[1]);
}

/* What is done with both ciphers, in any order. */
struct walk {
    struct ciphers c;
    uint8_t key[64], iv[16], tag[16];
    int encrypt, begun, announced, lost, mode, aead, end_announces;
    enum may_refuse refuses;
};

static void set_up(struct walk *w)
{
    enum { KEY = 1, IV = 2 };
    int what = w->begun ? (int)below(4) : KEY | IV;
    const uint8_t *key, *iv;
    /* In OpenSSL, a message of CCM keeps its nonce and length until its tag is read. */
    w->lost = w->announced;
    /* The direction changes only with the key. */
    if (below(4) == 0)
        w->encrypt = !w->encrypt, what |= KEY | IV;
    /* Whether OpenSSL's ChaCha20 counts a block that a new key interrupts depends on how the text was split. */
    if (what == KEY && w->mode == EVP_CIPH_STREAM_CIPHER)
        what |= IV;
    /* When beginning without parameters, OpenSSL drops the bytes of OCB that wait for the rest of their block. */
    if (what == 0 && w->mode == EVP_CIPH_OCB_MODE)
        what = IV;
    if (below(3) == 0)
        random_bytes(w->iv, sizeof w->iv);
    key = what & KEY ? w->key : NULL;
    iv = what & IV ? w->iv : NULL;
    w->begun = 1;
    (void)both(EVP_CipherInit_ex2(w->c.a, NULL, key, iv, w->encrypt, NULL),
               EVP_CipherInit_ex2(w->c.b, NULL, key, iv, w->encrypt, NULL), NEITHER, &w->lost, "begin");
}

static void feed(struct walk *w, int text)
{
    uint8_t in[80], out[2][160] = { { 0 } };
    int n = (int)below(sizeof in), came[2] = { 0, 0 };
    /* A NULL input announces a length to CCM, and ends the message in other modes; so an empty piece is not NULL. */
    const uint8_t *from = !text && w->mode == EVP_CIPH_CCM_MODE && below(2) ? NULL : in;
    if (below(6) == 0)
        n = 0;
    random_bytes(in, sizeof in);
    if (both(EVP_CipherUpdate(w->c.a, text ? out[0] : NULL, &came[0], from, n),
             EVP_CipherUpdate(w->c.b, text ? out[1] : NULL, &came[1], from, n), w->refuses, &w->lost,
             text ? "text" : "associated data")) {
        same_result(came[0], came[1], "length");
        same_bytes(out[0], out[1], sizeof out[0], "output");
        w->announced = (!text || w->encrypt) && w->mode == EVP_CIPH_CCM_MODE;
    } else if (text && w->begun && w->mode == EVP_CIPH_CCM_MODE) {
        /* What OpenSSL does with a text before refusing it is not undone. */
        w->lost = 1;
    }
}

/* Whether OpenSSL's CCM treats the end of a message without an announced length as a length of 0, as 3.0 does and 3.5
 * does not: associated data, which requires a length, is then accepted. */
static int does_end_announce(const EVP_CIPHER *ccm)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    uint8_t key[32] = { 0 }, iv[16] = { 0 }, out[16];
    int came, ended = EVP_CipherInit_ex2(c, ccm, key, iv, 1, NULL) > 0 && EVP_CipherFinal_ex(c, out, &came) > 0;
    int announced = ended && EVP_CipherUpdate(c, NULL, &came, key, 1) > 0;
    EVP_CIPHER_CTX_free(c);
    return announced;
}

static void finish(struct walk *w)
{
    uint8_t out[2][64] = { { 0 } };
    int came[2] = { 0, 0 };
    if (both(EVP_CipherFinal_ex(w->c.a, out[0], &came[0]), EVP_CipherFinal_ex(w->c.b, out[1], &came[1]), w->refuses,
             &w->lost, "end")) {
        same_result(came[0], came[1], "length at the end");
        same_bytes(out[0], out[1], (size_t)came[0], "output at the end");
        /* With another key, OpenSSL then keeps the length without the nonce, and the tag of an empty text is wrong. */
        w->announced |= w->end_announces;
    }
}

static void tag_step(struct walk *w)
{
    uint8_t tag[2][16] = { { 0 } };
    /* 12 is the default of CCM. */
    int n = w->mode == EVP_CIPH_CCM_MODE && below(3) ? 12 : below(3) ? 16 : 1 + (int)below(16);
    if (below(2)) {
        (void)both(EVP_CIPHER_CTX_ctrl(w->c.a, EVP_CTRL_AEAD_SET_TAG, n, w->encrypt ? NULL : w->tag),
                   EVP_CIPHER_CTX_ctrl(w->c.b, EVP_CTRL_AEAD_SET_TAG, n, w->encrypt ? NULL : w->tag), w->refuses,
                   &w->lost, "tag set");
    } else if (both(EVP_CIPHER_CTX_ctrl(w->c.a, EVP_CTRL_AEAD_GET_TAG, n, tag[0]),
                    EVP_CIPHER_CTX_ctrl(w->c.b, EVP_CTRL_AEAD_GET_TAG, n, tag[1]), w->refuses, &w->lost, "tag taken")) {
        same_bytes(tag[0], tag[1], sizeof tag[0], "tag");
        w->announced = 0;
    }
}

void check_cipher_states(const char *name, size_t rounds)
{
    for (size_t i = 0; i < rounds; i++) {
        struct walk w = { .c = new_ciphers(name), .encrypt = (int)below(2) };
        w.mode = EVP_CIPHER_CTX_get_mode(w.c.a);
        w.end_announces = w.mode == EVP_CIPH_CCM_MODE && does_end_announce(EVP_CIPHER_CTX_get0_cipher(w.c.a));
        w.aead = (EVP_CIPHER_get_flags(EVP_CIPHER_CTX_get0_cipher(w.c.a)) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
        /* OpenSSL keeps the announcements of an aborted message of CCM. */
        w.refuses = w.mode == EVP_CIPH_CCM_MODE ? EITHER : w.aead ? LIBCAPVEC : NEITHER;
        doing = "states of ciphers";
        random_bytes(w.key, sizeof w.key);
        random_bytes(w.iv, sizeof w.iv);
        for (int step = 0; step < STEPS && !w.lost; step++) {
            /* GCM without a nonce generates one, which differs between the two. */
            switch (w.mode == EVP_CIPH_GCM_MODE && !w.begun ? 0 : below(w.aead ? 9 : 6)) {
            case 0:
                set_up(&w);
                break;
            case 1:
            case 2:
            case 3:
                feed(&w, 1);
                break;
            case 4:
                finish(&w);
                break;
            case 5:
                copy_ciphers(&w.c);
                break;
            case 6:
            case 7:
                feed(&w, 0);
                break;
            default:
                tag_step(&w);
            }
        }
        free_ciphers(&w.c);
    }
}
