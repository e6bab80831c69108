#include "publish/page/page_output.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/secret.h"
#include "domain/page/published_file.h"
#include "view/page.h"

/*
 * Smaller files are not compressed. A server sends the first ten packets at once, so compression
 * would not make a smaller file arrive earlier. The twin (the compressed copy) takes as long to
 * write as the file, and needs a block of the disk.
 */
enum { COMPRESS_MIN_BYTES = 4096 };

#define NO_TWIN "-"

static const char *packed_name(const struct page_output *output, const char *name)
{
	return arena_printf(output->arena, "%s.gz", name);
}

static bool has_twin(const struct file_state *file)
{
	return strcmp(file->packed, NO_TWIN) != 0;
}

enum result page_output_open(struct page_output *output, const struct pages_dir *dir,
			     enum pages_place place, const char *folder,
			     const struct page_state *before, struct page_state *after,
			     struct arena *arena, struct error *error)
{
	*output = (struct page_output){
		.text = BUF_INIT(PAGE_FILE_MAX_BYTES),
		.packed = BUF_INIT(PAGE_FILE_MAX_BYTES),
		.arena = arena,
		.before = before,
		.after = after,
	};
	enum result result = pages_batch_open(&output->batch, dir, place, folder, arena, error);
	for (size_t i = 0; before && i < before->file_count; i++) {
		const struct file_state *file = &before->files[i];
		pages_names_add(&output->former, file->name, arena);
		if (has_twin(file))
			pages_names_add(&output->former, packed_name(output, file->name), arena);
	}
	output->batch.former = output->former.count > 0 ? &output->former : NULL;
	return result;
}

/* Finds a file in the former note. Begins behind the file that was found last, because the new note
 * mostly has the same order. */
static const struct file_state *former_file(struct page_output *output, const char *name)
{
	const struct page_state *before = output->before;
	size_t count = before ? before->file_count : 0;
	for (size_t i = 0; i < count; i++) {
		size_t at = (output->next + i) % count;
		if (strcmp(before->files[at].name, name) != 0)
			continue;
		output->next = at + 1;
		return &before->files[at];
	}
	return NULL;
}

static void note_file(struct page_output *output, const struct file_state *file)
{
	struct page_state *after = output->after;
	after->files = arena_grow(output->arena, after->files, after->file_count,
				  &output->file_room, sizeof(*after->files));
	after->files[after->file_count++] = *file;
}

/* The digest of a file in a note is "DIGEST", "CONTENT" or "DIGEST+CONTENT". DIGEST is the digest
 * of all data on which the content depends, CONTENT the digest of the content. */
enum { DIGEST_JOINT = '+' };

static bool has_digest(const struct file_state *file, const char *digest)
{
	size_t len = strlen(digest);
	return file && strncmp(file->digest, digest, len) == 0 &&
	       (file->digest[len] == '\0' || file->digest[len] == DIGEST_JOINT);
}

static bool has_content(const struct file_state *file, const char *content)
{
	const char *joint = file ? strchr(file->digest, DIGEST_JOINT) : NULL;
	return file && strcmp(joint ? joint + 1 : file->digest, content) == 0;
}

/* Keeps the file and its twin if the folder has both, and adds them to the note. */
static bool keep_as(struct page_output *output, const struct file_state *file)
{
	struct pages_batch *batch = &output->batch;
	const char *name = file->name;
	if (!pages_batch_has(batch, name, file->stamp) ||
	    (has_twin(file) && !pages_batch_has(batch, packed_name(output, name), file->packed))) {
		/* Another program has changed the folder, so the former note may lack some of its
		 * files. */
		batch->former = NULL;
		return false;
	}
	pages_batch_keep(batch, name, file->stamp);
	if (has_twin(file))
		pages_batch_keep(batch, packed_name(output, name), file->packed);
	note_file(output, file);
	return true;
}

/* Keeps a file. The new note gets this digest for it. */
static bool keep_file(struct page_output *output, const struct file_state *file, const char *digest)
{
	return keep_as(output, &(struct file_state){ .name = file->name,
						     .digest = digest,
						     .stamp = file->stamp,
						     .packed = file->packed });
}

bool page_output_keep(struct page_output *output, const char *name, const char *digest)
{
	const struct file_state *file = former_file(output, name);
	return has_digest(file, digest) && keep_file(output, file, file->digest);
}

/* Adds empty lines, which do no harm at the end of a text. */
static void add_lines(struct buf *text, size_t count)
{
	char *lines = count > 0 ? buf_claim(text, count) : NULL;
	if (lines)
		memset(lines, '\n', count);
}

/* Writes output->text and its twin. */
static enum result write_text(struct page_output *output, struct file_state *file,
			      struct error *error)
{
	struct buf *text = &output->text, *packed = &output->packed;
	struct pages_batch *batch = &output->batch;
	/* Web servers send only files in public places. Other files need no twin and no padding. */
	bool is_sent = pages_place_is_public(batch->place) && published_file_type(file->name);
	bool is_packed = is_sent && text->len >= COMPRESS_MIN_BYTES;
	output->written_count++;
	buf_clear(packed);
	/* Do not pad a table: an empty line would be a row. */
	bool is_table = is_sent && strstr(file->name, ".csv");
	if (is_sent && !published_file_is_hashed(file->name) && !is_table)
		add_lines(text, pages_batch_padding(batch, file->name, text->len));
	if (is_packed) {
		const char *twin = packed_name(output, file->name);
		enum gzip_level level = published_file_is_hashed(file->name) ? GZIP_SMALL
									     : GZIP_FAST;
		gzip_add(&output->gzip, level, packed, text->data, text->len);
		gzip_pad(packed, pages_batch_padding(batch, twin, packed->len));
	}
	if (!buf_ok(packed))
		return error_log(error, E_FAILED, "publish: %s is too large", file->name);
	struct str data = { text->data ? text->data : "", text->len };
	enum result result = pages_batch_add(batch, file->name, data, &file->stamp, error);
	if (result == OK && is_packed)
		result = pages_batch_add(batch, packed_name(output, file->name),
					 (struct str){ packed->data, packed->len }, &file->packed,
					 error);
	return result;
}

/* Returns the digest of the text. Leaves out the time of the snapshot, so that an HTML file is not
 * written again if only this time has changed. */
static const char *digest_of_text(const struct page_output *output, const char *name)
{
	struct str text = { output->text.data ? output->text.data : "", output->text.len };
	const char *extension = strrchr(name, '.');
	bool is_html = extension && strcmp(extension, ".html") == 0;
	struct str as_of = is_html ? page_html_as_of(text) : (struct str){ "", 0 };
	if (as_of.len == 0)
		return secret_digest_fast(output->arena, &text, 1);
	const char *end = as_of.data + as_of.len;
	const struct str pieces[] = { { text.data, (size_t)(as_of.data - text.data) },
				      { end, text.len - (size_t)(end - text.data) } };
	return secret_digest_fast(output->arena, pieces, ARRAY_LEN(pieces));
}

enum result page_output_text(struct page_output *output, const char *name, const char *digest,
			     struct error *error)
{
	struct file_state file = { .name = name, .packed = NO_TWIN };
	enum result result = OK;
	if (output->until_ms > 0 && clock_ms() >= output->until_ms)
		return error_log(error, E_TOO_SLOW, "publish: no time is left for %s", name);
	if (!buf_ok(&output->text))
		return error_log(error, E_FAILED, "publish: %s is too large", name);
	bool is_hashed = digest && strcmp(digest, PAGE_OUTPUT_HASHED) == 0;
	const char *content = is_hashed ? NULL : digest_of_text(output, name);
	const struct file_state *former = is_hashed ? NULL : former_file(output, name);
	file.digest = is_hashed ? digest
		      : digest
			      ? arena_printf(output->arena, "%s%c%s", digest, DIGEST_JOINT, content)
			      : content;
	if (!has_content(former, content) || !keep_file(output, former, file.digest)) {
		result = write_text(output, &file, error);
		if (result == OK)
			note_file(output, &file);
	}
	buf_clear(&output->text);
	return result;
}

const char *page_output_noted(struct page_output *output, const char *name)
{
	const struct file_state *file = former_file(output, name);
	return file ? file->digest : NULL;
}

enum result page_output_data(struct page_output *output, const char *name, const char *digest,
			     struct str data, struct error *error)
{
	struct file_state file = { .name = name, .digest = digest, .packed = NO_TWIN };
	output->written_count++;
	enum result result = pages_batch_add(&output->batch, name, data, &file.stamp, error);
	if (result == OK)
		note_file(output, &file);
	return result;
}

static bool is_picture(const char *name)
{
	const char *type = published_file_type(name);
	return type && str_starts(str_from(type), STR("image/"));
}

/* Whether both names are of the same kind, such as "custom-1f.css" and "custom-2e.css", or
 * "logo-1f.png" and "logo-2e.webp". A version of the page has only one file of a kind. */
static bool takes_place_of(const char *name, const char *former)
{
	size_t stem = strcspn(former, "-") + 1;
	return published_file_is_hashed(name) && strncmp(name, former, stem) == 0 &&
	       ((is_picture(name) && is_picture(former)) ||
		strcmp(strrchr(name, '.'), strrchr(former, '.')) == 0);
}

/* Whether the new note lacks the file, but has a current file of the same kind. */
static bool is_replaced(const struct page_state *after, const char *name)
{
	bool is_replaced = false;
	for (size_t i = 0; i < after->file_count; i++) {
		const struct file_state *file = &after->files[i];
		if (strcmp(file->name, name) == 0)
			return false;
		is_replaced |= file->kept_until.s == 0 && takes_place_of(file->name, name);
	}
	return is_replaced;
}

static int newest_first(const void *a, const void *b)
{
	const struct file_state *left = a, *right = b;
	return (left->kept_until.s < right->kept_until.s) -
	       (left->kept_until.s > right->kept_until.s);
}

/* Finds the replaced files that must be kept longer. Omits files that would be kept too long,
 * because their kept_until comes from a clock that was set back. */
static size_t find_replaced(const struct page_output *output, struct instant now,
			    struct file_state *files)
{
	const struct page_state *before = output->before;
	const int64_t until_s = now.s + PAGE_OUTPUT_REPLACED_S;
	size_t count = 0;
	for (size_t i = 0; before && i < before->file_count; i++) {
		struct file_state file = before->files[i];
		if (!published_file_is_hashed(file.name) || !is_replaced(output->after, file.name))
			continue;
		if (file.kept_until.s == 0)
			file.kept_until.s = until_s;
		if (file.kept_until.s > now.s && file.kept_until.s <= until_s)
			files[count++] = file;
	}
	if (count > 0)
		qsort(files, count, sizeof(*files), newest_first);
	return count;
}

void page_output_keep_replaced(struct page_output *output, struct instant now,
			       struct instant *until)
{
	size_t room = output->before ? output->before->file_count : 0, kept = 0;
	struct file_state *files = ARENA_ARRAY(output->arena, room, struct file_state);
	size_t count = find_replaced(output, now, files);
	int64_t bytes = 0;
	*until = (struct instant){ 0 };
	for (size_t i = 0; i < count && kept < PAGE_OUTPUT_REPLACED_MAX; i++) {
		int64_t size = folder_stamp_size(files[i].stamp);
		if (bytes + size > PAGE_OUTPUT_REPLACED_MAX_BYTES || !keep_as(output, &files[i]))
			continue;
		bytes += size;
		kept++;
		*until = files[i].kept_until;
	}
}

void page_output_free_text(struct page_output *output)
{
	buf_done(&output->text);
	buf_done(&output->packed);
	gzip_done(&output->gzip);
}

void page_output_close(struct page_output *output)
{
	pages_batch_close(&output->batch);
	page_output_free_text(output);
}
