#include "domain/monitor/check_settings.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "domain/monitor/check_path.h"
#include "domain/web_url.h"

const char *const check_type_words[] = { "external", "http", "tcp",	  "ping",
					 "dns",	     "tls",  "heartbeat", NULL };
const char *const check_method_words[] = { "GET",    "POST",  "HEAD",	 "PUT",
					   "DELETE", "PATCH", "OPTIONS", NULL };
const char *const check_condition_words[] = { "url_unavailable", "url_text", "url_no_text", "json",
					      NULL };
const char *const check_operator_words[] = { "=", "!=", "<", ">", NULL };
const char *const check_dns_words[] = { "A",   "AAAA", "CNAME", "MX",  "NS", "TXT",
					"SOA", "SRV",  "CAA",	"PTR", NULL };

static const struct field header_rows[] = {
	FIELD(struct check_header, key, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY, .max_chars = 100,
	      .text = "The name of the header."),
	FIELD(struct check_header, value, .max_bytes = 8192,
	      .text = "The value; null in responses if it is stored encrypted."),
};
const struct fields check_header_fields = { header_rows, ARRAY_LEN(header_rows) };

static bool is_among(int c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

static bool is_alphanumeric(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Returns whether the text has a control character other than a tab. */
static bool has_control(const char *text)
{
	for (; text && *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
			return true;
	return false;
}

/* Headers */

bool check_header_is_secret(const char *key)
{
	static const char *const parts[] = {
		"auth", "cookie", "token", "secret", "key", "password"
	};
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		for (const char *at = key; *at; at++)
			if (str_eq_nocase((struct str){ at, strnlen(at, strlen(parts[i])) },
					  str_from(parts[i])))
				return true;
	return false;
}

/* Returns whether the text is a token (RFC 9110 section 5.6.2). */
static bool is_token(const char *text)
{
	for (const char *c = text; *c; c++)
		if (!is_alphanumeric(*c) && !is_among(*c, "!#$%&'*+-.^_`|~"))
			return false;
	return *text != '\0';
}

/* Returns whether a monitor must not set the header: the HTTP client itself sets this header to
 * frame the request, or the header would name another server (Host). */
static bool is_reserved(const char *key)
{
	static const char *const keys[] = { "Host",    "Content-Length", "Transfer-Encoding",
					    "TE",      "Trailer",	 "Connection",
					    "Upgrade", "Keep-Alive",	 "Expect" };
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (str_eq_nocase(str_from(key), str_from(keys[i])))
			return true;
	return false;
}

static void check_header(const struct check_header *header, size_t at,
			 struct violations *violations)
{
	const char *key = header->key ? header->key : "";
	char field[64];
	snprintf(field, sizeof(field), "request_headers.%zu.key", at);
	if (!violations_has(violations, field) && !is_token(key))
		violations_add(violations, field,
			       "The %s field must be the name of a header: letters, digits and "
			       "hyphens.",
			       field);
	if (!violations_has(violations, field) && is_reserved(key))
		violations_add(violations, field, "The header %s cannot be set.", key);
	snprintf(field, sizeof(field), "request_headers.%zu.value", at);
	if (has_control(header->value) && !violations_has(violations, field))
		violations_add(violations, field,
			       "The %s field must not contain control characters.", field);
}

void check_headers_check(const struct field_rows *headers, struct violations *violations)
{
	const struct check_header *rows = headers->rows;
	size_t bytes = 0;
	for (size_t i = 0; i < headers->count; i++) {
		check_header(&rows[i], i, violations);
		bytes += str_from(rows[i].key).len + str_from(rows[i].value).len;
	}
	if (bytes > CHECK_HEADERS_MAX_BYTES)
		violations_add(violations, "request_headers",
			       "The request headers field must not be greater than %d bytes.",
			       CHECK_HEADERS_MAX_BYTES);
}

static void check_values(const struct field_rows *headers, struct violations *violations)
{
	const struct check_header *rows = headers->rows;
	for (size_t i = 0; i < headers->count; i++) {
		char field[64];
		snprintf(field, sizeof(field), "request_headers.%zu.value", i);
		if (!rows[i].value && !rows[i].sealed && !violations_has(violations, field))
			violations_add(violations, field, "The %s field is required.", field);
	}
}

/* Statuses */

/* Removes the first range, such as "200" or "200-299", and the comma after it. */
static bool take_range(struct str *rest, int64_t *first, int64_t *last)
{
	struct str range, start;
	if (!str_split(rest, ',', &range))
		return false;
	range = str_trim(range);
	str_split(&range, '-', &start);
	return str_to_int64(str_trim(start), first) &&
	       str_to_int64(range.data ? str_trim(range) : str_trim(start), last) &&
	       *first >= 100 && *first <= *last && *last <= 599;
}

bool check_statuses_are_valid(const char *statuses)
{
	struct str rest = str_from(statuses);
	int64_t first, last;
	while (rest.data)
		if (!take_range(&rest, &first, &last))
			return false;
	return true;
}

bool check_status_is_expected(const char *statuses, int64_t status)
{
	struct str rest = str_from(statuses ? statuses : "200-299");
	int64_t first, last;
	while (take_range(&rest, &first, &last))
		if (status >= first && status <= last)
			return true;
	return false;
}

/* Locations */

bool check_location_take(struct str *rest, struct str *name)
{
	if (rest->len == 0 || !str_split(rest, ',', name))
		return false;
	while (name->len > 0 && *name->data == ' ')
		*name = str_skip(*name, 1);
	while (name->len > 0 && name->data[name->len - 1] == ' ')
		name->len--;
	return true;
}

bool check_location_is_valid(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!is_alphanumeric(name.data[i]) && !is_among(name.data[i], "-_."))
			return false;
	return name.len > 0 && name.len <= CHECK_LOCATION_MAX;
}

int check_location_place(const char *locations, struct str name)
{
	struct str rest = str_from(locations), other;
	for (int place = 0; check_location_take(&rest, &other); place++)
		if (str_eq_nocase(other, name))
			return place;
	return -1;
}

/* Targets */

static bool is_address(const char *text)
{
	struct in6_addr address;
	return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1;
}

/* Returns whether the text is a name: labels with dots between them. A label has letters, digits,
 * hyphens, underscores and non-ASCII bytes. */
static bool is_name(const char *text)
{
	size_t label = 0;
	for (const char *c = text; *c; c++) {
		bool is_dot = *c == '.';
		if (is_dot ? label == 0
			   : !is_alphanumeric(*c) && !is_among(*c, "-_") &&
				     !((unsigned char)*c & 0x80))
			return false;
		label = is_dot ? 0 : label + 1;
		if (label > 63)
			return false;
	}
	return *text && *text != '-';
}

static bool read_port(const char *text, int64_t *port)
{
	return str_to_int64(str_from(text), port) && *port >= 1 && *port <= 65535;
}

bool check_target_read(const char *url, struct check_target *target)
{
	static const struct str scheme = { "tcp://", 6 };
	struct str text = str_from(url);
	*target = (struct check_target){ 0 };
	if (text.len >= scheme.len && str_eq_nocase((struct str){ text.data, scheme.len }, scheme))
		text = str_skip(text, scheme.len);
	if (text.len == 0 || text.len > sizeof(target->host) + 8)
		return false;
	char copy[sizeof(target->host) + 9];
	memcpy(copy, text.data, text.len);
	copy[text.len] = '\0';
	char *host = copy, *port = NULL;
	char *colon = strrchr(copy, ':'), *bracket = strchr(copy, ']');
	if (*copy == '[' && bracket && (bracket[1] == ':' || !bracket[1])) {
		host = copy + 1;
		port = bracket[1] ? bracket + 2 : NULL;
		*bracket = '\0';
		if (!strchr(host, ':'))
			return false;
	} else if (colon && colon == strchr(copy, ':')) {
		port = colon + 1;
		*colon = '\0';
	}
	if (strlen(host) >= sizeof(target->host) || (port && !read_port(port, &target->port)))
		return false;
	memcpy(target->host, host, strlen(host) + 1);
	return is_address(host) || is_name(host);
}

/* Rules */

static void refuse(struct violations *violations, const char *field, const char *rule)
{
	if (!violations_has(violations, field))
		violations_add(violations, field, "%s", rule);
}

static void check_url(const struct check_settings *settings, struct violations *violations)
{
	/* For the types whose target is not a URL: whether the target must or may have a port. */
	static const struct {
		bool must_have_port;
		bool may_have_port;
		const char *rule;
	} forms[CHECK_TYPES] = {
		[CHECK_TCP] = { true, true,
				"The url field must be HOST:PORT or tcp://HOST:PORT for the type "
				"tcp." },
		[CHECK_PING] = { false, false,
				 "The url field must be a host name or an address for the type "
				 "ping." },
		[CHECK_DNS] = { false, false,
				"The url field must be a host name for the type dns." },
		[CHECK_TLS] = { false, true,
				"The url field must be HOST or HOST:PORT for the type tls." },
	};
	const char *rule = forms[settings->type].rule;
	struct check_target target;
	if (!settings->url && (rule || settings->type == CHECK_HTTP))
		refuse(violations, "url", "The url field is required for this type.");
	else if (settings->url && !rule && !web_url_is_valid(settings->url))
		refuse(violations, "url", "The url field must be an absolute http or https URL.");
	/* A password in the URL would be visible to everybody who can read the monitor. */
	else if (settings->url && settings->type == CHECK_HTTP && web_url_has_user(settings->url))
		refuse(violations, "url",
		       "The url field must not have a user or a password: request_auth_username "
		       "and request_auth_password have them.");
	if (!settings->url || !rule)
		return;
	bool is_target = check_target_read(settings->url, &target);
	if (!is_target || (forms[settings->type].must_have_port && target.port == 0) ||
	    (!forms[settings->type].may_have_port && target.port > 0))
		refuse(violations, "url", rule);
}

static void check_condition(const struct check_settings *settings, struct violations *violations)
{
	bool is_text = settings->alert_condition == CHECK_TEXT ||
		       settings->alert_condition == CHECK_NO_TEXT;
	bool is_json = settings->alert_condition == CHECK_JSON;
	double number;
	bool is_order = settings->json_operator == CHECK_LESS ||
			settings->json_operator == CHECK_GREATER;
	if (is_text && !settings->alert_text_lookup)
		refuse(violations, "alert_text_lookup",
		       "The alert text lookup field is required for this alert condition.");
	if (is_json && !settings->json_path)
		refuse(violations, "json_path",
		       "The json path field is required for this alert condition.");
	else if (is_json && !check_path_is_valid(settings->json_path))
		refuse(violations, "json_path",
		       "The json path field must be a path such as checks[0].status.");
	if (is_json && !settings->json_value)
		refuse(violations, "json_value",
		       "The json value field is required for this alert condition.");
	if (is_json && is_order && settings->json_value &&
	    !check_number_read(settings->json_value, &number))
		refuse(violations, "json_value",
		       "The json value field must be a number for this json operator.");
}

static void check_days(int64_t days, const char *field, const char *rule,
		       struct violations *violations)
{
	static const int64_t allowed[] = { 0, 1, 2, 3, 7, 14, 30, 60 };
	for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
		if (days == allowed[i])
			return;
	refuse(violations, field, rule);
}

static void check_locations(const struct check_settings *settings, struct violations *violations)
{
	struct str rest = str_from(settings->locations), name;
	int count = 0;
	bool are_valid = true;
	for (; check_location_take(&rest, &name); count++)
		are_valid = are_valid && check_location_is_valid(name) &&
			    check_location_place(settings->locations, name) == count;
	if (!are_valid || count > CHECK_LOCATIONS_MAX)
		refuse(violations, "locations",
		       "The locations field must be up to 16 different names of letters, digits, "
		       "hyphens, underscores and points, separated by commas.");
	if (count > 0 && settings->type == CHECK_HEARTBEAT)
		refuse(violations, "locations",
		       "The locations field must be empty for heartbeats.");
	if (settings->quorum > (count > 0 ? count : 1))
		refuse(violations, "quorum",
		       "The quorum field must not be greater than the number of locations.");
}

void check_settings_check(const struct check_settings *settings, struct violations *violations)
{
	struct check_target server;
	check_url(settings, violations);
	check_values(&settings->request_headers, violations);
	if (settings->type == CHECK_HTTP)
		check_condition(settings, violations);
	if (settings->request_auth_username && (has_control(settings->request_auth_username) ||
						strchr(settings->request_auth_username, ':')))
		refuse(violations, "request_auth_username",
		       "The request auth username field must not contain a colon or control "
		       "characters.");
	if (settings->expected_statuses && !check_statuses_are_valid(settings->expected_statuses))
		refuse(violations, "expected_statuses",
		       "The expected statuses field must be statuses such as 200-299,401.");
	if (settings->dns_server &&
	    !(check_target_read(settings->dns_server, &server) && is_address(server.host)))
		refuse(violations, "dns_server",
		       "The dns server field must be an address, or address:port.");
	if (settings->type == CHECK_HEARTBEAT && settings->period == 0)
		refuse(violations, "period", "The period field is required for this type.");
	check_locations(settings, violations);
	check_days(settings->ssl_alert_days, "ssl_alert_days",
		   "The ssl alert days field must be 0, 1, 2, 3, 7, 14, 30 or 60.", violations);
	check_days(settings->domain_alert_days, "domain_alert_days",
		   "The domain alert days field must be 0, 1, 2, 3, 7, 14, 30 or 60.", violations);
}
