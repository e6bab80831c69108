#include "mirror/receive/receiver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "mirror/receive/plan.h"
#include "publish/folder/folder.h"

#define FOLDER	   "received"
#define FILES	   "files"
#define BEAT_FILE  "beat"
#define COMPLETE   "complete"
#define INCOMPLETE "incomplete"

enum {
	FORGOTTEN_AFTER_S = 3600,
	SILENT_AFTER_S = 25, /* after this time without a beat the mirror counts as incomplete;
				an origin sends a beat every 10 seconds */
};

enum result receiver_open(struct receiver *receiver, const char *pages_path, struct error *error)
{
	bool is_new;
	enum result result = pages_dir_open(&receiver->dir, pages_path, error);
	if (result != OK)
		return result;
	receiver->folder_fd = folder_make(receiver->dir.root_fd, FOLDER, false, &is_new);
	if (receiver->folder_fd >= 0)
		receiver->files_fd = folder_make(receiver->folder_fd, FILES, false, &is_new);
	return receiver->files_fd >= 0 ? OK
				       : folder_failed(error, "cannot make the folder", FOLDER);
}

void receiver_close(struct receiver *receiver)
{
	close_fd(&receiver->folder_fd);
	close_fd(&receiver->files_fd);
	pages_dir_close(&receiver->dir);
	receiver->folder_fd = receiver->files_fd = -1;
}

/* Whether there is a plan. Opens no folder, to be fast: plain CGI calls receiver_recover() for each
 * request. */
static bool has_plan(const char *pages_path)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s/" FOLDER "/" PLAN_FILE, pages_path);
	return len < (int)sizeof(path) && access(path, F_OK) == 0;
}

enum result receiver_recover(const struct config *config, struct error *error)
{
	enum { ARENA_MAX_BYTES = 256 << 20 };
	struct arena arena CLEANUP(arena_done);
	struct site site;
	struct plan plan = { 0 };
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	bool is_free = false;
	arena_init(&arena, ARENA_MAX_BYTES);
	if (!has_plan(config->pages_dir))
		return OK;
	site_init(&site, config, &arena);
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	receiver.site = &site;
	receiver.arena = &arena;
	enum result result = receiver_open(&receiver, config->pages_dir, error);
	if (result == OK)
		result = pages_dir_try_all(&receiver.dir, &lock, &is_free, error);
	if (result != OK || !is_free)
		return result;
	result = plan_load(&receiver, &plan, error);
	return result == OK && plan.count > 0 ? plan_carry_out(&receiver, &plan, plan.count, error)
					      : result;
}

enum result receiver_read_beat(const struct receiver *receiver, struct receiver_beat *beat,
			       struct error *error)
{
	char text[BOOT_MOMENT_SIZE + sizeof(INCOMPLETE)];
	*beat = (struct receiver_beat){ 0 };
	ssize_t len = folder_read_some(receiver->folder_fd, BEAT_FILE, text, sizeof(text));
	if (len < 0 && errno == ENOENT)
		return OK;
	if (len < 0)
		return folder_failed(error, "cannot read", BEAT_FILE);
	struct str rest = { text, (size_t)len }, word;
	bool is_complete = str_split(&rest, ' ', &word) && str_eq(word, STR(COMPLETE));
	beat->is_known = true;
	if (rest.data && str_split(&rest, '\n', &word))
		beat->complete = boot_moment_parse(word);
	int64_t age_s = boot_moment_age_s(&beat->complete);
	beat->is_complete = is_complete && age_s >= 0 && age_s <= SILENT_AFTER_S;
	return OK;
}

static enum result put_beat(const struct receiver *receiver, const struct boot_moment *complete,
			    bool is_complete, struct error *error)
{
	char text[BOOT_MOMENT_SIZE + sizeof(INCOMPLETE)], moment[BOOT_MOMENT_SIZE];
	int fd = receiver->folder_fd;
	int len = snprintf(text, sizeof(text), "%s %s\n", is_complete ? COMPLETE : INCOMPLETE,
			   boot_moment_format(complete, moment));
	/* The file is not synced: the origin sends the next beat within seconds. */
	return folder_put(fd, fd, BEAT_FILE, (struct str){ text, (size_t)len }, false, error);
}

enum result receiver_write_beat(const struct receiver *receiver, bool is_complete,
				struct error *error)
{
	struct receiver_beat beat;
	enum result result = receiver_read_beat(receiver, &beat, error);
	if (result != OK)
		return result;
	if (!beat.is_known)
		return error_client(error, E_CONFLICT,
				    "The mirror's folder is new: compare the pages first.");
	if (is_complete)
		beat.complete = boot_moment_now();
	return put_beat(receiver, &beat.complete, is_complete, error);
}

enum result receiver_expect_beats(const struct receiver *receiver, struct error *error)
{
	struct receiver_beat beat;
	enum result result = receiver_read_beat(receiver, &beat, error);
	return result != OK || beat.is_known ? result
					     : put_beat(receiver, &beat.complete, false, error);
}

struct sweep {
	int folder_fd;
	struct instant now;
};

static void forget_old(void *context, const char *name)
{
	const struct sweep *sweep = context;
	struct stat status;
	if (fstatat(sweep->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    status.st_mtim.tv_sec + FORGOTTEN_AFTER_S < sweep->now.s)
		unlinkat(sweep->folder_fd, name, 0);
}

/* Removes the temporary files that no plan names. */
static enum result forget_new(const struct receiver *receiver, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct plan plan;
	bool is_free;
	enum result result = pages_dir_try_all(&receiver->dir, &lock, &is_free, error);
	if (result != OK || !is_free)
		return result;
	result = plan_load(receiver, &plan, error);
	return result == OK && plan.count == 0 ? pages_dir_forget_new(&receiver->dir, error)
					       : result;
}

enum result receiver_sweep(const struct receiver *receiver, struct instant now, struct error *error)
{
	struct sweep sweep = { receiver->files_fd, now };
	enum result result = folder_each(receiver->files_fd, forget_old, &sweep, error);
	return result == OK ? forget_new(receiver, error) : result;
}
