#include "mirror/receive/plan.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/lines.h"
#include "base/log.h"
#include "publish/folder/folder.h"

enum { PLAN_MAX_BYTES = 64 << 20 };

static void print_page(struct buf *out, const struct plan_page *page)
{
	buf_printf(out, "page %lld %s %d %s %s\n", (long long)page->page_id, page->version,
		   (int)page->address.place, page->address.slug,
		   line_or_none(page->address.domain));
	buf_printf(out, "left %s %s\n", line_or_none(page->left_slug),
		   line_or_none(page->left_domain));
	for (size_t i = 0; i < page->file_count; i++) {
		const struct plan_file *file = &page->files[i];
		buf_printf(out, "file %s %s %s %s\n", file->name, file->digest, file->stamp,
			   line_or_none(file->temporary));
	}
	buf_puts(out, "end\n");
}

enum result plan_save(const struct receiver *receiver, const struct plan *plan, struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(PLAN_MAX_BYTES);
	for (size_t i = 0; i < plan->count; i++)
		print_page(&text, &plan->pages[i]);
	if (!buf_ok(&text))
		return error_log(error, E_FAILED, "mirror: no memory for the plan");
	return folder_put_synced(receiver->folder_fd, PLAN_FILE,
				 (struct str){ text.data ? text.data : "", text.len }, error);
}

enum result plan_remove(const struct receiver *receiver, struct error *error)
{
	/*
	 * Sync the removal. If the plan came back after a loss of power, it would undo later
	 * changes.
	 */
	if ((unlinkat(receiver->folder_fd, PLAN_FILE, 0) != 0 && errno != ENOENT) ||
	    fsync(receiver->folder_fd) != 0)
		return folder_failed(error, "cannot remove", PLAN_FILE);
	return OK;
}

static bool parse_file(struct str line, struct arena *arena, struct plan_file *file)
{
	file->name = line_text(&line, arena);
	file->digest = line_text(&line, arena);
	file->stamp = line_text(&line, arena);
	return line_optional(&line, arena, &file->temporary) && file->name && file->digest &&
	       file->stamp && folder_is_name(file->name);
}

static bool parse_head(struct str line, struct arena *arena, struct plan_page *page)
{
	int64_t place = -1;
	bool has_id = line_number(&line, 1, &page->page_id);
	page->version = line_text(&line, arena);
	bool has_place =
		line_number(&line, 0, &place) &&
		(place == PAGES_PUBLIC || place == PAGES_NOINDEX || place == PAGES_PRIVATE);
	page->address.place = (enum pages_place)place;
	page->address.slug = line_text(&line, arena);
	return has_id && has_place && page->version && page->address.slug &&
	       line_optional(&line, arena, &page->address.domain);
}

struct parsing {
	struct lines lines;
	struct arena *arena;
	struct plan *plan;
	size_t page_room;
	size_t file_room;
};

/* Parses the lines of a page after its first line. */
static bool parse_page(struct parsing *parsing, struct plan_page *page)
{
	struct str line;
	parsing->file_room = 0;
	while (lines_next(&parsing->lines, &line)) {
		struct str words = line;
		if (str_eq(line, STR("end")))
			return true;
		if (line_key(&words, "left")) {
			if (!line_optional(&words, parsing->arena, &page->left_slug) ||
			    !line_optional(&words, parsing->arena, &page->left_domain))
				return false;
			continue;
		}
		page->files = arena_grow(parsing->arena, page->files, page->file_count,
					 &parsing->file_room, sizeof(*page->files));
		if (!line_key(&line, "file") ||
		    !parse_file(line, parsing->arena, &page->files[page->file_count++]))
			return false;
	}
	return false;
}

static bool parse_plan(struct parsing *parsing)
{
	struct plan *plan = parsing->plan;
	struct str line;
	while (lines_next(&parsing->lines, &line)) {
		plan->pages = arena_grow(parsing->arena, plan->pages, plan->count,
					 &parsing->page_room, sizeof(*plan->pages));
		struct plan_page *page = &plan->pages[plan->count++];
		*page = (struct plan_page){ 0 };
		if (!line_key(&line, "page") || !parse_head(line, parsing->arena, page) ||
		    !parse_page(parsing, page))
			return false;
	}
	return !lines_are_cut(&parsing->lines);
}

enum result plan_load(const struct receiver *receiver, struct plan *plan, struct error *error)
{
	struct parsing parsing = { .arena = receiver->arena, .plan = plan };
	struct str text;
	*plan = (struct plan){ 0 };
	enum result result = folder_read(receiver->folder_fd, PLAN_FILE, PLAN_MAX_BYTES,
					 receiver->arena, &text, error);
	if (result != OK)
		return result;
	parsing.lines = lines_of(text);
	if (parse_plan(&parsing))
		return OK;
	*plan = (struct plan){ 0 };
	log_warn("mirror", "the plan of placing pages is damaged, and was removed");
	return plan_remove(receiver, error);
}
