#include "db/hosts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/str.h"

/*
 * A host is shunned for SHUN_MS milliseconds, or for SHUN_FACTOR times the duration of the failed
 * attempt if that is longer. A random share of up to SHUN_SPREAD per cent is subtracted, so that at
 * least five seconds, and twenty times the duration, remain.
 */
enum { SHUN_MS = 6250, SHUN_FACTOR = 25, SHUN_SPREAD = 20 };

static void read_host(struct db_host *host, struct str item)
{
	int64_t port = 0;
	struct str rest = str_trim_ows(item), name = { 0 };
	bool is_bracketed = rest.len > 0 && rest.data[0] == '[';
	if (is_bracketed) {
		rest = str_skip(rest, 1);
		str_split(&rest, ']', &name);
		host->is_malformed = !rest.data || (rest.len > 0 && rest.data[0] != ':');
		rest = rest.len > 0 ? str_skip(rest, 1) : (struct str){ 0 };
	} else {
		str_split(&rest, ':', &name);
	}
	if (rest.data)
		host->is_malformed |= !str_to_int64(rest, &port) || port < 1 || port > 65535;
	host->is_malformed |= name.len == 0 || name.len >= sizeof(host->name);
	host->port = (unsigned)port;
	snprintf(host->name, sizeof(host->name), "%.*s", (int)name.len, name.data ? name.data : "");
}

void db_hosts_init(struct db_hosts *hosts, const char *text)
{
	struct str rest = str_from(text), item;
	size_t room = 1;
	*hosts = (struct db_hosts){ 0 };
	for (const char *c = text; c && *c; c++)
		room += *c == ',';
	hosts->list = calloc(room, sizeof(*hosts->list));
	if (!hosts->list)
		die("db: out of memory");
	while (text && hosts->count < room && str_split(&rest, ',', &item))
		read_host(&hosts->list[hosts->count++], item);
}

void db_hosts_done(struct db_hosts *hosts)
{
	free(hosts->list);
	*hosts = (struct db_hosts){ 0 };
}

size_t db_hosts_next(const struct db_hosts *hosts, size_t at, bool is_shunned, int64_t now_ms)
{
	while (at < hosts->count && (now_ms < hosts->list[at].shunned.until_ms) != is_shunned)
		at++;
	return at;
}

void db_hosts_shun(struct db_hosts *hosts, size_t at, int64_t now_ms, int64_t took_ms)
{
	int64_t for_ms = took_ms * SHUN_FACTOR;
	if (for_ms < SHUN_MS)
		for_ms = SHUN_MS;
	/* The spread makes connections that failed at the same time try the host again at different
	 * times. */
	const struct backoff_rule rule = { for_ms, for_ms, SHUN_SPREAD };
	if (at < hosts->count)
		backoff_fail(&hosts->list[at].shunned, &rule, now_ms);
}
