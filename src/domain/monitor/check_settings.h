/* The settings for the checks of a monitor, and their rules (contract section 13). */
#ifndef DOMAIN_MONITOR_CHECK_SETTINGS_H
#define DOMAIN_MONITOR_CHECK_SETTINGS_H

#include "base/str.h"
#include "domain/monitor/check_fields.h"

enum {
	CHECK_INTERVAL_MAX_S = 86400,
	CHECK_TIMEOUT_MAX_S = 60,
	CHECK_CONFIRMATIONS_MAX = 10,
	CHECK_SLOW_MAX_MS = 60000,
	CHECK_HEADERS_MAX = 50,
	CHECK_HEADERS_MAX_BYTES = 16 * 1024, /* for all keys and values together */
	CHECK_BODY_MAX_BYTES = 16 * 1024,
	CHECK_PASSWORD_MAX_BYTES = 1024,
	CHECK_DAYS_MAX = 60,
	CHECK_PERIOD_MAX_S = 366 * 86400,
	CHECK_HOST_SIZE = 254, /* a host name, with a NUL */
};

/* Each enum below has an array of words in the same order, such as check_type_words. */
enum check_type {
	CHECK_EXTERNAL, /* not checked */
	CHECK_HTTP,
	CHECK_TCP,
	CHECK_PING,
	CHECK_DNS,
	CHECK_TLS,
	CHECK_HEARTBEAT,
	CHECK_TYPES,
};
enum check_method {
	CHECK_GET,
	CHECK_POST,
	CHECK_HEAD,
	CHECK_PUT,
	CHECK_DELETE,
	CHECK_PATCH,
	CHECK_OPTIONS,
};
enum check_condition { CHECK_STATUS, CHECK_TEXT, CHECK_NO_TEXT, CHECK_JSON };
enum check_operator { CHECK_EQUAL, CHECK_NOT_EQUAL, CHECK_LESS, CHECK_GREATER };
enum check_dns {
	CHECK_A,
	CHECK_AAAA,
	CHECK_CNAME,
	CHECK_MX,
	CHECK_NS,
	CHECK_TXT,
	CHECK_SOA,
	CHECK_SRV,
	CHECK_CAA,
	CHECK_PTR,
};
extern const char *const check_type_words[];
extern const char *const check_method_words[];
extern const char *const check_condition_words[];
extern const char *const check_operator_words[];
extern const char *const check_dns_words[];

/* A header of the request. For a secret header, only the checker has `value`; elsewhere `value` is
 * NULL, and `sealed` has the encrypted value. */
struct check_header {
	const char *key;
	const char *value;
	const char *sealed; /* in base64url */
};
/* The key and the value, which a client sends and reads. */
extern const struct fields check_header_fields;

/* The settings of a monitor for the checker: the password and the values of all headers are in
 * plain text. `url` is the address of the monitor: see check_target_read(). */
struct check_settings {
	CHECK_FIELDS(FIELD_MEMBER, )
	const char *url;
	const char *request_auth_password;
	/*
	 * A stored password or header cannot be decrypted: the installation's key was replaced, or
	 * cannot be read. Its value is NULL. The system cannot be checked before a person enters
	 * the value again.
	 */
	bool has_lost_secrets;
};

/* Returns whether the value of the header is stored encrypted and never shown. */
bool check_header_is_secret(const char *key);

/* The host and port to check, for all types except http. */
struct check_target {
	char host[CHECK_HOST_SIZE]; /* a name or an address, without brackets */
	int64_t port;		    /* 0: the text has no port */
};
/* Reads "host", "host:port", "[2001:db8::1]:port" or "2001:db8::1". "tcp://" may precede the text.
 * Returns false for any other text. */
bool check_target_read(const char *url, struct check_target *target);

/* Returns whether the text is valid for expected_statuses, such as "200-299,401". NULL is valid,
 * and stands for 200-299. */
bool check_statuses_are_valid(const char *statuses);
bool check_status_is_expected(const char *statuses, int64_t status);

/* The location of the checker that runs beside the database. */
#define CHECK_LOCATION_CENTRE "centre"
/* Removes the next name from a list of locations. A name has 1 to CHECK_LOCATION_MAX letters,
 * digits, '-', '_' or '.'. Returns false if there is no further name. */
enum { CHECK_LOCATION_MAX = 32 };
bool check_location_take(struct str *rest, struct str *name);
bool check_location_is_valid(struct str name);
/* Returns the index of the name in the list of locations; -1: the list does not have it. */
int check_location_place(const char *locations, struct str name);

/* Adds a violation for each header that a request must not have. Call it before secrets are
 * encrypted. */
void check_headers_check(const struct field_rows *headers, struct violations *violations);
/* Adds a violation for each setting that contradicts another setting or has a wrong form. Of the
 * headers, checks only that each has a value. */
void check_settings_check(const struct check_settings *settings, struct violations *violations);

#endif
