/*
 * The recorder's part that stores records. Every RECORDER_STORE_S seconds it stores all new
 * records, in batches. If the database refuses a batch because of its content, the batch is halved
 * until the bad record is alone. The other records are stored.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "check/recorder_parts.h"

enum { HOUR_SECONDS = 3600, DAY_SECONDS = 86400 };

static enum result begin_work(struct db *db, void *context, struct error *error)
{
	const struct records *records = context;
	const struct recorder *recorder = records->part.recorder;
	enum result result = check_lease_hold(db, recorder->holder, error);
	return result == OK
		       ? check_beginnings_store(db, records->beginnings, records->beginning_count,
						recorder_now(recorder), error)
		       : result;
}

static void run(void *context)
{
	struct records *records = context;
	struct part *part = &records->part;
	const struct check_batch batch = { records->records, records->count, records->hours,
					   records->hour_count };
	part->error = (struct error){ 0 };
	if (part->recorder->remote) {
		part->result = remote_store(part->recorder->remote, records, &part->error);
		return;
	}
	part->result = check_records_store(part->db, part->recorder->holder, &batch, &part->error);
	records->has_begun = part->result == OK && records->beginning_count > 0;
	if (records->has_begun)
		part->result = db_transact(part->db, DB_WRITE, begin_work, records, &part->error);
	records->has_begun = records->has_begun && part->result == OK;
}

static void add_hour(struct records *records, const struct entry *entry,
		     const struct check_hour *hour, bool makes_day)
{
	records->hours = memory_grow(records->hours, &records->hour_room, records->hour_count + 1,
				     sizeof(*records->hours));
	records->hours[records->hour_count++] =
		(struct checked_hour){ entry->id, *hour, makes_day, entry->is_part, 0 };
}

static void add_entry(struct records *records, struct entry *entry)
{
	const struct check_state *state = &entry->record.state;
	int64_t today = recorder_now(records->part.recorder).s / DAY_SECONDS;
	for (size_t i = 0; i < entry->ended_count; i++)
		add_hour(records, entry, &entry->ended[i],
			 entry->is_paused || entry->ended[i].hour.s / DAY_SECONDS != today);
	entry->ended_storing = entry->ended_count;
	if (entry->record.hour.hour.s > 0)
		add_hour(records, entry, &entry->record.hour, false);
	if (!entry->is_known && state->phase == CHECK_UP)
		records->beginnings[records->beginning_count++] =
			(struct check_beginning){ entry->id, state->since };
	records->records[records->count] = entry->record;
	records->batch[records->count++] = entry;
	entry->is_busy = true;
	entry->is_new = false;
}

/* Fills the batch. Returns false if no entry is left in this cycle. */
static bool fill(struct records *records)
{
	const struct recorder *recorder = records->part.recorder;
	records->count = records->hour_count = records->beginning_count = 0;
	for (; records->cursor < recorder->entry_count && records->count < records->limit;
	     records->cursor++) {
		struct entry *entry = recorder->entries[records->cursor];
		if (!entry->is_new || entry->is_void)
			continue;
		if (entry->is_busy)
			records->has_left_out = true;
		else
			add_entry(records, entry);
	}
	return records->count > 0;
}

/*
 * At the start of an hour: makes the rows of the hour for all monitors at once, in the order of the
 * table. Inserted one by one, the rows would take twice the space. The store also sums the former
 * hours into days.
 */
static void begin_hour(struct records *records)
{
	const struct recorder *recorder = records->part.recorder;
	struct instant hour = recorder_now(recorder);
	hour.s -= hour.s % HOUR_SECONDS;
	if (hour.s == records->hour.s)
		return;
	records->hour = hour;
	for (size_t i = 0; i < recorder->entry_count; i++)
		if (!recorder->entries[i]->is_void && !recorder->entries[i]->is_paused)
			entry_begin_hour(recorder->entries[i], hour);
}

static void end_cycle(struct records *records)
{
	struct recorder *recorder = records->part.recorder;
	records->is_in_cycle = false;
	if (!records->has_left_out)
		taken_move(&recorder->stored, &recorder->storing);
	part_start_in(&records->part, RECORDER_STORE_S * 1000);
}

static void start(void *context)
{
	struct records *records = context;
	struct recorder *recorder = records->part.recorder;
	if (records->part.job.is_running || !recorder_may_store(recorder) ||
	    recorder->reports.gaps > 0) {
		part_start_in(&records->part, RECORDER_STORE_S * 1000);
		return;
	}
	if (!records->is_in_cycle) {
		records->is_in_cycle = true;
		records->has_left_out = false;
		records->cursor = 0;
		begin_hour(records);
		taken_move(&recorder->storing, &recorder->taken);
	}
	if (fill(records)) {
		loop_job_start(&records->part.job);
		return;
	}
	end_cycle(records);
	recorder_rest(recorder);
}

void records_start(struct records *records)
{
	/* While the recorder is closing, pause, so that a report that is being made can end. */
	enum { PAUSE_MS = 20 };
	if (!records->part.job.is_running)
		part_start_in(&records->part, records->part.recorder->is_closing ? PAUSE_MS : 0);
}

static void settle_entry(struct entry *entry, bool is_stored)
{
	entry->is_busy = false;
	if (entry->is_void)
		return;
	if (!is_stored) {
		entry->is_new = true;
		entry->ended_storing = 0;
		return;
	}
	if (entry->ended_storing == 0)
		return;
	entry->ended_count -= entry->ended_storing;
	memmove(entry->ended, entry->ended + entry->ended_storing,
		entry->ended_count * sizeof(*entry->ended));
	entry->ended_storing = 0;
}

/* Halves the batches to find the record that the database refuses. A refused record that is alone
 * in its batch waits for the next cycle. */
static void halve(struct records *records)
{
	if (records->count > 1) {
		records->limit = records->count / 2;
		records->cursor = 0;
		return;
	}
	if (!records->is_refused)
		log_warn("check", "the record of monitor %lld is refused: %s",
			 (long long)records->batch[0]->id, error_text(&records->part.error));
	records->is_refused = true;
	records->limit = 2;
}

static void finish(void *context)
{
	struct records *records = context;
	struct part *part = &records->part;
	struct recorder *recorder = part->recorder;
	enum result result = part->result;
	for (size_t i = 0; i < records->count; i++)
		settle_entry(records->batch[i], result == OK);
	for (size_t i = 0; records->has_begun && i < records->beginning_count; i++) {
		struct entry *entry = recorder_entry(recorder, records->beginnings[i].monitor_id);
		if (entry)
			entry->is_known = true;
	}
	if (result == E_FAILED)
		halve(records);
	else if (records->limit < CHECK_RECORDS_MAX)
		records->limit *= 2;
	if (result != OK) /* the records of this batch are tried again in another cycle */
		records->has_left_out = true;
	if (result == E_CONFLICT || result == E_FAILED)
		part->result = OK;
	part_finish(part, "records");
	if (recorder->remote)
		remote_keep(recorder->remote, false);
	records->count = 0;
	if (result == E_CONFLICT)
		recorder_lose(recorder);
	if (recorder->reports.count > 0)
		reports_start(&recorder->reports);
	part_start_in(part, 0);
	recorder_rest(recorder);
}

bool records_open(struct recorder *recorder)
{
	struct records *records = &recorder->records;
	records->limit = CHECK_RECORDS_MAX;
	records->batch = memory_needed(calloc(CHECK_RECORDS_MAX, sizeof(struct entry *)));
	records->records = memory_needed(calloc(CHECK_RECORDS_MAX, sizeof(*records->records)));
	records->beginnings =
		memory_needed(calloc(CHECK_RECORDS_MAX, sizeof(*records->beginnings)));
	return part_open(&records->part, run, finish, start, RECORDER_STORE_S * 1000);
}

bool records_close(struct records *records)
{
	if (!loop_job_close(&records->part.job))
		return false;
	free(records->batch);
	free(records->records);
	free(records->hours);
	free(records->beginnings);
	return true;
}
