/* Checks the settings, and normalizes URLs and the collation. */
#include <arpa/inet.h>
#include <string.h>

#include "base/config/config.h"
#include "base/severity.h"
#include "base/str.h"

/* Whether the text is a host name, without port, path and blanks. */
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

/* Whether the text is an address such as "192.0.2.1", "192.0.2.1:53", "2001:db8::1" or
 * "[2001:db8::1]:53". */
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

/* Collations of MySQL and compatible databases that ignore upper and lower case. */
static const char *const collations[] = {
	CONFIG_COLLATION,
	"utf8mb4_unicode_ci",
	"utf8mb4_0900_ai_ci",
	"utf8mb4_general_ci",
};

/* Replaces config->collation by the equal text of the list, because SQL statements contain it. */
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

enum result config_settle(struct config *config, struct arena *arena, struct error *error)
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
	if (result == OK)
		result = settle_url("[console] url", &config->console_url, arena, error);
	if (result == OK)
		result = config_check_console(config, error);
	return result == OK ? config_check_role(config, error) : result;
}
