#include "mirror/receive/received_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/page_access.h"
#include "base/fd.h"
#include "domain/page/status_page.h"
#include "publish/folder/folder.h"

static const char *hex_of(const struct received_page *arrival, const struct page_copy_file *file)
{
	return secret_to_hex(arrival->receiver->arena, file->sha256, sizeof(file->sha256));
}

const struct file_state *received_page_in_place(const struct received_page *arrival,
						const struct page_copy_file *file)
{
	const struct page_state *state = &arrival->state;
	for (size_t i = 0; arrival->folder_fd >= 0 && i < state->file_count; i++) {
		const struct file_state *there = &state->files[i];
		if (strcmp(there->name, file->name) != 0)
			continue;
		bool is_same = strcmp(there->digest, hex_of(arrival, file)) == 0 &&
			       folder_has(arrival->folder_fd, there->name, there->stamp);
		return is_same ? there : NULL;
	}
	return NULL;
}

/* Opens a file of the page's former version that has this content. Returns -1 if there is none. */
static int open_former(const struct received_page *arrival, const struct page_copy_file *file)
{
	const struct page_state *state = &arrival->state;
	const char *digest = hex_of(arrival, file);
	for (size_t i = 0; state->place < PAGES_STATE && i < state->file_count; i++) {
		if (strcmp(state->files[i].digest, digest) != 0)
			continue;
		int fd = pages_dir_open_file(&arrival->receiver->dir, state->place, state->slug,
					     state->files[i].name);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

static enum result lacks(const struct received_page *arrival, const struct page_copy_file *file,
			 struct buf *missing)
{
	buf_printf(missing, "%s\n", hex_of(arrival, file));
	return E_PRECONDITION_FAILED;
}

enum result received_page_find_missing(const struct received_page *arrival, struct buf *missing)
{
	enum result result = OK;
	for (size_t i = 0; i < arrival->copy->file_count; i++) {
		const struct page_copy_file *file = &arrival->copy->files[i];
		if (received_page_in_place(arrival, file) ||
		    incoming_has(arrival->receiver, file->sha256, file->size))
			continue;
		int fd CLEANUP(close_fd) = open_former(arrival, file);
		if (fd < 0)
			result = lacks(arrival, file, missing);
	}
	return result;
}

bool received_page_is_current(const struct received_page *arrival)
{
	const struct page_state *state = &arrival->state;
	const struct page_copy *copy = arrival->copy;
	if (arrival->folder_fd < 0 || !state->version ||
	    strcmp(state->version, copy->version) != 0 || state->file_count != copy->file_count ||
	    !str_eq(str_from(state->domain), str_from(arrival->address.domain)))
		return false;
	for (size_t i = 0; i < copy->file_count; i++)
		if (!received_page_in_place(arrival, &copy->files[i]))
			return false;
	return page_state_is_there(&arrival->receiver->dir, state);
}

static void free_text(char **text)
{
	free(*text);
}

/* Reads the whole content. Returns false if the content is not the expected one. */
static bool read_content(int fd, const struct page_copy_file *file, char *text)
{
	uint8_t hash[SECRET_HASH_BYTES];
	if (fd_read_some(fd, text, file->size + 1) != (ssize_t)file->size)
		return false;
	secret_hash((struct str){ text, file->size }, hash);
	return memcmp(hash, file->sha256, sizeof(hash)) == 0;
}

/* Reads the content from the received file, or from a file of the page's former version. Removes a
 * damaged received file, so that the origin sends it again. */
static bool load_content(const struct received_page *arrival, const struct page_copy_file *file,
			 char *text)
{
	int received_fd CLEANUP(close_fd) = incoming_open(arrival->receiver, file->sha256);
	if (received_fd >= 0 && read_content(received_fd, file, text))
		return true;
	if (received_fd >= 0)
		incoming_forget(arrival->receiver, file->sha256);
	int former_fd CLEANUP(close_fd) = open_former(arrival, file);
	return former_fd >= 0 && read_content(former_fd, file, text);
}

/* Whether the access record belongs to the page. */
static bool is_access_of(const struct received_page *arrival, struct str text)
{
	struct page_access access;
	return text.len <= PAGE_ACCESS_MAX_BYTES &&
	       page_access_parse(text, arrival->receiver->arena, &access) &&
	       access.page_id == arrival->copy->page_id &&
	       (access.privacy == PRIVACY_PRIVATE || access.privacy == PRIVACY_PASSWORD);
}

static enum result write_file(const struct received_page *arrival, struct str data,
			      struct plan_file *planned, struct error *error)
{
	const struct receiver *receiver = arrival->receiver;
	struct folder_file written = { .fd = -1 };
	if (arrival->folder_fd >= 0)
		folder_await_second(arrival->folder_fd, planned->name, data.len);
	enum result result = folder_write(receiver->dir.new_fd,
					  pages_place_is_public(arrival->address.place), data,
					  &written, error);
	if (result != OK)
		return result;
	/* Do not sync this file: syncfs() later syncs all files at once. */
	folder_close_file(&written);
	planned->temporary = arena_strdup(receiver->arena, written.name);
	planned->stamp = arena_strdup(receiver->arena, written.stamp);
	return OK;
}

enum result received_page_plan_file(const struct received_page *arrival,
				    const struct page_copy_file *file, struct plan_file *planned,
				    struct buf *missing, struct error *error)
{
	const struct file_state *there = received_page_in_place(arrival, file);
	*planned = (struct plan_file){ .name = file->name, .digest = hex_of(arrival, file) };
	if (there) {
		planned->stamp = there->stamp;
		return OK;
	}
	char *text CLEANUP(free_text) = malloc(file->size + 1);
	if (!text)
		return error_log(error, E_FAILED, "mirror: no memory for %s", file->name);
	if (!load_content(arrival, file, text))
		return lacks(arrival, file, missing);
	struct str data = { text, file->size };
	if (strcmp(file->name, PAGE_ACCESS_FILE) == 0 && !is_access_of(arrival, data))
		return error_client(error, E_INVALID,
				    "The access record of page %lld is not valid.",
				    (long long)arrival->copy->page_id);
	return write_file(arrival, data, planned, error);
}
