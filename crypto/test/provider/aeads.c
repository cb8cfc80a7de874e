/* Authenticated ciphers. */
#include "pair.h"

static int get(void *ctx, OSSL_PARAM params[])
{
    return EVP_CIPHER_CTX_get_params(ctx, params);
}

struct message {
    uint8_t key[32], iv[128], aad[64], tag[16];
    size_t iv_len, aad_len, len, tag_len;
    /* Whether the tag could be set. */
    int tag_set;
};

/* Feeds both and compares; returns 0 once they refuse. For associated data, `out` is NULL. */
static int feed(struct ciphers *c, uint8_t *a, uint8_t *b, size_t *out, const uint8_t *in, size_t len, int split)
{
    size_t done = 0;
    do {
        size_t n = split ? part(len - done) : len;
        int came[2] = { 0, 0 }, result;
        /* An empty update would be the end. */
        if (n == 0 && split && len)
            continue;
        result = EVP_CipherUpdate(c->a, a ? a + *out : NULL, &came[0], in + done, (int)n);
        same_result(result, EVP_CipherUpdate(c->b, b ? b + *out : NULL, &came[1], in + done, (int)n), "update");
        if (result <= 0)
            return 0;
        same_result(came[0], came[1], "length");
        if (a) {
            same_bytes(a + *out, b + *out, (size_t)came[0], "output");
            *out += (size_t)came[0];
        }
        done += n;
        if (below(12) == 0)
            copy_ciphers(c);
    } while (done < len);
    return 1;
}

/* Does what a mode needs before the text. */
static int prepare(struct ciphers *c, struct message *m, int encrypt, int ccm)
{
    int came[2];
    /* Setting a tag while encrypting is refused; OpenSSL's ChaCha20-Poly1305 then accepts every message. */
    if (EVP_CIPHER_CTX_get_mode(c->a) == EVP_CIPH_STREAM_CIPHER)
        (void)both_init(c, NULL, NULL, encrypt);
    if (!both_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, (int)m->iv_len, NULL) && below(2))
        return 0;
    m->tag_set = 0;
    if (!encrypt || ccm)
        m->tag_set = both_ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int)m->tag_len, encrypt ? NULL : m->tag);
    else if (EVP_CIPHER_CTX_get_mode(c->a) == EVP_CIPH_OCB_MODE)
        (void)both_ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int)m->tag_len, NULL);
    if (below(2) ? !both_init(c, m->key, m->iv, encrypt)
                 : !(both_init(c, m->key, NULL, encrypt) && both_init(c, NULL, m->iv, encrypt)))
        return 0;
    same_parameter(get, c->a, c->b, "ivlen", OSSL_PARAM_UNSIGNED_INTEGER);
    same_parameter(get, c->a, c->b, "taglen", OSSL_PARAM_UNSIGNED_INTEGER);
    if (!ccm)
        return 1;
    int result = EVP_CipherUpdate(c->a, NULL, &came[0], NULL, (int)m->len);
    same_result(result, EVP_CipherUpdate(c->b, NULL, &came[1], NULL, (int)m->len), "length of the message");
    return result > 0;
}

static int run(struct ciphers *c, struct message *m, const uint8_t *in, uint8_t *out, int encrypt)
{
    static uint8_t a[ROOM], b[ROOM];
    int last[2] = { 0, 0 }, ccm = EVP_CIPHER_CTX_get_mode(c->a) == EVP_CIPH_CCM_MODE, result;
    size_t came = 0, none = 0;
    if (EVP_CIPHER_CTX_get_mode(c->a) == EVP_CIPH_OCB_MODE && !encrypt)
        (void)both_ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int)m->tag_len, NULL);
    if (!prepare(c, m, encrypt, ccm) || (m->aad_len && !feed(c, NULL, NULL, &none, m->aad, m->aad_len, !ccm))
        || ((m->len || ccm) && !feed(c, a, b, &came, in, m->len, !ccm)))
        return 0;
    result = EVP_CipherFinal_ex(c->a, a + came, &last[0]);
    same_result(result, EVP_CipherFinal_ex(c->b, b + came, &last[1]), "end");
    if (result <= 0)
        return 0;
    same_result(last[0], last[1], "length at the end");
    same_bytes(a + came, b + came, (size_t)last[0], "output at the end");
    memcpy(out, a, m->len);
    if (encrypt) {
        uint8_t tag[2][16] = { { 0 } };
        result = EVP_CIPHER_CTX_ctrl(c->a, EVP_CTRL_AEAD_GET_TAG, (int)m->tag_len, tag[0]);
        same_result(result, EVP_CIPHER_CTX_ctrl(c->b, EVP_CTRL_AEAD_GET_TAG, (int)m->tag_len, tag[1]), "tag taken");
        same_bytes(tag[0], tag[1], sizeof tag[0], "tag");
        memcpy(m->tag, tag[0], sizeof m->tag);
    }
    return result > 0;
}

void check_aead(const char *name, size_t rounds)
{
    static uint8_t in[ROOM], text[ROOM], back[ROOM];
    for (size_t i = 0; i < rounds; i++) {
        struct ciphers c = new_ciphers(name), d = new_ciphers(name);
        struct message m;
        int mode = EVP_CIPHER_CTX_get_mode(c.a);
        random_bytes((uint8_t *)&m, sizeof m);
        m.len = random_length();
        m.aad_len = below(3) ? below(64) : 0;
        m.iv_len = below(2) ? 12 : mode == EVP_CIPH_GCM_MODE ? 1 + below(128) : 1 + below(16);
        m.tag_len = mode == EVP_CIPH_CCM_MODE ? 4 + below(13) : below(2) ? 16 : 1 + below(16);
        random_bytes(in, m.len);
        doing = "encryption";
        if (run(&c, &m, in, text, 1)) {
            doing = "decryption";
            int forge = below(3) == 0;
            if (forge)
                m.tag[below(m.tag_len)] ^= (uint8_t)(1 << below(8));
            int authentic = run(&d, &m, text, back, 0);
            /* A context created for encryption refuses the tag. OpenSSL then compares with zeros, to which a tag of one
             * byte may be equal by chance. */
            must(!(forge && m.tag_set && authentic), "a forgery is accepted");
            if (authentic)
                same_bytes(in, back, m.len, "decryption of the output");
            doing = "another message";
            random_bytes(m.iv, sizeof m.iv);
            (void)run(&c, &m, in, text, 1);
        }
        free_ciphers(&c);
        free_ciphers(&d);
    }
}
