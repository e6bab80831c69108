#include "base/config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config_lines.h"
#include "base/field.h"
#include "base/severity.h"
#include "base/str.h"

struct setting {
	const char *section;
	struct field field;
};

#define SETTING(its_section, key, member, ...) \
	{ \
		its_section, FIELD_NAMED(struct config, member, key, __VA_ARGS__) \
	}

static const struct setting settings[] = {
	SETTING("site", "base_url", base_url),
	SETTING("site", "hosts", hosts),
	SETTING("site", "domain_proof", domain_proof),
	SETTING("site", "resolver", resolver),
	SETTING("pages", "dir", pages_dir),
	SETTING("pages", "index", pages_index),
	SETTING("pages", "words_file", words_file),
	SETTING("pages", "publish_in_request_pages", publish_in_request_pages, .min = 0,
		.max = 100000),
	SETTING("pages", "publish_in_request_ms", publish_in_request_ms, .min = 0, .max = 60000),
	SETTING("pages", "check_disk_s", check_disk_s, .min = 1, .max = 86400),
	SETTING("database", "hosts", database_hosts),
	SETTING("database", "socket", database_socket),
	SETTING("database", "name", database_name),
	SETTING("database", "user", database_user),
	SETTING("database", "password", database_password),
	SETTING("database", "migrate_user", migrate_user),
	SETTING("database", "migrate_password", migrate_password),
	SETTING("database", "collation", collation),
	SETTING("database", "timeout_s", database_timeout_s, .min = 1, .max = 600),
	SETTING("database", "events_keep_days", events_keep_days, .min = 0, .max = 36500),
	SETTING("database", "checks_keep_days", checks_keep_days, .min = 0, .max = 36500),
	SETTING("server", "listen", listen),
	SETTING("server", "processes", processes, .min = 1, .max = 64),
	SETTING("server", "threads", threads, .min = 1, .max = 64),
	SETTING("server", "publisher", has_publisher),
	SETTING("server", "confine", is_confined),
	SETTING("server", "max_requests", max_requests, .min = 0, .max = INT64_MAX),
	SETTING("server", "read_timeout_s", read_timeout_s, .min = 1, .max = 3600),
	SETTING("server", "max_body_bytes", max_body_bytes, .min = 65536, .max = 256 << 20),
	SETTING("server", "trusted_proxies", trusted_proxies),
	SETTING("server", "internal_clients", internal_clients),
	SETTING("server", "log_file", log_file),
	SETTING("server", "metrics_allow", metrics_allow),
	SETTING("server", "metrics_key", metrics_key),
	SETTING("server", "metrics_monitors", metrics_monitors),
	SETTING("api", "per_page", per_page, .min = 10, .max = 100),
	SETTING("hooks", "alert_impact", alert_impact),
	SETTING("limits", "requests_per_minute", requests_per_minute, .min = 0, .max = 1000000),
	SETTING("limits", "account_requests_per_minute", account_requests_per_minute, .min = 0,
		.max = 1000000),
	SETTING("limits", "wrong_keys_per_minute", wrong_keys_per_minute, .min = 0, .max = 1000000),
	SETTING("limits", "wrong_passwords_per_minute", wrong_passwords_per_minute, .min = 0,
		.max = 1000000),
	SETTING("limits", "domain_lookups_per_minute", domain_lookups_per_minute, .min = 0,
		.max = 1000000),
	SETTING("limits", "memory_mb", memory_mb, .min = 0, .max = 1 << 20),
	SETTING("quotas", "status_pages", most_status_pages, .min = 0, .max = 1000000),
	SETTING("quotas", "monitors", most_monitors, .min = 0, .max = 1000000),
	SETTING("quotas", "maintenances", most_maintenances, .min = 0, .max = 100000),
	SETTING("quotas", "incidents_per_day", most_incidents_per_day, .min = 0, .max = 10000000),
	SETTING("quotas", "upload_mb", most_upload_mb, .min = 0, .max = 1 << 20),
	SETTING("quotas", "response_mb_per_day", most_response_mb_per_day, .min = 0,
		.max = 1 << 19),
	SETTING("checker", "check_allow_private", check_allow_private),
	SETTING("checker", "anchors", check_anchors),
	SETTING("checker", "ca_file", check_ca_file),
	SETTING("checker", "rdap_bootstrap", rdap_bootstrap),
	SETTING("checker", "centre", check_centre),
	SETTING("checker", "centre_key", check_centre_key),
	SETTING("checker", "concurrency", check_concurrency, .min = 10, .max = 100000),
	SETTING("console", "enabled", has_console),
	SETTING("notify", "enabled", has_outbox),
	SETTING("notify", "private_webhooks", allow_private_webhooks),
	SETTING("mail", "server", mail_server),
	SETTING("mail", "needs_tls", mail_needs_tls),
	SETTING("mail", "user", mail_user),
	SETTING("mail", "password_file", mail_password_file),
	SETTING("mail", "from", mail_from),
	SETTING("mail", "ca_file", mail_ca_file),
	SETTING("mail", "bounce_address", mail_bounce_address),
	SETTING("mirror_host", "key", mirror_key),
};

struct reading {
	struct config *config;
	struct arena *arena;
	struct error *error;
	struct config_lines lines;
	size_t mirror_room;
	bool is_failed;
};

static void config_defaults(struct config *config)
{
	*config = (struct config){
		.domain_proof = CONFIG_PROOF_AUTO,
		.pages_dir = "/var/lib/daymark/pages",
		.pages_index = CONFIG_INDEX_NONE,
		.publish_in_request_pages = 20,
		.publish_in_request_ms = 500,
		.check_disk_s = 30,
		.database_name = "daymark",
		.database_user = "daymark",
		.collation = CONFIG_COLLATION,
		.database_timeout_s = 5,
		.processes = 2,
		.threads = 4,
		.has_publisher = true,
		.is_confined = true,
		.mail_needs_tls = true,
		.max_requests = 100000,
		.read_timeout_s = 30,
		.max_body_bytes = 8 << 20,
		.trusted_proxies = "",
		.internal_clients = "127.0.0.1, ::1, unix",
		.per_page = 10,
		.requests_per_minute = 300,
		.account_requests_per_minute = 900,
		.wrong_keys_per_minute = 10,
		.wrong_passwords_per_minute = 30,
		.domain_lookups_per_minute = 10,
		.memory_mb = 256,
		.most_status_pages = 1000,
		.most_monitors = 5000,
		.most_maintenances = 500,
		.most_incidents_per_day = 20000,
		.most_upload_mb = 512,
		.most_response_mb_per_day = 256,
		.events_keep_days = 400,
		.check_concurrency = 4000,
		.rdap_bootstrap = CONFIG_RDAP_BOOTSTRAP,
		.checks_keep_days = 400,
	};
}

/* "…/daymark.conf" in the folder of the program; NULL if there is no such file. */
static const char *path_beside_program(void)
{
	static char path[PATH_MAX];
	static const char name[] = "daymark.conf";
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	while (len > 0 && path[len - 1] != '/')
		len--;
	if (len <= 0 || (size_t)len + sizeof(name) > sizeof(path))
		return NULL;
	memcpy(path + len, name, sizeof(name));
	return access(path, F_OK) == 0 ? path : NULL;
}

const char *config_path(const char *given)
{
	/* Apache adds REDIRECT_ to variables of SetEnv when a rewrite rule leads to the program. */
	static const char *const names[] = { "DAYMARK_CONF", "REDIRECT_DAYMARK_CONF" };
	if (given)
		return given;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *from_environment = getenv(names[i]);
		if (from_environment && *from_environment)
			return from_environment;
	}
	const char *beside = path_beside_program();
	return beside ? beside : SYSCONFDIR "/daymark/daymark.conf";
}

static bool setting_store(struct reading *reading, const struct field *field, const char *value)
{
	if (field->kind == FIELD_TEXT) {
		*FIELD_AT(reading->config, field, const char *) =
			*value ? arena_strdup(reading->arena, value) : NULL;
		return true;
	}
	if (field->kind == FIELD_BOOL) {
		*FIELD_AT(reading->config, field, bool) = strcmp(value, "yes") == 0;
		return strcmp(value, "yes") == 0 || strcmp(value, "no") == 0;
	}
	int64_t number;
	if (!str_to_int64(str_from(value), &number) || number < field->min || number > field->max)
		return false;
	*FIELD_AT(reading->config, field, int64_t) = number;
	return true;
}

static void refuse_value(struct reading *reading, const char *section, const struct field *field)
{
	if (!reading->is_failed && field->kind == FIELD_BOOL)
		error_client(reading->error, E_INVALID, "[%s] %s must be yes or no", section,
			     field->name);
	else if (!reading->is_failed)
		error_client(reading->error, E_INVALID,
			     "[%s] %s must be a whole number from %lld to %lld", section,
			     field->name, (long long)field->min, (long long)field->max);
	reading->is_failed = true;
}

/* mirror/mirror.c parses the value. */
static void add_mirror(struct reading *reading, const char *value)
{
	struct config *config = reading->config;
	config->mirrors = arena_grow(reading->arena, config->mirrors, config->mirror_count,
				     &reading->mirror_room, sizeof(*config->mirrors));
	config->mirrors[config->mirror_count++] =
		(struct config_mirror){ value, reading->lines.number };
}

/* The handler for libinih. It returns 0 for a wrong line, and ini_parse() the line's number. */
static int read_setting(void *user, const char *section, const char *key, const char *value)
{
	struct reading *reading = user;
	value = config_lines_value(&reading->lines, key, value, reading->arena);
	if (strcmp(section, "mirrors") == 0 && strcmp(key, "mirror") == 0) {
		add_mirror(reading, value);
		return 1;
	}
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		const struct field *field = &settings[i].field;
		if (strcmp(settings[i].section, section) != 0 || strcmp(field->name, key) != 0)
			continue;
		if (setting_store(reading, field, value))
			return 1;
		refuse_value(reading, section, field);
		return 0;
	}
	if (!reading->is_failed)
		error_client(reading->error, E_INVALID, "unknown setting [%s] %s", section, key);
	reading->is_failed = true;
	return 0;
}

/* A host name without port, path and blanks. */
static bool is_host(struct str host)
{
	for (size_t i = 0; i < host.len; i++)
		if ((unsigned char)host.data[i] <= ' ' || strchr("/:?#@[]*", host.data[i]))
			return false;
	return host.len > 0 && host.len < 256;
}

static bool is_address(struct str address)
{
	char text[INET6_ADDRSTRLEN];
	unsigned char bytes[sizeof(struct in6_addr)];
	if (address.len >= sizeof(text))
		return false;
	memcpy(text, address.data, address.len);
	text[address.len] = '\0';
	return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

/* An address such as "192.0.2.1", "192.0.2.1:53", "2001:db8::1" or "[2001:db8::1]:53". */
static bool is_name_server(struct str server)
{
	struct str port = server, host = server;
	int64_t number = 53;
	bool has_port = false;
	if (server.len > 0 && server.data[0] == '[') {
		port = str_skip(server, 1);
		str_split(&port, ']', &host);
		has_port = port.len > 0 && port.data[0] == ':';
		if (!port.data || (!has_port && port.len > 0))
			return false;
		port = str_skip(port, 1);
	} else if (server.len > 0 &&
		   memchr(server.data, ':', server.len) == memrchr(server.data, ':', server.len)) {
		has_port = memchr(server.data, ':', server.len) != NULL;
		str_split(&port, ':', &host);
	}
	if (has_port && !str_to_int64(port, &number))
		return false;
	return number > 0 && number < 65536 && is_address(host);
}

static bool is_client(struct str client)
{
	return is_address(client) || str_eq(client, STR("unix"));
}

static bool is_list_of(const char *list, bool (*is_item)(struct str item))
{
	struct str rest = str_from(list), item;
	while (list && str_split(&rest, ',', &item))
		if (!is_item(str_trim_ows(item)))
			return false;
	return true;
}

/* Collations of engines with MySQL's protocol that compare without regard to case. */
static const char *const collations[] = {
	CONFIG_COLLATION,
	"utf8mb4_unicode_ci",
	"utf8mb4_0900_ai_ci",
	"utf8mb4_general_ci",
};

/* Replaces the collation by the same literal of the list, since statements contain it. */
static enum result settle_collation(struct config *config, struct error *error)
{
	for (size_t i = 0; config->collation && i < ARRAY_LEN(collations); i++)
		if (strcmp(config->collation, collations[i]) == 0) {
			config->collation = collations[i];
			return OK;
		}
	return error_client(error, E_INVALID, "[database] collation must be %s, %s, %s or %s",
			    collations[0], collations[1], collations[2], collations[3]);
}

static enum result settle_url(const char *name, const char **url, struct arena *arena,
			      struct error *error)
{
	struct str text = str_from(*url);
	if (!*url)
		return OK;
	if (!str_starts(text, STR("http://")) && !str_starts(text, STR("https://")))
		return error_client(error, E_INVALID, "%s must begin with http:// or https://",
				    name);
	while (text.len > 0 && text.data[text.len - 1] == '/')
		text.len--;
	*url = arena_strndup(arena, text.data, text.len);
	return OK;
}

static enum result settle_site(struct config *config, struct arena *arena, struct error *error)
{
	if (!is_list_of(config->hosts, is_host))
		return error_client(error, E_INVALID,
				    "[site] hosts must be host names, separated by commas");
	if (!is_list_of(config->resolver, is_name_server))
		return error_client(
			error, E_INVALID,
			"[site] resolver must be addresses such as 192.0.2.1 or 192.0.2.1:53");
	if (!config->domain_proof || (strcmp(config->domain_proof, CONFIG_PROOF_AUTO) != 0 &&
				      strcmp(config->domain_proof, CONFIG_PROOF_YES) != 0 &&
				      strcmp(config->domain_proof, CONFIG_PROOF_NO) != 0))
		return error_client(error, E_INVALID,
				    "[site] domain_proof must be auto, yes or no");
	return settle_url("[site] base_url", &config->base_url, arena, error);
}

static enum result config_settle(struct config *config, struct arena *arena, struct error *error)
{
	if (!severity_rules_are_valid(config->alert_impact))
		return error_client(error, E_INVALID,
				    "[hooks] alert_impact must be severities with none, "
				    "degraded_performance, partial_outage or major_outage, such as "
				    "critical:major_outage, warning:degraded_performance");
	if (config->per_page != 10 && config->per_page != 25 && config->per_page != 50 &&
	    config->per_page != 100)
		return error_client(error, E_INVALID, "[api] per_page must be 10, 25, 50 or 100");
	if (!config->pages_dir || config->pages_dir[0] != '/')
		return error_client(error, E_INVALID, "[pages] dir must be an absolute path");
	if (config->words_file && config->words_file[0] != '/')
		return error_client(error, E_INVALID,
				    "[pages] words_file must be an absolute path");
	if (!config->pages_index || (strcmp(config->pages_index, CONFIG_INDEX_NONE) != 0 &&
				     strcmp(config->pages_index, CONFIG_INDEX_LIST) != 0))
		return error_client(error, E_INVALID, "[pages] index must be none or list");
	if (config->listen && strncmp(config->listen, "unix:/", 6) != 0)
		return error_client(error, E_INVALID,
				    "[server] listen must be unix: and an absolute path");
	if (!is_list_of(config->metrics_allow, is_client))
		return error_client(error, E_INVALID,
				    "[server] metrics_allow must be addresses such as 192.0.2.1, "
				    "separated by commas, or unix");
	enum result result = settle_collation(config, error);
	if (result == OK)
		result = settle_site(config, arena, error);
	if (result == OK)
		result = config_check_mail(config, error);
	if (result == OK)
		result = settle_url("[checker] centre", &config->check_centre, arena, error);
	return result == OK ? config_check_role(config, error) : result;
}

enum result config_load(struct config *config, const char *path, struct arena *arena,
			struct error *error)
{
	config_defaults(config);
	FILE *file = fopen(path, "re");
	if (!file)
		return error_client(error, E_INVALID, "%s: %s", path, strerror(errno));
	struct reading reading = {
		.config = config, .arena = arena, .error = error, .lines = { .file = file }
	};
	int line = ini_parse_stream(config_lines_read, &reading.lines, read_setting, &reading);
	config_lines_done(&reading.lines);
	fclose(file);

	struct error found = { 0 };
	if (line > 0) {
		snprintf(found.client, sizeof(found.client), "%s",
			 reading.is_failed ? error->client : "not a `key = value` line");
		return error_client(error, E_INVALID, "%.120s:%d: %.100s", path, line,
				    found.client);
	}
	if (line < 0)
		return error_client(error, E_INVALID, "%s cannot be read", path);
	if (reading.lines.has_nul)
		return error_client(error, E_INVALID, "%.120s:%d: the line has a NUL character",
				    path, reading.lines.number);
	if (config_settle(config, arena, &found) != OK)
		return error_client(error, E_INVALID, "%.120s: %.110s", path, found.client);
	return OK;
}
