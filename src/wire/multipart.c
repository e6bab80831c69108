#include "wire/multipart.h"

#include <string.h>

#include "wire/mediatype.h"

void multipart_init(struct multipart *decoder, const char *boundary, struct pair_sink *sink)
{
	*decoder = (struct multipart){ .sink = sink, .state = MULTIPART_PREAMBLE };
	memcpy(decoder->delimiter, "\r\n--", 4);
	memcpy(decoder->delimiter + 4, boundary, strlen(boundary));
	decoder->delimiter_len = 4 + strlen(boundary);
	/* The first boundary may come without a line break before it. */
	decoder->matched = decoder->assumed = 2;
}

static enum result emit_data(struct multipart *decoder, struct str bytes, struct error *error)
{
	if (decoder->state != MULTIPART_VALUE || bytes.len == 0)
		return OK;
	return decoder->sink->data(decoder->sink, bytes, error);
}

/* The file name without folders, which some clients send. */
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
	/* Match the name even with blanks before the colon, which RFC 9112 section 5.1
	 * forbids: other parsers accept them. */
	if (str_eq_nocase(str_trim_ows(name), STR("content-disposition")))
		return read_disposition(value, disposition, error);
	return OK;
}

/* Parses the complete header of a part, and opens its pair. */
static enum result open_part(struct multipart *decoder, struct error *error)
{
	struct disposition disposition = { 0 };
	struct str rest = { decoder->header, decoder->header_len };
	while (rest.len > 0) {
		const char *end = memmem(rest.data, rest.len, "\r\n", 2);
		size_t len = end ? (size_t)(end - rest.data) : rest.len;
		/* A line that begins with a blank continues the previous one (RFC 5322 section
		 * 2.2.3). */
		while (end && len + 2 < rest.len && strchr(" \t", rest.data[len + 2])) {
			decoder->header[rest.data + len - decoder->header] = ' ';
			decoder->header[rest.data + len + 1 - decoder->header] = ' ';
			end = memmem(rest.data + len, rest.len - len, "\r\n", 2);
			len = end ? (size_t)(end - rest.data) : rest.len;
		}
		enum result result =
			read_header_line((struct str){ rest.data, len }, &disposition, error);
		if (result != OK)
			return result;
		rest = str_skip(rest, len + 2);
	}
	if (!disposition.has_name)
		return error_client(error, E_MALFORMED,
				    "A part of the multipart body has no name.");
	if (disposition.name.len > WIRE_NAME_MAX_BYTES)
		return error_client(error, E_MALFORMED, "A field has a name of more than %d bytes.",
				    WIRE_NAME_MAX_BYTES);
	struct pair pair = {
		.name = disposition.name,
		.shape = disposition.is_file ? PAIR_FILE : PAIR_TEXT,
		.filename = disposition.filename,
	};
	return decoder->sink->open(decoder->sink, &pair, error);
}

static enum result feed_header_byte(struct multipart *decoder, char c, struct error *error)
{
	if (decoder->header_len == sizeof(decoder->header))
		return error_client(
			error, E_MALFORMED,
			"A part of the multipart body has more than %d bytes of headers.",
			WIRE_PART_HEADER_MAX_BYTES);
	bool is_after_cr = decoder->header_len > decoder->line_start &&
			   decoder->header[decoder->header_len - 1] == '\r';
	if ((c == '\n') != is_after_cr)
		return error_client(error, E_MALFORMED,
				    "A header line of the multipart body does not end in CRLF.");
	decoder->header[decoder->header_len++] = c;
	if (c != '\n')
		return OK;

	size_t line_len = decoder->header_len - decoder->line_start - 2;
	if (line_len > 0) {
		decoder->line_start = decoder->header_len;
		if (++decoder->lines > WIRE_PART_HEADER_MAX_LINES)
			return error_client(
				error, E_MALFORMED,
				"A part of the multipart body has more than %d headers.",
				WIRE_PART_HEADER_MAX_LINES);
		return OK;
	}
	decoder->header_len -= 2;
	decoder->state = MULTIPART_VALUE;
	/* The delimiter after an empty value may directly follow the blank line. */
	decoder->matched = decoder->assumed = 2;
	return open_part(decoder, error);
}

/* Ends the part before a complete delimiter line. */
static enum result end_part(struct multipart *decoder, bool is_last, struct error *error)
{
	enum result result = OK;
	if (decoder->state == MULTIPART_VALUE)
		result = decoder->sink->close(decoder->sink, error);
	decoder->state = is_last ? MULTIPART_EPILOGUE : MULTIPART_HEADERS;
	decoder->matched = decoder->assumed = decoder->tail_len = 0;
	decoder->header_len = decoder->line_start = decoder->lines = 0;
	if (result == OK && !is_last && ++decoder->parts > WIRE_PARTS_MAX)
		result = error_client(error, E_MALFORMED, "The request has more than %d fields.",
				      WIRE_PARTS_MAX);
	return result;
}

/* Treats a partial delimiter and its tail as data. */
static enum result flush_match(struct multipart *decoder, struct error *error)
{
	struct str delimiter = { decoder->delimiter + decoder->assumed,
				 decoder->matched - decoder->assumed };
	struct str tail = { decoder->tail, decoder->tail_len };
	decoder->matched = decoder->assumed = decoder->tail_len = 0;
	enum result result = emit_data(decoder, delimiter, error);
	return result == OK ? emit_data(decoder, tail, error) : result;
}

/* Handles a byte after a complete delimiter. Sets *is_taken to false if the byte makes the
 * delimiter data. */
static enum result feed_tail_byte(struct multipart *decoder, char c, bool *is_taken,
				  struct error *error)
{
	char last = decoder->tail_len > 0 ? decoder->tail[decoder->tail_len - 1] : '\0';
	*is_taken = true;
	if (last == '-' && c == '-')
		return end_part(decoder, true, error);
	if (last == '\r' && c == '\n')
		return end_part(decoder, false, error);
	bool is_line_so_far =
		last != '-' && last != '\r' &&
		(c == ' ' || c == '\t' || c == '\r' || (c == '-' && decoder->tail_len == 0));
	if (is_line_so_far && decoder->tail_len < sizeof(decoder->tail)) {
		decoder->tail[decoder->tail_len++] = c;
		return OK;
	}
	*is_taken = false;
	/* A CR without LF may begin the next delimiter. */
	if (last == '\r')
		decoder->tail_len--;
	enum result result = flush_match(decoder, error);
	if (last == '\r')
		decoder->matched = 1;
	return result;
}

/* Handles a byte of the preamble or of a value. */
static enum result feed_value_byte(struct multipart *decoder, char c, struct error *error)
{
	enum result result = OK;
	bool is_taken = false;
	if (decoder->matched == decoder->delimiter_len)
		result = feed_tail_byte(decoder, c, &is_taken, error);
	if (result != OK || is_taken)
		return result;
	if (decoder->matched < decoder->delimiter_len &&
	    c == decoder->delimiter[decoder->matched]) {
		decoder->matched++;
		return OK;
	}
	result = flush_match(decoder, error);
	if (result != OK)
		return result;
	if (c == '\r') {
		decoder->matched = 1;
		return OK;
	}
	return emit_data(decoder, (struct str){ &c, 1 }, error);
}

/* The bytes at the front that cannot belong to a delimiter. */
static struct str plain_run(const struct multipart *decoder, struct str bytes)
{
	if (decoder->matched > 0)
		return (struct str){ bytes.data, 0 };
	const char *cr = memchr(bytes.data, '\r', bytes.len);
	return (struct str){ bytes.data, cr ? (size_t)(cr - bytes.data) : bytes.len };
}

enum result multipart_feed(struct multipart *decoder, struct str bytes, struct error *error)
{
	enum result result = OK;
	while (result == OK && bytes.len > 0 && decoder->state != MULTIPART_EPILOGUE) {
		struct str run = { 0 };
		if (decoder->state == MULTIPART_HEADERS) {
			result = feed_header_byte(decoder, bytes.data[0], error);
		} else {
			run = plain_run(decoder, bytes);
			result = run.len > 0 ? emit_data(decoder, run, error)
					     : feed_value_byte(decoder, bytes.data[0], error);
		}
		bytes = str_skip(bytes, run.len > 0 ? run.len : 1);
	}
	return result;
}

enum result multipart_finish(struct multipart *decoder, struct error *error)
{
	if (decoder->state != MULTIPART_EPILOGUE)
		return error_client(error, E_MALFORMED,
				    "The multipart body ends before its last boundary.");
	return OK;
}
