#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "domain/page/published_file.h"
#include "mirror/mirror_state.h"
#include "mirror/target/bucket.h"
#include "publish/page/page_state.h"

enum {
	CHANGES_MAX = 64, /* changes that are prepared at once */
	FOLDERS_MAX = 2,  /* the most folders of a page */
	OWN_ARENA_BYTES = 1 << 20,
	BATCH_ARENA_BYTES = 256 << 20,
};

bool bucket_may_have(const struct page_copy *page)
{
	return !page->is_gone && (page->place == PAGES_PUBLIC || page->place == PAGES_NOINDEX);
}

bool bucket_may_have_file(const char *name)
{
	return published_file_type(name) != NULL;
}

static void close_target(struct target *target)
{
	struct bucket *bucket = target->own;
	if (!bucket)
		return;
	s3_close(&bucket->s3);
	bucket_folders_close(&bucket->folders);
	close_fd(&bucket->folder_fd);
	pages_dir_close(&bucket->dir);
	arena_done(&bucket->arena);
	free(bucket);
	target->own = NULL;
}

static enum result open_target(struct target *target, const struct mirror *mirror,
			       const struct config *config, struct error *error)
{
	struct bucket *bucket = calloc(1, sizeof(*bucket));
	target->own = bucket;
	if (!bucket)
		return error_log(error, E_FAILED, "no memory for mirror %s", mirror->name);
	bucket->dir = PAGES_DIR_CLOSED;
	bucket->folder_fd = -1;
	arena_init(&bucket->arena, OWN_ARENA_BYTES);
	bucket->title = arena_printf(&bucket->arena, "Mirror of Daymark at %s\n",
				     config->base_url ? config->base_url : "an unnamed address");
	enum result result = pages_dir_open(&bucket->dir, config->pages_dir, error);
	if (result == OK)
		result = mirror_folder_make(&bucket->dir, mirror->name, &bucket->folder_fd, error);
	if (result == OK)
		result = s3_open(&bucket->s3, mirror, &bucket->arena, error);
	if (result != OK)
		close_target(target);
	return result;
}

/* Changes that are sent together. */
struct queue {
	struct bucket *bucket;
	struct s3_change changes[CHANGES_MAX];
	struct bucket_object *objects[CHANGES_MAX]; /* objects[i] is the object of changes[i] in
						       a record */
	size_t count;
	struct arena *lasting; /* owns ETags and hashes that are copied into records */
	struct arena arena;
};

static enum result flush(struct queue *queue, struct error *error)
{
	enum result result = s3_change_all(&queue->bucket->s3, queue->changes, queue->count,
					   &queue->arena, error);
	for (size_t i = 0; result == OK && i < queue->count; i++) {
		const struct s3_change *change = &queue->changes[i];
		struct bucket_object *object = queue->objects[i];
		object->etag = arena_strdup(queue->lasting, change->etag);
		if (object->file)
			object->sha256 = secret_to_hex(queue->lasting, change->sha256,
						       sizeof(change->sha256));
	}
	queue->count = 0;
	arena_reset(&queue->arena);
	return result;
}

/* Adds a change to the queue: the writing or the deletion of an object. If the queue is full, first
 * sends it. */
static enum result add(struct queue *queue, const char *folder, struct bucket_object *object,
		       struct error *error)
{
	const struct page_copy_file *file = object->file;
	enum result result = queue->count == CHANGES_MAX ? flush(queue, error) : OK;
	struct s3_change *change = &queue->changes[queue->count];
	*change = (struct s3_change){
		.key = arena_printf(&queue->arena, "%s/%s", folder, object->name), .fd = -1
	};
	queue->objects[queue->count++] = object;
	if (!file)
		return result;
	change->content_type = published_file_type(file->name);
	change->cache_control = published_file_is_hashed(file->name) ? published_file_cache_hashed
								     : published_file_cache;
	change->fd = file->fd;
	change->bytes = (int64_t)file->size;
	memcpy(change->sha256, file->sha256, sizeof(change->sha256));
	return result;
}

/* Deletes all objects of a folder. Deletes index.html first, because it refers to the others. */
static enum result delete_folder(struct queue *queue, const char *name, struct error *error)
{
	struct bucket_folders *folders = &queue->bucket->folders;
	struct bucket_record record;
	enum result result = bucket_record_read(folders, name, queue->lasting, &record, error);
	struct bucket_object *first = bucket_record_find(&record, PAGE_FIRST_FILE);
	if (result == OK && first)
		result = add(queue, name, first, error);
	if (result == OK)
		result = flush(queue, error);
	for (size_t i = 0; result == OK && i < record.count; i++)
		if (&record.objects[i] != first)
			result = add(queue, name, &record.objects[i], error);
	if (result == OK)
		result = flush(queue, error);
	return result == OK ? bucket_record_remove(folders, name, error) : result;
}

/* A folder of the bucket that must get the files of a page. */
struct plan {
	const char *name;
	const struct page_copy *page;
	struct bucket_record record; /* also has objects that are not files of the page and must
					be deleted */
	bool is_changed;
};

struct batch {
	struct bucket *bucket;
	struct plan *plans;
	size_t count;
	struct arena arena;
	struct queue queue;
};

static bool is_current(const struct bucket_object *object, struct arena *arena)
{
	return object->file &&
	       strcmp(object->sha256, secret_to_hex(arena, object->file->sha256,
						    sizeof(object->file->sha256))) == 0;
}

static bool is_first(const struct bucket_object *object)
{
	return strcmp(object->name, PAGE_FIRST_FILE) == 0;
}

static void add_object(struct bucket_record *record, const char *name,
		       const struct page_copy_file *file)
{
	struct bucket_object *object = bucket_record_find(record, name);
	if (!object) {
		object = &record->objects[record->count++];
		*object = (struct bucket_object){ .name = name,
						  .sha256 = BUCKET_UNKNOWN,
						  .etag = BUCKET_UNKNOWN };
	}
	object->file = file;
}

static void add_files(struct plan *plan, struct arena *arena)
{
	const struct page_copy *page = plan->page;
	struct bucket_record *record = &plan->record;
	const struct bucket_record old = *record;
	record->objects =
		ARENA_ARRAY(arena, old.count + 2 * page->file_count, struct bucket_object);
	if (old.count > 0)
		memcpy(record->objects, old.objects, old.count * sizeof(*old.objects));
	for (size_t i = 0; i < page->file_count; i++) {
		const struct page_copy_file *file = &page->files[i];
		const char *address = published_file_api_address(file->name);
		if (!bucket_may_have_file(file->name))
			continue;
		add_object(record, file->name, file);
		/* A bucket does not rewrite addresses, so store the file at its address, too. */
		if (address)
			add_object(record, address, file);
	}
	/* The hash of an object that must be changed is unknown until the change is made. */
	for (size_t i = 0; i < record->count; i++) {
		struct bucket_object *object = &record->objects[i];
		if (is_current(object, arena))
			continue;
		object->sha256 = object->etag = BUCKET_UNKNOWN;
		plan->is_changed = true;
	}
}

static bool is_planned(const struct batch *batch, const char *name)
{
	for (size_t i = 0; i < batch->count; i++)
		if (strcmp(batch->plans[i].name, name) == 0)
			return true;
	return false;
}

static enum result plan_folder(struct batch *batch, const struct page_copy *page, const char *name,
			       struct error *error)
{
	/* Two pages of a batch may have the same address: its former owner and its new owner.
	 * Refuse the batch. The pusher then sends each page alone, in order, so that the copy of
	 * the new owner stays. */
	if (is_planned(batch, name))
		return error_log(error, E_REFUSED, "two pages of a batch have the address %.200s",
				 name);
	struct plan *plan = &batch->plans[batch->count++];
	*plan = (struct plan){ .name = name, .page = page };
	enum result result = bucket_record_read(&batch->bucket->folders, name, &batch->arena,
						&plan->record, error);
	if (result != OK)
		return result;
	add_files(plan, &batch->arena);
	plan->is_changed |= plan->record.page_id != page->page_id;
	plan->record.page_id = page->page_id;
	plan->record.page_folders = page->domain ? 2 : 1;
	plan->record.version = BUCKET_UNKNOWN;
	return plan->is_changed
		       ? bucket_record_write(&batch->bucket->folders, name, &plan->record, error)
		       : OK;
}

static enum result plan_page(struct batch *batch, const struct page_copy *page, struct error *error)
{
	struct arena *arena = &batch->arena;
	if (!bucket_may_have(page))
		return OK;
	enum result result =
		plan_folder(batch, page, arena_printf(arena, "s/%s", page->slug), error);
	if (result == OK && page->domain)
		result = plan_folder(batch, page, arena_printf(arena, "d/%s", page->domain), error);
	return result;
}

/* Whether a step of the batch handles the object. */
typedef bool is_for_step(const struct bucket_object *object);

static bool is_other(const struct bucket_object *object)
{
	return object->file && !is_first(object);
}

static bool is_first_of_page(const struct bucket_object *object)
{
	return object->file && is_first(object);
}

static bool is_leftover(const struct bucket_object *object)
{
	return !object->file;
}

static enum result make_step(struct batch *batch, is_for_step *is_for, struct error *error)
{
	enum result result = OK;
	for (size_t i = 0; i < batch->count; i++) {
		struct plan *plan = &batch->plans[i];
		for (size_t j = 0; result == OK && j < plan->record.count; j++) {
			struct bucket_object *object = &plan->record.objects[j];
			if (is_for(object) && !is_current(object, &batch->arena))
				result = add(&batch->queue, plan->name, object, error);
		}
	}
	return result == OK ? flush(&batch->queue, error) : result;
}

/* Writes the record of a folder that now has exactly the page's files. */
static enum result end_plan(struct batch *batch, struct plan *plan, struct error *error)
{
	struct bucket_record *record = &plan->record;
	size_t count = 0;
	for (size_t i = 0; i < record->count; i++)
		if (record->objects[i].file)
			record->objects[count++] = record->objects[i];
	record->count = count;
	record->version = plan->page->version;
	return bucket_record_write(&batch->bucket->folders, plan->name, record, error);
}

/* Deletes the folders of the page, except folders that the batch writes. */
static enum result delete_folders_of(struct batch *batch, int64_t page_id, struct error *error)
{
	const struct bucket_folders *folders = &batch->bucket->folders;
	enum result result = OK;
	for (size_t i = folders->count; result == OK && i > 0; i--)
		if (folders->rows[i - 1].page_id == page_id &&
		    !is_planned(batch, folders->rows[i - 1].name))
			result = delete_folder(
				&batch->queue,
				arena_strdup(&batch->arena, folders->rows[i - 1].name), error);
	return result;
}

static enum result send_batch(struct batch *batch, struct page_copy *const *pages, size_t count,
			      struct error *error)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < count; i++)
		if (!bucket_may_have(pages[i]))
			result = delete_folders_of(batch, pages[i]->page_id, error);
	for (size_t i = 0; result == OK && i < count; i++)
		result = plan_page(batch, pages[i], error);
	if (result == OK)
		result = make_step(batch, is_other, error);
	if (result == OK)
		result = make_step(batch, is_first_of_page, error);
	if (result == OK)
		result = make_step(batch, is_leftover, error);
	for (size_t i = 0; result == OK && i < count; i++)
		result = delete_folders_of(batch, pages[i]->page_id, error);
	for (size_t i = 0; result == OK && i < batch->count; i++)
		result = end_plan(batch, &batch->plans[i], error);
	return result;
}

static void batch_init(struct batch *batch, struct bucket *bucket, size_t count)
{
	batch->bucket = bucket;
	batch->count = 0;
	arena_init(&batch->arena, BATCH_ARENA_BYTES);
	batch->plans = ARENA_ARRAY(&batch->arena, FOLDERS_MAX * count, struct plan);
	batch->queue.bucket = bucket;
	batch->queue.count = 0;
	batch->queue.lasting = &batch->arena;
	arena_init(&batch->queue.arena, BATCH_ARENA_BYTES);
}

static void batch_done(struct batch *batch)
{
	arena_done(&batch->queue.arena);
	arena_done(&batch->arena);
}

static enum result send_pages(struct target *target, struct page_copy *const *pages, size_t count,
			      struct error *error)
{
	struct bucket *bucket = target->own;
	struct batch batch CLEANUP(batch_done);
	enum result result = OK;
	batch_init(&batch, bucket, count);
	/* A failed bucket_list() may have left the folders closed. */
	if (bucket->folders.fd < 0)
		result = bucket_folders_open(&bucket->folders, bucket->folder_fd, error);
	if (result == OK)
		result = bucket_check_marker(target, error);
	return result == OK ? send_batch(&batch, pages, count, error) : result;
}

/*
 * Checks the marker and writes a new step to it. The marker shows whether another origin feeds the
 * bucket. When the bucket has all pages, deletes the folders that belong to no page.
 */
static enum result beat(struct target *target, bool is_complete, struct error *error)
{
	struct batch batch CLEANUP(batch_done);
	batch_init(&batch, target->own, 0);
	enum result result = bucket_check_marker(target, error);
	if (result == OK)
		result = bucket_write_marker(target, error);
	return result == OK && is_complete ? delete_folders_of(&batch, 0, error) : result;
}

const struct target_kind target_bucket = {
	.is_public_only = true,
	.open = open_target,
	.close = close_target,
	.list = bucket_list,
	.send = send_pages,
	.beat = beat,
	.take_over = bucket_take_over,
};
