/* Connections of TLS 1.3: handshakes, full and resumed, and records. The algorithm is the group, the parameter the cipher suite, the
 * key that of the server's certificate.
 *
 * What is measured of a handshake is everything that one end does for a connection, from its creation until it is freed. The answer
 * of a handshake says what both ends agreed on, in words. A record goes from server to client; its answer is what the client
 * received. */
#include "tls_connection.h"
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct measured {
    struct parties parties;
    struct connection connection; /* for records, it stays open */
    unsigned char *received;
};

static void choose_end(struct connection *c, const struct job *job)
{
    memset(c, 0, sizeof *c);
    c->server.counted = job_is(job, "server") || job_is(job, "server-resumed") || job_is(job, "enc");
    c->client.counted = !c->server.counted;
}

/* A connection that is not measured. */
static int connect_once(struct connection *c, const struct parties *p)
{
    memset(c, 0, sizeof *c);
    return open_connection(c, p) && shake_hands(c);
}

/* Makes what connections need; to resume, with a session of a full handshake. */
static int prepare_parties(struct parties *p, const struct job *job, int resume)
{
    struct connection first;
    if (!make_parties(p, job))
        return 0;
    int ok = !resume || (connect_once(&first, p) && take_session(p, &first));
    if (resume)
        close_connection(&first);
    if (!ok)
        free_parties(p);
    return ok;
}

static void release(void *context)
{
    struct measured *m = context;
    if (m->connection.to_server != NULL)
        close_connection(&m->connection);
    free_parties(&m->parties);
    free(m->received);
    free(m);
}

static void *prepare(const struct job *job, size_t len, int resume)
{
    struct measured *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->received = malloc(len + 1);
    if (m->received == NULL || !prepare_parties(&m->parties, job, resume)) {
        release(m);
        return NULL;
    }
    choose_end(&m->connection, job);
    return m;
}

static void *prepare_full(const struct job *job, size_t len)
{
    return prepare(job, len, 0);
}

static void *prepare_resumed(const struct job *job, size_t len)
{
    return prepare(job, len, 1);
}

static void *prepare_record(const struct job *job, size_t len)
{
    struct measured *m = prepare(job, len, 0);
    if (m == NULL)
        return NULL;
    if (!connect_once(&m->connection, &m->parties)) {
        release(m);
        return NULL;
    }
    m->connection.server.counted = job_is(job, "enc");
    m->connection.client.counted = !m->connection.server.counted;
    return m;
}

static int step(void *context, unsigned char *buffer, size_t len)
{
    struct measured *m = context;
    (void)buffer, (void)len;
    int ok = open_connection(&m->connection, &m->parties) && shake_hands(&m->connection);
    close_connection(&m->connection);
    return ok;
}

static int step_record(void *context, unsigned char *buffer, size_t len)
{
    struct measured *m = context;
    return send_data(&m->connection, buffer, len, m->received);
}

/* What both ends agreed on; the length of the text, or -1 if they disagree. */
static long agreed(const struct connection *c, unsigned char *out)
{
    unsigned char ours[EXPORTED], theirs[EXPORTED];
    SSL *client = c->client.ssl;
    X509 *certificate = SSL_get0_peer_certificate(client);
    EVP_PKEY *key = certificate ? X509_get0_pubkey(certificate) : NULL;
    if (!export_secret(&c->client, ours) || !export_secret(&c->server, theirs) || memcmp(ours, theirs, EXPORTED) != 0)
        return -1;
    return snprintf((char *)out, 200, "%s %s %s %s %s", SSL_get_version(client), SSL_get0_group_name(client),
                    key ? EVP_PKEY_get0_type_name(key) : "-", SSL_CIPHER_get_name(SSL_get_current_cipher(client)),
                    SSL_session_reused(client) ? "resumed" : "full");
}

static long answer(const struct job *job, unsigned char *out, int resume)
{
    struct parties p;
    struct connection c;
    if (!prepare_parties(&p, job, resume))
        return -1;
    long len = connect_once(&c, &p) ? agreed(&c, out) : -1;
    close_connection(&c);
    free_parties(&p);
    return len;
}

static long answer_full(const struct job *job, unsigned char *out)
{
    return answer(job, out, 0);
}

static long answer_resumed(const struct job *job, unsigned char *out)
{
    return answer(job, out, 1);
}

static long answer_record(const struct job *job, unsigned char *out)
{
    struct parties p;
    struct connection c;
    if (!prepare_parties(&p, job, 0))
        return -1;
    int ok = connect_once(&c, &p) && send_data(&c, job->in.data, job->in.len, out);
    close_connection(&c);
    free_parties(&p);
    return ok ? (long)job->in.len : -1;
}

/* Changes a bit in the middle of what is on its way. */
static int tamper(BIO *on_its_way)
{
    char *data;
    long len = BIO_get_mem_data(on_its_way, &data);
    if (len <= 0)
        return 0;
    data[len / 2] ^= 1;
    return 1;
}

/* The client must refuse a changed flight of the server. */
static const char *check(struct job *job, unsigned char *out, size_t len, int resume)
{
    struct parties p;
    struct connection c;
    (void)out, (void)len;
    if (!prepare_parties(&p, job, resume))
        return "lost";
    memset(&c, 0, sizeof c);
    int sent = open_connection(&c, &p) && advance(&c.client) && advance(&c.server) && tamper(c.to_client);
    int accepted = sent && advance(&c.client) && SSL_is_init_finished(c.client.ssl);
    close_connection(&c);
    free_parties(&p);
    return !sent ? "lost" : accepted ? "forged" : "back";
}

static const char *check_full(struct job *job, unsigned char *out, size_t len)
{
    return check(job, out, len, 0);
}

static const char *check_resumed(struct job *job, unsigned char *out, size_t len)
{
    return check(job, out, len, 1);
}

/* The client must refuse a changed record. */
static const char *check_record(struct job *job, unsigned char *out, size_t len)
{
    struct parties p;
    struct connection c;
    (void)len;
    if (!prepare_parties(&p, job, 0))
        return "lost";
    int sent =
        connect_once(&c, &p) && SSL_write(c.server.ssl, job->in.data, (int)job->in.len) > 0 && tamper(c.to_client);
    int accepted = sent && SSL_read(c.client.ssl, out, (int)job->in.len) > 0;
    close_connection(&c);
    free_parties(&p);
    return !sent ? "lost" : accepted ? "forged" : "back";
}

const struct kind handshake_kind = { "handshake", { "server", "client" }, prepare_full, step, release, answer_full,
                                     check_full };
const struct kind resumption_kind = {
    "resumption", { "server-resumed", "client-resumed" }, prepare_resumed, step, release, answer_resumed, check_resumed
};
const struct kind record_kind = { "record", { "enc", "dec" }, prepare_record, step_record,
                                  release,  answer_record,    check_record };
