#include "mirror/push/former_search.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/folder.h"
#include "publish/folder/former_address.h"

enum { ID_MAX_CHARS = 20 };

struct found {
	unsigned list;
	struct former_line line;
};

struct search {
	enum pages_place place;
	int place_fd;
	struct former_sizes *sizes; /* used by former_search_sizes() */
	/* Used by former_search_read(). */
	const struct former_lists *lists;
	struct found *rows;
	size_t count;
	size_t room;
	struct arena *arena;
};

static enum result visit(const struct pages_dir *dir, struct search *search,
			 folder_visit *visit_name, struct error *error)
{
	enum result result = OK;
	for (int i = PAGES_FORMER; result == OK && i <= PAGES_FORMER_HOST; i++) {
		search->place = (enum pages_place)i;
		search->place_fd = dir->place_fds[i];
		result = folder_each(search->place_fd, visit_name, search, error);
	}
	return result;
}

static void measure(void *context, const char *name)
{
	const struct search *search = context;
	search->sizes->bytes[former_list_of(search->place, name)] +=
		strlen("former-host ") + strlen(name) + 1 + ID_MAX_CHARS + 1;
}

enum result former_search_sizes(const struct pages_dir *dir, struct former_sizes *sizes,
				struct error *error)
{
	struct search search = { .sizes = sizes };
	memset(sizes, 0, sizeof(*sizes));
	return visit(dir, &search, measure, error);
}

/* Returns the id of the page; 0: the address has no record. */
static int64_t read_id(int place_fd, const char *name)
{
	char text[ID_MAX_CHARS];
	int64_t id = 0;
	int folder_fd CLEANUP(close_fd) = folder_open(place_fd, name);
	ssize_t len = folder_read_some(folder_fd, FORMER_ADDRESS_FILE, text, sizeof(text));
	return len > 0 && str_to_int64((struct str){ text, (size_t)len }, &id) && id > 0 ? id : 0;
}

static void add_list(void *context, const char *name)
{
	struct search *search = context;
	const struct former_lists *lists = search->lists;
	unsigned number = former_list_of(search->place, name);
	if (!folder_is_name(name) || number < lists->first ||
	    number >= lists->first + lists->count || !arena_has_room(search->arena))
		return;
	int64_t page_id = read_id(search->place_fd, name);
	if (page_id == 0)
		return;
	search->rows = arena_grow(search->arena, search->rows, search->count, &search->room,
				  sizeof(*search->rows));
	search->rows[search->count++] =
		(struct found){ number,
				{ search->place, arena_strdup(search->arena, name), page_id } };
}

static int compare(const void *a, const void *b)
{
	const struct found *one = a, *other = b;
	if (one->list != other->list)
		return one->list < other->list ? -1 : 1;
	if (one->line.place != other->line.place)
		return one->line.place < other->line.place ? -1 : 1;
	return strcmp(one->line.name, other->line.name);
}

/* Returns the lines of the list with this number. *next must be the index of its first row in
 * search->rows. Sets *next to the index after its last row. */
static struct str print_list(const struct search *search, unsigned number, size_t *next)
{
	enum { LINE_MAX_BYTES = 512 };
	struct buf text CLEANUP(buf_done) = BUF_INIT(FORMER_LIST_MAX_BYTES);
	for (; *next < search->count && search->rows[*next].list == number; ++*next)
		if (text.len + LINE_MAX_BYTES < FORMER_LIST_MAX_BYTES)
			former_line_print(&text, &search->rows[*next].line);
	const char *data = buf_ok(&text) && text.data ? text.data : "";
	return (struct str){ arena_strndup(search->arena, data, text.len), text.len };
}

enum result former_search_read(const struct pages_dir *dir, const struct former_sizes *sizes,
			       unsigned first, struct arena *arena, struct former_lists *lists,
			       struct error *error)
{
	struct search search = { .lists = lists, .arena = arena };
	size_t bytes = 0, next = 0;
	*lists = (struct former_lists){ .first = first };
	while (first + lists->count < FORMER_LISTS &&
	       (lists->count == 0 ||
		bytes + sizes->bytes[first + lists->count] <= FORMER_SEARCH_MAX_BYTES))
		bytes += sizes->bytes[first + lists->count++];
	lists->contents = ARENA_ARRAY(arena, lists->count, struct str);
	enum result result = visit(dir, &search, add_list, error);
	if (result != OK)
		return result;
	if (search.count > 0)
		qsort(search.rows, search.count, sizeof(*search.rows), compare);
	for (unsigned i = 0; i < lists->count; i++)
		lists->contents[i] = print_list(&search, first + i, &next);
	return OK;
}
