/* What is new to the subscribers of a page. */
#include "unit/view/page_json_sample.h"

#include "base/bidi.h"
#include "view/console/console_incident_html.h"
#include "view/page/page_message.h"
#include "view/words/page_words.h"

enum { NOON = PAGE_JSON_NOON };

static struct page_snapshot snapshot;
static struct page_message message;

/* What the events tell, as HTML; NULL: nothing. */
static const char *html_of(const struct page_message_event *events, size_t count)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(1 << 20);
	if (!page_message_make(&html, &snapshot, events, count, &arena, &message))
		return NULL;
	assert_true(buf_ok(&html));
	return arena_strndup(&arena, html.data, html.len);
}

/* The numbers of the posts that an event of the incident tells: "321". */
static const char *told(enum event_kind kind, int64_t seconds_ago, const char *text)
{
	const struct page_message_event event = {
		.kind = kind, .object_id = 7, .at = { NOON - seconds_ago }, .text = text
	};
	static const char *const words[] = { "A fix is", "A disk is", "Requests" };
	const char *html = html_of(&event, 1), *found = "";
	for (size_t i = 0; html && i < ARRAY_LEN(words); i++)
		if (strstr(html, words[i]))
			found = arena_printf(&arena, "%s%zu", found, 3 - i);
	return html ? found : NULL;
}

static int start(void **state)
{
	static const struct posted_update updates[] = {
		{ 33, PHASE_MONITORING, "A fix is in place.", { NOON - 60 }, { 0 } },
		{ 32, PHASE_IDENTIFIED, "A disk is full.", { NOON - 120 }, { 0 } },
		{ 31, PHASE_INVESTIGATING, "Requests *fail*.", { NOON - 300 }, { 0 } },
	};
	page_json_start(state);
	memcpy(posts, updates, sizeof(updates));
	snapshot = snapshot_of();
	for (size_t i = 0; i < ARRAY_LEN(windows); i++)
		windows[i].window_id = 70 + (int64_t)i;
	return 0;
}

static void an_event_tells_of_its_own_update(void **state)
{
	(void)state;
	assert_string_equal("1", told(EVENT_INCIDENT_REPORTED, 300, "Requests *fail*."));
	/* The clock of another machine was ahead of the event's. */
	assert_string_equal("1", told(EVENT_INCIDENT_REPORTED, 310, NULL));
	assert_string_equal("2", told(EVENT_INCIDENT_UPDATE_POSTED, 120, "A disk is full."));
	assert_string_equal("3", told(EVENT_INCIDENT_UPDATE_POSTED, 60, "A fix is in place."));
	assert_non_null(strstr(message.subject, "Our page"));
	assert_non_null(strstr(message.subject, "Orders fail"));
	assert_string_equal("incident-7", message.thread);
	assert_ptr_equal(&reported, message.incident);
}

/* The mail as the preview of an update shows it. */
static const char *previewed(const struct page_message_event *event)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(1 << 20);
	const struct console_view view = { .words = &console_words_english, .arena = &arena };
	console_put_message(&html, &view, &snapshot, event, 1);
	return arena_strndup(&arena, html.data, html.len);
}

static void a_preview_has_the_mail_of_its_update_alone(void **state)
{
	(void)state;
	const struct page_message_event event = { .kind = EVENT_INCIDENT_UPDATE_POSTED,
						  .object_id = 7,
						  .at = { NOON - 120 },
						  .text = "A disk is full." };
	snapshot.takes_subscribers = true;
	const char *html = previewed(&event);
	assert_true(html_of(&event, 1) != NULL);
	assert_non_null(strstr(html, arena_printf(&arena, "<h3>%s</h3>", message.subject)));
	assert_non_null(strstr(html, "A disk is full."));
	assert_null(strstr(html, "A fix is"));
	snapshot.takes_subscribers = false;
	assert_string_equal(previewed(&event),
			    "<p>Subscribers of this page get no mail of this.</p>\n");
}

static void a_backdated_or_corrected_update_is_told(void **state)
{
	(void)state;
	/* The time of the update lies before its event. */
	assert_string_equal("1", told(EVENT_INCIDENT_UPDATE_POSTED, 10, "Requests *fail*."));
	/* The text was corrected since. */
	assert_string_equal("2", told(EVENT_INCIDENT_UPDATE_POSTED, 120, "A dsik is full."));
	posts[1].edited_at.s = NOON - 5;
	assert_string_equal("2", told(EVENT_INCIDENT_UPDATE_POSTED, 10, "A dsik is full."));
}

static void what_was_withdrawn_is_not_told(void **state)
{
	(void)state;
	/* The update is not on the page any more. */
	assert_null(told(EVENT_INCIDENT_UPDATE_POSTED, 10, "Never mind."));
	snapshot.newest_count = 0;
	assert_null(told(EVENT_INCIDENT_REPORTED, 300, NULL));
	snapshot.newest_count = 1;
	/* The reported incident speaks for a detected one. */
	struct page_incident inner = down;
	inner.inside = &reported;
	inner.row.id = 7;
	snapshot.newest = &inner;
	assert_null(told(EVENT_INCIDENT_OPENED, 600, NULL));
	inner.inside = NULL;
	assert_string_equal("", told(EVENT_INCIDENT_OPENED, 600, NULL));
	assert_string_equal("incident-7", message.thread);
}

static void an_end_is_told_even_if_it_was_posted_late(void **state)
{
	(void)state;
	posts[0].phase = PHASE_RESOLVED;
	reported.row.ended_at.s = NOON - 60;
	reported.row.phase = PHASE_RESOLVED;
	assert_string_equal("3", told(EVENT_INCIDENT_RESOLVED, 10, NULL));
	assert_string_equal("#2c8a4b", message.colour);
	/* An end that nobody has posted. */
	posts[0].phase = PHASE_MONITORING;
	assert_string_equal("", told(EVENT_INCIDENT_RESOLVED, 10, NULL));
	assert_non_null(strstr(message.title, "Resolved"));
	/* The incident was opened again, without words. */
	reported.row.ended_at.s = 0;
	assert_string_equal("3", told(EVENT_INCIDENT_REOPENED, 10, NULL));
}

static void a_postmortem_is_told_alone(void **state)
{
	(void)state;
	posts[0].phase = PHASE_RESOLVED;
	reported.row.ended_at.s = NOON - 60;
	reported.row.updated_at.s = NOON - 10;
	assert_null(told(EVENT_INCIDENT_POSTMORTEM, 10, NULL));
	reported.row.postmortem = "The **cause** was found.";
	assert_string_equal("", told(EVENT_INCIDENT_POSTMORTEM, 10, NULL));
	assert_string_equal("3", told(EVENT_INCIDENT_RESOLVED, 60, NULL));
	const struct page_message_event event = { .kind = EVENT_INCIDENT_POSTMORTEM,
						  .object_id = 7,
						  .at = { NOON - 10 } };
	assert_non_null(strstr(html_of(&event, 1), "<strong>cause</strong>"));
}

static struct page_message_event of_window(enum event_kind kind, size_t index)
{
	return (struct page_message_event){ .kind = kind,
					    .object_id = windows[index].window_id,
					    .at = { NOON },
					    .starts_at = windows[index].starts_at };
}

static const char *told_of_window(enum event_kind kind, size_t index)
{
	const struct page_message_event event = of_window(kind, index);
	return html_of(&event, 1);
}

static void the_course_of_a_window_is_told(void **state)
{
	(void)state;
	assert_non_null(strstr(told_of_window(EVENT_MAINTENANCE_SCHEDULED, 1), "<em>all</em>"));
	assert_string_equal("maintenance-8", message.thread);
	assert_ptr_equal(&windows[1], message.window);
	assert_non_null(told_of_window(EVENT_MAINTENANCE_STARTED, 0));
	assert_non_null(told_of_window(EVENT_MAINTENANCE_CANCELLED, 2));
	assert_null(told_of_window(EVENT_MAINTENANCE_COMPLETED, 0));
	assert_non_null(told_of_window(EVENT_MAINTENANCE_UPDATED, 1));
	assert_non_null(told_of_window(EVENT_MAINTENANCE_REMINDER, 1));
	assert_non_null(strstr(message.title, words_say(words_of_language("en"), SAY_BEGINS_SOON)));
	/* The window was cancelled, or has begun, before the reminder was sent. */
	assert_null(told_of_window(EVENT_MAINTENANCE_REMINDER, 2));
	assert_null(told_of_window(EVENT_MAINTENANCE_REMINDER, 0));
	/* Another occurrence. */
	struct page_message_event event = of_window(EVENT_MAINTENANCE_SCHEDULED, 1);
	event.starts_at.s++;
	assert_null(html_of(&event, 1));
	event.starts_at.s = 0;
	assert_non_null(html_of(&event, 1));
	windows[1].is_withdrawn = true;
	assert_null(html_of(&event, 1));
}

static void several_objects_are_one_message(void **state)
{
	(void)state;
	const struct page_message_event events[] = {
		{ EVENT_INCIDENT_REPORTED, 7, { NOON - 300 }, NULL, { 0 } },
		of_window(EVENT_MAINTENANCE_SCHEDULED, 1),
		{ EVENT_INCIDENT_UPDATE_POSTED, 7, { NOON - 120 }, NULL, { 0 } },
		{ EVENT_INCIDENT_REPORTED, 99, { NOON }, NULL, { 0 } },
	};
	const char *html = html_of(events, ARRAY_LEN(events));
	assert_non_null(strstr(html, "A disk is full."));
	assert_non_null(strstr(html, "<em>all</em>"));
	assert_non_null(strstr(message.title, "2"));
	assert_string_equal("incident-7", message.thread);
	/* An update is told once. */
	html = strstr(html, "A disk is full.");
	assert_null(strstr(html + 1, "A disk is full."));
}

static void texts_of_people_are_escaped_and_keep_their_direction(void **state)
{
	(void)state;
	posts[2].body =
		"<script>alert(1)</script> [x](javascript:alert(1)) [y](https://e.example/?a=\"b)";
	reported.row.title = "<b>\"x\"</b> \xe2\x80\xae evil";
	covered[0].name = "<i>Web</i>\r\nBcc: x";
	snapshot.page.name = "\xe2\x80\xae Page & <b>";
	const struct page_message_event event = { .kind = EVENT_INCIDENT_REPORTED,
						  .object_id = 7,
						  .at = { NOON - 300 } };
	const char *html = html_of(&event, 1);
	assert_null(strstr(html, "<script"));
	assert_null(strstr(html, "href=\"javascript"));
	assert_null(strstr(html, "<i>"));
	assert_null(strstr(html, "a=\"b"));
	assert_non_null(strstr(html, "&lt;i&gt;Web&lt;/i&gt;"));
	/* The direction of the name ends with the name. */
	assert_non_null(strstr(message.subject, bidi_isolated(snapshot.page.name, &arena)));
	assert_non_null(strstr(message.subject, "<b>\"x\"</b>"));
}

static void all_languages_have_the_words(void **state)
{
	(void)state;
	for (size_t i = 0; status_page_languages[i]; i++) {
		snapshot.page.language = status_page_languages[i];
		const char *html = told_of_window(EVENT_MAINTENANCE_UPDATED, 1);
		assert_non_null(html);
		const struct words *words = words_of_language(status_page_languages[i]);
		assert_non_null(strstr(html, words_say(words, SAY_MAINTENANCE_CHANGED)));
		assert_non_null(strstr(html, words_say(words, SAY_OPEN_STATUS_PAGE)));
		assert_non_null(strstr(message.subject, "Our page"));
		assert_non_null(strstr(message.subject, "New disks"));
	}
}

static void a_webhook_gets_the_first_object_as_json(void **state)
{
	(void)state;
	struct buf json CLEANUP(buf_done) = BUF_INIT(1 << 20);
	snapshot.page.name = "\"Page\"\n</script>";
	assert_non_null(told(EVENT_INCIDENT_REPORTED, 300, NULL));
	page_message_json(&json, &snapshot, &message, "https://s.example/x?token=\"1", &arena);
	assert_true(buf_ok(&json));
	buf_putc(&json, '\0');
	struct json_object *root = json_tokener_parse(json.data);
	assert_non_null(root);
	assert_text(root, "meta.unsubscribe", "https://s.example/x?token=\"1");
	assert_text(root, "incident.id", "7");
	assert_text(root, "incident.name", "Orders fail");
	json_object_put(root);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup(function, start)
	const struct CMUnitTest tests[] = {
		TEST(an_event_tells_of_its_own_update),
		TEST(a_preview_has_the_mail_of_its_update_alone),
		TEST(a_backdated_or_corrected_update_is_told),
		TEST(what_was_withdrawn_is_not_told),
		TEST(an_end_is_told_even_if_it_was_posted_late),
		TEST(a_postmortem_is_told_alone),
		TEST(the_course_of_a_window_is_told),
		TEST(several_objects_are_one_message),
		TEST(texts_of_people_are_escaped_and_keep_their_direction),
		TEST(all_languages_have_the_words),
		TEST(a_webhook_gets_the_first_object_as_json),
	};
	return RUN_WITH_ARENA(tests);
}
