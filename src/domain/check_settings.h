/* How a monitor is checked, and the rules of these settings (contract section 13). */
#ifndef DOMAIN_CHECK_SETTINGS_H
#define DOMAIN_CHECK_SETTINGS_H

#include "domain/check_fields.h"

enum {
	CHECK_INTERVAL_MAX_S = 86400,
	CHECK_TIMEOUT_MAX_S = 60,
	CHECK_CONFIRMATIONS_MAX = 10,
	CHECK_SLOW_MAX_MS = 60000,
	CHECK_HEADERS_MAX = 50,
	CHECK_BODY_MAX_BYTES = 64 * 1024,
	CHECK_PERIOD_MAX_S = 366 * 86400,
};

/* Each in the order of its words. */
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
extern const char *const check_type_words[],
	*const check_method_words[], *const check_condition_words[],
					     *const check_operator_words[],
						     *const check_dns_words[],
							     *const check_days_words[];

struct check_header {
	const char *key;
	const char *value;
};
extern const struct fields check_header_fields;

/*
 * The settings of a monitor. `url` is the monitor's: http or https for http; tcp://host:port,
 * host:port or host for the others. The password is in plain text here.
 */
struct check_settings {
	CHECK_FIELDS(FIELD_MEMBER, )
	const char *url;
	const char *request_auth_password;
};

#endif
