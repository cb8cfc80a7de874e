/* Records of TLS 1.0 to 1.2 in CBC with the MAC inside: text, MAC, padding (RFC 5246, 6.2.3.2).
 *
 * The end of the text depends on the padding, and timing must not reveal how long that was, or whether it was right:
 * that would be an oracle for the text (Vaudenay 2002; AlFardan and Paterson 2013, "Lucky Thirteen"). Therefore all
 * code here accesses the same bytes whatever they contain, and a record with wrong padding gets a random MAC, which
 * libssl then rejects like any wrong one. */
#include "basic.h"
#include "ct.h"

#include <openssl/rand.h>
#include <openssl/ssl3.h>

/* Longest padding, including its length byte. */
#define MAX_PADDING 256

/* All ones if `text` ends with valid padding that is preceded by a MAC. */
static size_t padding_is_right(const uint8_t *text, size_t len, size_t mac_len)
{
    size_t pad = text[len - 1], good = pv_mask_ge(len, pad + 1 + mac_len);
    size_t all = len < MAX_PADDING ? len : MAX_PADDING;
    for (size_t i = 1; i < all; i++)
        good &= ~pv_mask_ge(pad, i) | pv_mask_eq(text[len - 1 - i], pad);
    return good;
}

/* mac = text[end] ... text[end + mac_len - 1], where `end` is secret but not below len - MAX_PADDING - mac_len.
 *
 * Bytes are stored at their index modulo mac_len, which rotates the MAC by a secret distance; then it is rotated back
 * by powers of two, each of which is applied or not by a mask. */
static void take_mac(uint8_t *mac, size_t mac_len, const uint8_t *text, size_t len, size_t end)
{
    uint8_t turned[EVP_MAX_MD_SIZE] = { 0 }, next[EVP_MAX_MD_SIZE];
    size_t from = len > MAX_PADDING + mac_len ? len - MAX_PADDING - mac_len : 0, distance = 0;
    for (size_t i = from, at = 0; i < len; i++) {
        size_t inside = pv_mask_ge(i, end) & ~pv_mask_ge(i, end + mac_len);
        turned[at] |= text[i] & (uint8_t)inside;
        distance |= at & pv_mask_eq(i, end);
        at = at + 1 == mac_len ? 0 : at + 1;
    }
    for (size_t step = 1; step < mac_len; step *= 2) {
        uint8_t mask = (uint8_t)~pv_mask_eq(distance & step, 0);
        for (size_t i = 0; i < mac_len; i++) {
            size_t other = i + step < mac_len ? i + step : i + step - mac_len;
            next[i] = (uint8_t)((turned[i] & ~mask) | (turned[other] & mask));
        }
        memcpy(turned, next, mac_len);
    }
    memcpy(mac, turned, mac_len);
    OPENSSL_cleanse(turned, sizeof turned);
    OPENSSL_cleanse(next, sizeof next);
}

/* The length of a record without MAC and padding; the MAC goes to `b->mac`. Returns 0 if the record is visibly wrong. */
static int open_record(struct pv_basic *b, const uint8_t *text, size_t *len)
{
    uint8_t noise[EVP_MAX_MD_SIZE];
    size_t good, end;
    if (*len < 1 + b->mac_len)
        return 0;
    good = padding_is_right(text, *len, b->mac_len);
    end = *len - b->mac_len - (good & ((size_t)text[*len - 1] + 1));
    if (b->mac_len == 0) {
        /* Encrypt-then-MAC (RFC 7366): libssl has already found the record authentic. */
        *len = end;
        return good != 0;
    }
    if (RAND_bytes_ex(b->base.provider->library, noise, b->mac_len, 0) <= 0)
        return 0;
    take_mac(b->mac, b->mac_len, text, *len, end);
    for (size_t i = 0; i < b->mac_len; i++)
        b->mac[i] = (uint8_t)((b->mac[i] & good) | (noise[i] & ~good));
    *len = end;
    return 1;
}

int pv_tls_cbc(struct pv_basic *b, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in, size_t len,
               void (*crypt)(struct pv_basic *b, uint8_t *out, const uint8_t *in, size_t len))
{
    size_t pad = CV_BLOCK - len % CV_BLOCK;
    /* SSL 3.0 pads in another way and is obsolete. */
    if (in == NULL || in != out || room < len || !b->pad || b->tls_version == SSL3_VERSION)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    if (b->base.encrypt) {
        if (room < len + pad)
            return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
        memset(out + len, (int)pad - 1, pad);
        len += pad;
    }
    if (len % CV_BLOCK)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    crypt(b, out, out, len);
    if (!b->base.encrypt) {
        /* Since TLS 1.1, a block with the IV comes first, which libssl does not count. */
        size_t iv_len = b->tls_version == TLS1_VERSION ? 0 : CV_BLOCK;
        if (len < iv_len)
            return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
        len -= iv_len;
        if (!open_record(b, out + iv_len, &len))
            return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    }
    *out_len = len;
    return 1;
}
