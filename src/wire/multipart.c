#include "wire/multipart.h"

#include <string.h>

#include "wire/limits.h"
#include "wire/mediatype.h"

/* Returns the file name without folders: some clients send the whole path. */
static struct str basename_of(struct str path)
{
	for (size_t i = path.len; i > 0; i--)
		if (path.data[i - 1] == '/' || path.data[i - 1] == '\\')
			return str_skip(path, i);
	return path;
}

struct disposition {
	bool is_seen;
	bool has_name;
	bool is_file;
	struct str name;
	struct str filename;
	char storage[2][WIRE_PART_HEADER_MAX_BYTES];
};

static enum result read_disposition(struct str value, struct disposition *disposition,
				    struct error *error)
{
	struct header_params params;
	struct header_param param;
	if (disposition->is_seen)
		return error_client(
			error, E_MALFORMED,
			"A part of the multipart body has two Content-Disposition lines.");
	disposition->is_seen = true;
	if (!str_eq_nocase(header_value(value, &params), STR("form-data")))
		return error_client(error, E_MALFORMED,
				    "A part of the multipart body is not marked as form-data.");
	while (header_next_param(&params, &param)) {
		bool is_name = str_eq_nocase(param.name, STR("name"));
		bool is_file = str_eq_nocase(param.name, STR("filename"));
		if (!is_name && !is_file)
			continue;
		if (is_name ? disposition->has_name : disposition->is_file)
			return error_client(error, E_MALFORMED,
					    "A part of the multipart body has two names.");
		char *storage = disposition->storage[is_file];
		memcpy(storage, param.value.data, param.value.len);
		struct str kept = { storage, param.value.len };
		if (is_name) {
			disposition->has_name = true;
			disposition->name = kept;
		} else {
			disposition->is_file = true;
			disposition->filename = basename_of(kept);
		}
	}
	if (params.is_malformed)
		return error_client(error, E_MALFORMED,
				    "A Content-Disposition of the multipart body is not valid.");
	return OK;
}

static enum result read_header_line(struct str line, struct disposition *disposition,
				    struct error *error)
{
	const char *colon = memchr(line.data, ':', line.len);
	if (!colon)
		return error_client(error, E_MALFORMED,
				    "A header line of the multipart body has no colon.");
	struct str name = { line.data, (size_t)(colon - line.data) };
	struct str value = str_trim_ows(str_skip(line, name.len + 1));
	/* RFC 9112 section 5.1 forbids blanks before the colon. Accept them, because other parsers
	 * do. */
	if (str_eq_nocase(str_trim_ows(name), STR("content-disposition")))
		return read_disposition(value, disposition, error);
	return OK;
}

static enum result refuse_cut(struct error *error)
{
	return error_client(error, E_MALFORMED,
			    "The multipart body ends before its last boundary.");
}

/* Moves the header lines of a part, with CRLF, from the front of *rest into `header`. */
static enum result take_header(struct str *rest, char header[WIRE_PART_HEADER_MAX_BYTES],
			       size_t *header_len, struct error *error)
{
	*header_len = 0;
	for (int lines = 0; lines <= WIRE_PART_HEADER_MAX_LINES; lines++) {
		const char *end = rest->len > 0 ? memchr(rest->data, '\n', rest->len) : NULL;
		if (!end)
			return refuse_cut(error);
		struct str line = { rest->data, (size_t)(end - rest->data) + 1 };
		if (line.len > WIRE_PART_HEADER_MAX_BYTES - *header_len)
			return error_client(
				error, E_MALFORMED,
				"A part of the multipart body has more than %d bytes of headers.",
				WIRE_PART_HEADER_MAX_BYTES);
		if (memchr(line.data, '\r', line.len) != end - 1)
			return error_client(
				error, E_MALFORMED,
				"A header line of the multipart body does not end in CRLF.");
		*rest = str_skip(*rest, line.len);
		if (line.len == 2)
			return OK;
		memcpy(header + *header_len, line.data, line.len);
		*header_len += line.len;
	}
	return error_client(error, E_MALFORMED,
			    "A part of the multipart body has more than %d headers.",
			    WIRE_PART_HEADER_MAX_LINES);
}

/* Parses the complete header of a part. */
static enum result read_header(char *header, size_t header_len, struct disposition *disposition,
			       struct error *error)
{
	struct str rest = { header, header_len };
	while (rest.len > 0) {
		const char *end = memmem(rest.data, rest.len, "\r\n", 2);
		size_t len = end ? (size_t)(end - rest.data) : rest.len;
		/* A line that begins with a blank continues the previous one (RFC 5322 section
		 * 2.2.3). */
		while (end && len + 2 < rest.len && strchr(" \t", rest.data[len + 2])) {
			header[rest.data + len - header] = ' ';
			header[rest.data + len + 1 - header] = ' ';
			end = memmem(rest.data + len, rest.len - len, "\r\n", 2);
			len = end ? (size_t)(end - rest.data) : rest.len;
		}
		enum result result =
			read_header_line((struct str){ rest.data, len }, disposition, error);
		if (result != OK)
			return result;
		rest = str_skip(rest, len + 2);
	}
	if (!disposition->has_name)
		return error_client(error, E_MALFORMED,
				    "A part of the multipart body has no name.");
	if (disposition->name.len > WIRE_NAME_MAX_BYTES)
		return error_client(error, E_MALFORMED, "A field has a name of more than %d bytes.",
				    WIRE_NAME_MAX_BYTES);
	return OK;
}

/* Returns whether the text begins with a delimiter that lacks its first CRLF. Sets *bytes to the
 * length of this delimiter. */
static bool is_delimiter(struct str text, struct str boundary, size_t *bytes, bool *is_last)
{
	struct str tail = str_skip(text, 2 + boundary.len);
	size_t blanks = 0;
	if (!str_starts(text, STR("--")) || !str_starts(str_skip(text, 2), boundary))
		return false;
	*is_last = str_starts(tail, STR("--"));
	while (!*is_last && blanks < tail.len && blanks < WIRE_BOUNDARY_PADDING_MAX_BYTES &&
	       (tail.data[blanks] == ' ' || tail.data[blanks] == '\t'))
		blanks++;
	*bytes = 2 + boundary.len + blanks + 2;
	return *is_last || str_starts(str_skip(tail, blanks), STR("\r\n"));
}

/* Removes the value and the delimiter after it from the front of *rest. After an empty value the
 * delimiter may lack its first CRLF. Returns false if there is no delimiter. */
static bool take_value(struct str *rest, struct str boundary, struct str *value, bool *is_last)
{
	size_t bytes;
	*value = (struct str){ rest->data, 0 };
	if (is_delimiter(*rest, boundary, &bytes, is_last)) {
		*rest = str_skip(*rest, bytes);
		return true;
	}
	for (size_t at = 0; at < rest->len; at++) {
		const char *crlf = memmem(rest->data + at, rest->len - at, "\r\n--", 4);
		if (!crlf)
			return false;
		at = (size_t)(crlf - rest->data);
		if (!is_delimiter(str_skip(*rest, at + 2), boundary, &bytes, is_last))
			continue;
		value->len = at;
		*rest = str_skip(*rest, at + 2 + bytes);
		return true;
	}
	return false;
}

static enum result take_part(struct str *rest, struct str boundary, struct pair_sink *sink,
			     bool *is_last, struct error *error)
{
	char header[WIRE_PART_HEADER_MAX_BYTES];
	size_t header_len;
	struct disposition disposition = { 0 };
	enum result result = take_header(rest, header, &header_len, error);
	if (result == OK)
		result = read_header(header, header_len, &disposition, error);
	struct pair pair = {
		.name = disposition.name,
		.shape = disposition.is_file ? PAIR_FILE : PAIR_TEXT,
		.filename = disposition.filename,
	};
	if (result == OK && !take_value(rest, boundary, &pair.value, is_last))
		result = refuse_cut(error);
	return result == OK ? sink->take(sink, &pair, error) : result;
}

enum result multipart_decode(struct str text, const char *boundary, struct pair_sink *sink,
			     struct error *error)
{
	struct str preamble;
	bool is_last;
	enum result result = OK;
	if (!take_value(&text, str_from(boundary), &preamble, &is_last))
		return refuse_cut(error);
	for (size_t parts = 1; result == OK && !is_last; parts++) {
		if (parts > WIRE_PARTS_MAX)
			return error_client(error, E_MALFORMED,
					    "The request has more than %d fields.", WIRE_PARTS_MAX);
		result = take_part(&text, str_from(boundary), sink, &is_last, error);
	}
	return result;
}
