#include "publish/folder/former_address.h"

#include <string.h>
#include <unistd.h>

#include "access/page_access.h"
#include "base/fd.h"
#include "publish/folder/former_list.h"
#include "publish/page/page_state.h"
#include "publish/page/pages_batch.h"

enum { ID_MAX_BYTES = 20 };

static enum result load_id(const struct pages_dir *dir, enum pages_place place, const char *name,
			   struct arena *arena, const char **id, struct error *error)
{
	return pages_dir_load(dir, place, name, FORMER_ADDRESS_FILE, ID_MAX_BYTES, arena, id,
			      error);
}

static enum result write_one(const struct pages_dir *dir, const struct status_page *page,
			     enum pages_place place, const char *name, struct arena *arena,
			     struct error *error)
{
	const char *id = arena_printf(arena, "%lld", (long long)page->id), *recorded = NULL;
	enum result result = load_id(dir, place, name, arena, &recorded, error);
	bool is_own = recorded && strcmp(recorded, id) == 0;
	if (result != OK || is_own == (page->privacy != PRIVACY_PRIVATE))
		return result;
	if (page->privacy != PRIVACY_PRIVATE)
		return pages_dir_put(dir, place, name, FORMER_ADDRESS_FILE, str_from(id), arena,
				     error);
	return is_own ? pages_dir_remove(dir, place, name, error) : OK;
}

enum result former_addresses_write(const struct pages_dir *dir, const struct page_content *content,
				   const struct site *site, struct arena *arena,
				   struct error *error)
{
	struct str rest = str_from(content->former), line;
	enum result result = OK;
	while (content->former && result == OK && str_split(&rest, '\n', &line)) {
		bool is_slug = str_starts(line, STR("slug "));
		struct str word = str_skip(line, strlen(is_slug ? "slug " : "domain "));
		const char *name = arena_strndup(arena, word.data, word.len);
		if (is_slug || site_shows(site, name))
			result = write_one(dir, &content->view.page,
					   is_slug ? PAGES_FORMER : PAGES_FORMER_HOST, name, arena,
					   error);
	}
	return result;
}

enum result former_addresses_end(const struct pages_dir *dir, const struct status_page *page,
				 struct error *error)
{
	enum result result = OK;
	if (pages_dir_has_folder(dir, PAGES_FORMER, page->slug))
		result = pages_dir_remove(dir, PAGES_FORMER, page->slug, error);
	if (result == OK && page->domain &&
	    pages_dir_has_folder(dir, PAGES_FORMER_HOST, page->domain))
		result = pages_dir_remove(dir, PAGES_FORMER_HOST, page->domain, error);
	return result;
}

/* Reads the head of the page's note, without the lines that list the page's files. */
static enum result read_note(const struct pages_reader *reader, const char *id, struct arena *arena,
			     struct page_state *state, struct error *error)
{
	enum { HEAD_MAX_BYTES = 1024 };
	char head[HEAD_MAX_BYTES];
	int fd CLEANUP(close_fd) = -1;
	*state = (struct page_state){ .place = PAGES_PLACES };
	enum result result =
		pages_reader_find(reader, PAGES_STATE, id, PAGE_STATE_FILE, &fd, error);
	if (result == OK && fd < 0)
		result = pages_reader_find(reader, PAGES_STATE, id, PAGE_STATE_UNFINISHED, &fd,
					   error);
	if (result != OK || fd < 0)
		return result;
	ssize_t len = read(fd, head, sizeof(head));
	if (len > 0)
		page_state_parse_head((struct str){ head, (size_t)len }, arena, state);
	return OK;
}

/* Sets *is_shown if visitors may see the page. A page that has become private must not be shown,
 * even if the page's note does not have the new privacy yet. */
static enum result is_shown(const struct pages_reader *reader, const struct page_state *state,
			    struct arena *arena, bool *is_shown, struct error *error)
{
	struct page_access access;
	const char *text = NULL;
	*is_shown = state->place == PAGES_PUBLIC || state->place == PAGES_NOINDEX;
	if (state->place != PAGES_PRIVATE)
		return OK;
	enum result result = pages_reader_text(reader, PAGES_PRIVATE, state->slug, PAGE_ACCESS_FILE,
					       PAGE_ACCESS_MAX_BYTES, arena, &text, error);
	*is_shown = text && page_access_parse(str_from(text), arena, &access) &&
		    access.privacy == PRIVACY_PASSWORD;
	return result;
}

enum result former_address_find(const struct pages_reader *reader, enum pages_place place,
				const char *name, struct arena *arena, struct former_address *found,
				struct error *error)
{
	struct page_state state = { 0 };
	const char *id = NULL;
	bool shows = false;
	bool is_listed;
	*found = (struct former_address){ 0 };
	enum result result = former_list_find(reader, place, name, arena, &is_listed, &id, error);
	if (result == OK && !is_listed)
		result = pages_reader_text(reader, place, name, FORMER_ADDRESS_FILE, ID_MAX_BYTES,
					   arena, &id, error);
	if (result != OK || !id)
		return result;
	result = read_note(reader, id, arena, &state, error);
	if (result == OK && state.is_known)
		result = is_shown(reader, &state, arena, &shows, error);
	if (shows)
		*found = (struct former_address){ state.slug, state.domain };
	return result;
}
