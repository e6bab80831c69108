/* The marker of a bucket, which names the installation and the origin. */
#include <string.h>

#include "base/clock.h"
#include "base/lines.h"
#include "mirror/target/bucket.h"

enum {
	ARENA_BYTES = 1 << 20,
	MARKER_MAX_BYTES = 4096,
	STEP_MS = 60000, /* between two steps of the origin; each step is written to the bucket */
};

static enum result end_refused(struct target *target, struct error *error)
{
	struct bucket *bucket = target->own;
	struct error ignored = { 0 };
	target->has_other_origin = true;
	if (!bucket->link.is_refused) {
		bucket->link.is_refused = true;
		/* If the link cannot be written, the next check of the marker detects the other
		 * origin again. */
		if (origin_link_write(&bucket->dir, target->mirror->name, &bucket->link,
				      &ignored) != OK)
			bucket->link.is_refused = false;
	}
	return error_log(error, E_REFUSED,
			 ORIGIN_REFUSED_TEXT
			 " (the bucket's object %s%s names it): if this machine is "
			 "to feed it, run `daymarkctl mirror take-over --name %s`; else remove its "
			 "line `mirror`",
			 bucket->s3.prefix, BUCKET_MARKER, target->mirror->name);
}

/* Reads the marker. *mark has no id if there is no marker, or a marker of an older version. */
static enum result read_marker(struct bucket *bucket, struct origin_mark *mark, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	const char *text = NULL;
	arena_init(&arena, ARENA_BYTES);
	*mark = (struct origin_mark){ 0 };
	enum result result =
		s3_read(&bucket->s3, BUCKET_MARKER, MARKER_MAX_BYTES, &arena, &text, error);
	bucket->has_marker = result == OK && text;
	if (!bucket->has_marker)
		return result;
	struct str rest = str_from(text), line;
	if (!str_starts(rest, str_from(bucket->title)))
		return error_log(error, E_REFUSED,
				 "the bucket is the mirror of another installation: its object "
				 "%s%s says %.200s",
				 bucket->s3.prefix, BUCKET_MARKER, text);
	struct lines lines = lines_of(str_skip(rest, strlen(bucket->title)));
	if (lines_next(&lines, &line) && line_key(&line, "origin") &&
	    !origin_mark_take(&line, mark))
		*mark = (struct origin_mark){ .id = "?" };
	return OK;
}

enum result bucket_check_marker(struct target *target, struct error *error)
{
	struct bucket *bucket = target->own;
	struct origin_mark mark;
	target->has_other_origin = false;
	enum result result =
		origin_link_read(&bucket->dir, target->mirror->name, &bucket->link, error);
	if (result == OK && bucket->link.is_refused)
		return end_refused(target, error);
	if (result == OK)
		result = read_marker(bucket, &mark, error);
	if (result != OK || !mark.id[0] || origin_mark_follows(&mark, &bucket->link.mark))
		return result;
	return end_refused(target, error);
}

static enum result put_marker(struct bucket *bucket, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	char mark[ORIGIN_MARK_SIZE];
	arena_init(&arena, ARENA_BYTES);
	origin_mark_print(&bucket->link.mark, mark);
	const char *text = arena_printf(&arena, "%sorigin %s\n", bucket->title, mark);
	struct s3_change change = { .key = BUCKET_MARKER,
				    .content_type = "text/plain; charset=utf-8",
				    .cache_control = "no-cache",
				    .data = str_from(text),
				    .fd = -1 };
	secret_hash(change.data, change.sha256);
	bucket->step_at_ms = clock_ms() + STEP_MS;
	return s3_change_all(&bucket->s3, &change, 1, &arena, error);
}

/* Another origin may have written its marker after this origin had read the marker. The marker that
 * was written last stays, and the next check finds the other origin. */
enum result bucket_write_marker(struct target *target, struct error *error)
{
	struct bucket *bucket = target->own;
	bool is_first = bucket->link.mark.step == 0;
	if (bucket->has_marker && !is_first && clock_ms() < bucket->step_at_ms)
		return OK;
	enum result result =
		origin_link_step(&bucket->dir, target->mirror->name, &bucket->link, error);
	/* On a full disk no new step is possible, so the last step is written again. */
	if (result != OK && is_first)
		return result;
	result = put_marker(bucket, error);
	return result == OK ? bucket_check_marker(target, error) : result;
}

enum result bucket_take_over(struct target *target, struct arena *arena, const char **key,
			     struct error *error)
{
	struct bucket *bucket = target->own;
	struct origin_mark former;
	(void)arena;
	*key = NULL;
	enum result result = read_marker(bucket, &former, error);
	origin_link_renew(&bucket->link);
	if (result == OK)
		result = put_marker(bucket, error);
	if (result == OK)
		result = origin_link_replace(&bucket->dir, target->mirror->name, &bucket->link,
					     error);
	return result == OK ? bucket_check_marker(target, error) : result;
}
