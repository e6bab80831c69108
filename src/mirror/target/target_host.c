/* A mirror host: another machine that runs this program in the mirror role. See protocol.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lines.h"
#include "mirror/manifest.h"
#include "mirror/protocol.h"
#include "mirror/protocol_part.h"
#include "mirror/target/host.h"

enum {
	ARENA_MAX_BYTES = 64 << 20,
	LIST_MAX_BYTES = 24 << 20,   /* some 300,000 pages */
	MISSING_MAX_BYTES = 4 << 20, /* for the mirror's list of missing files, which may have a
					line for each file of one body of manifests */
	PAGES_MAX = 1 << 19,	     /* the most pages of a list: LIST_MAX_BYTES alone would allow
					more if lines are short */
	/* Limits of a body of files. Its size is adapted so that sending it takes a few seconds,
	 * because urgent pages may have to wait for the end of a body. */
	BODY_MIN_BYTES = 64 << 10,
	BODY_START_BYTES = 256 << 10,
	BODY_SLOW_MS = 4000,
	BODY_FAST_MS = 1000,
};

static void host_close(struct target *target)
{
	struct host *host = target->own;
	if (!host)
		return;
	http_client_close(host->client);
	pages_dir_close(&host->dir);
	arena_done(&host->arena);
	free(host->authorization);
	free(host);
	target->own = NULL;
}

static enum result host_open(struct target *target, const struct mirror *mirror,
			     const struct config *config, struct error *error)
{
	struct host *host = calloc(1, sizeof(*host));
	if (!host)
		return error_log(error, E_FAILED, "mirror: out of memory");
	target->own = host;
	host->dir = PAGES_DIR_CLOSED;
	host->body_bytes = BODY_START_BYTES;
	arena_init(&host->arena, ARENA_MAX_BYTES);
	enum result result = pages_dir_open(&host->dir, config->pages_dir, error);
	if (result == OK)
		result = http_client_open(&host->client, mirror->ca_file, error);
	if (result == OK &&
	    asprintf(&host->authorization, "Authorization: Bearer %s", mirror->key) < 0) {
		host->authorization = NULL;
		result = error_log(error, E_FAILED, "mirror: out of memory");
	}
	if (result != OK)
		host_close(target);
	return result;
}

/* Removes the line "digest <digest>" from the front of *body. A mirror of an older version does not
 * send this line. */
static void take_digest(struct host *host, struct str *body)
{
	struct lines lines = lines_of(*body);
	struct str line;
	host->digest[0] = '\0';
	if (!lines_next(&lines, &line) || !line_key(&line, "digest") ||
	    line.len != sizeof(host->digest) - 1)
		return;
	memcpy(host->digest, line.data, line.len);
	host->digest[line.len] = '\0';
	*body = lines.rest;
}

static enum result parse_list(struct str body, struct arena *arena, struct target_pages *pages,
			      struct error *error)
{
	struct lines lines = lines_of(body);
	struct str line;
	size_t room = 0;
	while (lines_next(&lines, &line)) {
		struct target_page page = { 0 };
		if (line.len == 0)
			continue;
		if (!line_number(&line, INT64_MIN, &page.page_id) || line.len == 0 ||
		    line.len > PAGE_COPY_VERSION_CHARS || pages->count == PAGES_MAX)
			return error_log(error, E_REFUSED, "the mirror's list of pages is damaged");
		memcpy(page.version, line.data, line.len);
		pages->rows =
			arena_grow(arena, pages->rows, pages->count, &room, sizeof(*pages->rows));
		pages->rows[pages->count++] = page;
	}
	return OK;
}

/*
 * Makes a new step, so that the mirror can distinguish this origin from a copy of its disk. If the
 * mirror has not confirmed the last step, first repeats it in a beat. A mirror with a new folder
 * refuses the beat, which is harmless.
 */
static enum result begin(struct target *target, struct error *error)
{
	struct host *host = target->own;
	struct buf body CLEANUP(buf_done) = BUF_INIT(HOST_REPLY_MAX_BYTES);
	struct http_client_response response = { 0 };
	enum result result = host_read_origin(target, error);
	buf_puts(&body, "incomplete\n");
	if (result == OK && host->link.mark.step > 0 &&
	    !origin_mark_is_same(&host->accepted, &host->link.mark)) {
		result = host_ask(target, "POST", "/beat", &body, 200, HOST_REPLY_MAX_BYTES,
				  &response, error);
		if (result == E_REFUSED && response.status == 409 && !target->has_other_origin)
			result = OK;
	}
	return result == OK ? host_make_step(target, error) : result;
}

static enum result host_list(struct target *target, struct arena *arena, struct target_pages *pages,
			     struct error *error)
{
	struct host *host = target->own;
	struct http_client_response response;
	*pages = (struct target_pages){ 0 };
	/* The mirror may be another machine than before, so its shared data is not known. */
	host->has_shared = false;
	target->is_changed = false;
	enum result result = begin(target, error);
	if (result == OK)
		result = host_ask(target, "GET", "/pages", NULL, 0, LIST_MAX_BYTES, &response,
				  error);
	if (result == OK) {
		take_digest(host, &response.body);
		result = parse_list(response.body, arena, pages, error);
	}
	arena_reset(&host->arena);
	return result;
}

/* A body of parts of files, which is sent when it is full. */
struct parts {
	struct target *target;
	struct buf body;
};

static void parts_done(struct parts *parts)
{
	buf_done(&parts->body);
}

/* Chooses the size of the next body, which should take a few seconds to send. */
static void adapt(struct host *host, int64_t took_ms, enum result result)
{
	if ((result != OK || took_ms > BODY_SLOW_MS) && host->body_bytes > BODY_MIN_BYTES)
		host->body_bytes /= 2;
	else if (result == OK && took_ms < BODY_FAST_MS && host->body_bytes < PROTOCOL_BODY_MAX)
		host->body_bytes *= 2;
}

static enum result parts_flush(struct parts *parts, struct error *error)
{
	struct target *target = parts->target;
	struct http_client_response response;
	int64_t begun_ms = clock_ms();
	if (parts->body.len == 0)
		return OK;
	if (target->gives_way && target->gives_way(target->context))
		return error_log(error, E_RETRY, "mirror: another page is urgent");
	enum result result = host_ask(parts->target, "POST", "/files", &parts->body, 0,
				      HOST_REPLY_MAX_BYTES, &response, error);
	adapt(target->own, clock_ms() - begun_ms, result);
	buf_clear(&parts->body);
	return result;
}

static enum result add_part(struct parts *parts, const struct page_copy_file *file, size_t offset,
			    size_t len, struct error *error)
{
	struct host *host = parts->target->own;
	struct buf data CLEANUP(buf_done) = BUF_INIT(PROTOCOL_BODY_MAX);
	struct protocol_part part = { .size = file->size, .offset = offset };
	char *bytes = len > 0 ? buf_claim(&data, len) : NULL;
	if (len > 0 && (!bytes || pread(file->fd, bytes, len, (off_t)offset) != (ssize_t)len))
		return error_log(error, E_FAILED, "mirror: %s cannot be read: %s", file->name,
				 strerror(errno));
	memcpy(part.sha256, file->sha256, sizeof(part.sha256));
	part.data = (struct str){ len > 0 ? bytes : "", len };
	protocol_part_print(&parts->body, &part, &host->arena);
	return buf_ok(&parts->body) ? OK : error_log(error, E_FAILED, "mirror: out of memory");
}

/* Adds a file in as many parts as are needed. Sends each body that is full. An empty file has one
 * part. */
static enum result add_file(struct parts *parts, const struct page_copy_file *file,
			    struct error *error)
{
	enum { PART_MIN_BYTES = 16 << 10 };
	const struct host *host = parts->target->own;
	enum result result = OK;
	size_t offset = 0;
	bool is_first = true;
	while (result == OK && (is_first || offset < file->size)) {
		size_t rest = file->size - offset;
		size_t room =
			host->body_bytes > parts->body.len ? host->body_bytes - parts->body.len : 0;
		if (room < PROTOCOL_PART_HEAD_MAX_BYTES +
				   (rest < PART_MIN_BYTES ? rest : PART_MIN_BYTES)) {
			result = parts_flush(parts, error);
			continue;
		}
		room -= PROTOCOL_PART_HEAD_MAX_BYTES;
		size_t len = rest < room ? rest : room;
		result = add_part(parts, file, offset, len, error);
		offset += len;
		is_first = false;
	}
	return result;
}

static const struct page_copy_file *find_file(struct page_copy *const *pages, size_t count,
					      const uint8_t *hash)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < pages[i]->file_count; j++)
			if (memcmp(pages[i]->files[j].sha256, hash, SECRET_HASH_BYTES) == 0)
				return &pages[i]->files[j];
	return NULL;
}

/* Sends the files that the mirror has asked for. */
static enum result send_files(struct target *target, struct page_copy *const *pages, size_t count,
			      struct str missing, struct error *error)
{
	struct parts parts CLEANUP(parts_done) = { target, BUF_INIT(PROTOCOL_BODY_MAX) };
	struct lines lines = lines_of(missing);
	struct str line;
	enum result result = OK;
	while (result == OK && lines_next(&lines, &line)) {
		uint8_t hash[SECRET_HASH_BYTES];
		const struct page_copy_file *file = NULL;
		if (line.len == 0)
			continue;
		if (secret_from_hex(line, hash, sizeof(hash)))
			file = find_file(pages, count, hash);
		if (!file)
			return error_log(error, E_REFUSED,
					 "the mirror asks for a file that no page has");
		result = add_file(&parts, file, error);
	}
	return result == OK ? parts_flush(&parts, error) : result;
}

enum result host_send_body(struct target *target, const char *method, const char *path,
			   const struct buf *body, struct page_copy *const *pages, size_t count,
			   struct error *error)
{
	struct http_client_response response = { 0 };
	enum result result = OK;
	for (int i = 0; result == OK && i < HOST_ROUNDS_MAX; i++) {
		result = host_ask(target, method, path, body, 409, MISSING_MAX_BYTES, &response,
				  error);
		if (result == OK && response.status != 409)
			return OK;
		if (result == OK && host_begins_with(response.body, PROTOCOL_OTHER_KEY))
			return error_log(error, E_CONFLICT, "the mirror has another signing key");
		if (result == OK)
			result = send_files(target, pages, count, response.body, error);
	}
	return result == OK ? error_log(error, E_REFUSED, "the mirror does not keep files")
			    : result;
}

static void add_to_digest(struct host *host, const struct buf *body)
{
	uint8_t sha256[SECRET_HASH_BYTES];
	if (!host->digest[0])
		return;
	secret_hash((struct str){ body->data, body->len }, sha256);
	memcpy(host->digest, origin_digest_add(&host->arena, host->digest, sha256),
	       sizeof(host->digest));
}

static enum result host_send(struct target *target, struct page_copy *const *pages, size_t count,
			     struct error *error)
{
	struct host *host = target->own;
	struct buf body CLEANUP(buf_done) = BUF_INIT(PROTOCOL_BODY_MAX);
	for (size_t i = 0; i < count; i++)
		manifest_print(&body, pages[i]);
	if (!buf_ok(&body) && count > 1) {
		enum result result = host_send(target, pages, count / 2, error);
		return result == OK ? host_send(target, pages + count / 2, count - count / 2, error)
				    : result;
	}
	enum result result = host_read_origin(target, error);
	if (result == OK)
		result = buf_ok(&body)
				 ? host_send_body(target, "POST", "/pages", &body, pages, count,
						  error)
				 : error_log(error, E_FAILED, "mirror: a page has too many files");
	if (result == OK)
		add_to_digest(host, &body);
	arena_reset(&host->arena);
	return result;
}

/* Sets is_changed if the mirror's digest differs from the expected digest: another origin or a
 * person has changed the mirror. */
static enum result compare_digest(struct target *target, const struct http_client_response *beat,
				  struct error *error)
{
	struct host *host = target->own;
	char expected[sizeof(host->digest)];
	struct str body = beat->body;
	memcpy(expected, host->digest, sizeof(expected));
	if (beat->status != 200)
		return OK;
	take_digest(host, &body);
	if (!host->digest[0])
		return error_log(error, E_REFUSED, "POST %s" PROTOCOL_PATH "/beat: status 200",
				 target->mirror->url);
	target->is_changed = expected[0] && strcmp(expected, host->digest) != 0;
	return OK;
}

static enum result host_beat(struct target *target, bool is_complete, struct error *error)
{
	struct host *host = target->own;
	struct buf body CLEANUP(buf_done) = BUF_INIT(HOST_REPLY_MAX_BYTES);
	struct http_client_response response;
	enum result result = host_read_origin(target, error);
	if (result == OK && clock_ms() >= host->step_at_ms)
		result = host_make_step(target, error);
	buf_puts(&body, is_complete ? "complete\n" : "incomplete\n");
	if (result == OK)
		result = host_ask(target, "POST", "/beat", &body, 200, HOST_REPLY_MAX_BYTES,
				  &response, error);
	if (result == OK)
		result = compare_digest(target, &response, error);
	arena_reset(&host->arena);
	return result;
}

const struct target_kind target_host = {
	.open = host_open,
	.close = host_close,
	.list = host_list,
	.send = host_send,
	.send_shared = host_send_shared,
	.beat = host_beat,
	.take_over = host_take_over,
};
