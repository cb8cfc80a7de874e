/* The known answers that every library must give before its figures count. FIPS 197, C.1; SP 800-38A, F.5.1; the GCM specification, test case 2;
 * IEEE 1619, vector 1; FIPS 180-4 and GB/T 32905 for "abc"; GB/T 32907, A.1; RFC 8439, A.1. That of GHASH is the tag for 16 zero bytes of additional
 * data, with a key and an IV of zeros. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdint.h>
#include <string.h>

/* Whether these bytes are what the digits say. */
static inline int is(const uint8_t *bytes, const char *digits)
{
    static const char hex[] = "0123456789abcdef";
    for (; *digits; bytes++, digits += 2)
        if (digits[0] != hex[*bytes >> 4] || digits[1] != hex[*bytes & 15])
            return 0;
    return 1;
}

static const uint8_t zeros[64];
static const uint8_t aes_key[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
static const uint8_t aes_text[16] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                      0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
static const uint8_t ctr_key[16] = { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                     0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c };
static const uint8_t ctr_iv[16] = { 0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                    0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff };
static const uint8_t ctr_text[16] = { 0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                      0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a };
static const uint8_t sm4_key[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                     0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10 };

#define ANSWER_ECB "69c4e0d86a7b0430d8cdb78070b4c55a"
#define ANSWER_CTR "874d6191b620e3261bef6864990db6ce"
#define ANSWER_GCM "0388dace60b6a392f328c2b971b2fe78"
#define ANSWER_GCM_TAG "ab6e47d42cec13bdf53a67b21257bddf"
#define ANSWER_XTS "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e"
#define ANSWER_GHASH "21c2eb20cd2214dbdf34c9b82ecb7ed2"
#define ANSWER_SHA256 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define ANSWER_SHA512 "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
#define ANSWER_SM3 "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
#define ANSWER_SM4 "681edf34d206965e86b3e94f536e4246"
#define ANSWER_CHACHA20 "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"

#endif
