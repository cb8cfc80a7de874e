/* A connection of TLS 1.3 between a client and a server in one process, over memory. */
#ifndef CAPVEC_TLS_CONNECTION_H
#define CAPVEC_TLS_CONNECTION_H

#include "driver.h"
#include <openssl/ssl.h>

/* Bytes of the secret that both ends export. */
#define EXPORTED 32

/* What a connection needs, made once. */
struct parties {
    SSL_CTX *client, *server;
    SSL_SESSION *session; /* to be resumed; NULL for full handshakes */
};

/* One of the two ends. */
struct end {
    SSL *ssl;
    int counted; /* whether its instructions and cycles are counted */
};

/* A connection. `to_server` and `to_client` hold what was sent and not yet received. */
struct connection {
    struct end client, server;
    BIO *to_server, *to_client;
};

/* Certificates, keys and settings for the group, cipher suite and key of `job`; 0 on failure. */
int make_parties(struct parties *p, const struct job *job);
void free_parties(struct parties *p);

/* Takes a session to resume from a connection; 0 if the server issued none. */
int take_session(struct parties *p, const struct connection *c);

/* Begins a connection: both ends exist, and nothing was sent. 0 on failure. */
int open_connection(struct connection *c, const struct parties *p);
/* One step of an end: it handles what it received and sends what it can. 0 if the connection has failed. */
int advance(struct end *e);
/* The whole handshake, until the client has the server's tickets; 0 if either end refuses. */
int shake_hands(struct connection *c);
/* Sends `len` bytes from the server to the client, which writes them to `out`; 0 on failure. */
int send_data(struct connection *c, const unsigned char *data, size_t len, unsigned char *out);
void close_connection(struct connection *c);

/* Secrets that the ends export; 0 on failure. */
int export_secret(const struct end *e, unsigned char secret[EXPORTED]);

#endif
