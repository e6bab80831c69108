#include "domain/page/page_link.h"

#include "base/attr.h"

static const struct field create_rows[] = {
	FIELD(struct page_link_input, expires_in, .flags = FIELD_SECONDS, .min = PAGE_LINK_MIN_S,
	      .max = PAGE_LINK_MAX_S, .default_value = "604800", .option = "expires",
	      .text = "How long the link is valid; at most 400 days."),
	FIELD(struct page_link_input, label, .max_chars = PAGE_LINK_LABEL_MAX_CHARS,
	      .text = "The purpose of the link. Visitors do not see it."),
};
static const struct field created_rows[] = {
	FIELD(struct page_link, id, .min = 1, .max = INT64_MAX),
	FIELD(struct page_link, url, .format = "uri",
	      .text = "Opens the page until the link expires or is withdrawn. Null in the stored "
		      "response of an Idempotency-Key."),
	FIELD(struct page_link, expires_at, .flags = FIELD_NOT_EMPTY,
	      .text = "From then on the link opens nothing."),
};
static const struct field actor_rows[] = {
	FIELD_NAMED(struct page_link, actor_type, "type", .flags = FIELD_NOT_EMPTY,
		    .text = "key, operator or system, as of an event."),
	FIELD_NAMED(struct page_link, actor_id, "id", .flags = FIELD_ZERO_IS_NULL,
		    .text = "The id of the key; null: no key."),
	FIELD_NAMED(struct page_link, actor_label, "label",
		    .text = "The label of the key, or the name of the program; null: none."),
};
static const struct fields actor_fields = { actor_rows, ARRAY_LEN(actor_rows) };
static const struct field listed_rows[] = {
	FIELD(struct page_link, id, .min = 1, .max = INT64_MAX),
	FIELD(struct page_link, label, .text = "The purpose of the link."),
	{ .name = "made_by",
	  .kind = FIELD_OBJECT,
	  .flags = FIELD_NOT_EMPTY,
	  .members = &actor_fields,
	  .text = "As the actor of an event." },
	FIELD(struct page_link, created_at, .flags = FIELD_NOT_EMPTY),
	FIELD(struct page_link, expires_at, .flags = FIELD_NOT_EMPTY,
	      .text = "From then on the link opens nothing."),
};

const struct fields page_link_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields page_link_created_fields = { created_rows, ARRAY_LEN(created_rows) };
const struct fields page_link_fields = { listed_rows, ARRAY_LEN(listed_rows) };
