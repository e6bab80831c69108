#include "mirror/mirror.h"

#include <stdbool.h>
#include <string.h>

#include "base/str.h"
#include "mirror/protocol.h"

static const char letters_digits[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* The state while a `mirror` setting is parsed. */
struct parsing {
	struct mirror *mirror;
	int line;
	struct arena *arena;
	struct error *error;
};

/* An option in a `mirror` setting. */
struct option {
	const char *name;
	const char **value;
	bool is_needed;
};

enum { OPTIONS_MAX = 5 };

static bool is_visible(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] <= ' ' || text.data[i] > '~')
			return false;
	return text.len > 0;
}

static bool is_name(const char *name)
{
	size_t len = strlen(name);
	for (size_t i = 0; i < len; i++)
		if (!strchr(letters_digits, name[i]) && !strchr(".-_", name[i]))
			return false;
	return len > 0 && len <= MIRROR_NAME_MAX && name[0] != '.';
}

/* Removes the next word from *rest and returns it; empty: there is none. */
static struct str take_word(struct str *rest)
{
	struct str word = { 0 };
	while (rest->len > 0 && word.len == 0)
		if (!str_split(rest, ' ', &word))
			break;
	return str_trim_ows(word);
}

static const char *copy(struct arena *arena, struct str text)
{
	return arena_strndup(arena, text.data ? text.data : "", text.len);
}

/* Splits "[v6]:port" or "host:port". Returns false if the text is not a host with an optional
 * port. */
static bool split_host(struct str authority, struct str *host)
{
	static const char v6[] = "0123456789abcdefABCDEF:.";
	bool is_v6 = authority.len > 0 && authority.data[0] == '[';
	struct str rest = is_v6 ? str_skip(authority, 1) : authority;
	int64_t port = 1;
	if (is_v6 && !memchr(authority.data, ']', authority.len))
		return false;
	if (!str_split(&rest, is_v6 ? ']' : ':', host) || host->len == 0 || host->len > 255)
		return false;
	for (size_t i = 0; i < host->len; i++)
		if (!host->data[i] || (!strchr(is_v6 ? v6 : letters_digits, host->data[i]) &&
				       (is_v6 || (host->data[i] != '.' && host->data[i] != '-'))))
			return false;
	bool has_port = host->len + (is_v6 ? 2 : 0) < authority.len;
	if (is_v6 && has_port) {
		if (rest.len == 0 || rest.data[0] != ':')
			return false;
		rest = str_skip(rest, 1);
	}
	return !has_port || (str_to_int64(rest, &port) && port > 0 && port < 65536);
}

static bool is_loopback(struct str host)
{
	return str_eq_nocase(host, STR("localhost")) || str_eq(host, STR("::1")) ||
	       (str_starts(host, STR("127.")) && host.len <= 15 &&
		strspn(host.data, "0123456789.") >= host.len);
}

/* Sets the mirror's URL, without a slash at its end, and finds its host and path. Returns false
 * after an error. */
static bool parse_url(const struct parsing *parsing, struct str url, struct str *host,
		      struct str *path)
{
	bool is_https = str_starts(url, STR("https://"));
	struct str authority, rest = str_skip(url, strlen(is_https ? "https://" : "http://"));
	const char *problem = NULL;
	while (url.len > 0 && url.data[url.len - 1] == '/')
		url.len--;
	rest.len = rest.data < url.data + url.len ? (size_t)(url.data + url.len - rest.data) : 0;
	if (!str_split(&rest, '/', &authority))
		authority = (struct str){ 0 };
	*path = rest;
	if (!is_visible(url) || memchr(url.data, '?', url.len) || memchr(url.data, '#', url.len) ||
	    memchr(url.data, '@', url.len) || !split_host(authority, host))
		problem = "the URL must be https://HOST[:PORT][/PATH]";
	else if (!is_https && !is_loopback(*host))
		problem = "http:// is for loopback addresses only; use https://";
	if (problem) {
		error_client(parsing->error, E_INVALID, "line %d: mirror: %s", parsing->line,
			     problem);
		return false;
	}
	parsing->mirror->url = copy(parsing->arena, url);
	return true;
}

static enum result fail(const struct parsing *parsing, const char *what, const char *name)
{
	const char *who = parsing->mirror->name ? parsing->mirror->name : "";
	return error_client(parsing->error, E_INVALID, "line %d: mirror %.64s%s%s%s", parsing->line,
			    who, who[0] ? ": " : "", name, what);
}

/* Parses an option. The error message does not repeat an unknown option, which may be a mistyped
 * key. */
static enum result take_option(const struct parsing *parsing, struct str word,
			       const struct option *options, size_t count)
{
	struct str name, value = word;
	if (!memchr(word.data, '=', word.len) || !str_split(&value, '=', &name))
		return fail(parsing, "a word behind the URL is no NAME=VALUE", "");
	for (size_t i = 0; i < count; i++) {
		if (!str_eq(name, str_from(options[i].name)))
			continue;
		if (*options[i].value)
			return fail(parsing, " is given twice", options[i].name);
		if (!is_visible(value))
			return fail(parsing, " must have a value of visible characters",
				    options[i].name);
		*options[i].value = copy(parsing->arena, value);
		return OK;
	}
	return fail(parsing, "an option is unknown", "");
}

static enum result take_options(const struct parsing *parsing, struct str rest,
				const struct option *options, size_t count)
{
	enum result result = OK;
	struct str word;
	while (result == OK && (word = take_word(&rest)).len > 0)
		result = take_option(parsing, word, options, count);
	for (size_t i = 0; result == OK && i < count; i++)
		if (options[i].is_needed && !*options[i].value)
			result = fail(parsing, "= is missing", options[i].name);
	return result;
}

static enum result parse_host(const struct parsing *parsing, struct str value)
{
	struct mirror *mirror = parsing->mirror;
	const struct option options[OPTIONS_MAX] = { { "name", &mirror->name, false },
						     { "key", &mirror->key, true },
						     { "ca_file", &mirror->ca_file, false } };
	struct str host, path;
	mirror->kind = MIRROR_HOST;
	if (!parse_url(parsing, take_word(&value), &host, &path))
		return E_INVALID;
	enum result result = take_options(parsing, value, options, 3);
	if (!mirror->name)
		mirror->name = copy(parsing->arena, host);
	if (result == OK && strlen(mirror->key) < PROTOCOL_KEY_MIN)
		result = fail(parsing, " must have at least 32 characters", "key");
	return result;
}

/* Whether no part of the path is empty, "." or "..". */
static bool is_path(struct str path)
{
	struct str part;
	while (str_split(&path, '/', &part))
		if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	return true;
}

static enum result parse_bucket(const struct parsing *parsing, struct str value)
{
	struct mirror *mirror = parsing->mirror;
	const struct option options[OPTIONS_MAX] = { { "name", &mirror->name, false },
						     { "region", &mirror->region, true },
						     { "access_key", &mirror->access_key, true },
						     { "secret_key", &mirror->secret_key, true },
						     { "ca_file", &mirror->ca_file, false } };
	struct str host, path, bucket = { 0 };
	mirror->kind = MIRROR_BUCKET;
	if (!parse_url(parsing, take_word(&value), &host, &path))
		return E_INVALID;
	enum result result = take_options(parsing, value, options, OPTIONS_MAX);
	bool is_bucket = is_path(path) && str_split(&path, '/', &bucket);
	/* The signature covers a text that separates the region from other parts by ":" and "/". */
	if (result == OK && strpbrk(mirror->region, ":/"))
		result = fail(parsing, " must have no colon and no slash", "region");
	if (!is_bucket && result == OK)
		result = fail(parsing, "the URL must be s3:https://ENDPOINT/BUCKET[/PREFIX]", "");
	if (!mirror->name)
		mirror->name = copy(parsing->arena, bucket);
	return result;
}

/* Parses a command. The mirror gets the name of the program, without its folder. */
static enum result parse_command(const struct parsing *parsing, struct str value)
{
	struct mirror *mirror = parsing->mirror;
	struct str command = str_trim_ows(value), rest = command, program = take_word(&rest);
	const char *slash = program.len > 0 ? memrchr(program.data, '/', program.len) : NULL;
	mirror->kind = MIRROR_COMMAND;
	if (command.len == 0)
		return fail(parsing, "the command line is missing", "");
	if (slash)
		program = str_skip(program, (size_t)(slash + 1 - program.data));
	mirror->command = copy(parsing->arena, command);
	mirror->name = copy(parsing->arena, program);
	if (!is_name(mirror->name))
		mirror->name = "command";
	return OK;
}

static bool is_used(const struct mirrors *mirrors, const char *name)
{
	for (size_t i = 0; i < mirrors->count; i++)
		if (strcmp(mirrors->rows[i].name, name) == 0)
			return true;
	return false;
}

/* Makes the name of a command unique, because the configuration cannot name a command: the second
 * rsync becomes rsync-2. */
static void number_command(const struct mirrors *mirrors, struct mirror *mirror,
			   struct arena *arena)
{
	const char *program = mirror->name;
	for (int i = 2; mirror->kind == MIRROR_COMMAND && is_used(mirrors, mirror->name); i++)
		mirror->name = arena_printf(arena, "%.50s-%d", program, i);
}

static enum result parse_line(const struct parsing *parsing, struct str value)
{
	if (str_starts(value, STR("s3:http://")) || str_starts(value, STR("s3:https://")))
		return parse_bucket(parsing, str_skip(value, strlen("s3:")));
	if (str_starts(value, STR("command:")))
		return parse_command(parsing, str_skip(value, strlen("command:")));
	if (str_starts(value, STR("https://")) || str_starts(value, STR("http://")))
		return parse_host(parsing, value);
	return fail(parsing, "the value must begin with https://, s3:https:// or command:", "");
}

enum result mirrors_parse(const struct config *config, struct arena *arena, struct mirrors *mirrors,
			  struct error *error)
{
	*mirrors = (struct mirrors){ ARENA_ARRAY(arena, config->mirror_count, struct mirror), 0 };
	for (size_t i = 0; i < config->mirror_count; i++) {
		struct mirror *mirror = &mirrors->rows[i];
		struct parsing parsing = { mirror, config->mirrors[i].line, arena, error };
		if (i == MIRRORS_MAX)
			return fail(&parsing, "there are more than 16 mirrors", "");
		enum result result = parse_line(&parsing, str_from(config->mirrors[i].value));
		if (result != OK)
			return result;
		number_command(mirrors, mirror, arena);
		if (!is_name(mirror->name))
			return error_client(error, E_INVALID,
					    "line %d: mirror: name must be letters, digits, '.', "
					    "'-' and '_', 63 at most",
					    parsing.line);
		if (is_used(mirrors, mirror->name))
			return fail(&parsing,
				    "another mirror has this name: add name=NAME to the line", "");
		mirrors->count++;
	}
	return OK;
}

bool mirrors_have_command(const struct mirrors *mirrors)
{
	for (size_t i = 0; i < mirrors->count; i++)
		if (mirrors->rows[i].kind == MIRROR_COMMAND)
			return true;
	return false;
}
