#include "http/request.h"

#include <string.h>
#include <strings.h>

#include "http/client_address.h"
#include "wire/limits.h"
#include "wire/urlencoded.h"

static const char *param_or(struct gateway *gateway, const char *name, const char *otherwise)
{
	const char *value = gateway->param(gateway, name);
	return value ? value : otherwise;
}

/* Whether the text is a host, with an optional port, that is safe in links and headers. */
static bool is_host(const char *host)
{
	for (const char *c = host; *c; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
		      (*c >= '0' && *c <= '9') || strchr(".-_:[]", *c)))
			return false;
	return host[0] != '\0' && strlen(host) < 256;
}

/* Returns the part of the path that leads to the program, such as "/status"; empty: the program is
 * at the root. */
static struct str mount_path(struct gateway *gateway, const char *base_url, struct str path)
{
	struct str script = str_from(gateway->param(gateway, "SCRIPT_NAME"));
	struct str info = str_from(gateway->param(gateway, "PATH_INFO"));
	bool is_below_script = script.len > 0 && str_starts(path, script) &&
			       (path.len == script.len || path.data[script.len] == '/');
	if (info.len > 0 && is_below_script)
		return script;
	if (base_url) {
		const char *host = strstr(base_url, "://") + 3;
		struct str base = str_from(strchr(host, '/'));
		if (base.len > 0 && str_starts(path, base) &&
		    (path.len == base.len || path.data[base.len] == '/'))
			return base;
	}
	/* If the web server rewrote the URL, the path does not contain the script's name. The path
	 * then ends with PATH_INFO. */
	if (info.len > 0 && path.len > info.len &&
	    memcmp(path.data + path.len - info.len, info.data, info.len) == 0)
		return (struct str){ path.data, path.len - info.len };
	return (struct str){ path.data, 0 };
}

/* Returns the value of a header that only trusted proxies may set, or `otherwise`. If several
 * proxies have added values, returns the last value, which the nearest proxy has added. */
static const char *forwarded_value(struct gateway *gateway, const struct config *config,
				   const char *name, const char *otherwise)
{
	if (!client_address_is_proxy(config, param_or(gateway, "REMOTE_ADDR", "")))
		return otherwise;
	const char *value = param_or(gateway, name, otherwise);
	const char *comma = strrchr(value, ',');
	return comma ? str_trim_ows(str_from(comma + 1)).data : value;
}

/* Returns the host of the request, with port; "" for an unsafe host. */
static const char *asked_host(struct gateway *gateway, const struct config *config)
{
	const char *host = forwarded_value(gateway, config, "HTTP_X_FORWARDED_HOST",
					   param_or(gateway, "HTTP_HOST", ""));
	return is_host(host) ? host : "";
}

static const char *without_port(const char *host, struct arena *arena)
{
	const char *end = host[0] == '[' ? strchr(host, ']') : strrchr(host, ':');
	if (!end)
		return host;
	return arena_strndup(arena, host, (size_t)(end - host) + (host[0] == '['));
}

/* Whether the host of the request is a name of this mirror. If so, links must use this name,
 * because the origin may be down. */
static bool is_name_of_mirror(struct gateway *gateway, const struct config *config,
			      struct arena *arena)
{
	struct str rest = str_from(config->hosts), item;
	struct str host = str_from(without_port(asked_host(gateway, config), arena));
	while (config_is_mirror(config) && config->hosts && str_split(&rest, ',', &item))
		if (str_eq_nocase(str_trim_ows(item), host))
			return true;
	return false;
}

/* Returns the base URL of the links. `configured` is the configured URL for this host, or NULL. */
static const char *make_base_url(struct gateway *gateway, const struct config *config,
				 const char *configured, struct str mount, struct arena *arena)
{
	if (configured && !is_name_of_mirror(gateway, config, arena))
		return configured;
	const char *https = param_or(gateway, "HTTPS", "");
	const char *scheme = param_or(gateway, "REQUEST_SCHEME",
				      strcasecmp(https, "on") == 0 ? "https" : "http");
	const char *host = asked_host(gateway, config);
	scheme = forwarded_value(gateway, config, "HTTP_X_FORWARDED_PROTO", scheme);
	if (host[0] == '\0')
		host = param_or(gateway, "SERVER_NAME", "localhost");
	return arena_printf(arena, "%s://%s%.*s",
			    strcasecmp(scheme, "https") == 0 ? "https" : "http",
			    is_host(host) ? host : "localhost", (int)mount.len, mount.data);
}

bool request_path_is_for_programs(struct str path)
{
	static const char *const firsts[] = { "api",	"hooks",   "hb",     "internal",
					      "mirror", "healthz", "readyz", NULL };
	char decoded[64];
	struct str rest = path.len > 0 && path.data[0] == '/' ? str_skip(path, 1) : path,
		   first = rest;
	str_split(&rest, '/', &first);
	if (first.len >= sizeof(decoded) || !percent_decode(first, decoded))
		return false;
	return str_place(firsts, str_from(decoded)) >= 0;
}

static enum result split_path(struct request *request, struct str path, struct arena *arena,
			      struct error *error)
{
	struct str rest = path, segment;
	if (path.len > WIRE_PATH_MAX_BYTES)
		return error_client(error, E_MALFORMED, "The path is longer than %d bytes.",
				    WIRE_PATH_MAX_BYTES);
	if (rest.len > 0 && rest.data[0] == '/')
		rest = str_skip(rest, 1);
	request->has_final_slash = rest.len > 0 && rest.data[rest.len - 1] == '/';
	if (request->has_final_slash)
		rest.len--;
	if (rest.len == 0)
		return OK;
	while (str_split(&rest, '/', &segment)) {
		if (request->segment_count == REQUEST_SEGMENTS_MAX)
			return error_client(error, E_MALFORMED, "The path has too many segments.");
		char *decoded = arena_alloc(arena, segment.len + 1);
		if (!percent_decode(segment, decoded) || !str_is_text(str_from(decoded)))
			return error_client(error, E_MALFORMED, "The path cannot be decoded.");
		request->segments[request->segment_count++] = decoded;
	}
	return OK;
}

static enum result read_length(struct request *request, const char *text, struct error *error)
{
	request->content_length = -1;
	if (!text || !*text)
		return OK;
	struct str digits = str_trim_ows(str_from(text));
	/* RFC 9110 section 8.6 allows leading zeros. */
	while (digits.len > 1 && digits.data[0] == '0')
		digits = str_skip(digits, 1);
	if (!str_to_int64(digits, &request->content_length) || request->content_length < 0) {
		request->content_length = -1;
		return error_client(error, E_MALFORMED, "The Content-Length is not a number.");
	}
	return OK;
}

enum result request_read(struct request *request, struct gateway *gateway,
			 const struct config *config, struct arena *arena, struct error *error)
{
	*request = (struct request){
		.arena = arena,
		.method = param_or(gateway, "REQUEST_METHOD", "GET"),
		.client = client_address(config, param_or(gateway, "REMOTE_ADDR", ""),
					 gateway->param(gateway, "HTTP_X_FORWARDED_FOR"), arena),
		.content_type = param_or(gateway, "CONTENT_TYPE", ""),
		.authorization = gateway->param(gateway, "HTTP_AUTHORIZATION"),
		.cookie = gateway->param(gateway, "HTTP_COOKIE"),
		.if_match = gateway->param(gateway, "HTTP_IF_MATCH"),
		.if_none_match = gateway->param(gateway, "HTTP_IF_NONE_MATCH"),
		.idempotency_key = gateway->param(gateway, "HTTP_IDEMPOTENCY_KEY"),
	};
	request->host = without_port(asked_host(gateway, config), arena);
	request->is_for_console = config_is_console_host(config, request->host);
	secret_id(request->id);
	if (strcmp(request->method, "HEAD") == 0) {
		request->method = "GET";
		request->is_head = true;
	}
	/* Apache may pass the Authorization header to CGI programs only in this variable. */
	if (!request->authorization)
		request->authorization = gateway->param(gateway, "REDIRECT_HTTP_AUTHORIZATION");

	const char *uri = gateway->param(gateway, "REQUEST_URI");
	if (!uri)
		uri = arena_printf(arena, "%s%s", param_or(gateway, "SCRIPT_NAME", ""),
				   param_or(gateway, "PATH_INFO", ""));
	struct str path = { uri, strcspn(uri, "?#") };
	/* An absolute request target (RFC 9112 section 3.2.2) includes scheme and host. */
	if (str_starts(path, STR("http://")) || str_starts(path, STR("https://"))) {
		struct str host = str_skip(path, path.data[4] == 's' ? 8 : 7);
		const char *slash = memchr(host.data, '/', host.len);
		path = slash ? str_skip(path, (size_t)(slash - path.data)) : STR("/");
	}
	const char *configured = request->is_for_console ? config->console_url : config->base_url;
	struct str mount = mount_path(gateway, configured, path);
	request->base_url = make_base_url(gateway, config, configured, mount, arena);
	request->is_for_programs = request_path_is_for_programs(str_skip(path, mount.len));
	request->query = str_from(gateway->param(gateway, "QUERY_STRING"));
	if (request->query.len > WIRE_QUERY_MAX_BYTES)
		return error_client(error, E_MALFORMED, "The query is longer than %d bytes.",
				    WIRE_QUERY_MAX_BYTES);
	enum result result = split_path(request, str_skip(path, mount.len), arena, error);
	if (result != OK)
		return result;
	return read_length(request, gateway->param(gateway, "CONTENT_LENGTH"), error);
}
