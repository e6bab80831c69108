/*
 * The hosts of [database] hosts, in the order in which they are wanted, and
 * which of them are of no use for the moment.
 *
 * Each connection remembers for itself, so no lock is needed.
 */
#ifndef DB_HOSTS_H
#define DB_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db_host {
	char name[256];
	unsigned port;		  /* 0: the default */
	bool is_malformed;	  /* its port is no port */
	int64_t shunned_until_ms; /* clock_ms() */
	bool is_tried;		  /* by the attempt to connect that goes on */
};

struct db_hosts {
	struct db_host *list;
	size_t count;
};

/* Reads "host", "host:port", "[address]:port", with commas; NULL is no host. */
void db_hosts_init(struct db_hosts *hosts, const char *text);
void db_hosts_done(struct db_hosts *hosts);

/* The first host from `at` on that is shunned, or is not; the count when there is none. */
size_t db_hosts_next(const struct db_hosts *hosts, size_t at, bool is_shunned, int64_t now_ms);

/*
 * Leaves the host alone for some seconds, and for longer where to find it of
 * no use took long: looking again must not cost more than a twentieth of the time.
 */
void db_hosts_shun(struct db_hosts *hosts, size_t at, int64_t now_ms, int64_t took_ms);

#endif
