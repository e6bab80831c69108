/* Publishes several pages together: a few statements read all of them, and mark all of them as
 * published. */
#include "publish/page/page_job.h"

/* The memory for a group. Pages for which it has no room are published separately. */
#define GROUP_ARENA_MAX_BYTES ((size_t)64 << 20)

_Static_assert((int)PUBLISH_GROUP_MAX <= (int)PAGE_CONTENT_MAX, "a group is read at once");

struct member {
	struct page_job job;
	struct page_writing writing;
	struct publish_outcome *outcome;
	bool is_waiting; /* the page must be read and written; several members may share one
			    lock, which only one of them has */
	bool is_written;
	bool is_alone; /* is published separately */
};

struct group {
	struct publisher publisher; /* with the group's arena */
	struct pages_dir dir;
	struct member members[PUBLISH_GROUP_MAX];
	size_t count;
};

static void group_close(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		pages_dir_unlock(&group->members[i].job.lock);
	pages_dir_close(&group->dir);
}

/* Returns a waiting member whose page has the same lock file as this page, or NULL. */
static struct member *member_of_lock(struct group *group, int64_t page_id)
{
	for (size_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];
		if (member->is_waiting && pages_dir_lock_number(member->job.order->page_id) ==
						  pages_dir_lock_number(page_id))
			return member;
	}
	return NULL;
}

/* Ends the member's wait. Gives its lock to another waiting member of the same lock file, or
 * unlocks it. */
static void release_member(struct group *group, struct member *member)
{
	member->is_waiting = false;
	struct member *heir = member_of_lock(group, member->job.order->page_id);
	if (member->job.lock.turn_fd < 0)
		return;
	if (heir)
		heir->job.lock = member->job.lock;
	else
		pages_dir_unlock(&member->job.lock);
	member->job.lock = (struct pages_lock){ -1, -1 };
}

static void leave_group(struct group *group, struct member *member)
{
	release_member(group, member);
	member->is_alone = true;
}

static void end_member(struct group *group, struct member *member, enum result result,
		       const struct error *error)
{
	release_member(group, member);
	member->outcome->result = result;
	if (result != OK)
		member->outcome->error = *error;
}

/* Locks the page and reads its note. If another publisher has locked the page, the page leaves the
 * group: this process has other locks, and must not wait for one more. */
static void join_group(struct group *group, struct member *member,
		       const struct publish_order *order)
{
	struct page_job *job = &member->job;
	struct error ignored = { 0 };
	bool is_locked = member_of_lock(group, order->page_id) != NULL;
	enum result result = OK;
	page_job_start(job, &group->publisher, order, &group->dir);
	if (order->has_moved || order->at_hand_count > 0)
		result = E_REFUSED;
	else if (!is_locked)
		result = pages_dir_try_page(&group->dir, order->page_id, &job->lock, &is_locked,
					    &ignored);
	if (result == OK && is_locked)
		result = page_job_compare(job, &ignored);
	if (result != OK || !is_locked)
		leave_group(group, member);
	else if (job->is_done)
		end_member(group, member, OK, NULL);
	else
		member->is_waiting = true;
}

/* Lists the waiting members, and the ids of their pages. */
static size_t list_waiting(struct group *group, struct member **waiting, int64_t *ids)
{
	size_t count = 0;
	for (size_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];
		if (!member->is_waiting)
			continue;
		ids[count] = member->job.order->page_id;
		waiting[count++] = member;
	}
	return count;
}

/* Gives each member the content of its page. A page leaves the group, and is published separately,
 * if it is not found, if it needs the lock of all pages, or if memory is short. */
static size_t take_contents(struct group *group, const struct page_content_list *list,
			    struct member **waiting)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct page_job *job = &waiting[i]->job;
		page_job_take(job, &list->rows[i]);
		if (job->content.is_found && !page_job_needs_all(job) &&
		    arena_has_room(job->publisher->arena))
			waiting[count++] = waiting[i];
		else
			leave_group(group, waiting[i]);
	}
	return count;
}

/* Writes the new files of the pages under temporary names, and syncs them together. */
static void open_files(struct member *const *members, size_t count)
{
	struct page_writing *open[PUBLISH_GROUP_MAX];
	struct error error = { 0 };
	size_t open_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct publish_outcome *outcome = members[i]->outcome;
		outcome->result = page_job_open(&members[i]->job, &members[i]->writing, true,
						&outcome->error);
		if (outcome->result == OK && members[i]->writing.dir)
			open[open_count++] = &members[i]->writing;
	}
	if (page_writings_sync(open, open_count, &error) == OK)
		return;
	for (size_t i = 0; i < count; i++)
		if (members[i]->outcome->result == OK)
			*members[i]->outcome = (struct publish_outcome){ E_FAILED, error };
}

/* Writes the files of the pages that were read. The group holds the locks of all these pages. */
static void write_files(struct group *group, struct member *const *members, size_t count)
{
	open_files(members, count);
	for (size_t i = 0; i < count; i++) {
		struct member *member = members[i];
		struct error error = member->outcome->error;
		enum result result = page_job_commit(&member->job, &member->writing,
						     member->outcome->result, &error);
		member->is_written = result == OK;
		end_member(group, member, result, &error);
	}
}

/* Reads and writes the pages of all waiting members. E_UNAVAILABLE: the database cannot be
 * reached. */
static enum result write_members(struct group *group, struct error *error)
{
	struct member *waiting[PUBLISH_GROUP_MAX];
	int64_t ids[PUBLISH_GROUP_MAX];
	struct publisher *publisher = &group->publisher;
	size_t count;
	while ((count = list_waiting(group, waiting, ids)) > 0) {
		const struct page_content_query query = { ids, count, publisher->now,
							  publisher->until_ms };
		struct page_content_list list;
		struct error failure = { 0 };
		enum result result = arena_has_room(publisher->arena)
					     ? page_content_read(publisher->db, &query,
								 publisher->arena, &list, &failure)
					     : E_FAILED;
		if (result == E_UNAVAILABLE) {
			*error = failure;
			return result;
		}
		for (size_t i = 0; result != OK && i < count; i++)
			leave_group(group, waiting[i]);
		if (result == OK)
			write_files(group, waiting, take_contents(group, &list, waiting));
	}
	return OK;
}

/* Marks the rows one by one, because the database may refuse only some of them. Stops after two
 * refusals in a row: the database probably accepts no writes. */
static void mark_each(struct group *group)
{
	enum { REFUSALS_MAX = 2 };
	int refusals = 0;
	enum result result = OK;
	struct error error = { 0 };
	for (size_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];
		if (!member->is_written || !page_job_marks(&member->job))
			continue;
		struct publication_mark mark = page_job_mark(&member->job);
		if (refusals < REFUSALS_MAX)
			result = publication_mark_all_published(group->publisher.db, &mark, 1,
								group->publisher.arena, &error);
		refusals = publish_is_refused(result) ? refusals + 1 : 0;
		end_member(group, member, result, &error);
	}
}

static void mark_members(struct group *group)
{
	struct publication_mark marks[PUBLISH_GROUP_MAX];
	struct error error = { 0 };
	size_t count = 0;
	for (size_t i = 0; i < group->count; i++)
		if (group->members[i].is_written && page_job_marks(&group->members[i].job))
			marks[count++] = page_job_mark(&group->members[i].job);
	for (size_t i = 0; group->publisher.rest && i < count; i++)
		publish_mark_later(&group->publisher, marks[i]);
	if (count == 0 || group->publisher.rest)
		return;
	if (publication_mark_all_published(group->publisher.db, marks, count,
					   group->publisher.arena, &error) != OK)
		mark_each(group);
}

/* Writes the pages, and marks them as published. E_UNAVAILABLE: the database cannot be reached. */
static enum result publish_members(struct group *group, struct error *error)
{
	enum result result = write_members(group, error);
	/* Pages that cannot be marked stay unpublished in the database, and are published again
	 * later. */
	if (result == OK)
		mark_members(group);
	for (size_t i = 0; i < group->count; i++)
		if (group->members[i].is_waiting)
			leave_group(group, &group->members[i]);
	return result;
}

/* Publishes the page separately. If an earlier page has ended the run, this page has the same
 * outcome. */
static void publish_alone(const struct publisher *publisher, struct publish_run *run,
			  const struct publish_order *order, struct publish_outcome *last,
			  struct publish_outcome *outcome)
{
	if (!run->is_cut) {
		*last = (struct publish_outcome){ .result = OK };
		last->result = publish_page(publisher, order, &last->error);
		run->is_cut = publish_ends(run, last->result);
	}
	*outcome = *last;
}

static void start_group(struct group *group, const struct publish_order *orders, size_t count,
			struct publish_outcome *outcomes)
{
	for (size_t i = 0; i < count; i++) {
		struct member *member = &group->members[i];
		outcomes[i] = (struct publish_outcome){ .result = OK };
		member->outcome = &outcomes[i];
		join_group(group, member, &orders[i]);
		group->count++;
	}
}

void publish_group(const struct publisher *publisher, const struct publish_order *orders,
		   size_t count, struct publish_outcome *outcomes)
{
	struct arena arena CLEANUP(arena_done);
	struct group group CLEANUP(group_close) = { .publisher = *publisher,
						    .dir = PAGES_DIR_CLOSED };
	struct publish_outcome last = { .result = OK };
	struct publish_run alone = { 0 };
	struct error ignored = { 0 };
	arena_init(&arena, GROUP_ARENA_MAX_BYTES);
	group.publisher.arena = &arena;
	bool is_grouped = count > 1 && pages_dir_open(&group.dir, publisher->path, &ignored) == OK;
	if (is_grouped) {
		start_group(&group, orders, count, outcomes);
		last.result = publish_members(&group, &last.error);
		alone.is_cut = last.result != OK;
		arena_reset(&arena);
	}
	for (size_t i = 0; i < count; i++)
		if (!is_grouped || group.members[i].is_alone)
			publish_alone(publisher, &alone, &orders[i], &last, &outcomes[i]);
}
