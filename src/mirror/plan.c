#include "mirror/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "publish/folder.h"

#define NONE "-"

enum { PLAN_MAX_BYTES = 64 << 20 };

static const char *or_none(const char *text)
{
	return text ? text : NONE;
}

static void print_page(struct buf *out, const struct plan_page *page)
{
	buf_printf(out, "page %lld %s %d %s %s\n", (long long)page->page_id, page->version,
		   (int)page->address.place, page->address.slug, or_none(page->address.domain));
	buf_printf(out, "left %s %s\n", or_none(page->left_slug), or_none(page->left_domain));
	for (size_t i = 0; i < page->file_count; i++) {
		const struct plan_file *file = &page->files[i];
		buf_printf(out, "file %s %s %s %s\n", file->name, file->digest, file->stamp,
			   or_none(file->temporary));
	}
	buf_puts(out, "end\n");
}

enum result plan_save(const struct receiver *receiver, const struct plan *plan, struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(PLAN_MAX_BYTES);
	int fd = receiver->folder_fd;
	for (size_t i = 0; i < plan->count; i++)
		print_page(&text, &plan->pages[i]);
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "mirror: no memory for the plan");
	enum result result = folder_put(fd, fd, PLAN_FILE,
					(struct str){ text.data ? text.data : "", text.len }, true,
					error);
	if (result == OK && fsync(fd) != 0)
		result = folder_failed(error, "cannot sync", PLAN_FILE);
	return result;
}

enum result plan_remove(const struct receiver *receiver, struct error *error)
{
	/* Synced: a former plan that comes back would undo what follows. */
	if ((unlinkat(receiver->folder_fd, PLAN_FILE, 0) != 0 && errno != ENOENT) ||
	    fsync(receiver->folder_fd) != 0)
		return folder_failed(error, "cannot remove", PLAN_FILE);
	return OK;
}

/* The next word; NULL: there is none. */
static const char *take_word(struct str *line, struct arena *arena)
{
	struct str word;
	return str_split(line, ' ', &word) && word.len > 0
		       ? arena_strndup(arena, word.data, word.len)
		       : NULL;
}

/* The next word, or NULL in place of NONE. */
static bool take_optional(struct str *line, struct arena *arena, const char **word)
{
	const char *found = take_word(line, arena);
	*word = found && strcmp(found, NONE) != 0 ? found : NULL;
	return found;
}

static bool take_number(struct str *line, int64_t *number)
{
	struct str word;
	return str_split(line, ' ', &word) && str_to_int64(word, number);
}

static bool parse_file(struct str line, struct arena *arena, struct plan_file *file)
{
	file->name = take_word(&line, arena);
	file->digest = take_word(&line, arena);
	file->stamp = take_word(&line, arena);
	return take_optional(&line, arena, &file->temporary) && file->name && file->digest &&
	       file->stamp && folder_is_name(file->name);
}

static bool parse_head(struct str line, struct arena *arena, struct plan_page *page)
{
	int64_t place = -1;
	bool has_id = take_number(&line, &page->page_id);
	page->version = take_word(&line, arena);
	bool has_place =
		take_number(&line, &place) &&
		(place == PAGES_PUBLIC || place == PAGES_NOINDEX || place == PAGES_PRIVATE);
	page->address.place = (enum pages_place)place;
	page->address.slug = take_word(&line, arena);
	return has_id && has_place && page->version && page->address.slug &&
	       take_optional(&line, arena, &page->address.domain);
}

struct parsing {
	struct str rest;
	struct arena *arena;
	struct plan *plan;
	size_t page_room;
	size_t file_room;
};

/* The lines of a page after its first. */
static bool parse_page(struct parsing *parsing, struct plan_page *page)
{
	struct str line;
	parsing->file_room = 0;
	while (str_split(&parsing->rest, '\n', &line)) {
		if (str_eq(line, STR("end")))
			return true;
		struct str words = str_skip(line, strlen("file "));
		if (str_starts(line, STR("left "))) {
			if (!take_optional(&words, parsing->arena, &page->left_slug) ||
			    !take_optional(&words, parsing->arena, &page->left_domain))
				return false;
			continue;
		}
		page->files = arena_grow(parsing->arena, page->files, page->file_count,
					 &parsing->file_room, sizeof(*page->files));
		if (!str_starts(line, STR("file ")) ||
		    !parse_file(words, parsing->arena, &page->files[page->file_count++]))
			return false;
	}
	return false;
}

static bool parse_plan(struct parsing *parsing)
{
	struct plan *plan = parsing->plan;
	struct str line;
	while (parsing->rest.len > 0 && str_split(&parsing->rest, '\n', &line)) {
		plan->pages = arena_grow(parsing->arena, plan->pages, plan->count,
					 &parsing->page_room, sizeof(*plan->pages));
		struct plan_page *page = &plan->pages[plan->count++];
		*page = (struct plan_page){ 0 };
		if (!str_starts(line, STR("page ")) ||
		    !parse_head(str_skip(line, strlen("page ")), parsing->arena, page) ||
		    !parse_page(parsing, page))
			return false;
	}
	return true;
}

static void free_text(char **text)
{
	free(*text);
}

enum result plan_load(const struct receiver *receiver, struct plan *plan, struct error *error)
{
	struct stat status;
	*plan = (struct plan){ 0 };
	int fd CLEANUP(close_fd) =
		openat(receiver->folder_fd, PLAN_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return OK;
	if (fd < 0 || fstat(fd, &status) != 0)
		return folder_failed(error, "cannot open", PLAN_FILE);
	size_t size = status.st_size < PLAN_MAX_BYTES ? (size_t)status.st_size : PLAN_MAX_BYTES;
	char *text CLEANUP(free_text) = malloc(size + 1);
	if (!text || read(fd, text, size) != (ssize_t)size)
		return folder_failed(error, "cannot read", PLAN_FILE);
	struct parsing parsing = { .rest = { text, size }, .arena = receiver->arena, .plan = plan };
	if (parse_plan(&parsing))
		return OK;
	*plan = (struct plan){ 0 };
	log_warn("mirror", "the plan of placing pages is damaged, and was removed");
	return plan_remove(receiver, error);
}
