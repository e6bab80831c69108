#include "mirror/protocol_part.h"

#include <string.h>

#include "base/lines.h"
#include "mirror/protocol.h"

void protocol_part_print(struct buf *out, const struct protocol_part *part, struct arena *arena)
{
	buf_printf(out, "%s %zu %zu %zu\n",
		   secret_to_hex(arena, part->sha256, sizeof(part->sha256)), part->size,
		   part->offset, part->data.len);
	buf_add(out, part->data.data, part->data.len);
}

static bool take_size(struct str *line, size_t *size)
{
	int64_t number;
	if (!line_number(line, 0, &number) || number > PROTOCOL_FILE_MAX)
		return false;
	*size = (size_t)number;
	return true;
}

enum result protocol_part_next(struct str *rest, struct protocol_part *part, struct error *error)
{
	struct str line, word;
	if (rest->len == 0)
		return E_NOT_FOUND;
	const char *end = memchr(rest->data, '\n',
				 rest->len < PROTOCOL_PART_HEAD_MAX_BYTES
					 ? rest->len
					 : PROTOCOL_PART_HEAD_MAX_BYTES);
	line = (struct str){ rest->data, end ? (size_t)(end - rest->data) : 0 };
	*part = (struct protocol_part){ 0 };
	if (!end || !line_word(&line, &word) ||
	    !secret_from_hex(word, part->sha256, sizeof(part->sha256)) ||
	    !take_size(&line, &part->size) || !take_size(&line, &part->offset) ||
	    !take_size(&line, &part->data.len) || !line_ends(&line))
		return error_client(error, E_INVALID, "A part begins with a line that is no part.");
	*rest = str_skip(*rest, (size_t)(end + 1 - rest->data));
	if (part->data.len > rest->len)
		return error_client(error, E_INVALID, "The last part is incomplete.");
	if (part->offset + part->data.len > part->size || (part->data.len == 0 && part->size > 0))
		return error_client(error, E_INVALID, "A part does not lie within its file.");
	part->data.data = rest->data;
	*rest = str_skip(*rest, part->data.len);
	return OK;
}
