#include "mirror/site_copy.h"

#include <string.h>

#include "access/signing_key.h"

#define SECRET "secret "
#define LIST   "list "

void site_lists_print(struct buf *out, const struct site_copy_list *list, struct arena *arena)
{
	buf_printf(out, "%02x %s\n", list->number,
		   secret_to_hex(arena, list->sha256, sizeof(list->sha256)));
}

void site_copy_print(struct buf *out, const struct site_copy *site, struct arena *arena)
{
	buf_printf(out, SECRET "%s\n", site->secret);
	for (size_t i = 0; i < site->count; i++)
		buf_printf(out, LIST "%02x %s %zu\n", site->lists[i].number,
			   secret_to_hex(arena, site->lists[i].sha256, SECRET_HASH_BYTES),
			   site->lists[i].size);
}

static bool parse_secret(struct str text, struct arena *arena, struct site_copy *site)
{
	struct signing_key key;
	if (site->secret || !secret_from_hex(text, key.bytes, sizeof(key.bytes)))
		return false;
	site->secret = arena_strndup(arena, text.data, text.len);
	return true;
}

static bool parse_head(struct str *line, struct site_copy_list *list)
{
	struct str number, sha256;
	uint8_t byte;
	if (!str_split(line, ' ', &number) || !secret_from_hex(number, &byte, 1) ||
	    !str_split(line, ' ', &sha256) ||
	    !secret_from_hex(sha256, list->sha256, sizeof(list->sha256)))
		return false;
	list->number = byte;
	return true;
}

static bool parse_list(struct str line, struct site_copy *site)
{
	int64_t size;
	if (site->count == FORMER_LISTS)
		return false;
	struct site_copy_list *list = &site->lists[site->count++];
	if (!parse_head(&line, list) || !str_to_int64(line, &size) || size < 0 ||
	    size > FORMER_LIST_MAX_BYTES)
		return false;
	list->size = (size_t)size;
	return true;
}

/* An origin of a version before the lists sends every address in a line. These are not stored:
 * those that the mirror has stay until the origin is upgraded, and pages wait for none. */
static bool is_former(struct str line, struct arena *arena)
{
	struct former_line former;
	return former_line_parse(line, arena, &former);
}

enum result site_copy_parse(struct str body, struct arena *arena, struct site_copy *site,
			    struct error *error)
{
	size_t number = 0;
	*site = (struct site_copy){ 0 };
	while (body.len > 0) {
		const char *end = memchr(body.data, '\n', body.len);
		struct str line = { body.data, end ? (size_t)(end - body.data) : 0 };
		bool is_secret = str_starts(line, STR(SECRET));
		number++;
		bool is_list = str_starts(line, STR(LIST));
		if (!end || !(is_secret ? parse_secret(str_skip(line, strlen(SECRET)), arena, site)
			      : is_list ? parse_list(str_skip(line, strlen(LIST)), site)
					: is_former(line, arena)))
			return error_client(error, E_INVALID,
					    "Line %zu: it is no secret and no list.", number);
		body = str_skip(body, line.len + 1);
	}
	return site->secret ? OK : error_client(error, E_INVALID, "There is no secret.");
}

bool site_copy_is_list(struct str content, unsigned number, struct arena *arena)
{
	while (content.len > 0) {
		const char *end = memchr(content.data, '\n', content.len);
		struct str text = { content.data, end ? (size_t)(end - content.data) : 0 };
		struct former_line line;
		arena_reset(arena);
		if (!end || !former_line_parse(text, arena, &line) ||
		    former_list_of(line.place, line.name) != number)
			return false;
		content = str_skip(content, text.len + 1);
	}
	return true;
}

bool site_lists_next(struct str *rest, struct site_copy_list *list)
{
	struct str line;
	*list = (struct site_copy_list){ 0 };
	return rest->len > 0 && str_split(rest, '\n', &line) && parse_head(&line, list) &&
	       line.len == 0;
}
