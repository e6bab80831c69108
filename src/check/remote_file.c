/* The file in which a checker outside the centre keeps its list and its unsent results. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/memory.h"
#include "check/remote_parts.h"
#include "publish/folder/folder.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* The least time between two writings of the file. KEEP_SENT_MS is used while the centre accepts
 * the results: the file is then needed only for a later start without the centre. */
enum { KEEP_MS = 10000, KEEP_SENT_MS = 600000 };
#define FILE_NAME "checks-of-location"

static void take_findings(struct remote *remote, struct json_object *tree)
{
	struct check_findings found = { 0 };
	if (!remote_decode(tree, check_findings_fields, &found, &remote->found))
		return;
	const struct check_finding *states = found.states.rows;
	const struct check_found_hour *hours = found.hours.rows;
	for (size_t i = 0; i < found.states.count; i++) {
		remote->states = arena_grow(&remote->found, remote->states, remote->state_count,
					    &remote->state_room, sizeof(*remote->states));
		remote->states[remote->state_count++] = states[i];
	}
	for (size_t i = 0; i < found.hours.count; i++) {
		remote->hours = arena_grow(&remote->found, remote->hours, remote->hour_count,
					   &remote->hour_room, sizeof(*remote->hours));
		remote->hours[remote->hour_count++] = hours[i];
	}
}

/* Reads the file: the results, and the list if the centre is away. */
static void read_lines(struct remote *remote, struct watch *watch, bool is_away)
{
	char *line = NULL;
	size_t room = 0;
	struct error error = { 0 };
	FILE *file = NULL;
	int fd = openat(AT_FDCWD, remote->recorder->config->pages_dir,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int file_fd = fd < 0 ? -1 : openat(fd, FILE_NAME, O_RDONLY | O_CLOEXEC);
	close_fd(&fd);
	if (file_fd >= 0)
		file = fdopen(file_fd, "r");
	for (ssize_t len; file && (len = getline(&line, &room, file)) > 0;) {
		struct json_object *tree = NULL;
		const struct str text = { line, (size_t)len };
		int64_t next;
		if (json_read_file(text, &tree, &error) != OK)
			continue;
		if (!json_member(tree, "data"))
			take_findings(remote, tree);
		else if (is_away && remote_take_part(watch, text, &next, &error) == OK)
			buf_add(&remote->list, line, text.len);
		json_free(tree);
	}
	free(line);
	if (file)
		fclose(file);
	watch->has_list = watch->has_list || watch->monitor_count > 0;
}

/* Replaces the results in the list by newer results from the file. */
static void overlay(const struct remote *remote, struct watch *watch)
{
	size_t state = 0, hour = 0;
	for (size_t i = 0; i < watch->monitor_count; i++) {
		struct checked_monitor *monitor = &watch->monitors[i];
		while (state < remote->state_count &&
		       remote->states[state].monitor_id < monitor->id)
			state++;
		while (hour < remote->hour_count && remote->hours[hour].monitor_id < monitor->id)
			hour++;
		if (state < remote->state_count &&
		    remote->states[state].monitor_id == monitor->id &&
		    remote->states[state].state.checked_at.s > monitor->state.checked_at.s) {
			monitor->state = remote->states[state].state;
			snprintf(monitor->state.cause, sizeof(monitor->state.cause), "%s",
				 remote->states[state].cause ? remote->states[state].cause : "");
		}
		for (; hour < remote->hour_count && remote->hours[hour].monitor_id == monitor->id;
		     hour++) {
			const struct check_hour *sums = &remote->hours[hour].sums;
			if (sums->hour.s > monitor->hour.hour.s ||
			    (sums->hour.s == monitor->hour.hour.s &&
			     sums->checks > monitor->hour.checks))
				monitor->hour = *sums;
		}
	}
}

static void forget(struct remote *remote)
{
	remote->states = NULL;
	remote->hours = NULL;
	remote->state_count = remote->state_room = remote->hour_count = remote->hour_room = 0;
	arena_reset(&remote->found);
}

void remote_take_list(struct remote *remote)
{
	buf_clear(&remote->kept);
	buf_add(&remote->kept, remote->list.data, remote->list.len);
	remote->is_changed = true;
	for (size_t i = 0; i < remote->hour_count; i++) {
		struct entry *entry = recorder_entry(remote->recorder, remote->hours[i].monitor_id);
		if (entry && remote->hours[i].sums.hour.s < entry->record.hour.hour.s) {
			entry_keep_hour(entry, &remote->hours[i].sums);
			entry->is_new = true;
		}
	}
	forget(remote);
}

void remote_read_file(struct remote *remote, struct watch *watch, bool is_away)
{
	forget(remote);
	if (is_away)
		watch->monitor_count = 0; /* drop the parts that came before the centre was away */
	read_lines(remote, watch, is_away);
	overlay(remote, watch);
}

/* Prints all results, in the form in which they are sent to the centre. */
static void print_all(struct buf *out, const struct recorder *recorder)
{
	struct check_record *records = memory_needed(calloc(CHECK_FINDINGS_MAX, sizeof(*records)));
	struct checked_hour hours[CHECK_FINDINGS_MAX];
	struct check_batch batch = { records, 0, hours, 0 };
	for (size_t i = 0; i < recorder->entry_count; i++) {
		const struct entry *entry = recorder->entries[i];
		bool is_last = i + 1 == recorder->entry_count;
		for (size_t at = 0; at < entry->ended_count; at++)
			hours[batch.hour_count++] =
				(struct checked_hour){ entry->id, entry->ended[at], 0, 0, 0 };
		hours[batch.hour_count++] =
			(struct checked_hour){ entry->id, entry->record.hour, 0, 0, 0 };
		records[batch.count++] = entry->record;
		if (!is_last && batch.count < CHECK_FINDINGS_MAX &&
		    batch.hour_count + RECORDER_HOURS_MAX < CHECK_FINDINGS_MAX)
			continue;
		remote_print(out, &batch);
		buf_putc(out, '\n');
		batch.count = batch.hour_count = 0;
	}
	free(records);
}

static bool write_file(int folder, const struct buf *text)
{
	int fd CLEANUP(close_fd) =
		openat(folder, FILE_NAME ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	/* After a power cut the folder has the old file or the whole new one. */
	return fd >= 0 && folder_write_all(fd, (struct str){ text->data, text->len }) &&
	       fdatasync(fd) == 0 && renameat(folder, FILE_NAME ".new", folder, FILE_NAME) == 0;
}

void remote_keep(struct remote *remote, bool is_urgent)
{
	const struct recorder *recorder = remote->recorder;
	const char *path = recorder->config->pages_dir;
	struct buf text CLEANUP(buf_done) = BUF_INIT(REMOTE_LIST_BYTES);
	int64_t now_ms = clock_ms();
	bool is_sent = recorder->records.part.result == OK && !remote->is_changed;
	int64_t wait_ms = is_sent ? KEEP_SENT_MS : KEEP_MS;
	/* Without a lease all results are void. */
	if (remote->kept.len == 0 || !recorder->is_held ||
	    (!is_urgent && now_ms < remote->kept_at_ms + wait_ms))
		return;
	remote->kept_at_ms = now_ms;
	int folder CLEANUP(close_fd) = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	buf_add(&text, remote->kept.data, remote->kept.len);
	print_all(&text, recorder);
	remote->is_changed = false;
	if (folder < 0 || !buf_ok(&text) || !write_file(folder, &text))
		log_warn("check", "%s: what is found cannot be kept", path);
}
