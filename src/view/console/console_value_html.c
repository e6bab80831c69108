#include "view/console/console_value_html.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "base/violation.h"
#include "domain/event.h"
#include "domain/field_table.h"
#include "domain/incident/incident.h"
#include "domain/page/status_page.h"
#include "view/html.h"

static void capitalise_acronyms(char *label)
{
	static const char *const acronyms[] = { "url", "id",   "tls", "dns", "tcp",
						"css", "json", "ssl", "js" };
	struct str rest = str_from(label), word;
	while (str_split(&rest, ' ', &word))
		for (size_t i = 0; i < ARRAY_LEN(acronyms); i++)
			if (str_eq(word, str_from(acronyms[i])))
				for (char *at = label + (word.data - label);
				     at < word.data + word.len; at++)
					*at = (char)toupper((unsigned char)*at);
}

const char *console_label(const struct console_view *view, const struct field *field)
{
	if (field->label)
		return console_translate(view->words, field->label);
	char *label = arena_strdup(view->arena, violation_label(view->arena, field->name));
	if (strncmp(label, "is ", 3) == 0)
		label += 3;
	capitalise_acronyms(label);
	label[0] = (char)toupper((unsigned char)label[0]);
	return console_translate(view->words, label);
}

/* The sentences for some lists of choices. `first` is the sentence for the first word of the list.
 * The sentences for the other words follow it, in the order of the list. */
static const struct {
	const char *const *choices;
	enum console_sentence first;
} choice_sentences[] = {
	{ incident_impact_words, CONSOLE_IMPACT_NONE },
	{ incident_phase_words, CONSOLE_INVESTIGATING },
	{ user_role_words, CONSOLE_READER },
	{ status_page_privacy_words, CONSOLE_PUBLIC },
};

const char *console_word_text(const struct console_view *view, const char *word)
{
	char *text = arena_strdup(view->arena, word);
	for (char *line = strchr(text, '_'); line; line = strchr(line, '_'))
		*line = ' ';
	return console_translate(view->words, text);
}

const char *console_event_text(const struct console_view *view, const char *kind)
{
	enum { MOST_BYTES = 1024 };
	struct buf text CLEANUP(buf_done) = BUF_INIT(MOST_BYTES);
	const char *object = arena_strndup(view->arena, kind, strcspn(kind, "."));
	char *name = arena_strdup(view->arena, console_word_text(view, object));
	name[0] = (char)toupper((unsigned char)name[0]);
	console_fill(&text, console_text(view, CONSOLE_EVENT),
		     WORD_VALUES({ "object", name },
				 { "change", console_word_text(view, event_action(kind)) }),
		     true);
	return arena_strndup(view->arena, text.data, text.len);
}

/* Returns the name of a language in that language; the code if the name is not known. */
static const char *language_name(const char *code)
{
	static const char *const names[][2] = {
		{ "en", "English" },	  { "de", "Deutsch" },	{ "fr", "Français" },
		{ "es", "Español" },	  { "it", "Italiano" }, { "nl", "Nederlands" },
		{ "pt-BR", "Português" }, { "pl", "Polski" },	{ "ja", "日本語" },
	};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i][0], code) == 0)
			return names[i][1];
	return code;
}

const char *console_choice_text(const struct console_view *view, const struct field *field,
				size_t at)
{
	for (size_t i = 0; i < ARRAY_LEN(choice_sentences); i++)
		if (choice_sentences[i].choices == field->choices)
			return console_text(view,
					    choice_sentences[i].first + (enum console_sentence)at);
	bool is_own = field->choices == user_languages || field->choices == user_color_schemes;
	if (is_own && at == 0)
		return console_text(view, CONSOLE_AS_BROWSER);
	if (field->choices == user_languages || field->choices == status_page_languages)
		return language_name(field->choices[at]);
	return console_word_text(view, field->choices[at]);
}

const char *console_help(const struct field *field)
{
	return field->help ? field->help : field->text;
}

/* The sentences for the values of recurrence_usual, in the same order. */
static const enum console_sentence usual_sentences[] = {
	CONSOLE_REPEATS_NOT,	 CONSOLE_EVERY_DAY,	  CONSOLE_REPEATS_WEEKLY,
	CONSOLE_REPEATS_2_WEEKS, CONSOLE_REPEATS_MONTHLY, CONSOLE_REPEATS_NTH_WEEKDAY,
};

const char *console_usual_text(const struct console_view *view, size_t at)
{
	return console_text(view, usual_sentences[at]);
}

const char *console_local_time(const struct console_view *view, const char *text)
{
	enum { MINUTES = 16, SECONDS = 19 }; /* "2026-11-20T19:58", "2026-11-20T19:58:30" */
	const size_t len = strnlen(text, SECONDS);
	bool has_seconds = len == SECONDS && strncmp(text + MINUTES, ":00", 3) != 0;
	return arena_strndup(view->arena, text,
			     has_seconds || len < MINUTES ? len : (size_t)MINUTES);
}

static const char *time_text(const struct console_view *view, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	return at.s == 0 ? "" : console_local_time(view, instant_format(at, text));
}

const char *console_time_name(const struct console_view *view, const struct field *field,
			      const void *object)
{
	const struct instant at = *FIELD_AT_CONST(object, field, struct instant);
	const struct local_time local = locale_time(&view->locale, at);
	return arena_printf(view->arena, "%04d-%02d-%02d %02d:%02d %s", local.year, local.month,
			    local.day, local.hour, local.minute,
			    locale_zone_name(&view->locale, at));
}

const char *console_shortened(const struct console_view *view, const char *text)
{
	enum { MOST = 200 }; /* bytes */
	const struct str whole = str_from(text), cut = str_cut(whole, MOST);
	return arena_printf(view->arena, "%.*s%s", (int)cut.len, cut.data,
			    cut.len < whole.len ? "…" : "");
}

const char *console_names(const struct console_view *view, const struct field *list,
			  const void *object)
{
	enum { NAMES_MAX = 10 };
	const struct field *name = fields_find(*list->members, "name");
	const struct field_rows rows = field_rows(object, list);
	const char *names = "";
	for (size_t i = 0; name && i < rows.count && i < NAMES_MAX; i++)
		names = arena_printf(view->arena, "%s%s%s", names, i > 0 ? ", " : "",
				     *FIELD_AT_CONST((const char *)rows.rows + i * list->row_bytes,
						     name, const char *));
	if (rows.count > NAMES_MAX)
		names = arena_printf(view->arena, "%s, …", names);
	return console_shortened(view, names);
}

const char *console_value_text(const struct console_view *view, const struct field *field,
			       const void *object)
{
	const char *text;
	int choice;
	int64_t number;
	switch (field->kind) {
	case FIELD_TEXT:
		text = *FIELD_AT_CONST(object, field, const char *);
		if (text && field->flags & FIELD_AS_TIME)
			return console_local_time(view, text);
		return text ? text : "";
	case FIELD_CHOICE:
		choice = *FIELD_AT_CONST(object, field, int);
		return choice >= 0 ? field->choices[choice] : "";
	case FIELD_INT:
		number = *FIELD_AT_CONST(object, field, int64_t);
		return number == 0 && field->flags & FIELD_ZERO_IS_NULL
			       ? ""
			       : arena_printf(view->arena, "%lld", (long long)number);
	case FIELD_BOOL:
		return *FIELD_AT_CONST(object, field, bool) ? "1" : "0";
	case FIELD_TIME:
		return time_text(view, *FIELD_AT_CONST(object, field, struct instant));
	case FIELD_ROWS:
		return console_names(view, field, object);
	case FIELD_IDS:
	case FIELD_FILE:
	case FIELD_PERCENT:
	case FIELD_OBJECT:
		break;
	}
	return "";
}

static bool put_percent(struct buf *out, const struct words *words, struct percent percent)
{
	if (percent.is_known)
		buf_printf(out, "%lld%s%02lld %%", (long long)(percent.hundredths / 100),
			   words->decimal_point, (long long)(percent.hundredths % 100));
	return percent.is_known;
}

/* If the text is a choice of the field, returns the word for it; otherwise returns the text. */
static const char *word_of(const struct console_view *view, const struct field *field,
			   const char *text)
{
	for (size_t i = 0; field->choices && field->choices[i]; i++)
		if (strcmp(field->choices[i], text) == 0)
			return console_choice_text(view, field, i);
	return text;
}

/* Returns whether the value is the address of a page for people, and thus is shown as a link. Other
 * addresses are shown as text: a click on heartbeat_url would count as a heartbeat. */
static bool is_link(const struct field *field)
{
	return field->format && strcmp(field->format, "uri") == 0 &&
	       strcmp(field->name, "url") == 0;
}

static void put_link(struct buf *out, const char *url)
{
	buf_puts(out, "<a href=\"");
	html_url(out, url);
	buf_puts(out, "\" rel=\"noopener\">");
	html_text(out, url);
	buf_puts(out, "</a>");
}

bool console_put_value(struct buf *out, const struct console_view *view, const struct field *field,
		       const void *object)
{
	const char *text = console_value_text(view, field, object);
	if (field->kind == FIELD_PERCENT)
		return put_percent(out, view->locale.words,
				   *FIELD_AT_CONST(object, field, struct percent));
	if (text[0] == '\0')
		return false;
	if (field->kind == FIELD_TIME)
		buf_puts(out,
			 html_time(&view->locale, *FIELD_AT_CONST(object, field, struct instant),
				   view->arena));
	else if (field->kind == FIELD_BOOL)
		console_say(out, view->words, text[0] == '1' ? CONSOLE_YES : CONSOLE_NO, NULL);
	else if (field->flags & FIELD_SECONDS)
		buf_puts(out, html_duration(&view->locale, *FIELD_AT_CONST(object, field, int64_t),
					    view->arena));
	else if (is_link(field))
		put_link(out, text);
	else
		html_text(out, word_of(view, field, text));
	return true;
}

const struct field *console_find_field(const struct fields *fields, const char *name,
				       const void **object, struct arena *arena)
{
	struct str rest = str_from(name), part;
	str_split(&rest, '.', &part);
	const struct field *field = fields_find(*fields, arena_strndup(arena, part.data, part.len));
	if (rest.len == 0)
		return field;
	*object = field_rows(*object, field).rows;
	return fields_find(*field->members, rest.data);
}

static const char *text_of(const struct fields *fields, const char *name, const void *object)
{
	return *FIELD_AT_CONST(object, fields_find(*fields, name), const char *);
}

/* Appends the recurrence of an object with the fields of a maintenance window. Returns false if the
 * object does not repeat. */
static bool put_rule_of(struct buf *out, const struct console_view *view,
			const struct fields *fields, const void *object)
{
	struct maintenance maintenance = { .starts_at = text_of(fields, "starts_at", object),
					   .time_zone = text_of(fields, "time_zone", object),
					   .rrule = text_of(fields, "rrule", object) };
	if (!maintenance.rrule)
		return false;
	const struct recurrence recurrence = maintenance_recurrence(&maintenance);
	console_put_rule(out, view, &recurrence);
	return true;
}

void console_put_facts(struct buf *out, const struct console_view *view, struct fields fields,
		       const char *const *names, const void *object)
{
	buf_puts(out, "<dl>\n");
	for (size_t i = 0; names && names[i]; i++) {
		struct buf value CLEANUP(buf_done) = BUF_INIT(64 << 10);
		const void *at = object;
		const struct field *field = console_find_field(&fields, names[i], &at, view->arena);
		bool has_value = field->usual ? put_rule_of(&value, view, &fields, object)
					      : console_put_value(&value, view, field, at);
		if (!has_value)
			continue;
		buf_puts(out, "<div><dt>");
		html_text(out, console_label(view, field));
		buf_printf(out, "</dt><dd>%s</dd></div>\n", value.data);
	}
	buf_puts(out, "</dl>\n");
}
