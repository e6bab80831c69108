#include "base/config/config.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/field.h"
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
	SETTING("pages", "previews", has_previews),
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
	SETTING("quotas", "incident_templates", most_incident_templates, .min = 0, .max = 100000),
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
	SETTING("console", "url", console_url),
	SETTING("console", "passwords", has_passwords),
	SETTING("console", "sso", has_sso),
	SETTING("console", "sso_create", sso_create),
	SETTING("console", "sso_account", sso_account),
	SETTING("console", "sso_groups", sso_groups),
	SETTING("console", "sso_logout_url", sso_logout_url),
	SETTING("console", "idle_hours", session_idle_hours, .min = 1, .max = 168),
	SETTING("console", "session_days", session_days, .min = 1, .max = 30),
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

/* Reads lines of daymark.conf for libinih. Also reads what libinih does not allow: semicolons in
 * values, and lines of more than 200 bytes. */
struct config_lines {
	FILE *file;
	int number;	  /* the number of the line that was read last, from 1 */
	char *text;	  /* the line as it is in the file */
	size_t text_size; /* the allocated size of `text`, for getline() */
	bool has_nul;	  /* the line has a NUL: no line from this one on is read */
};

/*
 * For libinih, a ';' after a blank begins a comment, even in a password. So read_line() replaces
 * each ';' of a value by this character, and value_of() finds the end of the value.
 */
#define HIDDEN_SEMICOLON '\x01'
/* Replaces a value that is too long for libinih. value_of() takes the value from lines->text. */
#define LONG_VALUE	 "\x02"

static const char blanks[] = " \t\r\n";
/* libinih allows these characters between a key and its value. */
static const char separators[] = "=:";

static void hide_semicolons(char *line)
{
	char *value = strpbrk(line, separators);
	const char *first = line + strspn(line, " \t");
	if (!value || *first == ';' || *first == '#' || *first == '[')
		return;
	for (char *c = value; *c; c++)
		if (*c == ';')
			*c = HIDDEN_SEMICOLON;
}

/* Shortens a long line for libinih. In a setting, replaces the value by LONG_VALUE. Cuts a line
 * without a key: it is a comment, or libinih rejects it in any case. */
static void shorten(struct config_lines *lines, char *line, int size)
{
	const char *separator = strpbrk(lines->text, separators);
	const char *first = lines->text + strspn(lines->text, blanks);
	bool is_setting = separator && *first != ';' && *first != '#' && *first != '[' &&
			  separator - lines->text < size / 2;
	if (is_setting)
		snprintf(line, (size_t)size, "%.*s= " LONG_VALUE "\n",
			 (int)(separator - lines->text), lines->text);
	else
		snprintf(line, (size_t)size, "%.*s\n", size - 2, lines->text);
}

/* Reads the next line, with the interface of fgets(); `context` is a struct config_lines. */
static char *read_line(char *line, int size, void *context)
{
	struct config_lines *lines = context;
	ssize_t len = getline(&lines->text, &lines->text_size, lines->file);
	if (len < 0)
		return NULL;
	lines->number++;
	/* Reject a NUL: libinih would read only the text before it, and a password would be wrong
	 * without a message. */
	lines->has_nul = memchr(lines->text, '\0', (size_t)len) != NULL;
	if (lines->has_nul)
		return NULL;
	if (len < size)
		memcpy(line, lines->text, (size_t)len + 1);
	else
		shorten(lines, line, size);
	hide_semicolons(line);
	return line;
}

static void trim_end(char *text)
{
	size_t len = strlen(text);
	while (len > 0 && strchr(blanks, text[len - 1]))
		text[--len] = '\0';
}

/* Returns the value as it is in the file, owned by the arena. The value of a password or a mirror
 * ends with the line. Other values end before a comment, which begins with " ;". */
static const char *value_of(const struct config_lines *lines, const char *key, const char *value,
			    struct arena *arena)
{
	if (strcmp(value, LONG_VALUE) == 0) {
		value = strpbrk(lines->text, separators) + 1;
		value += strspn(value, blanks);
	}
	char *shown = arena_strdup(arena, value);
	bool is_whole = strstr(key, "password") != NULL || strcmp(key, "mirror") == 0;
	for (char *c = shown; *c; c++) {
		if (*c == HIDDEN_SEMICOLON)
			*c = ';';
		if (*c != ';' || is_whole || c == shown || (c[-1] != ' ' && c[-1] != '\t'))
			continue;
		*c = '\0';
		break;
	}
	trim_end(shown);
	return shown;
}

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
		.has_previews = true,
		.has_passwords = true,
		.sso_create = CONFIG_CREATE_NO,
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
		.most_incident_templates = 200,
		.most_incidents_per_day = 20000,
		.most_upload_mb = 512,
		.most_response_mb_per_day = 256,
		.events_keep_days = 400,
		.check_concurrency = 4000,
		.session_idle_hours = 12,
		.session_days = 7,
		.rdap_bootstrap = CONFIG_RDAP_BOOTSTRAP,
		.checks_keep_days = 400,
	};
}

/* Returns "…/daymark.conf" in the folder of the program, or NULL if there is no such file. */
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
	/* After a rewrite, Apache adds REDIRECT_ to the names of SetEnv variables. */
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

/* Adds the value of a line `mirror`. mirror/mirror.c parses it later. */
static void add_mirror(struct reading *reading, const char *value)
{
	struct config *config = reading->config;
	config->mirrors = arena_grow(reading->arena, config->mirrors, config->mirror_count,
				     &reading->mirror_room, sizeof(*config->mirrors));
	config->mirrors[config->mirror_count++] =
		(struct config_mirror){ value, reading->lines.number };
}

/* The handler that libinih calls for each setting. It returns 0 for a wrong line; ini_parse() then
 * returns the number of the line. */
static int read_setting(void *user, const char *section, const char *key, const char *value)
{
	struct reading *reading = user;
	value = value_of(&reading->lines, key, value, reading->arena);
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
	int line = ini_parse_stream(read_line, &reading.lines, read_setting, &reading);
	free(reading.lines.text);
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
	const char *name = strrchr(path, '/');
	config->setup_token =
		arena_printf(arena, "%.*ssetup.token", name ? (int)(name - path) + 1 : 0, path);
	if (config_settle(config, arena, &found) != OK)
		return error_client(error, E_INVALID, "%.120s: %.110s", path, found.client);
	return OK;
}
