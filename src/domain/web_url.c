#include "domain/web_url.h"

#include <string.h>
#include <strings.h>
#include <uriparser/Uri.h>

#include "base/attr.h"
#include "base/log.h"
#include "base/str.h"

/* Replaces each non-ASCII byte by "x", so that the parser accepts the URL. RFC 3986 does not allow
 * these bytes, but URLs that people paste contain them (RFC 3987). */
static void ascii_stand_in(char *url)
{
	for (; *url; url++)
		if ((unsigned char)*url >= 0x80)
			*url = 'x';
}

/* Parses the text. Returns false, and frees the members of *uri, if the text is not a URI. */
static bool parse(const char *text, UriUriA *uri)
{
	const char *error_at;
	int outcome = uriParseSingleUriA(uri, text, &error_at);
	/* If memory is used up, end the process, as arenas do. The URL must not count as
	 * invalid. */
	if (outcome == URI_ERROR_MALLOC)
		die("url: out of memory");
	return outcome == URI_SUCCESS;
}

static bool range_is(const UriTextRangeA *range, const char *wanted)
{
	size_t len = range->first ? (size_t)(range->afterLast - range->first) : 0;
	return len == strlen(wanted) && strncasecmp(range->first, wanted, len) == 0;
}

static bool is_absolute(const UriUriA *uri)
{
	bool is_web = range_is(&uri->scheme, "http") || range_is(&uri->scheme, "https");
	bool has_host = uri->hostText.first && uri->hostText.afterLast > uri->hostText.first;
	return is_web && has_host;
}

bool web_url_is_valid(const char *url)
{
	char copy[WEB_URL_MAX_BYTES + 1];
	size_t len = strlen(url);
	if (len > WEB_URL_MAX_BYTES)
		return false;
	memcpy(copy, url, len + 1);
	ascii_stand_in(copy);
	UriUriA uri;
	if (!parse(copy, &uri))
		return false;
	bool is_valid = is_absolute(&uri);
	uriFreeUriMembersA(&uri);
	return is_valid;
}

bool web_url_is_contact(const char *url)
{
	if (strncasecmp(url, "mailto:", 7) != 0)
		return web_url_is_valid(url);
	const char *address = url + 7;
	const char *at = strchr(address, '@');
	if (strlen(url) > WEB_URL_MAX_BYTES || !at || at == address || at[1] == '\0')
		return false;
	for (const char *c = address; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f || strchr("\"<>\\^`{|}", *c))
			return false;
	return true;
}

bool web_url_is_https(const char *url)
{
	return strncmp(url, "https:", 6) == 0;
}

const char *web_url_host(struct arena *arena, const char *url)
{
	UriUriA uri;
	char *copy = arena_strdup(arena, url);
	ascii_stand_in(copy);
	if (!parse(copy, &uri))
		return NULL;
	char *host = NULL;
	if (uri.hostText.first) {
		size_t start = (size_t)(uri.hostText.first - copy);
		host = arena_strndup(arena, url + start,
				     (size_t)(uri.hostText.afterLast - uri.hostText.first));
		str_to_lower(host);
	}
	uriFreeUriMembersA(&uri);
	return host;
}

/* Returns the text of the URL up to its path. */
static struct str server_of(const char *url)
{
	const char *host = strstr(url, "://");
	size_t scheme = host ? (size_t)(host - url) + 3 : 0;
	return (struct str){ url, scheme + strcspn(url + scheme, "/?#") };
}

bool web_url_has_user(const char *url)
{
	struct str server = server_of(url);
	return memchr(server.data, '@', server.len);
}

bool web_url_is_same_server(const char *one, const char *other)
{
	return one == other || (one && other && str_eq_nocase(server_of(one), server_of(other)));
}
