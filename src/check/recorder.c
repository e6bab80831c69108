#include "check/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "base/str.h"
#include "check/recorder_parts.h"

enum { ARENA_MAX_BYTES = 1 << 30 };

void part_finish(struct part *part, const char *what)
{
	static const struct backoff_rule rule = { .first_ms = 500,
						  .most_ms = 5000,
						  .spread = BACKOFF_SPREAD };
	if (part->result == OK) {
		if (part->backoff.failures > 0)
			log_info("check", "%s: works again", what);
		part->backoff = (struct backoff){ 0 };
		return;
	}
	if (part->backoff.failures == 0)
		log_warn("check", "%s: %s", what, error_text(&part->error));
	backoff_fail(&part->backoff, &rule, clock_ms());
}

void part_start_in(struct part *part, int64_t ms)
{
	int64_t at_ms = clock_ms() + ms;
	if (part->backoff.until_ms > at_ms)
		at_ms = part->backoff.until_ms;
	loop_timer_set(part->recorder->loop, &part->timer, at_ms);
}

bool part_open(struct part *part, loop_call *run, loop_call *finish, loop_call *start, int64_t ms)
{
	part->job = (struct loop_job){ .run = run, .call = finish, .context = part };
	part->timer = (struct loop_timer){ .call = start, .context = part };
	if (!loop_job_open(part->recorder->loop, &part->job))
		return false;
	if (ms >= 0)
		part_start_in(part, ms);
	return true;
}

static struct part *part_of(struct recorder *recorder, size_t i)
{
	struct part *const parts[] = { &recorder->watch.part, &recorder->reports.part,
				       &recorder->records.part, &recorder->expiries.part };
	return i < ARRAY_LEN(parts) ? parts[i] : NULL;
}

struct entry *recorder_entry(const struct recorder *recorder, int64_t monitor_id)
{
	struct entry *const *entries = recorder->entries;
	size_t count = recorder->entry_count;
	size_t i = SORTED_POINTER_PLACE(struct entry, id, entries, count, monitor_id);
	bool is_known = i < count && entries[i]->id == monitor_id && !entries[i]->is_void;
	return is_known ? entries[i] : NULL;
}

struct instant recorder_now(const struct recorder *recorder)
{
	return atomic_load(&recorder->ahead_ms) == 0
		       ? clock_now()
		       : (struct instant){ (clock_ms() + atomic_load(&recorder->ahead_ms)) / 1000 };
}

void recorder_lose(struct recorder *recorder)
{
	bool was_held = recorder->is_held || !recorder->is_answered;
	recorder->is_held = false;
	recorder->is_answered = true;
	for (size_t i = 0; i < recorder->entry_count; i++) {
		recorder->entries[i]->is_void = true;
		recorder->entries[i]->is_new = false;
		recorder->entries[i]->ended_count = recorder->entries[i]->ended_storing = 0;
	}
	reports_forget(&recorder->reports);
	expiries_forget(&recorder->expiries);
	recorder->taken.count = recorder->storing.count = recorder->stored.count = 0;
	recorder->watch.is_doubted = true;
	if (was_held)
		recorder->observer.lease(recorder->observer.context, false);
}

/* Keeps the hour until it is stored. Replaces an earlier version of the same hour. */
void entry_keep_hour(struct entry *entry, const struct check_hour *hour)
{
	for (size_t i = entry->ended_storing; i < entry->ended_count; i++) {
		if (entry->ended[i].hour.s != hour->hour.s)
			continue;
		entry->ended[i] = *hour;
		return;
	}
	if (entry->ended_count == RECORDER_HOURS_MAX) {
		memmove(entry->ended, entry->ended + 1,
			(RECORDER_HOURS_MAX - 1) * sizeof(*entry->ended));
		entry->ended_count--;
		entry->ended_storing -= entry->ended_storing > 0;
	}
	entry->ended = memory_needed(
		reallocarray(entry->ended, entry->ended_count + 1, sizeof(*entry->ended)));
	entry->ended[entry->ended_count++] = *hour;
}

void entry_end_hour(struct entry *entry)
{
	if (entry->record.hour.hour.s == 0)
		return;
	entry_keep_hour(entry, &entry->record.hour);
	entry->record.hour = (struct check_hour){ 0 };
	entry->is_new = true;
}

void entry_begin_hour(struct entry *entry, struct instant hour)
{
	if (entry->record.hour.hour.s >= hour.s)
		return;
	entry_end_hour(entry);
	entry->record.hour.hour = hour;
	entry->is_new = true;
}

/* Cuts the text before the first byte that is not valid UTF-8. Otherwise the database would refuse
 * all records of the batch. */
static void clean(char *text, size_t size)
{
	size_t len = strnlen(text, size - 1);
	text[len] = '\0';
	while (len > 0 && !str_is_text(str_from(text)))
		text[--len] = '\0';
}

void recorder_record(struct recorder *recorder, const struct check_record *record)
{
	struct entry *entry = recorder_entry(recorder, record->monitor_id);
	if (!entry || !recorder->is_held)
		return;
	struct check_record before = entry->record;
	bool is_late = record->hour.hour.s < before.hour.hour.s;
	if (is_late && record->hour.hour.s > 0)
		entry_keep_hour(entry, &record->hour);
	else if (before.hour.hour.s != record->hour.hour.s && !is_late)
		entry_end_hour(entry);
	entry->record = *record;
	if (is_late)
		entry->record.hour = before.hour;
	if (record->tls_expires_at.s == 0)
		entry->record.tls_expires_at = before.tls_expires_at;
	if (record->tls_seen_at.s == 0)
		entry->record.tls_seen_at = before.tls_seen_at;
	if (record->tls_issuer[0] == '\0')
		memcpy(entry->record.tls_issuer, before.tls_issuer, sizeof(before.tls_issuer));
	clean(entry->record.state.cause, sizeof(entry->record.state.cause));
	clean(entry->record.tls_issuer, sizeof(entry->record.tls_issuer));
	entry->is_new = true;
}

void taken_add(struct taken *to, const int64_t *ids, size_t count)
{
	if (count == 0)
		return;
	to->ids = memory_grow(to->ids, &to->room, to->count + count, sizeof(*to->ids));
	memcpy(to->ids + to->count, ids, count * sizeof(*ids));
	to->count += count;
}

void taken_move(struct taken *to, struct taken *from)
{
	taken_add(to, from->ids, from->count);
	from->count = 0;
}

bool recorder_may_store(const struct recorder *recorder)
{
	return recorder->is_held && !recorder->watch.drops_lease;
}

static bool has_work(const struct recorder *recorder)
{
	bool has = recorder->reports.count > 0 || recorder->taken.count > 0 ||
		   recorder->storing.count > 0 || expiries_are_answered(&recorder->expiries);
	for (size_t i = 0; i < recorder->entry_count && !has; i++)
		has = recorder->entries[i]->is_new;
	return has;
}

void recorder_rest(struct recorder *recorder)
{
	if (!recorder->is_closing)
		return;
	if (recorder->is_held && has_work(recorder)) {
		if (recorder->reports.count > 0)
			reports_start(&recorder->reports);
		records_start(&recorder->records);
		return;
	}
	for (size_t i = 0; part_of(recorder, i); i++)
		if (part_of(recorder, i)->job.is_running)
			return;
	if (!recorder->is_held) {
		loop_stop(recorder->loop);
		return;
	}
	recorder->watch.drops_lease = true;
	part_start_in(&recorder->watch.part, 0);
}

static void begin_closing(void *context)
{
	struct recorder *recorder = context;
	recorder->is_closing = true;
	recorder_rest(recorder);
}

static void free_recorder(struct recorder *recorder)
{
	for (size_t i = 0; part_of(recorder, i); i++) {
		loop_timer_cancel(recorder->loop, &part_of(recorder, i)->timer);
		db_free(part_of(recorder, i)->db);
		arena_done(&part_of(recorder, i)->arena);
	}
	for (size_t i = 0; i < recorder->entry_count; i++) {
		free(recorder->entries[i]->ended);
		free(recorder->entries[i]);
	}
	remote_close(recorder->remote);
	free(recorder->entries);
	free(recorder->taken.ids);
	free(recorder->storing.ids);
	free(recorder->stored.ids);
	free(recorder);
}

enum result recorder_open(struct recorder **recorder, struct loop *loop,
			  const struct config *config, const struct site *site,
			  const struct recorder_observer *observer, struct error *error)
{
	struct db_login login = db_login_of(config, false);
	struct recorder *opened = memory_needed(calloc(1, sizeof(*opened)));
	opened->loop = loop;
	opened->config = config;
	opened->site = site;
	opened->observer = *observer;
	secret_id(opened->holder);
	for (size_t i = 0; part_of(opened, i); i++) {
		struct part *part = part_of(opened, i);
		part->recorder = opened;
		part->db = db_new(&login);
		arena_init(&part->arena, ARENA_MAX_BYTES);
	}
	*recorder = opened;
	if (config->check_centre && remote_open(&opened->remote, opened, error) != OK) {
		*recorder = NULL;
		(void)recorder_close(opened, 0);
		return E_FAILED;
	}
	if (watch_open(opened) && reports_open(opened) && records_open(opened) &&
	    expiries_open(opened))
		return OK;
	*recorder = NULL;
	(void)recorder_close(opened, 0);
	return error_log(error, E_FAILED, "check: no thread can be started");
}

bool recorder_close(struct recorder *recorder, int64_t most_ms)
{
	struct loop_timer begin = { .call = begin_closing, .context = recorder };
	if (most_ms > 0) {
		loop_timer_set(recorder->loop, &begin, 0);
		loop_run_until(recorder->loop, clock_ms() + most_ms);
		loop_timer_cancel(recorder->loop, &begin);
	}
	if (recorder->remote)
		remote_keep(recorder->remote, true);
	bool is_closed = watch_close(&recorder->watch);
	is_closed = reports_close(&recorder->reports) && is_closed;
	is_closed = records_close(&recorder->records) && is_closed;
	is_closed = expiries_close(&recorder->expiries) && is_closed;
	if (is_closed)
		free_recorder(recorder);
	return is_closed;
}
