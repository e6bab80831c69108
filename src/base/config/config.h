/*
 * The configuration: daymark.conf, an INI file. See daymark.conf(5) and conf/daymark.conf, which
 * lists each setting with its default.
 *
 * An unknown section, key or value is an error that names its line.
 */
#ifndef BASE_CONFIG_CONFIG_H
#define BASE_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

/* A line `mirror` of [mirrors], which mirror/mirror.h parses. The line has secret keys. */
struct config_mirror {
	const char *value;
	int line;
};

struct config {
	const char *setup_token; /* path of the file whose token makes a person an owner */

	/* [site] */
	const char *base_url; /* without a slash at the end; NULL: the base URL of each request */
	const char *hosts;    /* other host names, separated by commas; NULL: none */
	const char *domain_proof; /* CONFIG_PROOF_…: whether a page's domain needs a proof */
	const char *resolver;	  /* "address[:port]", separated by commas; NULL: the system's */

	/* [pages] */
	const char *pages_dir;	 /* the folder of published files and unfinished uploads */
	const char *pages_index; /* CONFIG_INDEX_…: what the installation's root shows */

	const char *words_file; /* a file of sentences that replace the program's; NULL: none */
	bool has_previews;	/* public pages have a picture for previews */

	/* Before its response, a request that changes a monitor publishes at most this many of the
	 * monitor's pages, for at most this time. The publisher process publishes the others. */
	int64_t publish_in_request_pages;
	int64_t publish_in_request_ms;
	int64_t check_disk_s; /* how often `publish --follow` looks for lost files on its disk */

	/* [database] */
	const char *database_hosts; /* "host" or "host:port", separated by commas; or NULL */
	const char *database_socket;
	const char *database_name;
	const char *database_user;
	const char *database_password;
	/* The database user for `daymarkctl migrate`; NULL: database_user. */
	const char *migrate_user;
	const char *migrate_password;
	const char *collation; /* the collation of the tables that `daymarkctl migrate` creates */
	int64_t database_timeout_s;

	/* [server] */
	const char *listen; /* unix:/path; NULL: the socket is standard input */
	int64_t processes;
	int64_t threads;	/* per process */
	bool has_publisher;	/* whether a separate process publishes due pages */
	bool is_confined;	/* whether processes drop rights: see base/confine.h */
	int64_t max_requests;	/* a process is replaced after this many requests; 0: never */
	int64_t read_timeout_s; /* the longest time to receive a request from the web server */
	int64_t max_body_bytes;
	const char *trusted_proxies;  /* addresses whose X-Forwarded-* headers are trusted */
	const char *internal_clients; /* addresses that may use /internal/; NULL: none */
	const char *log_file;	      /* NULL: standard error */
	const char *metrics_allow;    /* addresses that may read /metrics; NULL: none */
	const char *metrics_key;      /* the key that admits to /metrics; NULL: no key does */
	bool metrics_monitors;	      /* whether /metrics has series of each monitor */

	/* [api] */
	int64_t per_page; /* 10, 25, 50 or 100 */

	/* [mirrors] */
	struct config_mirror *mirrors;
	size_t mirror_count;

	/* [hooks] */
	const char *alert_impact; /* "SEVERITY:IMPACT, ..."; NULL: each alert is a major outage */

	/* [limits] */
	int64_t requests_per_minute;	     /* per key; 0: no limit */
	int64_t account_requests_per_minute; /* per account; 0: no limit */
	int64_t wrong_keys_per_minute;	     /* per address; 0: no limit */
	int64_t wrong_passwords_per_minute;  /* per address, for all pages together; 0: no limit */
	int64_t domain_lookups_per_minute;   /* per account; 0: no limit */
	int64_t memory_mb; /* for the data of all requests of all processes; 0: no limit */

	/* [quotas], per account; 0: no quota */
	int64_t most_status_pages;
	int64_t most_monitors;
	int64_t most_maintenances; /* per account, in 366 days */
	int64_t most_incident_templates;
	int64_t most_incidents_per_day;
	int64_t most_upload_mb;
	/* Megabytes of responses stored for an Idempotency-Key, per account. */
	int64_t most_response_mb_per_day;
	int64_t events_keep_days; /* events are deleted after this many days; 0: never */
	/* The daily sums of a monitor's checks are deleted after this many days. 0: never. */
	int64_t checks_keep_days;
	bool has_outbox; /* whether messages are stored in the outbox and sent */

	/* [console] */
	bool has_console;	 /* whether people may sign in below /console */
	const char *console_url; /* the console is only at this URL; NULL: at base_url */
	bool has_passwords;	 /* whether people may sign in by name and password */
	bool has_sso;		 /* whether people may sign in by the web server's authentication */
	const char *sso_create;	 /* CONFIG_CREATE_…: how an unknown person is handled */
	const char *sso_account; /* the account in which sso_create and sso_groups give roles */
	const char *sso_groups;	 /* "GROUP=ROLE, ..."; NULL: groups give no roles */
	const char *sso_logout_url; /* ends the session of the web server's authentication */
	int64_t session_idle_hours; /* a session ends after this time without use */
	int64_t session_days;	    /* a session ends after this time, even if it is used */

	/* [checker] */
	bool check_allow_private;  /* whether checks may connect to addresses that are not public */
	const char *check_anchors; /* URLs, hosts; if all fail, no monitor goes down; NULL: none */
	const char *check_ca_file; /* PEM; NULL: the system's certificates */
	/* The base URL of the installation whose monitors this program checks. NULL: it checks the
	 * monitors of its own installation. */
	const char *check_centre;
	const char *check_centre_key; /* the API key of this checker's location at check_centre */
	int64_t check_concurrency;    /* checks that run at once */
	const char *rdap_bootstrap;   /* the URL of the list of domain registries */

	bool allow_private_webhooks; /* [notify]: whether webhooks of subscribers may be at
					addresses that are not public */
	/* [mail] */
	const char *mail_server; /* "smtp://host:port" or "smtps://host:port"; NULL: no mail */
	bool mail_needs_tls;	 /* whether smtp:// must become TLS (STARTTLS) */
	const char *mail_user;
	const char *mail_password_file;
	const char *mail_from; /* an address; not NULL if mail_server is set */
	const char *mail_ca_file;
	/* LOCAL@DOMAIN: bounces are sent to LOCAL+TOKEN@DOMAIN. NULL: to mail_from. */
	const char *mail_bounce_address;

	/* [mirror_host] */
	const char *mirror_key; /* the key that the origin must send; NULL: this is no mirror */
};

enum { CONFIG_KEY_MIN = 32, CONFIG_KEY_MAX = 256, CONFIG_MIRROR_BODY = 4 << 20 };

#define CONFIG_PROOF_AUTO "auto" /* domains need a proof if there are several accounts */
#define CONFIG_PROOF_YES  "yes"
#define CONFIG_PROOF_NO	  "no"

#define CONFIG_INDEX_NONE "none" /* the root is a 404 */
#define CONFIG_INDEX_LIST "list" /* the root lists the public pages */

#define CONFIG_CREATE_NO     "no"
#define CONFIG_CREATE_READER "reader"

/* The default collation. The files of the migrations name this one. */
#define CONFIG_COLLATION      "utf8mb4_unicode_520_ci"
#define CONFIG_RDAP_BOOTSTRAP "https://data.iana.org/rdap/dns.json"

/*
 * Returns the path of the configuration file. The caller does not own it. It is the first of these:
 *   - `given`, if it is not NULL
 *   - the variable DAYMARK_CONF (with Apache also REDIRECT_DAYMARK_CONF), if it is set
 *   - daymark.conf in the folder of the program, if this file exists
 *   - the installed path
 */
const char *config_path(const char *given);

/*
 * Reads the file at `path` into `config`. `arena` owns the texts. E_INVALID: the file cannot be
 * read, or has a wrong line; the error names the line.
 */
enum result config_load(struct config *config, const char *path, struct arena *arena,
			struct error *error) MUST_USE;

/* Whether any client may read /metrics; otherwise nothing is counted. */
bool config_has_metrics(const struct config *config);
/* Whether the program shows the pages of another installation, and uses no database. */
bool config_is_mirror(const struct config *config);
/* Whether visitors may subscribe to messages of pages: the installation sends mail, and has a
 * base_url. */
bool config_takes_subscribers(const struct config *config);
/* Parts of config_load(). config_settle() checks all settings. It calls the three functions below.
 * config_check_role() checks the keys, and the settings that a mirror, a remote checker or any
 * other installation needs. The other two check the settings of e-mail and of the console. */
enum result config_settle(struct config *config, struct arena *arena, struct error *error) MUST_USE;
enum result config_check_role(const struct config *config, struct error *error) MUST_USE;
enum result config_check_mail(const struct config *config, struct error *error) MUST_USE;
enum result config_check_console(const struct config *config, struct error *error) MUST_USE;

/* Returns the base of the console's addresses: console_url, or `base_url` if it is NULL. */
const char *config_console_base(const struct config *config, const char *base_url);
/* Whether `host`, without port, is the host of console_url. */
bool config_is_console_host(const struct config *config, const char *host);
/* Returns the number of the highest role that `rules` (sso_groups) give to `groups`, such as "a,b".
 * Returns -1 if they give none. */
int config_role_of_groups(const char *rules, const char *groups);

/* Returns how many threads of a process may wait for the same thing, such as a row lock. It is half
 * of the threads, but at least one. The other threads serve other requests. */
int64_t config_half_threads(const struct config *config);
/* The maximum number of stand-ins: threads that a process adds while its other threads wait. */
enum { CONFIG_STAND_INS_MAX = 32 };
/* Returns how many threads, including stand-ins, may wait for row locks in writes of one account:
 * four times config_half_threads(), but at most half of all threads and stand-ins. */
int64_t config_account_threads(const struct config *config);
/* Returns how many bytes of memory_mb one process may use. 0: no limit. */
size_t config_process_bytes(const struct config *config);
/* Returns how much memory the incomplete requests of one process may use. */
size_t config_unfinished_bytes(const struct config *config);

#endif
