#include "mirror/shared_data.h"

#include "access/signing_key.h"
#include "base/lines.h"

#define SECRET "secret"
#define LIST   "list"

void shared_lists_print(struct buf *out, const struct shared_list *list, struct arena *arena)
{
	buf_printf(out, "%02x %s\n", list->number,
		   secret_to_hex(arena, list->sha256, sizeof(list->sha256)));
}

void shared_data_print(struct buf *out, const struct shared_data *data, struct arena *arena)
{
	buf_printf(out, SECRET " %s\n", data->secret);
	for (size_t i = 0; i < data->count; i++)
		buf_printf(out, LIST " %02x %s %zu\n", data->lists[i].number,
			   secret_to_hex(arena, data->lists[i].sha256, SECRET_HASH_BYTES),
			   data->lists[i].size);
}

static bool parse_secret(struct str text, struct arena *arena, struct shared_data *data)
{
	struct signing_key key;
	if (data->secret || !secret_from_hex(text, key.bytes, sizeof(key.bytes)))
		return false;
	data->secret = arena_strndup(arena, text.data, text.len);
	return true;
}

static bool parse_head(struct str *line, struct shared_list *list)
{
	struct str number, sha256;
	uint8_t byte;
	if (!line_word(line, &number) || !secret_from_hex(number, &byte, 1) ||
	    !line_word(line, &sha256) ||
	    !secret_from_hex(sha256, list->sha256, sizeof(list->sha256)))
		return false;
	list->number = byte;
	return true;
}

static bool parse_list(struct str line, struct shared_data *data)
{
	int64_t size;
	if (data->count == FORMER_LISTS)
		return false;
	struct shared_list *list = &data->lists[data->count++];
	if (!parse_head(&line, list) || !line_number(&line, 0, &size) || !line_ends(&line) ||
	    size > FORMER_LIST_MAX_BYTES)
		return false;
	list->size = (size_t)size;
	return true;
}

enum result shared_data_parse(struct str body, struct arena *arena, struct shared_data *data,
			      struct error *error)
{
	struct lines lines = lines_of(body);
	struct str line;
	bool is_valid = true;
	*data = (struct shared_data){ 0 };
	while (is_valid && lines_next(&lines, &line)) {
		struct str secret = line, list = line;
		is_valid = line_key(&secret, SECRET)
				   ? parse_secret(secret, arena, data)
				   : line_key(&list, LIST) && parse_list(list, data);
	}
	lines.number += is_valid;
	if (!is_valid || lines_are_cut(&lines))
		return error_client(error, E_INVALID, "Line %zu: it is no secret and no list.",
				    lines.number);
	return data->secret ? OK : error_client(error, E_INVALID, "There is no secret.");
}

bool shared_data_is_list(struct str content, unsigned number, struct arena *arena)
{
	struct lines lines = lines_of(content);
	struct str text;
	while (lines_next(&lines, &text)) {
		struct former_line line;
		arena_reset(arena);
		if (!former_line_parse(text, arena, &line) ||
		    former_list_of(line.place, line.name) != number)
			return false;
	}
	return !lines_are_cut(&lines);
}

bool shared_lists_next(struct str *rest, struct shared_list *list)
{
	struct lines lines = lines_of(*rest);
	struct str line;
	*list = (struct shared_list){ 0 };
	bool is_list = lines_next(&lines, &line) && parse_head(&line, list) && line_ends(&line);
	*rest = lines.rest;
	return is_list;
}
