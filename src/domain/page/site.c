#include "domain/page/site.h"

#include <string.h>

#include "base/str.h"
#include "domain/domain_name.h"
#include "domain/web_url.h"

static void add_host(struct site *site, const char *host, struct arena *arena)
{
	const char *ascii = domain_name_ascii(arena, host);
	if (ascii)
		site->hosts[site->count++] = ascii;
}

void site_init(struct site *site, const struct config *config, struct arena *arena)
{
	struct str rest = str_from(config->hosts), item;
	size_t most = 2;
	const char *own = config->base_url ? web_url_host(arena, config->base_url) : NULL;
	const char *console = config->console_url ? web_url_host(arena, config->console_url) : NULL;
	while (str_split(&rest, ',', &item))
		most++;
	*site = (struct site){
		.has_domains = own && own[0] != '\0',
		.hosts = ARENA_ARRAY(arena, most, const char *),
	};
	if (site->has_domains)
		add_host(site, own, arena);
	if (console)
		add_host(site, console, arena);
	rest = str_from(config->hosts);
	while (str_split(&rest, ',', &item)) {
		item = str_trim_ows(item);
		add_host(site, arena_strndup(arena, item.data, item.len), arena);
	}
}

bool site_owns(const struct site *site, const char *name)
{
	for (size_t i = 0; i < site->count; i++)
		if (strcmp(site->hosts[i], name) == 0)
			return true;
	return false;
}

bool site_shows(const struct site *site, const char *domain)
{
	return site && site->has_domains && domain && !site_owns(site, domain);
}
