#include "notify/expand.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/secret.h"
#include "store/notify/delivery.h"
#include "wire/json.h"
#include "wire/json_read.h"

enum { CLAIM_S = 60, ARENA_MAX_BYTES = 512 << 20 };

static void add_id(struct id_list *list, size_t *room, struct json_object *row, struct arena *arena)
{
	const char *text = json_text(json_member(row, "id"), arena);
	int64_t id = 0;
	if (!text || !str_to_int64(str_from(text), &id) || id == 0)
		return;
	list->ids = arena_grow(arena, list->ids, list->count, room, sizeof(*list->ids));
	list->ids[list->count++] = id;
}

static void add_ids(struct id_list *list, struct json_object *rows, struct arena *arena)
{
	size_t room = list->count;
	for (size_t i = 0; i < json_length(rows); i++)
		add_id(list, &room, json_item(rows, i), arena);
}

static void read_monitors(struct json_object *root, struct id_list *monitors, struct arena *arena)
{
	struct json_object *incident = json_member(root, "incident");
	struct json_object *object = incident ? incident : root;
	size_t room = 0;
	add_id(monitors, &room, json_member(object, "monitor"), arena);
	add_ids(monitors, json_member(object, "monitors"), arena);
	id_list_settle(monitors);
}

/* Reads the systems that the payload names, and whether the payload has the text of an update. */
static bool read_payload(const struct outbox_row *row, struct delivery_event *event,
			 struct arena *arena)
{
	struct json_object *root = NULL;
	struct error error = { 0 };
	if (json_read_file(str_from(row->payload), &root, &error) != OK)
		return false;
	read_monitors(root, &event->monitors, arena);
	event->is_update = event->event == ALERT_UP && json_text(json_member(root, "text"), arena);
	json_free(root);
	return true;
}

enum result expand_read_scope(const char *payload, struct arena *arena, struct notice_scope *scope,
			      struct error *error)
{
	struct json_object *root = NULL;
	*scope = (struct notice_scope){ 0 };
	enum result result = json_read_file(str_from(payload), &root, error);
	if (result == E_BUSY)
		return result;
	if (result != OK) {
		log_warn("notify", "a row of the outbox cannot be read");
		return OK;
	}
	read_monitors(root, &scope->monitors, arena);
	struct json_object *pages = json_member(json_member(root, "incident"), "status_page_ids");
	scope->pages.ids = ARENA_ARRAY(arena, json_length(pages), int64_t);
	for (size_t i = 0; i < json_length(pages); i++) {
		const char *text = json_text(json_item(pages, i), arena);
		int64_t id;
		if (text && str_to_int64(str_from(text), &id))
			scope->pages.ids[scope->pages.count++] = id;
	}
	json_free(root);
	return OK;
}

struct expanding {
	struct outbox_claim claim;
	struct delivery_event *events;
	size_t count;
	struct id_list ids;
	struct id_list public_ids; /* ids of the rows whose events subscribers receive */
	bool is_more;
};

static void take_row(struct expanding *expanding, const struct outbox_row *row, struct arena *arena)
{
	struct delivery_event event = {
		.outbox_id = row->id,
		.account_id = row->account_id,
		.event = alert_event_of(event_kind_of(row->kind)),
		.kind = row->kind,
		.object_id = row->object_id,
		.at = row->at,
	};
	expanding->ids.ids[expanding->ids.count++] = row->id;
	if (event_is_public(event_kind_of(row->kind)))
		expanding->public_ids.ids[expanding->public_ids.count++] = row->id;
	if (event.event == ALERT_NO_EVENT)
		return;
	if (read_payload(row, &event, arena))
		expanding->events[expanding->count++] = event;
	else
		log_warn("notify", "row %lld of the outbox cannot be read", (long long)row->id);
}

/* Runs in a transaction. If the sender is killed here, the database undoes the claim. So these rows
 * are claimed again, before later rows. */
static enum result expand_work(struct db *db, void *context, struct error *error)
{
	struct expanding *expanding = context;
	const struct outbox_claim *claim = &expanding->claim;
	struct arena arena CLEANUP(arena_done);
	struct db_list found = { 0 };
	arena_init(&arena, ARENA_MAX_BYTES);
	enum result result = outbox_claim(db, claim, OUTBOX_CLAIM_MAX, &arena, &found, error);
	const struct outbox_row *rows = found.rows;
	expanding->is_more = result == OK && found.count == OUTBOX_CLAIM_MAX;
	if (result != OK || found.count == 0)
		return result;
	expanding->events = ARENA_ARRAY(&arena, found.count, struct delivery_event);
	expanding->ids = (struct id_list){ ARENA_ARRAY(&arena, found.count, int64_t), 0 };
	expanding->public_ids = (struct id_list){ ARENA_ARRAY(&arena, found.count, int64_t), 0 };
	expanding->count = 0;
	for (size_t i = 0; i < found.count; i++)
		take_row(expanding, &rows[i], &arena);
	result = deliveries_make(db, expanding->events, expanding->count, claim->now, error);
	if (result == OK)
		result = outbox_keep_for_subscribers(db, claim, &expanding->public_ids, error);
	return result == OK ? outbox_finish(db, claim, &expanding->ids, error) : result;
}

enum result expand_outbox(struct db *db, bool *is_more, struct error *error)
{
	struct instant now = clock_now();
	struct expanding expanding = {
		.claim = { .claim = secret_number(), .now = now, .until = { now.s + CLAIM_S } }
	};
	enum result result = db_transact(db, DB_WRITE, expand_work, &expanding, error);
	*is_more = result == OK && expanding.is_more;
	return result;
}
