#include "domain/incident/pending_update.h"

#include <string.h>

const char *const pending_kind_words[] = { "report", "update", "edit", "change", NULL };
static const char *const author_words[] = { "key", "user", NULL };

#define ROW(member, ...) FIELD(struct pending_update, member, __VA_ARGS__)
#define AUTHOR(member, its_name, ...) \
	FIELD_NAMED(struct pending_update, author_##member, its_name, __VA_ARGS__)
static const struct field author_rows[] = {
	AUTHOR(type, "type", .flags = FIELD_NOT_EMPTY, .choices = author_words,
	       .text = "key, or user: a person in the console."),
	AUTHOR(id, "id", .text = "The id of the key or the user."),
	AUTHOR(label, "label", .flags = FIELD_NOT_EMPTY,
	       .text = "The label of the key, or the name of the user."),
};
static const struct fields author_fields = { author_rows, ARRAY_LEN(author_rows) };

static const struct field rows[] = {
	ROW(id, .min = 1, .max = INT64_MAX, .text = "By which the text is declined."),
	ROW(kind, .flags = FIELD_NOT_EMPTY | FIELD_AS_WORD, .choices = pending_kind_words,
	    .text = "What the request asked for: report (a new incident), update (a new update), "
		    "edit (of an update), change (of an incident's other fields)."),
	ROW(incident_id, .flags = FIELD_ZERO_IS_NULL, .text = "null: of a report."),
	ROW(update_id, .flags = FIELD_ZERO_IS_NULL, .text = "Of an edit; otherwise null."),
	ROW(request, .flags = FIELD_NOT_EMPTY, .text = "The fields of the request, as JSON text."),
	{ .name = "author",
	  .kind = FIELD_OBJECT,
	  .members = &author_fields,
	  .text = "Who made the request." },
	ROW(created_at, .flags = FIELD_NOT_EMPTY, .text = "The time of the request."),
};
const struct fields pending_update_fields = { rows, ARRAY_LEN(rows) };

const struct fields *pending_request_fields(enum pending_kind kind, size_t *bytes)
{
	static const struct {
		const struct fields *fields;
		size_t bytes;
	} requests[] = {
		[PENDING_REPORT] = { &incident_report_fields, sizeof(struct incident_report) },
		[PENDING_UPDATE] = { &incident_post_fields, sizeof(struct incident_post) },
		[PENDING_EDIT] = { &incident_edit_fields, sizeof(struct incident_edit) },
		[PENDING_CHANGE] = { &incident_update_fields, sizeof(struct incident_input) },
	};
	*bytes = requests[kind].bytes;
	return requests[kind].fields;
}

bool pending_is_by(const struct pending_update *pending, const struct principal *principal)
{
	return pending->author_id == principal->id &&
	       strcmp(pending->author_type, principal_type_word(principal->type)) == 0;
}
