#include "check/rdap.h"

#include <libpsl.h>
#include <stdio.h>
#include <string.h>

#include "domain/domain_name.h"
#include "domain/web_url.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/json_reader.h"

enum { SCRATCH_MAX_BYTES = 64 << 20 };

/* An extract of IANA's list, used while the list cannot be read. */
static const char large_registries[] =
	"{\"services\":[[[\"com\"],[\"https://rdap.verisign.com/com/v1/\"]],"
	"[[\"net\"],[\"https://rdap.verisign.com/net/v1/\"]],"
	"[[\"org\"],[\"https://rdap.publicinterestregistry.org/rdap/\"]],"
	"[[\"info\"],[\"https://rdap.identitydigital.services/rdap/\"]],"
	"[[\"app\",\"dev\"],[\"https://pubapi.registry.google/rdap/\"]],"
	"[[\"nl\"],[\"https://rdap.sidn.nl/\"]],[[\"fr\"],[\"https://rdap.nic.fr/\"]],"
	"[[\"uk\"],[\"https://rdap.nominet.uk/uk/\"]],[[\"br\"],[\"https://rdap.registro.br/\"]]]}";

bool rdap_domain_of(const char *host, char domain[RDAP_DOMAIN_SIZE])
{
	static psl_ctx_t *suffixes;
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, 64 << 10);
	if (!suffixes)
		suffixes = psl_latest(NULL);
	/* Remove labels of services, such as _sip._tcp, which are not part of a host's name. */
	while (host && host[0] == '_' && strchr(host, '.'))
		host = strchr(host, '.') + 1;
	const char *name = host ? domain_name_ascii(&arena, host) : NULL, *dot;
	if (!suffixes || !name)
		return false;
	for (; (dot = strchr(name, '.')); name = dot + 1) {
		if (psl_is_public_suffix2(suffixes, name, PSL_TYPE_ICANN))
			return false;
		if (psl_is_public_suffix2(suffixes, dot + 1, PSL_TYPE_ICANN))
			return snprintf(domain, RDAP_DOMAIN_SIZE, "%s", name) < RDAP_DOMAIN_SIZE;
	}
	return false;
}

bool rdap_domain_of_url(int64_t type, const char *url, char domain[RDAP_DOMAIN_SIZE])
{
	struct arena arena CLEANUP(arena_done);
	struct check_target target;
	const char *host = url;
	arena_init(&arena, 64 << 10);
	if (!url || type == CHECK_HEARTBEAT)
		return false;
	if (type == CHECK_HTTP)
		host = web_url_host(&arena, url);
	else if (check_target_read(url, &target))
		host = target.host;
	return rdap_domain_of(host, domain);
}

/* Parses a JSON object. Returns NULL for any other text. Allows deeper nesting than in requests to
 * Daymark, because registries nest contacts deeply. */
static struct json_object *read_object(struct str text)
{
	static const struct json_limits limits = { "RDAP", { 2 << 20, 20000, 100000 }, 32 };
	struct json_reader reader CLEANUP(json_reader_done);
	struct json_object *root = NULL;
	struct error ignored = { 0 };
	if (json_reader_init(&reader, text, &limits, &ignored) == OK &&
	    json_reader_value(&reader, &root) == OK && json_reader_end(&reader) == OK &&
	    json_is_object(root))
		return root;
	json_free(root);
	return NULL;
}

/* Returns the item with the index `at`; NULL: `list` is not a list, or is shorter. */
static struct json_object *item(struct json_object *list, size_t at)
{
	return at < json_length(list) ? json_item(list, at) : NULL;
}

/* Returns whether the domain is `name` itself, or a subdomain of `name`. */
static bool is_within(const char *domain, const char *name)
{
	size_t len = strlen(domain), name_len = strlen(name);
	if (name_len == 0 || name_len > len)
		return false;
	struct str end = { domain + len - name_len, name_len };
	return str_eq_nocase(end, str_from(name)) && (name_len == len || end.data[-1] == '.');
}

/* Returns the first valid https URL of the list, or else the first valid URL. */
static const char *choose_url(struct json_object *urls, struct arena *arena)
{
	const char *chosen = NULL;
	for (size_t i = 0; i < json_length(urls); i++) {
		const char *url = json_text(item(urls, i), arena);
		if (!url || !web_url_is_valid(url) || strpbrk(url, "?#"))
			continue;
		if (str_starts(str_from(url), STR("https:")))
			return url;
		chosen = chosen ? chosen : url;
	}
	return chosen;
}

/* Returns the server for the domain (RFC 9224 section 4): a server of the longest name in the list
 * that is the domain or one of its parents. */
static const char *find_server(struct json_object *services, const char *domain,
			       struct arena *arena)
{
	const char *server = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < json_length(services); i++) {
		struct json_object *service = item(services, i);
		struct json_object *names = item(service, 0);
		for (size_t j = 0; j < json_length(names); j++) {
			const char *name = json_text(item(names, j), arena);
			if (!name || strlen(name) <= longest || !is_within(domain, name))
				continue;
			longest = strlen(name);
			server = choose_url(item(service, 1), arena);
		}
	}
	return server;
}

const char *rdap_url(const char *bootstrap, const char *domain, struct arena *arena)
{
	struct arena scratch CLEANUP(arena_done);
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	struct json_object *root = read_object(str_from(bootstrap ? bootstrap : large_registries));
	const char *server = find_server(json_member(root, "services"), domain, &scratch);
	bool has_slash = server && server[strlen(server) - 1] == '/';
	const char *url =
		server ? arena_printf(arena, "%s%sdomain/%s", server, has_slash ? "" : "/", domain)
		       : NULL;
	json_free(root);
	return url;
}

bool rdap_bootstrap_is_valid(const char *text)
{
	struct json_object *root = read_object(str_from(text));
	bool is_valid = json_length(json_member(root, "services")) > 0;
	json_free(root);
	return is_valid;
}

/* Returns whether the object describes the domain (RFC 9083 section 5.3). */
static bool is_about(struct json_object *root, const char *domain, struct arena *arena)
{
	const char *class = json_text(json_member(root, "objectClassName"), arena);
	const char *name = json_text(json_member(root, "ldhName"), arena);
	size_t len = name ? strlen(name) : 0;
	if (!class || strcmp(class, "domain") != 0)
		return false;
	len -= len > 0 && name[len - 1] == '.';
	return !name || str_eq_nocase((struct str){ name, len }, str_from(domain));
}

bool rdap_expiry(struct str response, const char *domain, struct instant *date)
{
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, SCRATCH_MAX_BYTES);
	struct json_object *root = read_object(response);
	struct json_object *events = json_member(root, "events");
	*date = (struct instant){ 0 };
	for (size_t i = 0; root && is_about(root, domain, &arena) && i < json_length(events); i++) {
		struct json_object *event = item(events, i);
		const char *action = json_text(json_member(event, "eventAction"), &arena);
		const char *text = json_text(json_member(event, "eventDate"), &arena);
		struct instant at;
		if (action && text && str_eq_nocase(str_from(action), STR("expiration")) &&
		    instant_parse(str_from(text), &at) && at.s > date->s)
			*date = at;
	}
	json_free(root);
	return date->s > 0;
}
