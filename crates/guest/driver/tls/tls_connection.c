/* Connections of TLS 1.3 over memory. The server has a certificate of its key, issued by an authority that the client trusts; both
 * use the same key, so that certificate and handshake are signed with the same algorithm. */
#include "tls_connection.h"
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

#define HOST "capvec.example"
#define AUTHORITY "capvec authority"
/* Certificates are valid whatever the clock shows. */
#define NOT_BEFORE "20000101000000Z"
#define NOT_AFTER "20991231235959Z"
/* In each of its steps, the client sends or receives a flight; the handshake takes three of them. */
#define CLIENT_STEPS 3

static uint64_t counted[2], sent, sent_at_end;

void begin_end(void)
{
    counted[0] = counted[1] = sent = 0;
}

void end_counts(uint64_t out[2])
{
    memcpy(out, counted, sizeof counted);
    sent_at_end = sent;
}

uint64_t end_sent(void)
{
    return sent_at_end;
}

/* What counting itself takes: two reads of the counter of instructions, with nothing but the reads of cycles between them. */
static void counting_costs(uint64_t out[2])
{
    uint64_t instret = read_instret(), cycle = read_cycle();
    out[1] = read_cycle() - cycle;
    out[0] = read_instret() - instret;
}

/* Does a step of an end, and counts it if that end is measured. Not inlined: profiles find the measured end by this name. */
static __attribute__((noinline)) int counted_step(int (*step)(struct end *), struct end *e)
{
    uint64_t empty[2];
    counting_costs(empty);
    uint64_t instret = read_instret(), cycle = read_cycle();
    int ok = step(e);
    uint64_t cycles = read_cycle() - cycle, insns = read_instret() - instret;
    counted[0] += insns - empty[0];
    counted[1] += cycles > empty[1] ? cycles - empty[1] : 0;
    return ok;
}

static int of_end(struct end *e, int (*step)(struct end *))
{
    return e->counted ? counted_step(step, e) : step(e);
}

static int add_extension(X509 *certificate, int nid, const char *value)
{
    X509V3_CTX ctx;
    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    int ok = extension != NULL && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return ok;
}

static int set_name(X509_NAME *name, const char *text)
{
    return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)text, -1, -1, 0);
}

/* A certificate of `key`, signed by the same key. Everything in it is fixed; an ECDSA signature is what the generator of random
 * numbers makes it. */
static X509 *certify(EVP_PKEY *key, int authority)
{
    /* ML-DSA takes no hash. */
    const EVP_MD *md = EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_is_a(key, "EC") ? EVP_sha256() : NULL;
    X509 *x = X509_new();
    int ok = x != NULL && X509_set_version(x, X509_VERSION_3)
        && ASN1_INTEGER_set(X509_get_serialNumber(x), authority ? 1 : 2)
        && ASN1_TIME_set_string_X509(X509_getm_notBefore(x), NOT_BEFORE)
        && ASN1_TIME_set_string_X509(X509_getm_notAfter(x), NOT_AFTER) && set_name(X509_get_issuer_name(x), AUTHORITY)
        && set_name(X509_get_subject_name(x), authority ? AUTHORITY : HOST) && X509_set_pubkey(x, key)
        && (authority ? add_extension(x, NID_basic_constraints, "critical,CA:TRUE")
                      : add_extension(x, NID_subject_alt_name, "DNS:" HOST))
        && X509_sign(x, key, md) > 0;
    if (ok)
        return x;
    X509_free(x);
    return NULL;
}

/* Settings that both ends share: TLS 1.3, one group, one cipher suite. */
static SSL_CTX *settings(const SSL_METHOD *method, const struct job *job)
{
    SSL_CTX *ctx = SSL_CTX_new(method);
    if (ctx != NULL && SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION)
        && SSL_CTX_set1_groups_list(ctx, job->algorithm) && SSL_CTX_set_ciphersuites(ctx, job->parameter))
        return ctx;
    SSL_CTX_free(ctx);
    return NULL;
}

int make_parties(struct parties *p, const struct job *job)
{
    EVP_PKEY *key = job_key(job);
    X509 *root = key ? certify(key, 1) : NULL, *leaf = root ? certify(key, 0) : NULL;
    memset(p, 0, sizeof *p);
    p->client = settings(TLS_client_method(), job);
    p->server = settings(TLS_server_method(), job);
    int ok = leaf != NULL && p->client != NULL && p->server != NULL && SSL_CTX_use_certificate(p->server, leaf)
        && SSL_CTX_use_PrivateKey(p->server, key) && X509_STORE_add_cert(SSL_CTX_get_cert_store(p->client), root);
    if (ok)
        SSL_CTX_set_verify(p->client, SSL_VERIFY_PEER, NULL);
    else
        free_parties(p);
    X509_free(leaf);
    X509_free(root);
    EVP_PKEY_free(key);
    return ok;
}

void free_parties(struct parties *p)
{
    SSL_SESSION_free(p->session);
    SSL_CTX_free(p->client);
    SSL_CTX_free(p->server);
    memset(p, 0, sizeof *p);
}

int take_session(struct parties *p, const struct connection *c)
{
    p->session = SSL_get1_session(c->client.ssl);
    return p->session != NULL && SSL_SESSION_is_resumable(p->session);
}

/* For `start_end`, which has one argument. */
static const struct parties *parties;
static struct connection *starting;

static int start_end(struct end *e)
{
    int is_client = e == &starting->client;
    BIO *in = is_client ? starting->to_client : starting->to_server;
    BIO *out = is_client ? starting->to_server : starting->to_client;
    e->ssl = SSL_new(is_client ? parties->client : parties->server);
    if (e->ssl == NULL)
        return 0;
    BIO_up_ref(in);
    BIO_up_ref(out);
    SSL_set_bio(e->ssl, in, out);
    if (!is_client) {
        SSL_set_accept_state(e->ssl);
        return 1;
    }
    SSL_set_connect_state(e->ssl);
    return SSL_set_tlsext_host_name(e->ssl, HOST) && SSL_set1_host(e->ssl, HOST)
        && (parties->session == NULL || SSL_set_session(e->ssl, parties->session));
}

int open_connection(struct connection *c, const struct parties *p)
{
    c->client.ssl = c->server.ssl = NULL;
    c->to_server = BIO_new(BIO_s_mem());
    c->to_client = BIO_new(BIO_s_mem());
    parties = p;
    starting = c;
    return c->to_server != NULL && c->to_client != NULL && of_end(&c->client, start_end)
        && of_end(&c->server, start_end);
}

/* Continues the handshake, or reads what follows it, such as tickets. */
static int continue_end(struct end *e)
{
    unsigned char byte;
    int result = SSL_is_init_finished(e->ssl) ? SSL_read(e->ssl, &byte, 1) : SSL_do_handshake(e->ssl);
    return result > 0 || SSL_get_error(e->ssl, result) == SSL_ERROR_WANT_READ;
}

int advance(struct end *e)
{
    return of_end(e, continue_end);
}

/* Client hello; server's flight; client's flight; tickets; and the client reads them. */
int shake_hands(struct connection *c)
{
    for (int step = 0; step < CLIENT_STEPS; step++)
        if (!advance(&c->client) || (step < CLIENT_STEPS - 1 && !advance(&c->server)))
            return 0;
    return SSL_is_init_finished(c->client.ssl) && SSL_is_init_finished(c->server.ssl);
}

static const unsigned char *data_sent;
static unsigned char *data_received;
static size_t data_len;

static int send_end(struct end *e)
{
    return SSL_write(e->ssl, data_sent, (int)data_len) == (int)data_len;
}

static int receive_end(struct end *e)
{
    return SSL_read(e->ssl, data_received, (int)data_len) == (int)data_len;
}

int send_data(struct connection *c, const unsigned char *data, size_t len, unsigned char *out)
{
    data_sent = data;
    data_received = out;
    data_len = len;
    uint64_t before = BIO_number_written(c->to_client);
    int ok = of_end(&c->server, send_end) && of_end(&c->client, receive_end);
    sent += BIO_number_written(c->to_client) - before;
    return ok;
}

/* A session that ends without this cannot be resumed. */
static int stop_end(struct end *e)
{
    if (e->ssl != NULL)
        SSL_set_shutdown(e->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(e->ssl);
    e->ssl = NULL;
    return 1;
}

void close_connection(struct connection *c)
{
    BIO *out = c->client.counted ? c->to_server : c->to_client;
    sent += out ? BIO_number_written(out) : 0;
    of_end(&c->client, stop_end);
    of_end(&c->server, stop_end);
    BIO_free(c->to_server);
    BIO_free(c->to_client);
    c->to_server = c->to_client = NULL;
}

int export_secret(const struct end *e, unsigned char secret[EXPORTED])
{
    static const char label[] = "EXPERIMENTAL capvec";
    return SSL_export_keying_material(e->ssl, secret, EXPORTED, label, sizeof label - 1, NULL, 0, 0);
}
