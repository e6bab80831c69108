/*
 * Records of the objects in a bucket, one record for each folder ("s/<slug>" or "d/<domain>"). The
 * records are in the mirror's folder below DIR/mirror/, named "s.<slug>" or "d.<domain>".
 *
 * Before the program changes a folder in the bucket, it writes the record with all objects that the
 * folder may have during the change. So every object has a record even if the process dies. After a
 * loss of power records may be missing: a comparison with the bucket's own list restores them
 * (mirror/target/bucket_compare.c).
 */
#ifndef MIRROR_TARGET_BUCKET_FOLDERS_H
#define MIRROR_TARGET_BUCKET_FOLDERS_H

#include "mirror/page_copy.h"

/* An unknown hash, ETag or version in a record. No page has this version. */
#define BUCKET_UNKNOWN "-"

/* A folder, without its objects. */
struct bucket_folder {
	char *name;
	int64_t page_id;  /* the page to which the folder belongs; 0: unknown */
	int page_folders; /* how many folders the page has */
	char version[PAGE_COPY_VERSION_CHARS + 1];
	bool is_seen; /* a mark that the caller may use */
};

struct bucket_folders {
	int fd;			    /* of the mirror's folder; owned by the caller */
	struct bucket_folder *rows; /* sorted by name */
	size_t count;
	size_t room;
};

struct bucket_object {
	const char *name;   /* of the file */
	const char *sha256; /* hexadecimal */
	const char *etag;
	const struct page_copy_file *file; /* a pointer that the caller may use */
};

struct bucket_record {
	int64_t page_id;
	int page_folders;
	const char *version;
	struct bucket_object *objects;
	size_t count;
};

/* Reads the first lines of all records. Removes records that are damaged. */
enum result bucket_folders_open(struct bucket_folders *folders, int fd, struct error *error)
	MUST_USE;
void bucket_folders_close(struct bucket_folders *folders);
/* Returns the row of the folder; NULL: the bucket has no such folder. The row is valid until a
 * record is written or removed. */
struct bucket_folder *bucket_folders_find(const struct bucket_folders *folders, const char *name);

/* Reads the record of a folder. Without a record, the folder has no objects and page 0. */
enum result bucket_record_read(const struct bucket_folders *folders, const char *name,
			       struct arena *arena, struct bucket_record *record,
			       struct error *error) MUST_USE;
enum result bucket_record_write(struct bucket_folders *folders, const char *name,
				const struct bucket_record *record, struct error *error) MUST_USE;
enum result bucket_record_remove(struct bucket_folders *folders, const char *name,
				 struct error *error) MUST_USE;
/* Returns the object with this name; NULL: the record has no such object. */
struct bucket_object *bucket_record_find(const struct bucket_record *record, const char *name);

#endif
