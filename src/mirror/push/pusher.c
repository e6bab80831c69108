#include "mirror/push/pusher.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/fd.h"
#include "mirror/push/push_round.h"
#include "publish/folder/filled.h"

enum {
	ARENA_MAX_BYTES = 256 << 20,
	SHARED_PAUSES = 10, /* the pause after a search for changed shared data is this many
			       times as long as the processor time of the search */
};

const struct target_kind *target_kind_of(const struct mirror *mirror)
{
	switch (mirror->kind) {
	case MIRROR_HOST:
		return &target_host;
	case MIRROR_BUCKET:
		return &target_bucket;
	case MIRROR_COMMAND:
		return &target_command;
	}
	return NULL;
}

void pusher_init(struct pusher *pusher, const struct config *config, const struct mirror *mirror)
{
	*pusher = (struct pusher){
		.config = config,
		.mirror = mirror,
		.target = { .kind = target_kind_of(mirror), .mirror = mirror, .config = config },
		.dir = PAGES_DIR_CLOSED,
		.folder_fd = -1,
		.lock_fd = -1,
		.journal = JOURNAL_CLOSED,
		.table = MIRROR_TABLE_CLOSED,
		.is_comparing = true,
	};
	arena_init(&pusher->arena, ARENA_MAX_BYTES);
}

/* Closes everything; the pusher can then be opened again. */
static void close_all(struct pusher *pusher)
{
	if (pusher->is_target_open)
		pusher->target.kind->close(&pusher->target);
	pusher->is_target_open = false;
	pusher->has_compared = false;
	journal_close(&pusher->journal);
	mirror_table_close(&pusher->table);
	close_fd(&pusher->lock_fd);
	close_fd(&pusher->folder_fd);
	pusher->lock_fd = pusher->folder_fd = -1;
	pages_dir_close(&pusher->dir);
	arena_reset(&pusher->arena);
}

void pusher_done(struct pusher *pusher)
{
	close_all(pusher);
	pending_done(&pusher->pending);
	arena_done(&pusher->arena);
}

/* Copies the error's text to the status, as one line. */
static void set_error(struct pusher *pusher, const struct error *error)
{
	char *text = pusher->status.error;
	snprintf(text, sizeof(pusher->status.error), "%.390s", error_text(error));
	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
}

static void report_turn(struct pusher *pusher, const struct error *failure)
{
	const struct pusher_observer *observer = &pusher->observer;
	if (pusher->is_failing != (failure != NULL) && observer->turned)
		observer->turned(observer->context, pusher->mirror, failure);
	pusher->is_failing = failure != NULL;
}

static bool has_all_pages(const struct pusher *pusher)
{
	return pusher->pending.count == 0 && !pusher->is_comparing && !pusher->is_run_due;
}

static bool has_shared(const struct pusher *pusher)
{
	return !pusher->target.kind->send_shared ||
	       (!pusher->is_shared_due && !pusher->is_shared_begun);
}

static bool is_complete(const struct pusher *pusher)
{
	return has_all_pages(pusher) && has_shared(pusher);
}

/* Writes the status for other processes. If that fails, the other processes see an older status. */
static void write_status(struct pusher *pusher)
{
	struct error ignored = { 0 };
	struct mirror_status *status = &pusher->status;
	if (pusher->has_compared || pusher->pending.count > 0)
		status->waiting = (int64_t)pusher->pending.count;
	status->oldest = pending_oldest(&pusher->pending);
	const bool is_well = pusher->retry.failures == 0 && status->need == MIRROR_NEED_NONE;
	if (has_all_pages(pusher) && is_well)
		status->confirmed = pusher->journal.place;
	status->is_complete = is_complete(pusher) && is_well;
	if (status->is_complete)
		status->complete = boot_moment_now();
	if (pusher->folder_fd >= 0 &&
	    mirror_status_write(pusher->folder_fd, status, &ignored) != OK)
		return;
}

static const struct backoff_rule retry_rule = { .first_ms = PUSHER_RETRY_MS,
						.most_ms = PUSHER_RETRY_MAX_MS,
						.spread = BACKOFF_SPREAD };
static const struct backoff_rule urgent_rule = { .first_ms = PUSHER_URGENT_MS,
						 .most_ms = PUSHER_URGENT_MS,
						 .spread = BACKOFF_SPREAD };

static void postpone(struct pusher *pusher, const struct error *error)
{
	int64_t now_ms = clock_ms();
	/* A failed attempt for urgent pages does not delay the other pages. */
	if (now_ms >= pusher->retry.until_ms)
		backoff_fail(&pusher->retry, &retry_rule, now_ms);
	backoff_fail(&pusher->urgent, &urgent_rule, now_ms);
	pusher->is_comparing = true;
	pusher->status.failed_at = clock_now();
	pusher->status.need = push_need(pusher);
	set_error(pusher, error);
	report_turn(pusher, error);
	write_status(pusher);
}

static void note_success(struct pusher *pusher)
{
	pusher->retry = (struct backoff){ 0 };
	pusher->has_held = (pusher->has_held && pusher->pending.count > 0) ||
			   pusher->shared.failures > 0;
	if (!pusher->has_held) {
		pusher->status.failed_at = (struct instant){ 0 };
		pusher->status.error[0] = '\0';
	}
	pusher->status.need = push_need(pusher);
	if (pusher->status.need == MIRROR_NEED_NONE) {
		report_turn(pusher, NULL);
		return;
	}
	struct error need = { 0 };
	if (push_explain_need(pusher, &need) != OK) {
		pusher->status.failed_at = clock_now();
		set_error(pusher, &need);
		report_turn(pusher, &need);
	}
}

enum result pusher_open(struct pusher *pusher, bool *is_free, struct error *error)
{
	const char *name = pusher->mirror->name;
	*is_free = false;
	enum result result = pages_dir_open(&pusher->dir, pusher->config->pages_dir, error);
	if (result == OK)
		result = mirror_folder_make(&pusher->dir, name, &pusher->folder_fd, error);
	if (result == OK)
		result = mirror_lock(pusher->folder_fd, &pusher->lock_fd, error);
	if (result != OK || pusher->lock_fd < 0) {
		close_all(pusher);
		return result;
	}
	mirror_status_read(pusher->folder_fd, &pusher->status);
	result = mirror_table_open(&pusher->table, pusher->folder_fd, error);
	if (result == OK)
		result = pusher->target.kind->open(&pusher->target, pusher->mirror, pusher->config,
						   error);
	pusher->is_target_open = result == OK;
	*is_free = result == OK;
	if (result != OK) {
		postpone(pusher, error);
		close_all(pusher);
	}
	return result;
}

static enum result compare_if_due(struct pusher *pusher, struct error *error)
{
	if (!pusher->is_comparing && clock_ms() < pusher->compare_at_ms)
		return OK;
	enum result result = push_compare(pusher, error);
	pusher->compare_at_ms = clock_ms() + PUSHER_COMPARE_MS;
	pusher->has_compared |= result == OK;
	/* The mirror may now be another machine, so the shared data is due. */
	if (result == OK)
		pusher->is_shared_due = true;
	if (result == OK && pusher->shared.failures == 0)
		pusher->shared.until_ms = 0;
	/* If not all pages fit into the waiting pages, compare again when the waiting pages were
	 * sent. */
	if (result == OK && pusher->is_comparing && pusher->pending.count > 0)
		pusher->is_comparing = false, pusher->compare_at_ms = clock_ms();
	return result;
}

static enum result beat(struct pusher *pusher, struct error *error)
{
	const struct target_kind *kind = pusher->target.kind;
	pusher->beat_at_ms = clock_ms() + PUSHER_BEAT_MS;
	bool says_complete = is_complete(pusher) && push_need(pusher) == MIRROR_NEED_NONE;
	enum result result = kind->beat ? kind->beat(&pusher->target, says_complete, error) : OK;
	pusher->is_comparing |= pusher->target.is_changed;
	return result;
}

/* Whether the status must be written although no page was sent: the number of waiting pages
 * changed, or all changes up to a later place in the journal are confirmed. */
static bool has_read_more(const struct pusher *pusher)
{
	const struct journal_place *place = &pusher->journal.place;
	const struct journal_place *confirmed = &pusher->status.confirmed;
	if (pusher->status.waiting != (int64_t)pusher->pending.count)
		return true;
	return is_complete(pusher) && (place->offset != confirmed->offset ||
				       strcmp(place->generation, confirmed->generation) != 0);
}

static int64_t thread_time_us(void)
{
	struct timespec time = { 0 };
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/*
 * Sends the next part of the shared data. A failed part is tried again separately, so pages never
 * wait for it.
 */
static void push_shared(struct pusher *pusher)
{
	const struct target_kind *kind = pusher->target.kind;
	struct error failure = { 0 };
	int64_t begun_us = thread_time_us();
	bool is_new = !pusher->is_shared_begun, has_next = false;
	if (has_shared(pusher) || clock_ms() < pusher->shared.until_ms)
		return;
	if (is_new)
		pusher->shared_cost_us = 0;
	pusher->is_shared_begun = true;
	pusher->is_shared_due &= !is_new;
	pusher->target.gives_way = NULL;
	if (kind->send_shared(&pusher->target, is_new, &has_next, &failure) != OK) {
		backoff_fail(&pusher->shared, &retry_rule, clock_ms());
		pusher->status.failed_at = clock_now();
		set_error(pusher, &failure);
		return;
	}
	pusher->is_shared_begun = has_next;
	pusher->shared.failures = 0;
	pusher->shared_cost_us += thread_time_us() - begun_us;
	/* If there are very many former addresses, the search for changes takes long. So wait
	 * before the next search. */
	if (!has_next)
		pusher->shared.until_ms =
			clock_ms() + SHARED_PAUSES * pusher->shared_cost_us / 1000;
}

/* First sends urgent pages, also those that a comparison has just found. Then sends the shared
 * data, then a batch of the other pages. */
static enum result push_parts(struct pusher *pusher, struct error *error)
{
	bool is_whole = pusher->target.kind->is_whole;
	bool is_urgent = pusher->has_compared && pending_has_urgent(&pusher->pending, clock_ms());
	enum result result = is_urgent ? push_batch(pusher, true, error) : OK;
	if (result == OK && pending_has_urgent(&pusher->pending, clock_ms()) &&
	    pusher->has_compared)
		return OK;
	if (result == OK)
		result = compare_if_due(pusher, error);
	if (result != OK || pending_has_urgent(&pusher->pending, clock_ms()))
		return result == OK && !is_urgent ? push_batch(pusher, true, error) : result;
	push_shared(pusher);
	if (is_whole ? pusher->is_run_due || pusher->pending.count > 0 : pusher->pending.count > 0)
		result = push_batch(pusher, false, error);
	return result;
}

/* Returns E_REFUSED if the pages folder is not filled: the mirror would lose the pages that are
 * missing in the folder. */
static enum result check_filled(struct pusher *pusher, struct error *error)
{
	if (filled_is(&pusher->dir))
		return OK;
	pusher->status.need = MIRROR_NEED_FILL;
	return push_explain_need(pusher, error);
}

/* Compares if a comparison is due. Sends the next batch, or part of the shared data, and a beat.
 * Writes the status. */
static enum result push(struct pusher *pusher, bool *is_more, struct error *error)
{
	size_t sent = pusher->sent;
	bool has_run = pusher->target.kind->is_whole &&
		       (pusher->is_run_due || pusher->pending.count > 0);
	bool had_shared = has_shared(pusher);
	enum result result = check_filled(pusher, error);
	if (result == OK)
		result = push_parts(pusher, error);
	bool beats = has_run || pusher->sent > sent || (has_shared(pusher) && !had_shared) ||
		     clock_ms() >= pusher->beat_at_ms;
	if (result == OK && beats)
		result = beat(pusher, error);
	if (result != OK)
		return result;
	*is_more = (pusher->pending.count > 0 && pusher->sent > sent) ||
		   (!has_shared(pusher) && clock_ms() >= pusher->shared.until_ms) ||
		   pusher->target.is_changed;
	if (!beats && !has_read_more(pusher) && pusher->retry.failures == 0)
		return OK;
	note_success(pusher);
	write_status(pusher);
	if (pusher->observer.sent && pusher->sent > sent)
		pusher->observer.sent(pusher->observer.context, pusher->mirror, pusher->sent,
				      pusher->pending.count);
	return OK;
}

/* Whether an attempt is due. Urgent pages are tried sooner than other pages. */
static bool is_due(const struct pusher *pusher)
{
	int64_t now_ms = clock_ms();
	return now_ms >= pusher->retry.until_ms ||
	       (pusher->has_compared && now_ms >= pusher->urgent.until_ms &&
		pending_has_urgent(&pusher->pending, now_ms));
}

/* Closes and opens the pusher if the pages folder or the mirror's folder was replaced, emptied or
 * mounted, because the data in memory describes the old folder. */
static enum result reopen(struct pusher *pusher, bool *is_open, struct error *error)
{
	struct stat folder;
	*is_open = pusher->folder_fd >= 0 && fstat(pusher->folder_fd, &folder) == 0 &&
		   folder.st_nlink > 0 &&
		   pages_dir_is_current(&pusher->dir, pusher->config->pages_dir);
	if (*is_open)
		return OK;
	close_all(pusher);
	pending_done(&pusher->pending);
	pusher->is_comparing = true;
	pusher->has_compared = false;
	pusher->is_shared_begun = false;
	pusher->unconfirmed_count = 0;
	pusher->retry = pusher->urgent = pusher->shared = (struct backoff){ 0 };
	return pusher_open(pusher, is_open, error);
}

enum result pusher_turn(struct pusher *pusher, bool *is_more, struct error *error)
{
	bool is_open;
	*is_more = false;
	enum result result = reopen(pusher, &is_open, error);
	if (result != OK || !is_open)
		return result;
	result = push_read_journal(pusher, error);
	/* The background loop has filled the folder, so try again at once. */
	if (pusher->status.need == MIRROR_NEED_FILL && filled_is(&pusher->dir))
		pusher->retry.until_ms = 0;
	if (result == OK && !is_due(pusher))
		return OK;
	if (result == OK)
		result = push(pusher, is_more, error);
	if (result != OK)
		postpone(pusher, error);
	return result;
}

enum result pusher_once(struct pusher *pusher, struct error *error)
{
	bool is_more = true;
	enum result result = OK;
	pusher->is_comparing = true;
	pusher->retry.until_ms = 0;
	while (result == OK && (is_more || (!has_shared(pusher) && pusher->shared.failures == 0))) {
		pusher->shared.until_ms = 0;
		result = pusher_turn(pusher, &is_more, error);
	}
	if (result == OK && (pusher->pending.count > 0 || !has_shared(pusher) ||
			     pusher->status.need != MIRROR_NEED_NONE))
		result = error_log(error, E_FAILED, "%s", pusher->status.error);
	return result;
}
