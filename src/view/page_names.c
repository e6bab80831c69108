/* The names of a page's files. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/secret.h"
#include "view/assets.h"
#include "view/page.h"

static const char *hashed_name(struct arena *arena, const char *text, const char *stem,
			       const char *extension)
{
	return arena_printf(arena, "%s-%s.%s", stem, secret_hash_hex(arena, text, strlen(text), 12),
			    extension);
}

const char *page_style(void)
{
	return page_assets[0].text;
}

const char *page_script(void)
{
	return page_assets[1].text;
}

const char *page_report_style(void)
{
	return page_assets[2].text;
}

enum { SHARED_NAME_SIZE = 32, NAMES_MAX_BYTES = 4096 };
static pthread_once_t names_made = PTHREAD_ONCE_INIT;
static char style_name[SHARED_NAME_SIZE], script_name[SHARED_NAME_SIZE],
	report_style_name[SHARED_NAME_SIZE];

static void make_names(void)
{
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, NAMES_MAX_BYTES);
	snprintf(style_name, sizeof(style_name), "%s",
		 hashed_name(&arena, page_style(), "page", "css"));
	snprintf(script_name, sizeof(script_name), "%s",
		 hashed_name(&arena, page_script(), "page", "js"));
	snprintf(report_style_name, sizeof(report_style_name), "%s",
		 hashed_name(&arena, page_report_style(), "report", "css"));
}

const char *page_style_name(void)
{
	pthread_once(&names_made, make_names);
	return style_name;
}

const char *page_script_name(void)
{
	pthread_once(&names_made, make_names);
	return script_name;
}

const char *page_report_style_name(void)
{
	pthread_once(&names_made, make_names);
	return report_style_name;
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
