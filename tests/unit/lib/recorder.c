#include "unit/lib/recorder.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "wire/json_pairs.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

static struct str keep(struct recorder *recorder, struct str text)
{
	return (struct str){ arena_strndup(&recorder->arena, text.data, text.len), text.len };
}

static enum result recorder_open(struct pair_sink *sink, const struct pair *pair,
				 struct error *error)
{
	(void)error;
	struct recorder *recorder = CONTAINER_OF(sink, struct recorder, sink);
	if (recorder->refuse != OK)
		return recorder->refuse;
	if (recorder->count == RECORDED_MAX)
		abort();
	struct recorded *kept = &recorder->pairs[recorder->count++];
	*kept = (struct recorded){ .shape = pair->shape };
	kept->name = keep(recorder, pair->name);
	kept->filename = keep(recorder, pair->filename);
	return OK;
}

static enum result recorder_data(struct pair_sink *sink, struct str bytes, struct error *error)
{
	(void)error;
	struct recorder *recorder = CONTAINER_OF(sink, struct recorder, sink);
	struct recorded *kept = &recorder->pairs[recorder->count - 1];
	if (recorder->count == 0 || kept->is_closed || bytes.len == 0)
		abort();
	size_t needed = kept->value.len + bytes.len;
	if (needed > kept->room) {
		kept->room = 2 * needed;
		char *grown = arena_alloc(&recorder->arena, kept->room);
		if (kept->value.len > 0)
			memcpy(grown, kept->value.data, kept->value.len);
		kept->value.data = grown;
	}
	memcpy((char *)(uintptr_t)kept->value.data + kept->value.len, bytes.data, bytes.len);
	kept->value.len = needed;
	return OK;
}

static enum result recorder_close(struct pair_sink *sink, struct error *error)
{
	(void)error;
	struct recorder *recorder = CONTAINER_OF(sink, struct recorder, sink);
	struct recorded *kept = &recorder->pairs[recorder->count - 1];
	if (recorder->count == 0 || kept->is_closed)
		abort();
	kept->is_closed = true;
	return OK;
}

void recorder_init(struct recorder *recorder)
{
	memset(recorder, 0, sizeof(*recorder));
	recorder->sink = (struct pair_sink){ recorder_open, recorder_data, recorder_close };
	arena_init(&recorder->arena, (size_t)1 << 30);
}

void recorder_done(struct recorder *recorder)
{
	arena_done(&recorder->arena);
}

const char *recorder_text(struct recorder *recorder)
{
	const char *text = "";
	for (size_t i = 0; i < recorder->count; i++) {
		const struct recorded *pair = &recorder->pairs[i];
		const char *filename = pair->shape != PAIR_FILE
					       ? ""
					       : arena_printf(&recorder->arena, "<%.*s>",
							      (int)pair->filename.len,
							      pair->filename.data);
		text = arena_printf(&recorder->arena, "%s%.*s%s=%.*s;", text, (int)pair->name.len,
				    pair->name.data, filename, (int)pair->value.len,
				    pair->value.data);
	}
	return text;
}

/* A heap block of its own, so that a sanitizer sees a read past the end. */
static struct str copy_of(struct str input)
{
	char *block = malloc(input.len);
	if (input.len > 0)
		memcpy(block, input.data, input.len);
	return (struct str){ block, input.len };
}

enum result record_urlencoded(struct recorder *recorder, struct str input, struct error *error)
{
	struct str copy = copy_of(input);
	enum result result = urlencoded_decode(copy, &recorder->sink, error);
	free((char *)(uintptr_t)copy.data);
	return result;
}

enum result record_multipart(struct recorder *recorder, const char *boundary, struct str input,
			     struct error *error)
{
	struct str copy = copy_of(input);
	enum result result = multipart_decode(copy, boundary, &recorder->sink, error);
	free((char *)(uintptr_t)copy.data);
	return result;
}

enum result record_json(struct recorder *recorder, struct str input, struct error *error)
{
	struct str copy = copy_of(input);
	enum result result = json_decode(copy, NULL, &recorder->sink, error);
	free((char *)(uintptr_t)copy.data);
	return result;
}
