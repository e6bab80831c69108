/* The words of the console, and the size and the escaping of its screens. */
#include "unit/lib/unit.h"

#include "domain/incident/incident_report.h"

#include "view/console/console_form_html.h"
#include "view/console/console_now_html.h"
#include "view/console/console_value_html.h"

static const struct user_session session = {
	.user_id = 1, .user_name = "a<b", .account_name = "c&d", .role = ROLE_OWNER
};

static const char *language = "en";

static struct console_view view_of(const struct user_session *of)
{
	return (struct console_view){ .words = console_words_of(language),
				      .locale = { words_of_language(language), zone_utc() },
				      .root = "/console/",
				      .session = of,
				      .csrf = "0123456789012345678901234567890123456789012",
				      .now = { 1000000 },
				      .arena = &arena };
}

static void each_sentence_is_there_and_needs_no_escape(void **state)
{
	(void)state;
	for (size_t i = 0; i < CONSOLE_SENTENCES; i++) {
		const char *text = console_sentences[i];
		assert_non_null(text);
		assert_true(text[0] != '\0');
		assert_null(strpbrk(text, "<>&\""));
	}
}

static void values_are_escaped(void **state)
{
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1024);
	console_say(&out, &console_words_english, CONSOLE_USER_OF,
		    WORD_VALUES({ "user", "<i>" }, { "role", "\"" }, { "account", "a&b" }));
	assert_string_equal(out.data, "&lt;i&gt;, &quot; of a&amp;b");
	buf_clear(&out);
	console_say_html(&out, &console_words_english, CONSOLE_CUT_OFF,
			 WORD_VALUES({ "duration", "<b>1 h</b>" }));
	assert_non_null(strstr(out.data, "for <b>1 h</b>."));
}

enum { ROWS = 7 };

/* An incident with the longest texts; each character takes the most bytes. */
static void fill(struct incident_resource *incident, const char *text)
{
	static struct incident_monitor monitors[20];
	for (size_t i = 0; i < ARRAY_LEN(monitors); i++)
		monitors[i].name = text;
	*incident = (struct incident_resource){
		.row = { .id = INT64_MAX,
			 .title = text,
			 .cause = text,
			 .comment = text,
			 .started_at = { 1 },
			 .next_update_at = { 2 },
			 .monitors = monitors,
			 .monitor_count = ARRAY_LEN(monitors) },
		.url = "https://status.example.org/s/a/incidents/9223372036854775807",
		.duration = 999999,
		.impact = INCIDENT_MAJOR_OUTAGE,
	};
}

static struct fields reply_fields(void)
{
	static struct field rows[3];
	rows[0] = *fields_find(incident_post_fields, "body");
	rows[1] = *fields_find(incident_post_fields, "phase");
	rows[2] = *fields_find(incident_post_fields, "next_update_at");
	return (struct fields){ rows, ARRAY_LEN(rows) };
}

/* What was typed into the first row, and why it was refused; NULL: nothing. */
static const struct word_value *typed_texts;
static const struct violations *refusals;

static const char *screen(const char *text, struct console_now now, struct buf *out)
{
	static const struct incident_post post = { .next_update_at = { INT64_C(32503680000) } };
	static struct incident_resource incidents[ROWS];
	static struct console_now_row rows[ROWS];
	const struct console_view view = view_of(&session);
	for (size_t i = 0; i < ROWS; i++) {
		fill(&incidents[i], text);
		rows[i] = (struct console_now_row){
			.incident = &incidents[i],
			.form_key = "0123456789012345678901234567890123456789012",
			.reply = { .fields = reply_fields(),
				   .object = &post,
				   .typed = i == 0 ? typed_texts : NULL,
				   .violations = i == 0 ? refusals : NULL,
				   .suffix = "-9223372036854775807" },
		};
	}
	now.rows = rows;
	now.count = ROWS;
	now.total = 1000;
	now.page = 1;
	now.has_more = true;
	console_now_html(out, &view, &now);
	assert_true(buf_ok(out));
	return out->data;
}

static void a_screen_has_less_than_30_kb(void **state)
{
	char title[INCIDENT_TITLE_MAX_CHARS + 1];
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	(void)state;
	memset(title, 'x', sizeof(title) - 1);
	title[sizeof(title) - 1] = '\0';
	for (size_t i = 0; status_page_languages[i]; i++) {
		language = status_page_languages[i];
		buf_clear(&out);
		screen(title, (struct console_now){ .may_respond = true }, &out);
		assert_in_range(out.len + strlen(console_assets[CONSOLE_STYLE].text), 20000, 29999);
	}
	language = "en";
}

static void the_kind_of_an_event_is_told_in_words(void **state)
{
	static const char *const translations[][2] = {
		{ "opened", "ouverture" }, { "{object}: {change}", "{object} : {change}" }
	};
	const struct console_words words = { "fr", translations, ARRAY_LEN(translations) };
	struct console_view view = { .words = &console_words_english, .arena = &arena };
	(void)state;
	assert_string_equal("Incident: opened", console_event_text(&view, "incident.opened"));
	assert_string_equal("User: recovery linked",
			    console_event_text(&view, "user.recovery_linked"));
	/* As a newer version of the program may have stored it. */
	assert_string_equal("New kind: other", console_event_text(&view, "new_kind.other"));
	view.words = &words;
	assert_string_equal("Incident : ouverture", console_event_text(&view, "incident.opened"));
}

static void a_text_without_a_translation_is_english(void **state)
{
	static const char *const translations[][2] = { { "Name", "Nom" }, { "Type", "Genre" } };
	const struct console_words words = { "fr", translations, ARRAY_LEN(translations) };
	(void)state;
	assert_string_equal("Nom", console_translate(&words, "Name"));
	assert_string_equal("Genre", console_translate(&words, "Type"));
	assert_string_equal("URL", console_translate(&words, "URL"));
	assert_ptr_equal(&console_words_english, console_words_of("sv"));
}

static void texts_of_people_and_monitors_are_escaped(void **state)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	static const enum console_sentence notice = CONSOLE_POSTED;
	const struct console_mirror mirror = { "<m>", "<r>" };
	struct violations refused;
	(void)state;
	violations_init(&refused, &arena);
	violations_add(&refused, "body", "%s", "<why>");
	typed_texts = WORD_VALUES({ "body", "<typed>" }, { "phase", "monitoring" });
	refusals = &refused;
	const char *html = screen("</textarea><script>\"",
				  (struct console_now){ .may_respond = true,
							.mirrors = &mirror,
							.mirror_count = 1,
							.notice = &notice,
							.needs = { 5, 1, 2, 3, 4 },
							.maintenance_now = 6,
							.cut_off_since = { 5 } },
				  &out);
	typed_texts = NULL;
	refusals = NULL;
	assert_null(strstr(html, "<script"));
	assert_null(strstr(html, "<typed"));
	assert_null(strstr(html, "<why"));
	assert_null(strstr(html, "<m>"));
	assert_null(strstr(html, "a<b"));
	assert_non_null(strstr(html, "a&lt;b, owner of c&amp;d"));
	assert_non_null(strstr(html, "&lt;typed&gt;</textarea>"));
	assert_non_null(strstr(html, "value=\"monitoring\" selected"));
	assert_non_null(strstr(html, "The mirror &lt;m&gt; is behind: &lt;r&gt;"));
	assert_non_null(strstr(html, "Subscribers who are suspended: 3"));
	assert_non_null(strstr(html, "Incidents whose promised update is late: 5"));
	assert_non_null(strstr(html, "Maintenance windows under way: 6"));
	assert_non_null(strstr(html, "href=\"/console/?page=2\""));
}

static void who_may_not_respond_gets_no_form(void **state)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	(void)state;
	const char *html = screen("t", (struct console_now){ 0 }, &out);
	assert_null(strstr(html, "<textarea"));
	assert_null(strstr(html, "acknowledge"));
}

struct sample {
	const char *title;
	const char *body;
	int impact;
	struct id_list monitor_ids;
	int64_t unlabelled;
};
static const char *const words[] = { "small", "large", NULL };
static const struct field sample_rows[] = {
	FIELD(struct sample, title, .label = "A <title>", .max_chars = 7, .flags = FIELD_REQUIRED),
	FIELD(struct sample, body, .label = "Body", .flags = FIELD_PROSE),
	FIELD(struct sample, impact, .label = "Size", .choices = words,
	      .flags = FIELD_NULL_IS_UNSENT),
	FIELD(struct sample, monitor_ids, .label = "Systems"),
	FIELD(struct sample, unlabelled),
};

static const char *form(struct console_inputs inputs, struct buf *out)
{
	static const struct console_option options[] = { { 3, "<three>" }, { 4, "four" } };
	const struct console_view view = view_of(&session);
	inputs.fields = (struct fields){ sample_rows, ARRAY_LEN(sample_rows) };
	inputs.options = options;
	inputs.option_count = ARRAY_LEN(options);
	console_inputs(out, &view, &inputs);
	return out->data;
}

static void each_field_with_a_label_is_an_input_of_its_kind(void **state)
{
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 16);
	int64_t four = 4;
	const struct sample sample = { "\"t\"", "</textarea>", 1, { NULL, 0 }, 9 };
	const char *html =
		form((struct console_inputs){ .object = &sample, .chosen = { &four, 1 } }, &out);
	assert_non_null(strstr(html, "<label for=\"title\">A &lt;title&gt;</label>"));
	assert_non_null(strstr(
		html,
		"name=\"title\" required maxlength=\"7\" type=\"text\" value=\"&quot;t&quot;\">"));
	assert_non_null(strstr(html, "name=\"body\">\n&lt;/textarea&gt;</textarea>"));
	assert_non_null(strstr(html, "<option value=\"large\" selected>large"));
	assert_non_null(strstr(html, "<option value=\"\">Unchanged"));
	assert_non_null(strstr(html, "name=\"monitor_ids[]\" value=\"3\"> &lt;three&gt;"));
	assert_non_null(strstr(html, "value=\"4\" checked> four"));
	assert_null(strstr(html, "unlabelled"));
}

static void a_refused_form_has_what_was_typed_and_the_reasons(void **state)
{
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 16);
	struct violations violations;
	const struct sample sample = { "old", "old", 1, { NULL, 0 }, 0 };
	violations_init(&violations, &arena);
	violations_add(&violations, "title", "The title <field> is wrong.");
	violations_add(&violations, "monitor_ids.3", "No such monitor.");
	const char *html =
		form((struct console_inputs){ .object = &sample,
					      .typed = WORD_VALUES({ "title", "too <long>" },
								   { "impact", "small" }),
					      .violations = &violations },
		     &out);
	assert_non_null(strstr(html, "aria-describedby=\"problem-title\" maxlength=\"7\" "
				     "type=\"text\" value=\"too &lt;long&gt;\">"));
	assert_non_null(strstr(
		html, "id=\"problem-title\" role=\"alert\">The title &lt;field&gt; is wrong."));
	assert_non_null(strstr(html, "<option value=\"small\" selected>"));
	assert_non_null(strstr(html, "No such monitor."));
	assert_null(strstr(html, "old"));
}

struct part {
	const char *key;
	const char *secret;
};
static const struct field part_rows[] = {
	FIELD(struct part, key, .flags = FIELD_REQUIRED),
	FIELD(struct part, secret, .flags = FIELD_SECRET),
};
static const struct fields part_fields = { part_rows, ARRAY_LEN(part_rows) };
/* A resource, and the form for it. */
struct whole {
	const char *custom_css;
	int64_t interval;
	bool is_paused;
	struct instant expires_at;
	struct field_rows headers;
	struct part value;
	struct field_file *logo;
	bool act;
	int64_t kept;
};
static const struct field whole_rows[] = {
	FIELD(struct whole, custom_css, .max_bytes = 65536, .text = "Help <1>."),
	FIELD(struct whole, interval, .flags = FIELD_SECONDS, .initial = "60", .max = 99),
	FIELD(struct whole, is_paused, .initial = "true"),
	FIELD(struct whole, expires_at),
	FIELD(struct whole, headers, FIELD_MEMBERS(struct part, &part_fields), .max = 5),
	FIELD(struct whole, value, FIELD_MEMBERS(struct part, &part_fields)),
	FIELD(struct whole, logo),
	FIELD(struct whole, act, .flags = FIELD_ACT),
	FIELD_KEPT("kept"),
};

static const char *whole_form(struct console_inputs inputs, struct buf *out)
{
	const struct console_view view = view_of(&session);
	inputs.fields = (struct fields){ whole_rows, ARRAY_LEN(whole_rows) };
	inputs.is_whole = true;
	console_put_form(out, &view,
			 &(struct console_form){ .path = "x", .inputs = &inputs, .version = 7 });
	console_put_curl(out, &view,
			 &(struct console_call){
				 .method = "PUT", .url = "https://s/api", .inputs = &inputs });
	return out->data;
}

static void a_whole_form_has_an_input_for_each_field_that_can_be_sent(void **state)
{
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 16);
	struct part rows[] = { { "a", "hidden" } };
	const struct whole whole = {
		.custom_css = "it's",
		.interval = 30,
		.expires_at = { 86400 },
		.headers = { rows, 1 },
		.value = { "v", "hidden" },
	};
	const char *html = whole_form((struct console_inputs){ .object = &whole }, &out);
	assert_non_null(strstr(html, "enctype=\"multipart/form-data\""));
	assert_non_null(strstr(html, "name=\"version\" value=\"7\""));
	assert_non_null(strstr(html, "<label for=\"custom_css\">Custom CSS</label>"));
	assert_non_null(strstr(html, "id=\"help-custom_css\">Help &lt;1&gt;."));
	assert_non_null(strstr(html, ">\nit's</textarea>"));
	assert_non_null(strstr(html, "type=\"number\" value=\"30\""));
	/* The box that is not checked is sent as 0. */
	assert_non_null(strstr(html, "type=\"hidden\" name=\"is_paused\" value=\"0\""));
	assert_null(strstr(html, " checked"));
	assert_non_null(strstr(html, "type=\"datetime-local\" value=\"1970-01-02T00:00\""));
	assert_non_null(strstr(html, "name=\"headers[0][key]\" type=\"text\" value=\"a\""));
	assert_non_null(strstr(html, "name=\"headers[2][key]\""));
	assert_null(strstr(html, "headers[3]"));
	assert_non_null(strstr(html, "name=\"value[key]\" required type=\"text\" value=\"v\""));
	assert_non_null(strstr(html, "<input type=\"file\" id=\"logo\""));
	assert_null(strstr(html, "hidden\" type=\"password\" value"));
	assert_null(strstr(html, "\"hidden\">\n<p"));
	assert_null(strstr(html, "name=\"act\""));
	assert_null(strstr(html, "name=\"kept\""));
	assert_non_null(strstr(html, "'custom_css=it'\\''s'"));
	assert_non_null(strstr(html, "'interval=30'"));
	assert_non_null(strstr(html, "'is_paused=0'"));
	assert_non_null(strstr(html, "'expires_at=1970-01-02T00:00:00Z'"));
	assert_non_null(strstr(html, "'headers[0][key]=a'"));
	assert_non_null(strstr(html, "'value[key]=v'"));
	assert_non_null(strstr(html, " -F 'logo=@FILE'"));
	assert_null(strstr(html, "[secret]="));
	buf_clear(&out);
	html = whole_form((struct console_inputs){ 0 }, &out);
	assert_non_null(strstr(html, "type=\"number\" value=\"60\""));
	assert_non_null(strstr(html, "id=\"is_paused\" name=\"is_paused\" checked"));
}

static void only_texts_of_the_api_are_english_in_another_language(void **state)
{
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 16);
	struct violations violations;
	violations_init(&violations, &arena);
	violations_add(&violations, "interval", "Wrong interval.");
	language = "de";
	const char *html = whole_form((struct console_inputs){ .violations = &violations }, &out);
	language = "en";
	assert_non_null(strstr(html, "id=\"help-custom_css\" lang=\"en\">Help &lt;1&gt;."));
	assert_non_null(strstr(html, "role=\"alert\" lang=\"en\">Wrong interval."));
	assert_non_null(strstr(html, "<label for=\"interval\">Intervall (Sekunden)</label>"));
}

static void what_was_typed_stands_beside_what_is_stored_now(void **state)
{
	static const char *const first[] = { "interval", NULL };
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 16);
	struct violations violations;
	const struct whole whole = { .custom_css = "same", .interval = 30 };
	violations_init(&violations, &arena);
	violations_add(&violations, "headers.1.key", "Wrong key.");
	const char *html = whole_form(
		(struct console_inputs){
			.object = &whole,
			.first = first,
			.is_stale = true,
			.violations = &violations,
			.typed = WORD_VALUES({ "custom_css", "same" }, { "interval", "45" },
					     { "headers[1][key]", "k" },
					     { "expires_at", "2026-11-20T19:58:00Z" }) },
		&out);
	assert_non_null(strstr(html, "value=\"45\""));
	assert_non_null(strstr(html, "Now: 30"));
	assert_non_null(strstr(html, "'interval=45'"));
	assert_non_null(strstr(html, "'headers[1][key]=k'"));
	assert_non_null(strstr(html, "'expires_at=2026-11-20T19:58:00Z'"));
	assert_null(strstr(html, "Now: same"));
	assert_non_null(strstr(html, "<details open>"));
	assert_non_null(strstr(html, "id=\"problem-headers-1--key-\""));
	assert_non_null(strstr(html, "name=\"headers[3][key]\""));
	assert_non_null(strstr(html, "value=\"2026-11-20T19:58\""));
	buf_clear(&out);
	html = whole_form((struct console_inputs){ .first = first, .has_only_first = true }, &out);
	assert_non_null(strstr(html, "name=\"interval\""));
	assert_null(strstr(html, "custom_css"));
	assert_null(strstr(html, "enctype"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sentence_is_there_and_needs_no_escape),
		cmocka_unit_test(values_are_escaped),
		cmocka_unit_test(a_screen_has_less_than_30_kb),
		cmocka_unit_test(the_kind_of_an_event_is_told_in_words),
		cmocka_unit_test(a_text_without_a_translation_is_english),
		cmocka_unit_test(only_texts_of_the_api_are_english_in_another_language),
		cmocka_unit_test(texts_of_people_and_monitors_are_escaped),
		cmocka_unit_test(each_field_with_a_label_is_an_input_of_its_kind),
		cmocka_unit_test(a_refused_form_has_what_was_typed_and_the_reasons),
		cmocka_unit_test(who_may_not_respond_gets_no_form),
		cmocka_unit_test(a_whole_form_has_an_input_for_each_field_that_can_be_sent),
		cmocka_unit_test(what_was_typed_stands_beside_what_is_stored_now),
	};
	return RUN_WITH_ARENA(tests);
}
