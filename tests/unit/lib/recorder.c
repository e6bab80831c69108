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

static enum result recorder_take(struct pair_sink *sink, const struct pair *pair,
				 struct error *error)
{
	(void)error;
	struct recorder *recorder = CONTAINER_OF(sink, struct recorder, sink);
	if (recorder->refuse != OK)
		return recorder->refuse;
	if (recorder->count == RECORDED_MAX)
		abort();
	recorder->pairs[recorder->count++] = (struct pair){
		.name = keep(recorder, pair->name),
		.value = keep(recorder, pair->value),
		.filename = keep(recorder, pair->filename),
		.shape = pair->shape,
	};
	return OK;
}

void recorder_init(struct recorder *recorder)
{
	memset(recorder, 0, sizeof(*recorder));
	recorder->sink = (struct pair_sink){ .take = recorder_take };
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
		const struct pair *pair = &recorder->pairs[i];
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
