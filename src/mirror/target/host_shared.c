/* Sends the shared data to a mirror host. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "mirror/shared_data.h"
#include "mirror/target/host.h"

/* A call adds lists until their total size reaches this limit. The limit is low, because urgent
 * pages wait for the end of the call. */
enum { STEP_BYTES = 256 << 10 };

static enum result read_shared(struct target *target, struct error *error)
{
	struct host *host = target->own;
	struct http_client_response response;
	struct shared_list list;
	enum result result =
		host_ask(target, "GET", "/site", NULL, 0, HOST_REPLY_MAX_BYTES, &response, error);
	if (result != OK)
		return result;
	memset(host->lists, 0, sizeof(host->lists));
	host->secret[0] = '\0';
	while (shared_lists_next(&response.body, &list)) {
		host->lists[list.number].is_there = true;
		memcpy(host->lists[list.number].sha256, list.sha256, sizeof(list.sha256));
	}
	host->has_shared = true;
	return OK;
}

/* The lists that one call sends. */
struct step {
	struct shared_data data;
	struct page_copy_file files[FORMER_LISTS];
	struct page_copy files_of; /* has the files that host_send_body() sends on request */
	size_t bytes;
};

static void step_close(struct step *step)
{
	page_copy_close(&step->files_of);
}

static bool is_known(const struct host *host, unsigned number, const uint8_t *sha256)
{
	const struct host_list *known = &host->lists[number];
	return known->is_there && memcmp(known->sha256, sha256, SECRET_HASH_BYTES) == 0;
}

/* Adds a list if the mirror does not have it. */
static enum result add_list(struct step *step, const struct host *host, unsigned number,
			    struct str content, struct error *error)
{
	struct shared_list *list = &step->data.lists[step->data.count];
	*list = (struct shared_list){ .number = number, .size = content.len };
	secret_hash(content, list->sha256);
	if (is_known(host, number, list->sha256))
		return OK;
	step->data.count++;
	step->bytes += content.len;
	if (content.len == 0)
		return OK;
	struct page_copy_file *file = &step->files[step->files_of.file_count];
	*file = (struct page_copy_file){ .name = "former",
					 .size = content.len,
					 .fd = memfd_create("list", MFD_CLOEXEC) };
	memcpy(file->sha256, list->sha256, sizeof(file->sha256));
	step->files_of.file_count++;
	if (file->fd < 0 || write(file->fd, content.data, content.len) != (ssize_t)content.len)
		return error_log(error, E_FAILED, "mirror: no memory for a list");
	return OK;
}

/* Fills a step. Sets *next to the first list after the step. */
static enum result fill(struct step *step, struct host *host, unsigned *next, struct error *error)
{
	struct former_lists lists;
	enum result result = former_search_read(&host->dir, &host->sizes, host->next_list,
						&host->arena, &lists, error);
	unsigned i = 0;
	for (; result == OK && i < lists.count && step->bytes < STEP_BYTES; i++)
		result = add_list(step, host, lists.first + i, lists.contents[i], error);
	*next = lists.first + i;
	return result;
}

/* Notes whether the mirror has another signing key. A mirror with another key still gets all other
 * data. */
static enum result note_key(struct target *target, bool is_other, struct error *error)
{
	struct host *host = target->own;
	target->has_other_key = is_other;
	if (is_other || !host->link.replaces_key)
		return OK;
	host->link.replaces_key = false;
	return origin_link_write(&host->dir, target->mirror->name, &host->link, error);
}

static enum result send_step(struct target *target, const struct step *step, struct error *error)
{
	struct host *host = target->own;
	struct page_copy *const pages[] = { (struct page_copy *)(uintptr_t)&step->files_of };
	struct buf body CLEANUP(buf_done) = BUF_INIT(HOST_REPLY_MAX_BYTES);
	if (step->data.count == 0 && strcmp(host->secret, step->data.secret) == 0)
		return OK;
	shared_data_print(&body, &step->data, &host->arena);
	if (!buf_ok(&body))
		return error_log(error, E_FAILED, "mirror: no memory for the lists");
	enum result result = host_send_body(target, "PUT", "/site", &body, pages, 1, error);
	if (result == OK || result == E_CONFLICT)
		result = note_key(target, result == E_CONFLICT, error);
	if (result != OK)
		return result;
	snprintf(host->secret, sizeof(host->secret), "%s", step->data.secret);
	for (size_t i = 0; i < step->data.count; i++) {
		struct host_list *known = &host->lists[step->data.lists[i].number];
		known->is_there = true;
		memcpy(known->sha256, step->data.lists[i].sha256, sizeof(known->sha256));
	}
	return OK;
}

enum result host_send_shared(struct target *target, bool is_new, bool *is_more, struct error *error)
{
	struct host *host = target->own;
	struct step *step = ARENA_NEW(&host->arena, struct step);
	unsigned next = 0;
	enum result result = host_read_origin(target, error);
	step->files_of.files = step->files;
	if (result == OK && !host->has_shared)
		result = read_shared(target, error);
	if (result == OK && (is_new || host->next_list >= FORMER_LISTS)) {
		host->next_list = 0;
		result = former_search_sizes(&host->dir, &host->sizes, error);
	}
	if (result == OK)
		result = signing_key_export(host->dir.root_fd, &host->arena, &step->data.secret,
					    error);
	if (result == OK)
		result = fill(step, host, &next, error);
	if (result == OK)
		result = send_step(target, step, error);
	if (result == OK)
		host->next_list = next;
	*is_more = result == OK && host->next_list < FORMER_LISTS;
	step_close(step);
	arena_reset(&host->arena);
	return result;
}
