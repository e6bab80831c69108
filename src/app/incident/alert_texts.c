#include "app/incident/alert_texts.h"

#include "base/attr.h"
#include "base/buf.h"
#include "base/secret.h"
#include "base/str.h"
#include "domain/incident/incident.h"
#include "wire/json_read.h"
#include "wire/limits.h"

/* Returns the first max_chars characters of the trimmed text. */
static const char *fit_text(const char *text, size_t max_chars, struct arena *arena)
{
	struct str trimmed = str_trim(str_from(text));
	size_t len = 0;
	for (size_t chars = 0; len < trimmed.len; len++) {
		bool is_first = (trimmed.data[len] & 0xc0) != 0x80;
		if (is_first && chars++ == max_chars)
			break;
	}
	return arena_strndup(arena, trimmed.data, len);
}

const char *alert_cause(struct json_object *alert, struct arena *scratch, struct arena *arena)
{
	struct json_object *annotations = json_member(alert, "annotations");
	struct json_object *labels = json_member(alert, "labels");
	const char *texts[] = {
		json_text(json_member(annotations, "summary"), scratch),
		json_text(json_member(annotations, "description"), scratch),
		json_text(json_member(labels, "alertname"), scratch),
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i] && texts[i][0] != '\0')
			return fit_text(texts[i], INCIDENT_CAUSE_MAX_CHARS, arena);
	return "Alert";
}

const char *alert_title(struct json_object *alert, struct arena *scratch, struct arena *arena)
{
	const char *text =
		json_text(json_member(json_member(alert, "annotations"), "title"), scratch);
	const char *title = text ? fit_text(text, INCIDENT_TITLE_MAX_CHARS, arena) : "";
	return title[0] != '\0' ? title : NULL;
}

const char *alert_fingerprint(struct json_object *alert, struct arena *scratch, struct arena *arena)
{
	const char *given = json_text(json_member(alert, "fingerprint"), scratch);
	struct buf text CLEANUP(buf_done) = BUF_INIT(4 * WIRE_JSON_MAX_BYTES);
	if (given && given[0] != '\0')
		buf_puts(&text, given);
	else
		json_print(&text, json_member(alert, "labels"));
	return buf_ok(&text) ? secret_hash_hex(arena, text.data, text.len, 32) : NULL;
}

const char *alert_group_source(struct json_object *payload, struct arena *arena)
{
	const char *key = json_text(json_member(payload, "groupKey"), arena);
	if (!key || key[0] == '\0')
		return NULL;
	struct str text = str_from(key);
	return arena_printf(arena, "group:%s", secret_hash_hex(arena, text.data, text.len, 32));
}

const char *alert_group_title(struct json_object *payload, struct arena *arena)
{
	struct json_object *annotations = json_member(payload, "commonAnnotations");
	struct json_object *labels = json_member(payload, "commonLabels");
	const char *texts[] = {
		json_text(json_member(annotations, "title"), arena),
		json_text(json_member(labels, "alertname"), arena),
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const char *title = texts[i] ? fit_text(texts[i], INCIDENT_TITLE_MAX_CHARS, arena)
					     : "";
		if (title[0] != '\0')
			return title;
	}
	return "Outage";
}
