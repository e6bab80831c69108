#include "notify/channel_template.h"

#include <string.h>

#include "wire/json.h"

/* Adds the text as it stands between the quotes of a JSON string. */
static void add_escaped(struct buf *out, const char *text)
{
	struct json_object *array = json_array_tree();
	struct buf printed CLEANUP(buf_done) = BUF_INIT(CHANNEL_BODY_MAX_BYTES);
	json_append_text(array, text);
	json_print(&printed, array);
	json_free(array);
	if (buf_ok(&printed) && printed.len >= 4)
		buf_add(out, printed.data + 2, printed.len - 4);
	else
		out->is_failed = true;
}

/* False: the name is not known. */
static bool add_word(struct buf *out, struct str name, const struct alert *alert)
{
	char at[INSTANT_TEXT_SIZE];
	const struct {
		const char *name, *text;
	} words[] = {
		{ "title", alert->title },
		{ "text", alert->text },
		{ "event", alert->kind },
		{ "systems", alert->systems },
		{ "cause", alert->cause },
		{ "url", alert->url ? alert->url : "" },
		{ "id", alert->id },
		{ "at", instant_format(alert->at, at) },
		{ "dependents", alert->dependents },
	};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_eq(name, str_from(words[i].name))) {
			add_escaped(out, words[i].text);
			return true;
		}
	return false;
}

void channel_template_fill(const char *template, const struct alert *alert, struct buf *out)
{
	for (const char *at = template; at && *at;) {
		const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
		if (!close) {
			buf_puts(out, at);
			return;
		}
		const struct str name = { open + 2, (size_t)(close - open - 2) };
		buf_add(out, at, (size_t)(open - at));
		if (!add_word(out, str_trim(name), alert))
			buf_add(out, open, (size_t)(close + 2 - open));
		at = close + 2;
	}
}
