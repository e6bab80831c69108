/*
 * The locks of the pages folder, in files below DIR/lock: see pages_dir.h.
 *
 * A publisher locks its page (page-NN), and locks "all" shared. A remover, which removes folders,
 * locks "all" exclusively. With flock() alone, new publishers could lock "all" while a remover
 * waits for it, so that the remover waits forever. So both lock "gate" before "all":
 *
 *   publisher:  share "gate", share "all", leave "gate"
 *   remover:    lock "turn", lock "gate", lock "all", leave "gate"; keep "turn" and "all"
 *
 * - A remover that waits for "all" has "gate". So it waits only for the present publishers.
 * - A remover that has "all" has left "gate". New publishers then share "gate" and wait for "all".
 *   So the next remover gets "gate" only after these publishers have "all".
 * - "turn" lets only one remover wait for "gate", even if there are several.
 *
 * So a publisher waits at most until the present publishers have ended, and then one remover. A
 * remover waits at most for the present publishers, for one other remover, and for the publishers
 * that lock "all" after that remover.
 *
 * A process locks a page before "all". A process that has "all" must not wait for a second page:
 * if a remover has "gate", the two would wait for each other. So the process only tries to lock the
 * second page. During an upgrade, a program of an older version may lock "all" without "gate".
 */
#include <errno.h>
#include <sys/file.h>

#include "base/file_lock.h"
#include "publish/folder/folder.h"
#include "publish/folder/pages_dir.h"
#include "publish/folder/pages_folders.h"

/* A lock file. If the file is missing, and the disk is too full to create it, the folder other_fd
 * is locked instead. */
struct lock_file {
	const char *name;
	int other_fd;
};

static struct lock_file turn_of(const struct pages_dir *dir)
{
	return (struct lock_file){ "turn", dir->root_fd };
}

static struct lock_file gate_of(const struct pages_dir *dir)
{
	return (struct lock_file){ "gate", dir->place_fds[PAGES_STATE] };
}

static struct lock_file all_of(const struct pages_dir *dir)
{
	return (struct lock_file){ "all", dir->new_fd };
}

static struct lock_file page_of(const struct pages_dir *dir, int64_t page_id, char name[16])
{
	return (struct lock_file){ pages_lock_name(pages_dir_lock_number(page_id), name),
				   dir->lock_fd };
}

/* Returns the descriptor of the locked file; -1: see errno. */
static int lock(const struct pages_dir *dir, struct lock_file file, int operation, int64_t until_ms)
{
	int fd = pages_lock_open(dir->lock_fd, file.name);
	if (fd < 0 && (errno == ENOSPC || errno == EDQUOT))
		fd = folder_open(file.other_fd, ".");
	if (fd >= 0 && !file_lock(fd, operation, until_ms))
		file_unlock(&fd);
	return fd;
}

/* Returns the result for a failed lock, depending on errno: E_TOO_SLOW or E_FAILED. */
static enum result lock_failed(struct error *error, const char *name)
{
	return errno == EWOULDBLOCK
		       ? error_log(error, E_TOO_SLOW, "pages: others have locked %s", name)
		       : folder_failed(error, "cannot lock", name);
}

/* Shares "all". -1: see errno. */
static int share_all(const struct pages_dir *dir, int64_t until_ms)
{
	int gate_fd = lock(dir, gate_of(dir), LOCK_SH, until_ms);
	int all_fd = gate_fd < 0 ? -1 : lock(dir, all_of(dir), LOCK_SH, until_ms);
	file_unlock(&gate_fd);
	return all_fd;
}

int pages_dir_lock_number(int64_t page_id)
{
	return (int)(page_id % PAGES_LOCK_FILES);
}

enum result pages_dir_lock_page_until(const struct pages_dir *dir, int64_t page_id,
				      int64_t until_ms, struct pages_lock *its, struct error *error)
{
	char name[16];
	struct lock_file file = page_of(dir, page_id, name);
	*its = (struct pages_lock){ -1, lock(dir, file, LOCK_EX, until_ms) };
	if (its->turn_fd >= 0)
		its->all_fd = share_all(dir, until_ms);
	if (its->all_fd >= 0)
		return OK;
	enum result result = lock_failed(error, name);
	pages_dir_unlock(its);
	return result;
}

enum result pages_dir_lock_page(const struct pages_dir *dir, int64_t page_id,
				struct pages_lock *its, struct error *error)
{
	return pages_dir_lock_page_until(dir, page_id, FILE_LOCK_FOREVER, its, error);
}

/* Converts the result of a try to lock: if another process has the lock, returns OK with *is_free
 * false. */
static enum result tell_free(enum result result, const struct error *busy, bool *is_free,
			     struct error *error)
{
	*is_free = result == OK;
	if (result != OK && result != E_TOO_SLOW)
		*error = *busy;
	return result == E_TOO_SLOW ? OK : result;
}

enum result pages_dir_try_page(const struct pages_dir *dir, int64_t page_id, struct pages_lock *its,
			       bool *is_free, struct error *error)
{
	struct error busy = { 0 };
	return tell_free(pages_dir_lock_page_until(dir, page_id, FILE_LOCK_AT_ONCE, its, &busy),
			 &busy, is_free, error);
}

enum result pages_dir_await_page(const struct pages_dir *dir, int64_t page_id, int64_t until_ms,
				 struct error *error)
{
	char name[16];
	struct lock_file file = page_of(dir, page_id, name);
	int page_fd = lock(dir, file, LOCK_SH, until_ms);
	int all_fd = page_fd < 0 ? -1 : share_all(dir, until_ms);
	enum result result = all_fd < 0 ? lock_failed(error, name) : OK;
	file_unlock(&all_fd);
	file_unlock(&page_fd);
	return result;
}

enum result pages_dir_lock_all_until(const struct pages_dir *dir, int64_t until_ms,
				     struct pages_lock *its, struct error *error)
{
	*its = (struct pages_lock){ -1, lock(dir, turn_of(dir), LOCK_EX, until_ms) };
	int gate_fd = its->turn_fd < 0 ? -1 : lock(dir, gate_of(dir), LOCK_EX, until_ms);
	if (gate_fd >= 0)
		its->all_fd = lock(dir, all_of(dir), LOCK_EX, until_ms);
	file_unlock(&gate_fd);
	if (its->all_fd >= 0)
		return OK;
	enum result result = lock_failed(error, "all");
	pages_dir_unlock(its);
	return result;
}

enum result pages_dir_lock_all(const struct pages_dir *dir, struct pages_lock *its,
			       struct error *error)
{
	return pages_dir_lock_all_until(dir, FILE_LOCK_FOREVER, its, error);
}

enum result pages_dir_try_all(const struct pages_dir *dir, struct pages_lock *its, bool *is_free,
			      struct error *error)
{
	struct error busy = { 0 };
	return tell_free(pages_dir_lock_all_until(dir, FILE_LOCK_AT_ONCE, its, &busy), &busy,
			 is_free, error);
}

void pages_dir_unlock(struct pages_lock *its)
{
	file_unlock(&its->all_fd);
	file_unlock(&its->turn_fd);
}
