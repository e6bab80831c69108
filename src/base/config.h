/*
 * The configuration: daymark.conf, an INI file (see daymark.conf(5) and
 * conf/daymark.conf, which names every setting and its default).
 *
 * An unknown section, key or value is an error with its line, never ignored.
 */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct config {
	/* [site] */
	const char *base_url;	  /* no slash at its end; NULL: taken from each request */
	const char *hosts;	  /* other names of the installation's own, with commas; or NULL */
	const char *domain_proof; /* CONFIG_PROOF_…: whether a page's domain must be proven */
	const char *resolver;	  /* "address" or "address:port", with commas; NULL: the system's */

	/* [pages] */
	const char *pages_dir;	 /* what is published, and the spool for uploads */
	const char *pages_index; /* CONFIG_INDEX_…: what is at the installation's own root */

	/* Of the pages that show a monitor, how many a request publishes before its response,
	 * and for how long. The publisher publishes the rest. */
	int64_t publish_in_request_pages;
	int64_t publish_in_request_ms;

	/* [database] */
	const char *database_hosts; /* "host", "host:port", several with commas; or NULL */
	const char *database_socket;
	const char *database_name;
	const char *database_user;
	const char *database_password;
	const char *migrate_user; /* for `daymarkctl migrate`; else database_user */
	const char *migrate_password;
	const char *collation; /* of the tables that `daymarkctl migrate` creates */
	int64_t database_timeout_s;

	/* [server] */
	const char *listen; /* unix:/path, or NULL: the socket on standard input */
	int64_t processes;
	int64_t threads;	/* in each process */
	bool has_publisher;	/* a process that publishes what is due */
	int64_t max_requests;	/* a process serves before it is replaced; 0: no end */
	int64_t read_timeout_s; /* for the web server to deliver a request */
	int64_t max_body_bytes;
	const char *trusted_proxies;  /* addresses whose X-Forwarded-* are believed */
	const char *internal_clients; /* addresses that may ask below /internal/; NULL: none */
	const char *log_file;	      /* NULL: standard error */

	/* [api] */
	int64_t per_page; /* 10, 25, 50 or 100 */

	/* [limits] */
	int64_t requests_per_minute;	    /* of a key; 0: no limit */
	int64_t wrong_keys_per_minute;	    /* of an address; 0: no limit */
	int64_t wrong_passwords_per_minute; /* of an address, at all pages; 0: no limit */
	int64_t domain_lookups_per_minute;  /* of an account; 0: no limit */
	int64_t memory_mb;		    /* for the data of all requests at once; 0: no limit */

	/* [quotas], of an account; 0: none */
	int64_t most_status_pages;
	int64_t most_monitors;
	int64_t most_incidents_per_day;
	int64_t most_upload_mb;
	int64_t most_response_mb_per_day; /* of answers stored for an Idempotency-Key */
};

#define CONFIG_PROOF_AUTO "auto" /* where there is more than one account */
#define CONFIG_PROOF_YES  "yes"
#define CONFIG_PROOF_NO	  "no"

#define CONFIG_INDEX_NONE "none" /* a 404 */
#define CONFIG_INDEX_LIST "list" /* of the public pages */

/* The default collation, with which the migrations are written. */
#define CONFIG_COLLATION "utf8mb4_unicode_520_ci"

/*
 * The file to read: `given`, else $DAYMARK_CONF, else daymark.conf in the
 * program's own folder, else the installed place. Borrowed.
 */
const char *config_path(const char *given);

/*
 * Reads the file at `path` into `config`, whose texts belong to `arena`.
 * E_INVALID: it cannot be read, or a line of it is wrong; the error names it.
 */
enum result config_load(struct config *config, const char *path, struct arena *arena,
			struct error *error) MUST_USE;

/* How many threads of a process one account, or one kind of waiting, may take: half, at least
 * one. The others stay for everybody else. */
int64_t config_half_threads(const struct config *config);
/* What of memory_mb a process has; 0 for no limit. */
size_t config_process_bytes(const struct config *config);
/* What the requests of a process may hold that have not come whole. */
size_t config_unfinished_bytes(const struct config *config);

/* Whether `address` (as in REMOTE_ADDR) is one of the trusted proxies. */
bool config_trusts(const struct config *config, const char *address);
/* Whether `list`, addresses with commas, names it; "unix" is an empty address. */
bool config_names(const char *list, struct str address);

#endif
