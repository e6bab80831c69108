/* daymarkctl mirror status, mirror push, and --wait of other commands */
#include "ctl/mirrors.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "mirror/origin_link.h"
#include "mirror/push/unconfirmed.h"
#include "wire/json.h"

enum { STEP_MS = 200, WAIT_DEFAULT_S = 60, WAIT_MAX_S = 86400 };

static const char *const kind_names[] = {
	[MIRROR_HOST] = "host",
	[MIRROR_BUCKET] = "bucket",
	[MIRROR_COMMAND] = "command",
};

int ctl_mirrors(struct ctl *ctl, struct mirrors *mirrors)
{
	enum result result = mirrors_parse(&ctl->config, &ctl->arena, mirrors, &ctl->error);
	return result == OK ? CTL_OK : ctl_fail(ctl, result, "%s: [mirrors]", ctl->config_path);
}

static int open_pages(struct ctl *ctl, struct pages_dir *dir)
{
	enum result result = pages_dir_open(dir, ctl->config.pages_dir, &ctl->error);
	return result == OK ? CTL_OK : ctl_fail(ctl, result, "the pages folder cannot be opened");
}

/* Finds the configured mirror `name`; NULL: finds all mirrors. Fails if no mirror is found. */
static int choose_mirrors(struct ctl *ctl, const char *name, struct mirrors *mirrors)
{
	int status = ctl_mirrors(ctl, mirrors);
	if (status != CTL_OK)
		return status;
	if (mirrors->count == 0)
		return ctl_fail(ctl, E_NOT_FOUND, "%s has no mirror", ctl->config_path);
	for (size_t i = 0; name && i < mirrors->count; i++)
		if (strcmp(mirrors->rows[i].name, name) == 0) {
			*mirrors = (struct mirrors){ &mirrors->rows[i], 1 };
			return CTL_OK;
		}
	return name ? ctl_fail_find(ctl, E_NOT_FOUND, "mirror", name) : CTL_OK;
}

static const char *state_of(struct ctl *ctl, const struct mirror_report *report)
{
	const struct mirror_status *status = &report->status;
	struct arena *arena = &ctl->arena;
	if (report->is_complete)
		return "complete";
	if (status->need != MIRROR_NEED_NONE)
		return mirror_need_text(status->need);
	const struct instant complete = status->complete.at;
	const char *since = complete.s > 0
				    ? arena_printf(arena, " since %s", ctl_time(arena, complete))
				    : ", and was never complete";
	if (status->waiting < 0)
		return complete.s > 0 ? arena_printf(arena, "not compared%s", since)
				      : "never complete";
	if (status->waiting == 0)
		return arena_printf(arena, "has not confirmed everything%s", since);
	if (status->oldest.s > 0)
		since = arena_printf(arena, " since %s", ctl_time(arena, status->oldest));
	return arena_printf(arena, "behind by %s%s", ctl_count(arena, status->waiting, "page"),
			    since);
}

/* Returns the mirror's error without the text of its `need`; "-": no text remains. */
static const char *detail_of(const struct mirror_status *status)
{
	const char *need = mirror_need_text(status->need), *detail = status->error;
	const char *repeated = need ? strstr(detail, need) : NULL;
	if (repeated)
		detail = repeated + strlen(need);
	detail += strspn(detail, ":, ");
	return detail[0] ? detail : "-";
}

static struct json_object *report_tree(const struct mirror_report *report)
{
	const struct mirror_status *status = &report->status;
	struct json_object *tree = json_object_tree();
	json_put_text(tree, "name", report->mirror->name);
	json_put_text(tree, "kind", kind_names[report->mirror->kind]);
	json_put_bool(tree, "complete", report->is_complete);
	json_put_text(tree, "needs", mirror_need_text(status->need));
	json_put_int_or_null(tree, "age_s", report->age_s >= 0, report->age_s);
	json_put_int_or_null(tree, "pages_waiting", status->waiting >= 0, status->waiting);
	json_put_time(tree, "complete_at", status->complete.at);
	json_put_time(tree, "oldest_waiting_at", status->oldest);
	json_put_time(tree, "failed_at", status->failed_at);
	json_put_text(tree, "error", status->error[0] ? status->error : NULL);
	return tree;
}

static int status_run(struct ctl *ctl)
{
	static const struct ctl_column columns[] = {
		{ .head = "MIRROR" },
		{ .head = "KIND" },
		{ .head = "STATE" },
		{ .head = "LAST ERROR" },
		{ 0 },
	};
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	struct ctl_listing listing;
	bool is_complete = true;
	int status = choose_mirrors(ctl, NULL, &mirrors);
	if (status != CTL_OK)
		return status;
	enum result result = pages_dir_open(&dir, ctl->config.pages_dir, &ctl->error);
	ctl_listing_start(&listing, ctl, columns);
	for (size_t i = 0; result == OK && i < mirrors.count; i++) {
		struct mirror_report report;
		mirror_report(&dir, &mirrors.rows[i], &report);
		is_complete &= report.is_complete;
		json_append(listing.array, report_tree(&report));
		ctl_table_cell(&listing.table, "%s", report.mirror->name);
		ctl_table_cell(&listing.table, "%s", kind_names[report.mirror->kind]);
		ctl_table_cell(&listing.table, "%s", state_of(ctl, &report));
		ctl_table_cell(&listing.table, "%s", detail_of(&report.status));
	}
	status = ctl_listing_end(&listing, result, "state of the mirrors");
	return status == CTL_OK && !is_complete ? CTL_FAILED : status;
}

const struct ctl_command mirror_status_command = {
	.words = "mirror status",
	.summary = "Show which mirrors have all pages; exit status 1 if a mirror lacks "
		   "pages",
	.run = status_run,
};

static void show_sent(void *context, const struct mirror *mirror, size_t sent, size_t waiting)
{
	const struct ctl *ctl = context;
	if (isatty(STDERR_FILENO) && !ctl->is_json)
		ctl_line(stderr, "mirror %s: %zu pages sent, %zu to go", mirror->name, sent,
			 waiting);
}

/* Pushes to one mirror, unless another process pushes to it: then sets *is_free to false. */
static enum result push_one(struct ctl *ctl, const struct mirror *mirror, bool *is_free)
{
	struct pusher pusher CLEANUP(pusher_done);
	struct error error = { 0 };
	/* A write to a connection that the mirror has closed must not end the program. */
	signal(SIGPIPE, SIG_IGN);
	pusher_init(&pusher, &ctl->config, mirror);
	pusher.observer = (struct pusher_observer){ .sent = show_sent, .context = ctl };
	enum result result = pusher_open(&pusher, is_free, &error);
	if (result == OK && *is_free)
		result = pusher_once(&pusher, &error);
	if (result != OK)
		ctl_line(stderr, "daymarkctl: mirror %s: %s", mirror->name, error_text(&error));
	return result;
}

int ctl_push_once(struct ctl *ctl, const struct mirrors *mirrors)
{
	int status = CTL_OK;
	for (size_t i = 0; i < mirrors->count; i++) {
		bool is_free;
		if (push_one(ctl, &mirrors->rows[i], &is_free) != OK)
			status = CTL_FAILED;
	}
	return status;
}

/* The state of a command that waits until mirrors have the changes up to `end` in the journal.
 * is_of_everything: waits for pages and shared data; false: only for pages. */
struct waiting {
	struct ctl *ctl;
	const struct pages_dir *dir;
	struct journal_place end;
	bool is_of_everything;
};

static bool is_up_to_date(const struct waiting *waiting, const struct mirror *mirror)
{
	return waiting->is_of_everything
		       ? mirror_is_complete(waiting->dir, mirror, &waiting->end)
		       : mirror_has_confirmed(waiting->dir, mirror, &waiting->end);
}

/* Returns whether the mirror is up to date. Every two seconds also pushes to the mirror, unless
 * another process does. */
static bool look_or_push(const struct waiting *waiting, const struct mirror *mirror, int step)
{
	enum { STEPS_BETWEEN = 10 };
	bool is_free;
	if (is_up_to_date(waiting, mirror))
		return true;
	if (step % STEPS_BETWEEN != 1)
		return false;
	return (push_one(waiting->ctl, mirror, &is_free) == OK && is_free) ||
	       is_up_to_date(waiting, mirror);
}

int ctl_wait_seconds(struct ctl *ctl, int64_t *seconds)
{
	const char *text = ctl_option(ctl, "wait");
	*seconds = text ? WAIT_DEFAULT_S : 0;
	if (!text || text[0] == '\0' ||
	    (str_to_int64(str_from(text), seconds) && *seconds > 0 && *seconds <= WAIT_MAX_S))
		return CTL_OK;
	return ctl_usage(ctl, "--wait must be a number of seconds from 1 to %d", WAIT_MAX_S);
}

/* Prints the names of the mirrors that are still behind. */
static int say_pending(const struct waiting *waiting, const struct mirrors *mirrors,
		       int64_t seconds)
{
	struct arena *arena = &waiting->ctl->arena;
	const char *names = "";
	for (size_t i = 0; i < mirrors->count; i++)
		if (!is_up_to_date(waiting, &mirrors->rows[i]))
			names = arena_printf(arena, "%s%s%s", names, names[0] ? ", " : "",
					     mirrors->rows[i].name);
	ctl_line(stderr,
		 "daymarkctl: after %lld seconds these mirrors have not confirmed all %s: %s; see "
		 "`daymarkctl mirror status`",
		 (long long)seconds, waiting->is_of_everything ? "changes" : "pages", names);
	return CTL_PENDING;
}

/* Waits at most for the time in --wait; without the option, returns at once. */
static int await(const struct waiting *waiting, const struct mirrors *mirrors)
{
	struct ctl *ctl = waiting->ctl;
	int64_t seconds;
	int status = ctl_wait_seconds(ctl, &seconds);
	if (status != CTL_OK || seconds == 0)
		return status;
	int64_t until_ms = clock_ms() + seconds * 1000;
	size_t next = 0;
	for (int step = 0; next < mirrors->count && clock_ms() < until_ms; step++) {
		if (look_or_push(waiting, &mirrors->rows[next], step)) {
			next++;
			continue;
		}
		if (step == 0 && isatty(STDERR_FILENO) && !ctl->is_json)
			ctl_line(stderr, "waiting for mirror %s", mirrors->rows[next].name);
		poll(NULL, 0, STEP_MS);
	}
	return next == mirrors->count ? CTL_OK : say_pending(waiting, mirrors, seconds);
}

int ctl_open_mirrors(struct ctl *ctl, struct mirrors *mirrors, struct pages_dir *dir)
{
	int status = choose_mirrors(ctl, ctl_option(ctl, "name"), mirrors);
	if (status == CTL_OK)
		status = ctl_wait_seconds(ctl, &(int64_t){ 0 });
	return status == CTL_OK ? open_pages(ctl, dir) : status;
}

int ctl_await_complete(struct ctl *ctl, const struct pages_dir *dir, const struct mirrors *mirrors)
{
	const struct waiting waiting = { ctl, dir, journal_end(dir), true };
	return await(&waiting, mirrors);
}

int ctl_await_mirrors(struct ctl *ctl)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	int status = ctl_mirrors(ctl, &mirrors);
	if (status == CTL_OK)
		status = open_pages(ctl, &dir);
	if (status != CTL_OK)
		return status;
	const struct waiting waiting = { ctl, &dir, journal_end(&dir), false };
	return await(&waiting, &mirrors);
}

/* Confirms what the mirror's status asks the operator to confirm: pages, or a new signing key. A
 * question that comes after this function has read the status stays open. */
static enum result confirm(struct ctl *ctl, const struct pages_dir *dir,
			   const struct mirror *mirror)
{
	struct mirror_status status;
	struct origin_link link;
	size_t count;
	int folder_fd CLEANUP(close_fd) = mirror_folder_open(dir, mirror->name);
	if (folder_fd < 0)
		return OK;
	mirror_status_read(folder_fd, &status);
	if (status.need == MIRROR_NEED_CONFIRM)
		return unconfirmed_confirm(dir, folder_fd, &ctl->arena, &count, &ctl->error);
	if (status.need != MIRROR_NEED_KEY)
		return OK;
	enum result result = origin_link_read(dir, mirror->name, &link, &ctl->error);
	link.replaces_key = true;
	return result == OK ? origin_link_write(dir, mirror->name, &link, &ctl->error) : result;
}

static enum result confirm_all(struct ctl *ctl, const struct pages_dir *dir,
			       const struct mirrors *mirrors)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < mirrors->count; i++)
		result = confirm(ctl, dir, &mirrors->rows[i]);
	return result;
}

/* Says how many mirrors are complete, by the same rule as `mirror status`. */
static void say_pushed(struct ctl *ctl, const struct pages_dir *dir, const struct mirrors *mirrors,
		       size_t failed)
{
	struct json_object *tree = json_object_tree();
	size_t complete = 0;
	for (size_t i = 0; i < mirrors->count; i++) {
		struct mirror_report report;
		mirror_report(dir, &mirrors->rows[i], &report);
		complete += report.is_complete;
	}
	size_t rest = complete + failed < mirrors->count ? mirrors->count - complete - failed : 0;
	json_put_int(tree, "complete", (int64_t)complete);
	json_put_int(tree, "failed", (int64_t)failed);
	json_put_int(tree, "asked", (int64_t)rest);
	ctl_say(ctl, tree, "%s complete, %zu failed, %zu compared by the running service.",
		ctl_count(&ctl->arena, (int64_t)complete, "mirror"), failed, rest);
}

static int push_run(struct ctl *ctl)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	size_t failed = 0;
	bool is_busy = false;
	int status = ctl_open_mirrors(ctl, &mirrors, &dir);
	if (status != CTL_OK)
		return status;
	enum result result = OK;
	if (ctl_option(ctl, "confirm") && (result = confirm_all(ctl, &dir, &mirrors)) != OK)
		return ctl_fail(ctl, result, "the confirmation cannot be stored");
	for (size_t i = 0; i < mirrors.count; i++) {
		bool is_free = false;
		result = push_one(ctl, &mirrors.rows[i], &is_free);
		failed += result != OK;
		is_busy |= result == OK && !is_free;
	}
	if (is_busy)
		journal_add_all(&dir);
	status = failed > 0 ? CTL_FAILED : ctl_await_complete(ctl, &dir, &mirrors);
	say_pushed(ctl, &dir, &mirrors, failed);
	return status;
}

const struct ctl_command mirror_push_command = {
	.words = "mirror push",
	.summary = "Compare all pages with the mirrors now, and send the missing ones",
	.run = push_run,
	.options = {
		{ "name", "NAME", "this mirror only" },
		{ "confirm", NULL, "confirm the step for which `mirror status` asks" },
		CTL_WAIT_OPTION,
	},
};
