#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "check/checked.h"
#include "domain/field_table.h"

#define OWN(member, ...) FIELD(struct check_settings, member, __VA_ARGS__)
/* clang-format off */
static const struct field members[] = {
	CHECK_FIELDS(FIELD_OF_MEMBERS, struct check_settings)
	OWN(request_headers, FIELD_MEMBERS(struct check_header, &check_header_fields)),
	OWN(url), OWN(request_auth_password), OWN(has_lost_secrets),
};
/* clang-format on */
#undef OWN

/* Memory for copies of texts. If `at` is NULL, keep() only adds the sizes of texts to `bytes`. */
struct texts {
	char *at;
	size_t bytes;
};

static void keep(struct texts *texts, const char **text)
{
	if (!*text)
		return;
	size_t size = strlen(*text) + 1;
	if (texts->at) {
		memcpy(texts->at + texts->bytes, *text, size);
		*text = texts->at + texts->bytes;
	}
	texts->bytes += size;
}

/* Makes the settings point to copies of their texts in `texts`. */
static void keep_all(struct check_settings *settings, struct check_header *headers,
		     struct texts *texts)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (members[i].kind == FIELD_TEXT)
			keep(texts, FIELD_AT(settings, &members[i], const char *));
	for (size_t i = 0; i < settings->request_headers.count; i++) {
		keep(texts, &headers[i].key);
		keep(texts, &headers[i].value);
		headers[i].sealed = NULL;
	}
}

/* Returns a copy that stays valid after the list is gone. The caller releases it with free(). */
static struct check_settings *settings_copy(const struct check_settings *settings)
{
	size_t count = settings->request_headers.count;
	size_t head = sizeof(*settings) + count * sizeof(struct check_header);
	struct check_settings *copy = NULL;
	struct texts texts = { NULL, 0 };
	for (int pass = 0; pass < 2; pass++) {
		free(copy);
		copy = memory_needed(calloc(1, head + texts.bytes));
		struct check_header *headers = (void *)(copy + 1);
		*copy = *settings;
		if (count > 0)
			memcpy(headers, settings->request_headers.rows, count * sizeof(*headers));
		copy->request_headers.rows = headers;
		texts = (struct texts){ pass == 0 ? NULL : (char *)copy + head, 0 };
		keep_all(copy, headers, &texts);
	}
	return copy;
}

static bool settings_are_equal(const struct check_settings *one, const struct check_settings *other)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (!field_is_same(&members[i], one, other))
			return false;
	return true;
}

/* The state while a new list of monitors replaces the present list. */
struct merging {
	struct checker *checker;
	int64_t new_count; /* the number of monitors whose check is due now */
};

struct checked *checker_find(const struct checker *checker, int64_t id)
{
	size_t i = SORTED_POINTER_PLACE(struct checked, id, checker->rows, checker->count, id);
	return i < checker->count && checker->rows[i]->id == id ? checker->rows[i] : NULL;
}

static char *copy_text(const char *text)
{
	char *copy = memory_needed(strdup(text ? text : ""));
	return copy;
}

/* Cancels the monitor's timer and its check, and drops its `held` failure. */
static void stop(struct checked *checked)
{
	loop_timer_cancel(checked->checker->loop, &checked->timer);
	schedule_drop(checked);
	judge_forget(checked);
}

static void drop(struct checked *checked)
{
	stop(checked);
	hosts_leave(&checked->checker->schedule.hosts, checked->host);
	hosts_leave(&checked->checker->schedule.accounts, checked->account);
	free(checked->settings);
	free(checked->votes);
	free(checked->name);
	free(checked->tls_issuer);
	free(checked);
}

void checker_drop_all(struct checker *checker)
{
	/* First stop all monitors without a running check. Otherwise checks that wait would start
	 * when running checks are cancelled. */
	for (size_t i = 0; i < checker->count; i++)
		if (!checker->rows[i]->probe)
			stop(checker->rows[i]);
	for (size_t i = 0; i < checker->count; i++)
		drop(checker->rows[i]);
	free(checker->rows);
	checker->rows = NULL;
	checker->count = checker->open = checker->early_count = 0;
	checker->has_list = false;
}

/* Returns whether --once checks the monitor. Nine tenths of the interval suffice, since cron does
 * not start the program at exact times. */
static bool is_due(const struct checked *checked)
{
	const struct check_settings *settings = checked->settings;
	int64_t passed_s = checker_now(checked->checker).s - checked->state.checked_at.s;
	return settings->type == CHECK_HEARTBEAT || checked->state.checked_at.s == 0 ||
	       passed_s + settings->interval / 10 >= settings->interval || passed_s < 0 ||
	       checked->state.phase == CHECK_CONFIRMING;
}

/* Sets the time of the monitor's first check with these settings. */
static void begin(struct merging *merging, struct checked *checked, bool is_at_once)
{
	struct checker *checker = merging->checker;
	if (checker->settings.is_once && (checked->is_paused || !is_due(checked)))
		return;
	checked->is_open = checker->settings.is_once;
	checker->open += checked->is_open;
	is_at_once |= checker->settings.is_once;
	schedule_next(checked, is_at_once ? merging->new_count++ * CHECK_APART_MS : -1);
}

static void use_settings(struct checked *checked, const struct checked_monitor *monitor)
{
	struct hosts *hosts = &checked->checker->schedule.hosts;
	struct host *former = checked->host;
	free(checked->settings);
	free(checked->name);
	checked->settings = settings_copy(&monitor->settings);
	free(checked->votes);
	checked->votes = votes_new(checked->settings);
	checked->name = copy_text(monitor->name);
	checked->is_paused = monitor->is_paused;
	checked->host = hosts_take(hosts, monitor->account_id, checked->settings);
	if (former)
		hosts_leave(hosts, former);
	checked->due_ms = 0;
}

/* Makes the stored state of a monitor unknown if the monitor is paused, was not checked in time, or
 * cannot be checked now. */
static void lose_unchecked(struct checked *checked)
{
	const struct anchors *anchors = &checked->checker->anchors;
	const struct check_settings *settings = checked->settings;
	const struct instant now = checker_now(checked->checker);
	if (checked->is_paused)
		check_state_forget(&checked->state);
	/* After a gap, the next heartbeat is due a whole period from now. */
	bool waits_again = settings->type == CHECK_HEARTBEAT &&
			   checked->state.phase == CHECK_NO_DATA;
	if (judge_is_stale(checked, now))
		judge_unknown(checked, checked->state.checked_at, NULL);
	else if (checked->is_paused || waits_again)
		judge_unknown(checked, now, NULL);
	else if (anchors->is_cut_off)
		judge_lose(checked, anchors->good_at, "the checker is cut off");
}

static struct checked *add(struct merging *merging, const struct checked_monitor *monitor)
{
	struct checked *checked = memory_needed(calloc(1, sizeof(*checked)));
	checked->id = monitor->id;
	checked->checker = merging->checker;
	checked->state = monitor->state;
	check_state_restore(&checked->state);
	checked->hour = monitor->hour;
	checked->timer = (struct loop_timer){ .call = schedule_wake, .context = checked };
	checked->account =
		hosts_take(&merging->checker->schedule.accounts, monitor->account_id, NULL);
	use_settings(checked, monitor);
	checked->has_gap = monitor->has_gap;
	lose_unchecked(checked);
	begin(merging, checked, checked->state.checked_at.s == 0 || checked->votes);
	return checked;
}

static void change(struct merging *merging, struct checked *checked,
		   const struct checked_monitor *monitor)
{
	bool is_same = settings_are_equal(checked->settings, &monitor->settings);
	bool is_switched = checked->is_paused != monitor->is_paused;
	/* Another checker may have begun a gap while this checker did not have the lease. */
	checked->has_gap = monitor->has_gap;
	if (is_same && !is_switched) {
		free(checked->name);
		checked->name = copy_text(monitor->name);
		return;
	}
	if (is_switched)
		check_state_forget(&checked->state);
	stop(checked);
	use_settings(checked, monitor);
	/* While a monitor is paused, its state is unknown. After it was resumed, its next heartbeat
	 * is expected from this time on. */
	if (is_switched)
		judge_unknown(checked, checker_now(checked->checker), NULL);
	begin(merging, checked, true);
}

/* Compares the present and the new list, which are both sorted by id. */
void checker_take_list(void *context, const struct checked_list *list)
{
	struct merging merging = { .checker = context };
	struct checker *checker = context;
	size_t at = 0;
	if (!checker->has_lease || (checker->settings.is_once && checker->has_list))
		return;
	struct checked **former = checker->rows;
	struct checked **rows = memory_needed(calloc(list->count + 1, sizeof(*rows)));
	for (size_t i = 0; i < list->count; i++) {
		const struct checked_monitor *monitor = &list->rows[i];
		while (at < checker->count && former[at]->id < monitor->id)
			drop(former[at++]);
		if (at < checker->count && former[at]->id == monitor->id) {
			rows[i] = former[at++];
			change(&merging, rows[i], monitor);
		} else {
			rows[i] = add(&merging, monitor);
		}
	}
	while (at < checker->count)
		drop(former[at++]);
	free(former);
	checker->rows = rows;
	checker->count = list->count;
	checker->has_list = true;
	size_t early = checker->early_count;
	checker->early_count = 0;
	for (size_t i = 0; i < early; i++)
		if (checker_find(checker, checker->early[i].monitor_id))
			heartbeats_take(checker, &checker->early[i], 1);
}
