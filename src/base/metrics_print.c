/* The table of metrics, and its output in the text formats of Prometheus and OpenMetrics. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/metrics_cells.h"

const struct metrics_bucket metrics_buckets[METRICS_BUCKETS] = {
	{ 1000, "0.001" },    { 2500, "0.0025" },   { 5000, "0.005" },	{ 10000, "0.01" },
	{ 25000, "0.025" },   { 50000, "0.05" },    { 100000, "0.1" },	{ 250000, "0.25" },
	{ 500000, "0.5" },    { 1000000, "1.0" },   { 2500000, "2.5" }, { 5000000, "5.0" },
	{ 10000000, "10.0" }, { 30000000, "30.0" },
};

static const char *const label_names[METRIC_LABELS_COUNT] = {
	[LABEL_ROUTE] = "route",
	[LABEL_METHOD] = "method",
	[LABEL_STATUS] = "status",
	[LABEL_ERROR] = "class",
	[LABEL_RESULT] = "result",
	[LABEL_MIRROR] = "mirror",
	[LABEL_JOB] = "job",
	[LABEL_TYPE] = "type",
	[LABEL_CHECK_RESULT] = "result",
	[LABEL_STATE] = "state",
	[LABEL_ROLE] = "role",
	[LABEL_VERSION] = "version",
	[LABEL_MONITOR] = "monitor_id",
	[LABEL_NAME] = "name",
	[LABEL_ACCOUNT] = "account",
	[LABEL_DELIVERY] = "state",
};

#define OF_MONITOR \
	{ \
		LABEL_MONITOR, LABEL_NAME, LABEL_ACCOUNT \
	}

/* clang-format off */
const struct metric_row metrics_rows[METRICS] = {
	[METRIC_BUILD] = { "daymark_build_info", "The version of the program: always 1.",
		KIND_GAUGE, { LABEL_VERSION } },
	[METRIC_PROCESSES] = { "daymark_processes", "Processes of the service that run.",
		KIND_GAUGE, { LABEL_ROLE } },
	[METRIC_REQUESTS] = { "daymark_http_requests", "Requests that have their response.",
		KIND_COUNTER, { LABEL_ROUTE, LABEL_METHOD, LABEL_STATUS } },
	[METRIC_REQUEST_TIME] = { "daymark_http_request_duration_seconds",
		"Time from a complete request to the end of its response.",
		KIND_HISTOGRAM, { LABEL_ROUTE }, .is_micro = true },
	[METRIC_STATEMENTS] = { "daymark_db_statements", "Statements sent to the database.",
		KIND_COUNTER },
	[METRIC_DB_ERRORS] = { "daymark_db_errors", "Statements and connections that failed.",
		KIND_COUNTER, { LABEL_ERROR } },
	[METRIC_PAGES] = { "daymark_publish_pages", "Pages that were written to this disk.",
		KIND_COUNTER, { LABEL_RESULT } },
	[METRIC_PUBLISH_TIME] = { "daymark_publish_duration_seconds",
		"Time from the start of a page's publishing until its files are in place.",
		KIND_HISTOGRAM, .is_micro = true },
	[METRIC_OLDEST_CHANGE] = { "daymark_oldest_unpublished_change_seconds",
		"Age of the oldest change that was not published when the publisher last looked.",
		KIND_AGE },
	[METRIC_MIRROR_BEHIND] = { "daymark_mirror_behind_seconds",
		"Time since the mirror last had all pages; 0: it has them.",
		KIND_GAUGE, { LABEL_MIRROR } },
	[METRIC_MIRROR_WAITING] = { "daymark_mirror_pages_waiting",
		"Pages that are still to be sent to the mirror.", KIND_GAUGE, { LABEL_MIRROR } },
	[METRIC_JOBS] = { "daymark_worker_job_runs", "Runs of jobs of the background loop.",
		KIND_COUNTER, { LABEL_JOB, LABEL_RESULT } },
	[METRIC_JOB_TIME] = { "daymark_job_duration_seconds", "Duration of these runs.",
		KIND_HISTOGRAM, { LABEL_JOB }, .is_micro = true },
	[METRIC_CHECKS] = { "daymark_checks", "Checks of monitors that have ended.",
		KIND_COUNTER, { LABEL_TYPE, LABEL_CHECK_RESULT } },
	[METRIC_CHECK_LAG] = { "daymark_check_lag_seconds",
		"Time from the moment at which a check was due to its start.",
		KIND_HISTOGRAM, .is_micro = true },
	[METRIC_CHECK_TIME] = { "daymark_check_duration_seconds", "Duration of checks.",
		KIND_HISTOGRAM, { LABEL_TYPE }, .is_micro = true },
	[METRIC_MONITOR_STATES] = { "daymark_monitors",
		"Monitors that this machine checks, by their state.",
		KIND_GAUGE, { LABEL_STATE }, .is_fresh_only = true },
	[METRIC_CHECKER_LEASE] = { "daymark_checker_lease",
		"Whether the checker of this machine is the one that checks.",
		KIND_GAUGE, .is_fresh_only = true },
	[METRIC_MONITOR_UP] = { "daymark_monitor_up", "Whether the monitor is up.",
		KIND_GAUGE, OF_MONITOR },
	[METRIC_MONITOR_RESPONSE] = { "daymark_monitor_response_seconds",
		"Response time of the last successful check.",
		KIND_GAUGE, OF_MONITOR, .is_micro = true },
	[METRIC_MONITOR_TLS_EXPIRY] = { "daymark_monitor_tls_expiry_seconds",
		"Time until the certificate expires; negative afterwards.",
		KIND_GAUGE, OF_MONITOR },
	[METRIC_DELIVERIES] = { "daymark_deliveries",
		"Tries to send a message, by what came of them.",
		KIND_COUNTER, { LABEL_DELIVERY } },
	[METRIC_DELIVERIES_QUEUED] = { "daymark_deliveries_queued",
		"Messages that are to be sent or tried again.", KIND_GAUGE },
	[METRIC_OLDEST_DELIVERY] = { "daymark_oldest_delivery_seconds",
		"How long the oldest message that is due has waited.", KIND_GAUGE },
	[METRIC_OLDEST_EVENT] = { "daymark_oldest_unsent_event_seconds",
		"How long the oldest event has waited for a sender.", KIND_GAUGE },
	[METRIC_CHANNELS_SUSPENDED] = { "daymark_alert_channels_suspended",
		"Alert channels whose receivers refuse messages.", KIND_GAUGE },
	[METRIC_DROPPED] = { "daymark_metrics_dropped", "Counts for which there was no room.",
		KIND_COUNTER },
};
/* clang-format on */

static const char *const kind_words[] = {
	[KIND_COUNTER] = "counter",
	[KIND_GAUGE] = "gauge",
	[KIND_AGE] = "gauge",
	[KIND_HISTOGRAM] = "histogram",
};

/* Hashes the program's version and the names of all metrics by FNV-1a. */
uint64_t metrics_version(void)
{
	static const char version[] = PACKAGE_VERSION;
	uint64_t hash = 0xcbf29ce484222325U;
	for (size_t row = METRIC_NONE; row < METRICS; row++) {
		const char *text = row == METRIC_NONE ? version : metrics_rows[row].name;
		for (; *text; text++)
			hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
	}
	return hash;
}

static const char *suffix_of(const struct metric_row *row)
{
	return row->kind == KIND_COUNTER ? "_total" : "";
}

void metrics_print_head(const struct metrics_output *output, enum metric metric)
{
	const struct metric_row *row = &metrics_rows[metric];
	/* In OpenMetrics, the samples of a metric have the suffix, but its head does not. */
	const char *suffix = output->is_open_metrics ? "" : suffix_of(row);
	buf_printf(output->body, "# HELP %s%s %s\n# TYPE %s%s %s\n", row->name, suffix, row->help,
		   row->name, suffix, kind_words[row->kind]);
}

static void put_escaped(struct buf *body, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			buf_puts(body, "\\n");
		else if (*text == '\\' || *text == '"')
			buf_putc(body, '\\');
		if (*text != '\n')
			buf_putc(body, *text);
	}
}

static void put_label(struct buf *body, char before, const char *name, const char *value)
{
	buf_putc(body, before);
	buf_puts(body, name);
	buf_puts(body, "=\"");
	put_escaped(body, value);
	buf_putc(body, '"');
}

/* Prints the name and the labels of a sample. `le`: the label of a histogram's bucket, or NULL. */
static void put_name(struct buf *body, const struct metric_row *row, const char *suffix,
		     const char *const labels[METRIC_LABELS_MAX], const char *le)
{
	char before = '{';
	buf_puts(body, row->name);
	buf_puts(body, suffix);
	for (size_t i = 0; i < METRIC_LABELS_MAX && row->labels[i] != LABEL_NONE; i++) {
		put_label(body, before, label_names[row->labels[i]], labels[i]);
		before = ',';
	}
	if (le)
		put_label(body, before, "le", le);
	buf_puts(body, before == ',' || le ? "} " : " ");
}

static void put_number(struct buf *body, bool is_micro, int64_t value)
{
	enum { MILLION = 1000000 };
	if (is_micro)
		buf_printf(body, "%" PRId64 ".%06" PRId64 "\n", value / MILLION, value % MILLION);
	else
		buf_printf(body, "%" PRId64 "\n", value);
}

void metrics_print_value(const struct metrics_output *output, enum metric metric,
			 const char *const labels[METRIC_LABELS_MAX], int64_t value)
{
	const struct metric_row *row = &metrics_rows[metric];
	put_name(output->body, row, suffix_of(row), labels, NULL);
	put_number(output->body, row->is_micro, value);
}

static void put_histogram(struct buf *body, const struct metric_row *row,
			  const char *const labels[METRIC_LABELS_MAX], const int64_t *parts)
{
	int64_t count = 0;
	for (size_t i = 0; i <= METRICS_BUCKETS; i++) {
		count += parts[i];
		put_name(body, row, "_bucket", labels,
			 i < METRICS_BUCKETS ? metrics_buckets[i].le : "+Inf");
		put_number(body, false, count);
	}
	put_name(body, row, "_sum", labels, NULL);
	put_number(body, row->is_micro, parts[METRICS_SUM]);
	put_name(body, row, "_count", labels, NULL);
	put_number(body, false, count);
}

struct kept {
	uint64_t key;
	int64_t value;
};

static int compare(const void *a, const void *b)
{
	uint64_t left = ((const struct kept *)a)->key, right = ((const struct kept *)b)->key;
	return left < right ? -1 : left > right;
}

/* Copies the cells in the order of their keys. */
static size_t copy_cells(const struct metrics_memory *memory, struct kept *kept)
{
	size_t count = 0;
	for (size_t i = 0; i < METRICS_CELLS; i++) {
		const struct metrics_cell *cell = &memory->cells[i];
		kept[count] = (struct kept){ atomic_load(&cell->key), atomic_load(&cell->value) };
		count += kept[count].key != 0;
	}
	qsort(kept, count, sizeof(*kept), compare);
	return count;
}

static struct metric_words names[METRIC_LABELS_COUNT];

void metrics_name(enum metric_label label, const struct metric_words *words)
{
	names[label] = *words;
}

enum { NUMBER_SIZE = 8 };

static const char *word_of(const struct metrics_output *output, enum metric_label label,
			   unsigned value, char number[NUMBER_SIZE])
{
	const struct metric_words *words = output->words[label].words ? &output->words[label]
								      : &names[label];
	if (words->words)
		return value < words->count ? words->words[value] : "other";
	snprintf(number, NUMBER_SIZE, "%u", value);
	return number;
}

static bool is_fresh(int64_t set_at_ms)
{
	int64_t age_ms = clock_ms() - set_at_ms;
	return age_ms >= 0 && age_ms <= (int64_t)METRICS_FRESH_S * 1000;
}

/* Prints a series. `parts`: the values of its cells, by enum metrics_part. */
static void put_series(const struct metrics_output *output, enum metric metric, uint64_t key,
		       const int64_t *parts, int64_t now_s)
{
	const struct metric_row *row = &metrics_rows[metric];
	char numbers[METRIC_LABELS_MAX][NUMBER_SIZE];
	const char *labels[METRIC_LABELS_MAX];
	for (unsigned i = 0; i < METRIC_LABELS_MAX; i++)
		labels[i] = word_of(output, row->labels[i], (uint16_t)(key >> (40 - 16 * i)),
				    numbers[i]);
	if (row->kind == KIND_HISTOGRAM) {
		put_histogram(output->body, row, labels, parts);
		return;
	}
	int64_t value = parts[METRICS_VALUE];
	if (row->kind == KIND_AGE)
		value = value > 0 && value < now_s ? now_s - value : 0;
	metrics_print_value(output, metric, labels, value);
}

static void put_kept(const struct metrics_output *output, const struct kept *kept, size_t count,
		     int64_t now_s)
{
	enum metric headed = METRIC_NONE;
	for (size_t i = 0, end; i < count; i = end) {
		int64_t parts[METRICS_SUM + 1] = { 0 };
		enum metric metric = (enum metric)(kept[i].key >> 56);
		for (end = i; end < count && kept[end].key >> 8 == kept[i].key >> 8; end++)
			if ((kept[end].key & 0xff) <= METRICS_SUM)
				parts[kept[end].key & 0xff] = kept[end].value;
		/* Skip a gauge that was not set recently. Skip a key of no metric, which a damaged
		 * file may have. */
		if (metric == METRIC_NONE || metric >= METRICS ||
		    (metrics_rows[metric].is_fresh_only && !is_fresh(parts[METRICS_SET_AT])))
			continue;
		if (metric != headed)
			metrics_print_head(output, metric);
		headed = metric;
		put_series(output, metric, kept[i].key, parts, now_s);
	}
}

void metrics_print(const struct metrics_output *output, int64_t now_s)
{
	static const char *const none[METRIC_LABELS_MAX] = { 0 };
	struct metrics_memory *memory = metrics_memory();
	struct kept *kept = memory ? calloc(METRICS_CELLS + 1, sizeof(*kept)) : NULL;
	if (!kept)
		return;
	put_kept(output, kept, copy_cells(memory, kept), now_s);
	free(kept);
	metrics_print_head(output, METRIC_DROPPED);
	metrics_print_value(output, METRIC_DROPPED, none, (int64_t)atomic_load(&memory->dropped));
}

void metrics_print_end(const struct metrics_output *output)
{
	if (output->is_open_metrics)
		buf_puts(output->body, "# EOF\n");
}
