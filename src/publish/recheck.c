#include "publish/recheck.h"

#include "publish/boot.h"
#include "store/publication.h"

static bool goes_on(const struct publish_run *run)
{
	return !run->goes_on || run->goes_on(run->context);
}

static enum result check_page(struct recheck *recheck, const struct publisher *publisher,
			      const struct publication_turn *row, struct error *error)
{
	struct publish_run *run = &recheck->run;
	struct error failure = { 0 };
	enum result result =
		publish_page(publisher, &(struct publish_order){ .page_id = row->id }, &failure);
	if (publish_ends(run, result)) {
		*error = failure;
		return result;
	}
	recheck->after = *row;
	run->published += result == OK;
	run->failed += result != OK;
	return OK;
}

static enum result check_pages(struct recheck *recheck, const struct publisher *publisher,
			       bool *is_more, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publication_turn_list list = { 0 };
	enum result result;
	arena_init(&arena, PUBLICATION_LIST_MAX_BYTES);
	do {
		arena_reset(&arena);
		result = publication_in_turn(publisher->db, &recheck->after, &arena, &list, error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			*is_more = !goes_on(&recheck->run);
			if (*is_more)
				return OK;
			result = check_page(recheck, publisher, &list.rows[i], error);
		}
	} while (result == OK && list.count == PUBLICATION_LIST_MAX);
	return result;
}

static enum result end_round(struct recheck *recheck, const struct pages_dir *dir,
			     struct error *error)
{
	size_t failed = recheck->run.failed;
	recheck->after = (struct publication_turn){ 0 };
	recheck->run.failed = 0;
	if (failed > 0)
		return error_log(error, E_FAILED, "%zu pages could not be compared", failed);
	enum result result = boot_record(dir, error);
	recheck->is_done = result == OK;
	return result;
}

enum result recheck_some(struct recheck *recheck, const struct publisher *publisher, bool *is_more,
			 struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	*is_more = false;
	if (recheck->is_done)
		return OK;
	enum result result = pages_dir_open(&dir, publisher->path, error);
	if (result != OK)
		return result;
	recheck->is_done = !boot_is_new(&dir);
	if (!recheck->is_done)
		result = check_pages(recheck, publisher, is_more, error);
	return result == OK && !*is_more && !recheck->is_done ? end_round(recheck, &dir, error)
							      : result;
}
