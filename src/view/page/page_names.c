/* The names of a page's files. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/secret.h"
#include "view/page.h"

/* page.css, page.js and report.css, in the order of enum page_asset; the build makes the array. */
extern const struct embedded page_assets[];

static const char *hashed_name(struct arena *arena, const char *text, const char *stem,
			       const char *extension)
{
	return arena_printf(arena, "%s-%s.%s", stem, secret_hash_hex(arena, text, strlen(text), 12),
			    extension);
}

const char *page_asset(enum page_asset asset)
{
	return page_assets[asset].text;
}

enum { SHARED_NAME_SIZE = 32, NAMES_MAX_BYTES = 4096 };
static pthread_once_t names_made = PTHREAD_ONCE_INIT;
static char names[PAGE_ASSETS][SHARED_NAME_SIZE];

static void make_names(void)
{
	static const struct {
		const char *stem, *extension;
	} files[PAGE_ASSETS] = {
		[PAGE_STYLE] = { "page", "css" },
		[PAGE_SCRIPT] = { "page", "js" },
		[PAGE_REPORT_STYLE] = { "report", "css" },
	};
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, NAMES_MAX_BYTES);
	for (size_t i = 0; i < PAGE_ASSETS; i++)
		snprintf(names[i], sizeof(names[i]), "%s",
			 hashed_name(&arena, page_assets[i].text, files[i].stem,
				     files[i].extension));
}

const char *page_asset_name(enum page_asset asset)
{
	pthread_once(&names_made, make_names);
	return names[asset];
}

const char *page_custom_name(struct arena *arena, const char *text, const char *extension)
{
	return text ? hashed_name(arena, text, "custom", extension) : NULL;
}

const char *page_uuid(const char *name, struct arena *arena)
{
	uint8_t hash[SECRET_HASH_BYTES];
	secret_hash(str_from(name), hash);
	hash[6] = (uint8_t)(0x80 | (hash[6] & 0x0f));
	hash[8] = (uint8_t)(0x80 | (hash[8] & 0x3f));
	const char *hex = secret_to_hex(arena, hash, 16);
	return arena_printf(arena, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16,
			    hex + 20);
}

const char *page_month_file(struct arena *arena, const char *month)
{
	return arena_printf(arena, "%s.html", month);
}

const char *page_incident_path(const struct incident *incident, struct arena *arena)
{
	return arena_printf(arena, "incidents/%lld", (long long)incident->id);
}

const char *page_maintenance_path(const struct page_maintenance *maintenance, struct arena *arena)
{
	return arena_printf(arena, "maintenance/%lld", (long long)maintenance->id);
}

const char *page_maintenance_url(const struct page_snapshot *snapshot,
				 const struct page_maintenance *maintenance, struct arena *arena)
{
	return arena_printf(arena, "%s%s", snapshot->url,
			    page_maintenance_path(maintenance, arena));
}

const char *page_incident_url(const struct page_snapshot *snapshot, const struct incident *incident,
			      struct arena *arena)
{
	return arena_printf(arena, "%s%s", snapshot->url, page_incident_path(incident, arena));
}
