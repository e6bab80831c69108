#include "domain/page/published_file.h"

#include <string.h>

#include "base/attr.h"
#include "base/str.h"

static const struct {
	const char *extension;
	const char *type;
} types[] = {
	{ "atom", "application/atom+xml; charset=utf-8" },
	{ "avif", "image/avif" },
	{ "css", "text/css; charset=utf-8" },
	{ "csv", "text/csv; charset=utf-8" },
	{ "gif", "image/gif" },
	{ "html", "text/html; charset=utf-8" },
	{ "ico", "image/x-icon" },
	{ "ics", "text/calendar; charset=utf-8" },
	{ "jpg", "image/jpeg" },
	{ "js", "text/javascript; charset=utf-8" },
	{ "json", "application/json" },
	{ "pdf", "application/pdf" },
	{ "png", "image/png" },
	{ "rss", "application/rss+xml; charset=utf-8" },
	{ "svg", "image/svg+xml; charset=utf-8" },
	{ "txt", "text/plain; charset=utf-8" },
	{ "webmanifest", "application/manifest+json" },
	{ "webp", "image/webp" },
	{ "woff2", "font/woff2" },
	{ "xml", "application/xml; charset=utf-8" },
	{ "xsl", "text/xsl; charset=utf-8" },
};

const char published_file_cache[] =
	"public, max-age=0, s-maxage=5, stale-while-revalidate=30, stale-if-error=86400";
const char published_file_cache_hashed[] = "public, max-age=31536000, immutable";

const char *published_file_type(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].extension, dot + 1) == 0)
			return types[i].type;
	return NULL;
}

bool published_file_is_internal(const char *name)
{
	static const char *const extensions[] = { "badges", "incidents", NULL };
	const char *dot = strrchr(name, '.');
	return dot && str_place(extensions, str_from(dot + 1)) >= 0;
}

bool published_file_is_hashed(const char *name)
{
	enum { HASH_MIN_CHARS = 12 };
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz", digits[] = "0123456789";
	size_t stem = strspn(name, letters);
	if (stem == 0 || name[stem] != '-')
		return false;
	const char *hash = name + stem + 1;
	size_t len = strspn(hash, "0123456789abcdef");
	if (len < HASH_MIN_CHARS || hash[len] != '.')
		return false;
	const char *extension = hash + len + 1;
	size_t rest = strlen(extension), at = 0;
	while (at < rest && (strchr(letters, extension[at]) || strchr(digits, extension[at])))
		at++;
	return rest > 0 && at == rest;
}

const char *published_file_api_address(const char *name)
{
	static const struct {
		const char *name;
		const char *address;
	} addresses[] = {
		{ "summary.json", "api/v2/summary.json" },
		{ "status.json", "api/v2/status.json" },
		{ "components.json", "api/v2/components.json" },
		{ "incidents.json", "api/v2/incidents.json" },
		{ "unresolved.json", "api/v2/incidents/unresolved.json" },
		{ "scheduled-maintenances.json", "api/v2/scheduled-maintenances.json" },
		{ "upcoming.json", "api/v2/scheduled-maintenances/upcoming.json" },
		{ "active.json", "api/v2/scheduled-maintenances/active.json" },
	};
	for (size_t i = 0; i < ARRAY_LEN(addresses); i++)
		if (strcmp(addresses[i].name, name) == 0)
			return addresses[i].address;
	return NULL;
}
