/*
 * The list in [database] hosts, in order of preference, with the time until which each host is
 * shunned. Each connection has its own list, so no lock is needed.
 */
#ifndef DB_HOSTS_H
#define DB_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/backoff.h"

struct db_host {
	char name[256];
	unsigned port;	   /* 0: the default port */
	bool is_malformed; /* the text has an invalid port */
	struct backoff shunned;
	bool is_tried; /* the current attempt to connect has tried this host */
};

struct db_hosts {
	struct db_host *list;
	size_t count;
};

/* Parses "host", "host:port" and "[address]:port", separated by commas. NULL: no hosts. */
void db_hosts_init(struct db_hosts *hosts, const char *text);
void db_hosts_done(struct db_hosts *hosts);

/* Returns the index of the next host, from `at` on, that is shunned (is_shunned true) or not
 * shunned (false). Returns the count if there is no such host. */
size_t db_hosts_next(const struct db_hosts *hosts, size_t at, bool is_shunned, int64_t now_ms);

/* Shuns the host for 5 to 6.25 seconds, or for 20 to 25 times took_ms if that is longer. took_ms is
 * the duration of the failed attempt. */
void db_hosts_shun(struct db_hosts *hosts, size_t at, int64_t now_ms, int64_t took_ms);

#endif
