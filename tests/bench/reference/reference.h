/*
 * The parts of the bare server: server.c speaks FastCGI, api.c makes the responses.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_SIZE = 60000 };

struct request {
	char method[16], uri[512], host[128], key[256];
	const char *body;
	size_t body_len;
};

struct output {
	char *bytes; /* OUTPUT_SIZE */
	size_t len;
};

struct api;

_Noreturn void die(const char *what, const char *why);

/* A connection to the database with its prepared statements, for one thread. */
struct api *api_open(const char *mysql_socket);

/* Appends the response's body; false: there is no such account or incident. */
bool api_handle(struct api *api, const struct request *request, struct output *out);

#endif
