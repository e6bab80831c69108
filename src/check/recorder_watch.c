/* The recorder's part that keeps the lease, and reads the list of monitors and the signals. */
#include <stdlib.h>
#include <string.h>

#include "access/signing_key.h"
#include "base/memory.h"
#include "base/str.h"
#include "check/recorder_parts.h"

enum { TURN_MS = 1000, SIGNALS_READ = 1000 };

void watch_add_page(struct watch *watch, const struct checked_list *page)
{
	size_t wanted = watch->monitor_count + page->count;
	watch->monitors = memory_grow(watch->monitors, &watch->monitor_room, wanted,
				      sizeof(*watch->monitors));
	memcpy(watch->monitors + watch->monitor_count, page->rows,
	       page->count * sizeof(*page->rows));
	watch->monitor_count = wanted;
}

static enum result read_monitors(struct watch *watch)
{
	struct part *part = &watch->part;
	struct signing_key key;
	/* Without the signing key, read the list without secrets. The checks that need a secret
	 * report this. */
	bool has_key = signing_key_load(part->recorder->config->pages_dir, &key);
	struct checked_list page = { .count = CHECKED_LIST_MAX };
	struct check_range range = { .most = CHECKED_LIST_MAX };
	enum result result = OK;
	watch->monitor_count = 0;
	while (result == OK && page.count == CHECKED_LIST_MAX) {
		result = checked_list_read(part->db, has_key ? key.bytes : NULL, &range,
					   &part->arena, &page, &part->error);
		if (result == OK && page.count > 0) {
			watch_add_page(watch, &page);
			range.after_id = page.rows[page.count - 1].id;
		}
	}
	watch->has_list = result == OK;
	watch->has_locations = false;
	for (size_t i = 0; i < watch->monitor_count; i++)
		watch->has_locations |= watch->monitors[i].settings.locations != NULL;
	watch->votes_from.s = 0;
	return result;
}

/*
 * Reads the list if it is old, or if its mark shows that settings have changed. Reads the list
 * again later if the mark is younger than UNSETTLED_S: the first list may lack changes of the same
 * second, and changes of transactions that were not yet committed.
 */
static enum result read_changes(struct watch *watch)
{
	enum { UNSETTLED_S = 2 };
	struct part *part = &watch->part;
	struct checked_mark mark = { 0 };
	int64_t now_ms = clock_ms();
	if (now_ms < watch->mark_at_ms && now_ms < watch->list_at_ms)
		return OK;
	enum result result = checked_mark_read(part->db, &mark, &part->error);
	bool is_new = memcmp(&mark, &watch->mark, sizeof(mark)) != 0;
	if (result != OK || (!is_new && now_ms < watch->list_at_ms))
		return result;
	result = read_monitors(watch);
	if (result != OK)
		return result;
	bool is_settled = mark.newest.s + UNSETTLED_S < recorder_now(part->recorder).s;
	watch->mark = is_settled ? mark : (struct checked_mark){ .total = -1 };
	watch->mark_at_ms = now_ms + (is_settled ? 1 : 2) * TURN_MS;
	watch->list_at_ms = now_ms + RECORDER_LIST_S * 1000;
	return OK;
}

/* Reads the new votes. Also reads the votes of the last LATE_S seconds again, because a vote is
 * committed some time after its voted_at. */
static enum result read_votes(struct watch *watch)
{
	enum { LATE_S = 5, OLDEST_S = 2 * CHECK_INTERVAL_MAX_S + CHECK_TIMEOUT_MAX_S };
	struct part *part = &watch->part;
	struct instant now = recorder_now(part->recorder);
	watch->votings.count = 0;
	if (!watch->has_locations)
		return OK;
	if (watch->votes_from.s == 0)
		watch->votes_from.s = now.s - OLDEST_S;
	enum result result = check_votings_read(part->db, watch->votes_from, &part->arena,
						&watch->votings, &part->error);
	if (result == OK && watch->votings.count == CHECK_VOTINGS_MAX)
		watch->votes_from = watch->votings.rows[CHECK_VOTINGS_MAX - 1].voted_at;
	else if (result == OK)
		watch->votes_from.s = now.s - LATE_S;
	return result;
}

static enum result read_signals(struct watch *watch)
{
	struct part *part = &watch->part;
	size_t count = SIGNALS_READ;
	enum result result = check_signals_delete(part->db, watch->deleting.ids,
						  watch->deleting.count, &part->error);
	if (result == OK)
		watch->deleting.count = 0;
	watch->signal_count = 0;
	while (result == OK && count == SIGNALS_READ) {
		size_t wanted = watch->signal_count + SIGNALS_READ;
		int64_t after_id =
			watch->signal_count > 0 ? watch->signals[watch->signal_count - 1].id : 0;
		watch->signals = memory_grow(watch->signals, &watch->signal_room, wanted,
					     sizeof(*watch->signals));
		result = check_signals_read(part->db, after_id,
					    watch->signals + watch->signal_count, SIGNALS_READ,
					    &count, &part->error);
		watch->signal_count += count;
	}
	return result;
}

int64_t recorder_rest_s(const struct recorder *recorder)
{
	const struct watch *watch = &recorder->watch;
	return watch->rest.is_expected ? watch->rest.rest_s : 0;
}

/* Returns about how many seconds after the last run of --once this run started. Returns 0 if it is
 * not known, or more than RECORDER_REST_MAX_S. */
static int64_t apart_s(const struct watch *watch)
{
	int64_t apart_s = watch->rest.rest_s + (clock_ms() - watch->begun_ms) / 1000;
	bool is_known = watch->has_rest && watch->rest.rest_s >= 0;
	return is_known && apart_s <= RECORDER_REST_MAX_S ? apart_s : 0;
}

static enum result give_back(struct watch *watch)
{
	struct part *part = &watch->part;
	enum result result = check_signals_delete(part->db, watch->deleting.ids,
						  watch->deleting.count, &part->error);
	return result == OK ? check_lease_drop(part->db, part->recorder->holder, apart_s(watch),
					       &part->error)
			    : result;
}

/* With --once, reads in the first run of this part how long ago the last process ended. */
static enum result read_rest(struct watch *watch)
{
	struct part *part = &watch->part;
	if (watch->has_rest || !part->recorder->observer.is_once)
		return OK;
	enum result result = check_rest_read(part->db, &watch->rest, &part->error);
	watch->has_rest = result == OK;
	watch->begun_ms = clock_ms();
	return result;
}

/* Returns whether the database's clock was set back since the lease was last renewed. Before the
 * first renewal this is not known, and the result is true. */
static bool is_set_back(const struct watch *watch)
{
	enum { LEAST_MS = 60000 };
	int64_t ahead_ms = atomic_load(&watch->part.recorder->ahead_ms);
	return ahead_ms == 0 || watch->lease.now_ms - watch->asked_ms < ahead_ms - LEAST_MS;
}

static enum result turn(struct watch *watch)
{
	struct part *part = &watch->part;
	int64_t now_ms = clock_ms();
	enum result result = OK;
	watch->has_answer = watch->has_list = false;
	watch->signal_count = watch->votings.count = 0;
	if (part->recorder->remote)
		return remote_read(part->recorder->remote, watch);
	if (watch->drops_lease)
		return give_back(watch);
	if (now_ms >= watch->renew_at_ms)
		result = read_rest(watch);
	if (result == OK && now_ms >= watch->renew_at_ms) {
		result = check_lease_take(part->db, part->recorder->holder, &watch->lease,
					  &part->error);
		watch->has_answer = result == OK;
		watch->asked_ms = now_ms;
		if (result == OK)
			watch->renew_at_ms =
				now_ms +
				(watch->lease.is_held ? RECORDER_RENEW_S : 1) * (int64_t)TURN_MS;
	}
	if (result != OK || !watch->lease.is_held)
		return result;
	if (watch->has_answer && is_set_back(watch))
		result = monitor_gaps_cut(part->db, (struct instant){ watch->lease.now_ms / 1000 },
					  &part->error);
	if (result == OK)
		result = read_signals(watch);
	if (result == OK)
		result = read_changes(watch);
	return result == OK ? read_votes(watch) : result;
}

static void run(void *context)
{
	struct watch *watch = context;
	watch->part.error = (struct error){ 0 };
	watch->part.result = turn(watch);
}

static struct entry *new_entry(const struct checked_monitor *monitor)
{
	struct entry *entry = memory_needed(calloc(1, sizeof(*entry)));
	entry->id = monitor->id;
	entry->is_void = true;
	return entry;
}

/* Ends the hour and the outage of a monitor that is no longer checked. */
static void entry_pause(struct recorder *recorder, struct entry *entry)
{
	entry->is_paused = true;
	entry_end_hour(entry);
	reports_reconcile(&recorder->reports, entry);
}

static void refresh_entry(struct recorder *recorder, struct entry *entry,
			  const struct checked_monitor *monitor)
{
	bool begins = entry->is_void;
	entry->account_id = monitor->account_id;
	entry->is_part = monitor->settings.locations != NULL;
	entry->is_known |= monitor->is_known;
	if (begins) {
		entry->is_void = false;
		entry->is_known = monitor->is_known;
		entry->reported = monitor->reported;
		entry->record = (struct check_record){ .monitor_id = monitor->id,
						       .state = monitor->state,
						       .hour = monitor->hour };
		entry->is_paused = monitor->is_paused;
		reports_reconcile(&recorder->reports, entry);
	} else if (monitor->is_paused && !entry->is_paused) {
		entry_pause(recorder, entry);
	}
	entry->is_paused = monitor->is_paused;
}

/* Called for a monitor that is not in the list. Returns whether its entry may be freed, because all
 * its data are stored. */
static bool is_over(struct recorder *recorder, struct entry *entry)
{
	if (!entry->is_void && !entry->is_paused)
		entry_pause(recorder, entry);
	return !entry->is_new && !entry->is_busy && entry->reports == 0;
}

static void take_list(struct recorder *recorder, const struct checked_list *list)
{
	size_t room = list->count + recorder->entry_count, count = 0, at = 0;
	struct entry **entries = memory_needed(calloc(room + 1, sizeof(*entries)));
	for (size_t i = 0; i < list->count || at < recorder->entry_count;) {
		struct entry *entry = at < recorder->entry_count ? recorder->entries[at] : NULL;
		const struct checked_monitor *monitor = i < list->count ? &list->rows[i] : NULL;
		if (entry && (!monitor || entry->id < monitor->id)) {
			at++;
			if (is_over(recorder, entry)) {
				free(entry->ended);
				free(entry);
			} else {
				entries[count++] = entry;
			}
			continue;
		}
		bool is_there = entry && entry->id == monitor->id;
		entries[count] = is_there ? entry : new_entry(monitor);
		refresh_entry(recorder, entries[count++], monitor);
		at += is_there;
		i++;
	}
	free(recorder->entries);
	recorder->entries = entries;
	recorder->entry_count = count;
	recorder->records.cursor = 0;
	recorder->observer.monitors(recorder->observer.context, list);
}

/* Passes to the observer the signals that it has not got yet. */
static void take_signals(struct recorder *recorder, struct check_signal *rows, size_t count)
{
	struct taken known = { 0 };
	size_t kept = 0;
	taken_add(&known, recorder->taken.ids, recorder->taken.count);
	taken_add(&known, recorder->storing.ids, recorder->storing.count);
	taken_add(&known, recorder->stored.ids, recorder->stored.count);
	if (known.count > 0)
		qsort(known.ids, known.count, sizeof(*known.ids), id_order);
	for (size_t i = 0; i < count; i++) {
		if (known.count > 0 &&
		    bsearch(&rows[i].id, known.ids, known.count, sizeof(*known.ids), id_order))
			continue;
		rows[kept++] = rows[i];
		taken_add(&recorder->taken, &rows[i].id, 1);
	}
	free(known.ids);
	recorder->observer.signals(recorder->observer.context, rows, kept);
}

static void take_answer(struct recorder *recorder, const struct watch *watch)
{
	atomic_store(&recorder->ahead_ms, watch->lease.now_ms - watch->asked_ms);
	if (!watch->lease.is_held) {
		if (recorder->remote)
			remote_keep(recorder->remote, true);
		if (recorder->is_held || !recorder->is_answered)
			recorder_lose(recorder);
		return;
	}
	recorder->is_answered = true;
	if (recorder->is_held)
		return;
	recorder->is_held = true;
	part_start_in(&recorder->expiries.part, 0);
	recorder->observer.lease(recorder->observer.context, true);
}

static void finish(void *context)
{
	struct watch *watch = context;
	struct recorder *recorder = watch->part.recorder;
	bool was_held = recorder->is_held;
	part_finish(&watch->part,
		    recorder->remote ? "the list of the centre" : "the lease, lists and signals");
	if (watch->drops_lease) {
		if (watch->part.result == OK)
			loop_stop(recorder->loop);
		else
			part_start_in(&watch->part, TURN_MS);
		return;
	}
	if (watch->has_answer)
		take_answer(recorder, watch);
	if (recorder->is_held && watch->has_list)
		take_list(recorder,
			  &(struct checked_list){ watch->monitors, watch->monitor_count });
	if (recorder->remote && watch->has_list)
		remote_take_list(recorder->remote);
	if (recorder->is_held && watch->part.result == OK && !recorder->is_closing)
		take_signals(recorder, watch->signals, watch->signal_count);
	if (recorder->is_held && watch->votings.count > 0 && recorder->observer.votes)
		recorder->observer.votes(recorder->observer.context, &watch->votings);
	/* If this checker does not have the lease, or has just taken it but has no list, read the
	 * list in the next run. */
	if (!recorder->is_held || (!was_held && !watch->has_list))
		watch->list_at_ms = watch->mark_at_ms = 0;
	arena_reset(&watch->part.arena);
	part_start_in(&watch->part, TURN_MS);
	recorder_rest(recorder);
}

static void start(void *context)
{
	struct watch *watch = context;
	if (watch->is_doubted)
		watch->renew_at_ms = watch->list_at_ms = watch->mark_at_ms = 0;
	watch->is_doubted = false;
	taken_move(&watch->deleting, &watch->part.recorder->stored);
	loop_job_start(&watch->part.job);
}

bool watch_open(struct recorder *recorder)
{
	return part_open(&recorder->watch.part, run, finish, start, 0);
}

bool watch_close(struct watch *watch)
{
	if (!loop_job_close(&watch->part.job))
		return false;
	free(watch->deleting.ids);
	free(watch->signals);
	free(watch->monitors);
	return true;
}
