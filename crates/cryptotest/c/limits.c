/* Puts contexts where only messages of gigabytes would bring them: near the limits of their modes. */
#include "capvec.h"
#include <string.h>

void cv_test_gcm_at(cv_gcm *gcm, uint64_t aad_len, uint64_t len);
void cv_test_gcm_at(cv_gcm *gcm, uint64_t aad_len, uint64_t len)
{
    gcm->aad_len = aad_len;
    gcm->len = len;
    gcm->counter += (uint32_t)(len / CV_BLOCK);
}

/* After block i, the offset includes L[j] if bit j of the Gray code of i is set (RFC 7253, 4.2 and 4.3). `l` has all L[j]. */
static void move_offset(uint8_t offset[CV_BLOCK], uint8_t l[][CV_BLOCK], uint64_t i)
{
    uint64_t gray = i ^ i >> 1;
    for (size_t j = 0; j < CV_OCB_TABLE; j++)
        for (size_t b = 0; b < CV_BLOCK && gray >> j & 1; b++)
            offset[b] ^= l[j][b];
}

void cv_test_ocb_at(cv_ocb *ocb, uint64_t aad_blocks, uint64_t blocks);
void cv_test_ocb_at(cv_ocb *ocb, uint64_t aad_blocks, uint64_t blocks)
{
    uint8_t l[CV_OCB_TABLE][CV_BLOCK];
    memcpy(l[0], ocb->l[0], CV_BLOCK);
    for (size_t j = 1; j < CV_OCB_TABLE; j++)
        for (size_t b = 0; b < CV_BLOCK; b++) {
            unsigned low = b + 1 < CV_BLOCK ? l[j - 1][b + 1] >> 7 : 0;
            l[j][b] = (uint8_t)((l[j - 1][b] << 1 | low) ^ (b + 1 == CV_BLOCK && l[j - 1][0] & 0x80 ? 0x87 : 0));
        }
    move_offset(ocb->offset, l, blocks);
    move_offset(ocb->aad_offset, l, aad_blocks);
    ocb->blocks = blocks;
    ocb->aad_blocks = aad_blocks;
}

void cv_test_chacha20_poly1305_at(cv_chacha20_poly1305 *c, uint64_t len);
void cv_test_chacha20_poly1305_at(cv_chacha20_poly1305 *c, uint64_t len)
{
    c->text_len = len;
    c->cipher.state[12] += (uint32_t)(len / 64);
}
