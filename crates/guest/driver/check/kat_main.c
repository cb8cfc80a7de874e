/* The driver that checks vectors: each known answer in many forms, with buffers at every alignment, at the end of
 * mapped memory, in place, the message divided into pieces, another key set before. An empty line ends a group: see
 * group.c.
 *
 *   kat WHAT KEY IV AAD INPUT OUTPUT TAG RESULT SEED -> kat CHECKS SEEN EARLY [FAILURE] | absent NAME
 *   version -> version TEXT
 *
 * The words are as in job.c; OUTPUT may be `#FNV`, the FNV-1a of the expected output. RESULT is valid, invalid (must be
 * refused) or acceptable (may be refused). SEED decides the choices that a form leaves open. CHECKS is the number of
 * checks, SEEN a digest of all output: equal if the library behaves equally. EARLY is 1 if all refusals occurred in
 * setting keys, IVs and parameters, so that the operation itself refused nothing. FAILURE is `FORM: what`. `absent`
 * names what the library lacks. Anything else is answered with `error TEXT`. */
#include "kat.h"
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OUTPUT: bytes, or the FNV-1a of them. */
static int take_output(struct vector *v)
{
    char *end, *word = next_word();
    if (word == NULL || word[0] != '#')
        return decode_bytes(word, &v->out);
    v->by_digest = 1;
    v->digest = strtoull(word + 1, &end, 16);
    return end != word + 1 && *end == 0;
}

static int take_result(struct vector *v)
{
    static const char *const names[] = { "valid", "invalid", "acceptable" };
    const char *word = next_word();
    for (int i = 0; word && i < 3; i++)
        if (strcmp(word, names[i]) == 0) {
            v->result = (enum result)i;
            return 1;
        }
    return 0;
}

static void do_kat(void)
{
    static const struct {
        const struct kind *kind;
        void (*check)(struct tally *t, struct vector *v);
    } checkers[] = {
        { &cipher_kind, kat_cipher },
        { &aead_kind, kat_aead },
        { &digest_kind, kat_digest },
        { &mac_kind, kat_mac },
    };
    struct vector v = { 0 };
    struct tally t = { .seen = KAT_FNV_START };
    const struct kind *kind = take_what(&v.job);
    if (!kind || !take_bytes(&v.job.key) || !take_bytes(&v.job.iv) || !take_bytes(&v.job.aad) || !take_bytes(&v.job.in)
        || !take_output(&v) || !take_bytes(&v.job.tag) || !take_result(&v) || !take_number(&v.seed) || next_word()
        || v.job.tag.len > MAX_TAG) {
        puts("error bad kat job");
        return;
    }
    if (!kat_set_up()) {
        puts("error no memory for kat");
        return;
    }
    size_t i = 0, n = sizeof checkers / sizeof *checkers;
    while (i < n && checkers[i].kind != kind)
        i++;
    if (i < n)
        checkers[i].check(&t, &v);
    else
        kat_pkey(&t, &v, kind);
    if (t.absent)
        printf("absent %s\n", t.absent);
    else
        printf("kat %lu %016llx %d%s%s\n", t.checks, (unsigned long long)t.seen, t.early && !t.refused,
               t.failure[0] ? " " : "", t.failure);
}

static void do_line(char *line)
{
    const char *verb = begin_job(line);
    if (verb && strcmp(verb, "kat") == 0)
        do_kat();
    else if (verb && strcmp(verb, "version") == 0)
        printf("version %s\n", OpenSSL_version(OPENSSL_VERSION_STRING));
    else
        printf("error unknown verb %s\n", verb ? verb : "");
}

int main(void)
{
    return serve(do_line);
}
