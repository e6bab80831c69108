#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain/page/published_file.h"
#include "mirror/target/bucket.h"

#define API "api/v2/"

enum { FOLDER_ARENA_BYTES = 64 << 20 };

struct comparing {
	struct bucket *bucket;
	struct arena arena;	 /* for the objects of one folder */
	char folder[S3_KEY_MAX]; /* "": none yet */
	struct bucket_object *objects;
	size_t count;
	size_t room;
};

/* Corrects the record, so that it lists the objects that the bucket has in the folder. If an object
 * differs from the record, its hash becomes unknown. Returns true if the record has changed. */
static bool adjust(struct bucket_record *record, struct comparing *comparing)
{
	bool is_changed = false;
	for (size_t i = 0; i < comparing->count; i++) {
		struct bucket_object *there = &comparing->objects[i];
		const struct bucket_object *known = bucket_record_find(record, there->name);
		bool is_same = known && (strcmp(known->etag, there->etag) == 0 ||
					 strcmp(known->etag, BUCKET_UNKNOWN) == 0);
		there->sha256 = is_same ? known->sha256 : BUCKET_UNKNOWN;
		is_changed |= !is_same;
	}
	/* All listed objects are in the record now. If the counts differ, the bucket lacks recorded
	 * objects. */
	is_changed |= comparing->count != record->count;
	record->objects = comparing->objects;
	record->count = comparing->count;
	if (is_changed)
		record->version = BUCKET_UNKNOWN;
	return is_changed;
}

static enum result end_folder(struct comparing *comparing, struct error *error)
{
	struct bucket_folders *folders = &comparing->bucket->folders;
	struct bucket_record record;
	if (comparing->folder[0] == '\0')
		return OK;
	enum result result =
		bucket_record_read(folders, comparing->folder, &comparing->arena, &record, error);
	if (result == OK && adjust(&record, comparing))
		result = bucket_record_write(folders, comparing->folder, &record, error);
	struct bucket_folder *row = bucket_folders_find(folders, comparing->folder);
	if (row)
		row->is_seen = true;
	comparing->folder[0] = '\0';
	comparing->objects = NULL;
	comparing->count = comparing->room = 0;
	arena_reset(&comparing->arena);
	return result;
}

/* Adds an object such as "s/acme/index.html" or "s/acme/api/v2/summary.json" to its folder. An
 * object whose key has another form is not ours, and stays. */
static enum result take_object(void *context, const char *key, const char *etag,
			       struct error *error)
{
	struct comparing *comparing = context;
	const char *name = strlen(key) > 2 ? strchr(key + 2, '/') : NULL;
	size_t len = name ? (size_t)(name - key) : 0;
	if (len < 3 || len >= sizeof(comparing->folder) || name[1] == '\0' ||
	    (strchr(name + 1, '/') && strncmp(name + 1, API, strlen(API)) != 0))
		return OK;
	if (!comparing->bucket->has_marker)
		return error_log(error, E_REFUSED,
				 "the bucket has objects in %.2s and no object " BUCKET_MARKER
				 ": they are not of this installation; remove them, or choose "
				 "another prefix",
				 key);
	if (strncmp(comparing->folder, key, len) != 0 || comparing->folder[len] != '\0') {
		enum result result = end_folder(comparing, error);
		if (result != OK)
			return result;
		memcpy(comparing->folder, key, len);
		comparing->folder[len] = '\0';
	}
	if (!arena_has_room(&comparing->arena))
		return error_log(error, E_REFUSED, "the bucket has too many objects in %.200s",
				 comparing->folder);
	comparing->objects = arena_grow(&comparing->arena, comparing->objects, comparing->count,
					&comparing->room, sizeof(*comparing->objects));
	comparing->objects[comparing->count++] =
		(struct bucket_object){ .name = arena_strdup(&comparing->arena, name + 1),
					.etag = arena_strdup(&comparing->arena, etag) };
	return OK;
}

/* Removes the records of folders in which the bucket has no objects any more. */
static enum result forget_unseen(struct bucket_folders *folders, struct error *error)
{
	enum result result = OK;
	for (size_t i = folders->count; result == OK && i > 0; i--)
		if (!folders->rows[i - 1].is_seen)
			result = bucket_record_remove(folders, folders->rows[i - 1].name, error);
	return result;
}

/* Corrects the records by the bucket's own list. A folder without a record gets a record with page
 * 0. */
static enum result compare(struct bucket *bucket, struct error *error)
{
	static const char *const begins[] = { "s/", "d/" };
	struct comparing comparing = { .bucket = bucket };
	arena_init(&comparing.arena, FOLDER_ARENA_BYTES);
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(begins); i++) {
		result = s3_list(&bucket->s3, begins[i], take_object, &comparing, error);
		if (result == OK)
			result = end_folder(&comparing, error);
	}
	if (result == OK)
		result = forget_unseen(&bucket->folders, error);
	arena_done(&comparing.arena);
	return result;
}

static int by_page(const void *a, const void *b)
{
	const struct bucket_folder *one = *(const struct bucket_folder *const *)a;
	const struct bucket_folder *other = *(const struct bucket_folder *const *)b;
	return (one->page_id > other->page_id) - (one->page_id < other->page_id);
}

/* Adds a page. Its version is unknown if one of its folders is missing or has another version. */
static void add_page(struct target_pages *pages, const struct bucket_folder *const *rows,
		     size_t count)
{
	struct target_page *page = &pages->rows[pages->count++];
	bool is_whole = count == (size_t)rows[0]->page_folders;
	for (size_t i = 1; i < count; i++)
		is_whole &= strcmp(rows[i]->version, rows[0]->version) == 0;
	*page = (struct target_page){ .page_id = rows[0]->page_id };
	snprintf(page->version, sizeof(page->version), "%s",
		 is_whole ? rows[0]->version : BUCKET_UNKNOWN);
}

enum result bucket_list(struct target *target, struct arena *arena, struct target_pages *pages,
			struct error *error)
{
	struct bucket *bucket = target->own;
	const struct bucket_folders *folders = &bucket->folders;
	*pages = (struct target_pages){ 0 };
	bucket_folders_close(&bucket->folders);
	enum result result = bucket_folders_open(&bucket->folders, bucket->folder_fd, error);
	if (result == OK)
		result = bucket_check_marker(target, error);
	if (result == OK)
		result = compare(bucket, error);
	if (result == OK)
		result = bucket_write_marker(target, error);
	if (result != OK || folders->count == 0)
		return result;
	const struct bucket_folder **rows =
		ARENA_ARRAY(arena, folders->count, const struct bucket_folder *);
	pages->rows = ARENA_ARRAY(arena, folders->count, struct target_page);
	for (size_t i = 0; i < folders->count; i++)
		rows[i] = &folders->rows[i];
	qsort(rows, folders->count, sizeof(const struct bucket_folder *), by_page);
	for (size_t begin = 0, end; begin < folders->count; begin = end) {
		end = begin + 1;
		while (end < folders->count && rows[end]->page_id == rows[begin]->page_id)
			end++;
		if (rows[begin]->page_id > 0)
			add_page(pages, rows + begin, end - begin);
	}
	return OK;
}
