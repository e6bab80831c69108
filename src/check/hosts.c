#include "check/hosts.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "domain/web_url.h"

static int by_name(const void *one, const void *other)
{
	const struct host *a = one, *b = other;
	if (a->account_id != b->account_id)
		return a->account_id < b->account_id ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void read_name(const struct check_settings *settings, char *name, size_t size)
{
	enum { ARENA_MAX_BYTES = 64 * 1024 };
	struct arena arena CLEANUP(arena_done);
	struct check_target target;
	const char *host = settings->url ? settings->url : "";
	arena_init(&arena, ARENA_MAX_BYTES);
	if (settings->type == CHECK_HTTP)
		host = web_url_host(&arena, host);
	else if (settings->type == CHECK_DNS && settings->dns_server)
		host = settings->dns_server;
	else if (check_target_read(host, &target))
		host = target.host;
	snprintf(name, size, "%s", host ? host : "");
}

struct host *hosts_take(struct hosts *hosts, int64_t account_id,
			const struct check_settings *settings)
{
	enum { NAME_SIZE = 512 };
	char name[NAME_SIZE] = "";
	if (settings)
		read_name(settings, name, sizeof(name));
	struct host *host = memory_needed(calloc(1, sizeof(*host) + strlen(name) + 1));
	memcpy(host->name, name, strlen(name) + 1);
	host->account_id = account_id;
	TAILQ_INIT(&host->waiting);
	struct host **found = memory_needed(tsearch(host, &hosts->tree, by_name));
	if (*found != host)
		free(host);
	hosts->count += (*found)->users == 0;
	(*found)->users++;
	return *found;
}

void hosts_leave(struct hosts *hosts, struct host *host)
{
	if (--host->users > 0)
		return;
	hosts->count--;
	tdelete(host, &hosts->tree, by_name);
	free(host);
}
