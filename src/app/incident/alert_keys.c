#include "app/incident/alert_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "store/monitor/monitor_match.h"

enum { KEY_MAX_CHARS = 255, STATEMENT_BYTES = 2 << 20 };

/* The log has at most this many bytes of an alert's labels. */
enum { LABELS_LOGGED_BYTES = 512 };

/* Hashes the text by FNV-1a. */
static size_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot that has the text, or a free slot for the text. */
static struct alert_key **slot_of(const struct alert_keys *keys, const char *text)
{
	size_t at = hash_of(text) & (keys->room - 1);
	while (keys->slots[at] && strcmp(keys->slots[at]->text, text) != 0)
		at = (at + 1) & (keys->room - 1);
	return &keys->slots[at];
}

static void grow_table(struct alert_keys *keys)
{
	struct alert_keys grown = { .arena = keys->arena, .count = keys->count };
	grown.room = keys->room > 0 ? 2 * keys->room : 1024;
	grown.slots = ARENA_ARRAY(keys->arena, grown.room, struct alert_key *);
	for (size_t i = 0; i < keys->room; i++)
		if (keys->slots[i])
			*slot_of(&grown, keys->slots[i]->text) = keys->slots[i];
	*keys = grown;
}

struct alert_key *alert_keys_add(struct alert_keys *keys, const char *text)
{
	if (str_chars(str_from(text)) > KEY_MAX_CHARS)
		return NULL;
	if (2 * keys->count >= keys->room)
		grow_table(keys);
	struct alert_key **slot = slot_of(keys, text);
	if (!*slot) {
		*slot = ARENA_NEW(keys->arena, struct alert_key);
		(*slot)->text = arena_strdup(keys->arena, text);
		keys->count++;
	}
	return *slot;
}

static enum result match_some(struct alert_keys *keys, struct exchange *exchange,
			      const char *const *texts, size_t count)
{
	struct monitor_match_list found = { 0 };
	enum result result = monitor_match(exchange->db, exchange->service.principal.account_id,
					   texts, count, &exchange->arena, &found,
					   &exchange->error);
	for (size_t i = 0; result == OK && i < found.count; i++) {
		struct alert_key *key = *slot_of(keys, found.rows[i].key);
		if (key)
			key->monitor_id = found.rows[i].monitor_id;
	}
	return result;
}

/* Returns how many of the texts fit into one SQL statement. Their size is limited to
 * STATEMENT_BYTES, because max_allowed_packet may be only 4 MiB. */
static size_t chunk_of(const char *const *texts, size_t count)
{
	size_t most = sql_rows_chunk(&sql_list, count), bytes = 0;
	for (size_t i = 0; i < most; i++) {
		bytes += strlen(texts[i]);
		if (bytes >= STATEMENT_BYTES)
			return i + 1;
	}
	return most;
}

enum result alert_keys_match(struct alert_keys *keys, struct exchange *exchange)
{
	const char **texts = ARENA_ARRAY(&exchange->arena, keys->count, const char *);
	enum result result = OK;
	size_t count = 0;
	for (size_t i = 0; i < keys->room; i++)
		if (keys->slots[i])
			texts[count++] = keys->slots[i]->text;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		size = chunk_of(texts + from, count - from);
		result = match_some(keys, exchange, texts + from, size);
	}
	return result;
}

void alert_keys_warn(const struct exchange *exchange, struct alert_key *const *keys, size_t count)
{
	char labels[LABELS_LOGGED_BYTES] = "";
	size_t len = 0;
	for (size_t i = 0; i < count && len < sizeof(labels); i++)
		len += (size_t)snprintf(
			labels + len, sizeof(labels) - len, "%s%s%s", len > 0 ? " " : "",
			strchr(keys[i]->text, '=') ? "" : "daymark_monitor=", keys[i]->text);
	struct log_line line;
	log_begin(&line, "warn", "alert");
	log_text(&line, "message", "this alert matches no monitor");
	log_text(&line, "request", exchange->request.id);
	log_int(&line, "key", exchange->service.principal.id);
	log_text(&line, "labels", labels);
	log_end(&line);
}
