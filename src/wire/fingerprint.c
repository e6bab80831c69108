#include "wire/fingerprint.h"

/* Lengths stand before names and behind values: no value can look like two. */
static enum result take_open(struct pair_sink *sink, const struct pair *pair, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	buf_printf(&fingerprint->text, "%zu:%d:", pair->name.len, (int)pair->shape);
	buf_add(&fingerprint->text, pair->name.data, pair->name.len);
	fingerprint->value_at = fingerprint->text.len;
	return fingerprint->next->open(fingerprint->next, pair, error);
}

static enum result take_data(struct pair_sink *sink, struct str bytes, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	buf_add(&fingerprint->text, bytes.data, bytes.len);
	return fingerprint->next->data(fingerprint->next, bytes, error);
}

static enum result take_close(struct pair_sink *sink, struct error *error)
{
	struct fingerprint *fingerprint = CONTAINER_OF(sink, struct fingerprint, sink);
	buf_printf(&fingerprint->text, ":%zu\n", fingerprint->text.len - fingerprint->value_at);
	return fingerprint->next->close(fingerprint->next, error);
}

void fingerprint_init(struct fingerprint *fingerprint, struct pair_sink *next, size_t max_bytes)
{
	*fingerprint = (struct fingerprint){
		.sink = { take_open, take_data, take_close },
		.next = next,
		.text = BUF_INIT(max_bytes),
	};
}
