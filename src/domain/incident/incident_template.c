#include "domain/incident/incident_template.h"

#include <string.h>

#include "base/str.h"

/* clang-format off */
static const struct field create_rows[] = {
	INCIDENT_TEMPLATE_FIELDS(FIELD_OF_FORM, struct incident_template_input, FIELD_REQUIRED)
};
static const struct field update_rows[] = {
	INCIDENT_TEMPLATE_FIELDS(FIELD_OF_FORM, struct incident_template_input, 0)
};
static const struct field resource_rows[] = {
	INCIDENT_TEMPLATE_FIELDS(FIELD_OF_RESOURCE, struct incident_template, 0)
};
/* clang-format on */
const struct fields incident_template_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields incident_template_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields incident_template_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };

void incident_template_apply(const struct incident_template *row, struct incident_report *report,
			     struct field_set sent)
{
	if (!field_set_has(sent, REPORT_SENT_TITLE))
		report->title = row->title;
	if (!field_set_has(sent, REPORT_SENT_BODY))
		report->body = row->body;
	if (!field_set_has(sent, REPORT_SENT_MONITORS))
		report->monitor_ids = row->monitor_ids;
	if (!field_set_has(sent, REPORT_SENT_IMPACT))
		report->impact = row->impact;
	if (!field_set_has(sent, REPORT_SENT_PHASE) && report->ended_at.s == 0)
		report->phase = row->phase;
}

/* A text of TOO_LONG bytes has more characters than any field allows. */
enum { TOO_LONG = 4 * INCIDENT_COMMENT_MAX_CHARS + 4 };

struct filled {
	char *text;
	size_t len;
};

/* Allocates an empty text with room for TOO_LONG bytes, an escaped last character, and `bytes` more
 * bytes. */
static struct filled filled_new(size_t bytes, struct arena *arena)
{
	return (struct filled){ arena_alloc(arena, TOO_LONG + 8 + bytes), 0 };
}

/*
 * Appends the value as one line. With is_escaped, puts a backslash before each character that
 * CommonMark would take for markup. Some characters are markup only at the beginning of the line,
 * or after a number at the beginning.
 */
static void put(struct filled *out, const char *value, bool is_escaped)
{
	const size_t digits = strspn(value, "0123456789");
	bool is_inside = false; /* inside a character of several bytes */
	for (size_t i = 0; value[i] && (out->len < TOO_LONG || is_inside); i++) {
		if (is_escaped &&
		    (strchr("\\`*_[]<>&#~", value[i]) || (i == 0 && strchr("+-=", value[i])) ||
		     (i == digits && strchr(".)", value[i]))))
			out->text[out->len++] = '\\';
		out->text[out->len++] = (unsigned char)value[i] < ' ' ? ' ' : value[i];
		is_inside = ((unsigned char)value[i + 1] & 0xc0) == 0x80;
	}
}

static const char *fill(const char *at, bool is_commonmark, const struct incident *incident,
			const char *cause, struct arena *arena)
{
	struct filled out = filled_new(strlen(at), arena), names = filled_new(0, arena);
	char since[INSTANT_TEXT_SIZE];
	for (size_t i = 0; i < incident->monitor_count; i++) {
		put(&names, i > 0 ? ", " : "", false);
		put(&names, incident->monitors[i].name, false);
	}
	const struct {
		struct str word;
		const char *value;
	} values[] = { { STR("{system}"), names.text },
		       { STR("{since}"), instant_format(incident->started_at, since) },
		       { STR("{cause}"), cause ? cause : "" } };
	while (*at) {
		size_t space = *at == ' ', i = 0;
		while (i < ARRAY_LEN(values) &&
		       strncmp(at + space, values[i].word.data, values[i].word.len) != 0)
			i++;
		if (i == ARRAY_LEN(values) || (space && *values[i].value)) {
			out.text[out.len++] = *at++;
			continue;
		}
		at += space + values[i].word.len;
		put(&out, values[i].value, is_commonmark);
	}
	return out.text;
}

void incident_template_fill(struct incident_report *report, struct field_set sent,
			    const struct incident *incident, const char *cause, struct arena *arena)
{
	if (!field_set_has(sent, REPORT_SENT_TITLE))
		report->title = fill(report->title, false, incident, cause, arena);
	if (!field_set_has(sent, REPORT_SENT_BODY) && report->body)
		report->body = fill(report->body, true, incident, cause, arena);
}
