#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain/published_file.h"
#include "mirror/bucket.h"

#define API "api/v2/"

enum { FOLDER_ARENA_BYTES = 64 << 20, MARKER_MAX_BYTES = 4096 };

struct comparing {
	struct bucket *bucket;
	bool has_marker;
	struct arena arena;	 /* of the objects of one folder */
	char folder[S3_KEY_MAX]; /* "": none yet */
	struct bucket_object *objects;
	size_t count;
	size_t room;
};

/* A former version did not write the objects of readers' addresses. */
static bool lacks_address(const struct bucket_record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		const char *address = published_file_api_address(record->objects[i].name);
		if (address && !bucket_record_find(record, address))
			return true;
	}
	return false;
}

/* The record takes over what the folder has; what differs from the record is not known. */
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
	/* An object that is there and known counts once, so that fewer are there if one is gone. */
	is_changed |= comparing->count != record->count;
	record->objects = comparing->objects;
	record->count = comparing->count;
	is_changed |= lacks_address(record);
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

/* Takes "s/acme/index.html" and "s/acme/api/v2/summary.json". Keys of another form are not ours:
 * they stay. */
static enum result take_object(void *context, const char *key, const char *etag,
			       struct error *error)
{
	struct comparing *comparing = context;
	const char *name = strlen(key) > 2 ? strchr(key + 2, '/') : NULL;
	size_t len = name ? (size_t)(name - key) : 0;
	if (len < 3 || len >= sizeof(comparing->folder) || name[1] == '\0' ||
	    (strchr(name + 1, '/') && strncmp(name + 1, API, strlen(API)) != 0))
		return OK;
	if (!comparing->has_marker)
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

/* Folders whose objects have all vanished. */
static enum result forget_unseen(struct bucket_folders *folders, struct error *error)
{
	enum result result = OK;
	for (size_t i = folders->count; result == OK && i > 0; i--)
		if (!folders->rows[i - 1].is_seen)
			result = bucket_record_remove(folders, folders->rows[i - 1].name, error);
	return result;
}

static enum result read_marker(struct comparing *comparing, struct error *error)
{
	struct bucket *bucket = comparing->bucket;
	const char *text = NULL;
	enum result result = s3_read(&bucket->s3, BUCKET_MARKER, MARKER_MAX_BYTES,
				     &comparing->arena, &text, error);
	comparing->has_marker = text != NULL;
	if (result == OK && text && strcmp(text, bucket->site) != 0)
		result = error_log(error, E_REFUSED,
				   "the bucket is the mirror of another installation: its object "
				   "%s%s says %.200s",
				   bucket->s3.prefix, BUCKET_MARKER, text);
	arena_reset(&comparing->arena);
	return result;
}

static enum result write_marker(struct comparing *comparing, struct error *error)
{
	struct bucket *bucket = comparing->bucket;
	struct s3_change change = { .key = BUCKET_MARKER,
				    .content_type = "text/plain; charset=utf-8",
				    .cache_control = "no-cache",
				    .data = str_from(bucket->site) };
	if (comparing->has_marker)
		return OK;
	secret_hash(change.data, change.sha256);
	return s3_change_all(&bucket->s3, &change, 1, &comparing->arena, error);
}

enum result bucket_compare(struct bucket *bucket, struct error *error)
{
	static const char *const begins[] = { "s/", "d/" };
	struct comparing comparing = { .bucket = bucket };
	arena_init(&comparing.arena, FOLDER_ARENA_BYTES);
	enum result result = read_marker(&comparing, error);
	for (size_t i = 0; result == OK && i < ARRAY_LEN(begins); i++) {
		result = s3_list(&bucket->s3, begins[i], take_object, &comparing, error);
		if (result == OK)
			result = end_folder(&comparing, error);
	}
	if (result == OK)
		result = forget_unseen(&bucket->folders, error);
	if (result == OK)
		result = write_marker(&comparing, error);
	arena_done(&comparing.arena);
	return result;
}
