/* calendar.ics, byte by byte; tests/accept/46-maintenance.bats has another program read it. */
#include "unit/lib/unit.h"

#include "domain/maintenance/maintenance.h"
#include "view/page.h"

#define NOON INT64_C(1795176000) /* of 2026-11-20 */

static struct incident_monitor monitors[] = { { .id = 1, .name = "Shop, EU" } };
static struct posted_update updates[] = { { .id = 1, .body = "Newest" },
					  { .id = 2, .body = "Old" } };

static struct page_maintenance row_of(int status)
{
	return (struct page_maintenance){ .id = 8,
					  .window_id = 7,
					  .title = "Upgrade; now",
					  .status = status,
					  .starts_at = { NOON },
					  .ends_at = { NOON + 3600 },
					  .created_at = { NOON - 7200 },
					  .updated_at = { NOON - 3600 },
					  .sequence = 2,
					  .monitors = monitors,
					  .monitor_count = 1 };
}

static const char *calendar_of(struct page_maintenance *rows, size_t count, bool is_withdrawn)
{
	static struct buf text;
	struct page_snapshot snapshot = { .page = { .id = 3, .name = "My page" },
					  .url = "https://status.example.org/s/p/" };
	if (is_withdrawn) {
		snapshot.withdrawn = rows;
		snapshot.withdrawn_count = count;
	} else {
		snapshot.maintenances = rows;
		snapshot.maintenance_count = count;
	}
	buf_done(&text);
	text = BUF_INIT(1 << 20);
	page_calendar(&text, &snapshot, &arena);
	assert_true(buf_ok(&text));
	return arena_strdup(&arena, text.data);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no %s in %s", part, text);
}

static void an_event_has_its_lines(void **state)
{
	(void)state;
	struct page_maintenance row = row_of(PHASE_SCHEDULED);
	const char *text = calendar_of(&row, 1, false);
	assert_ptr_equal(strstr(text, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"), text);
	assert_has(text, "\r\nNAME:My page\r\nX-WR-CALNAME:My page\r\n");
	assert_has(text, "\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n");
	assert_has(text, "\r\nDTSTAMP:20261120T110000Z\r\nCREATED:20261120T100000Z\r\n"
			 "LAST-MODIFIED:20261120T110000Z\r\nSEQUENCE:2\r\n"
			 "DTSTART:20261120T120000Z\r\nDTEND:20261120T130000Z\r\n"
			 "STATUS:CONFIRMED\r\nTRANSP:TRANSPARENT\r\n"
			 "SUMMARY:Upgrade\\; now\r\nDESCRIPTION:Shop\\, EU\r\n"
			 "URL:https://status.example.org/s/p/maintenance/8\r\nEND:VEVENT\r\n"
			 "END:VCALENDAR\r\n");
	/* No bare line feed. */
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		assert_int_equal(at[-1], '\r');
	assert_has(calendar_of(NULL, 0, false), "PT1H\r\nEND:VCALENDAR\r\n");
}

static const char *uid_of(const char *text, char uid[64])
{
	assert_has(text, "\r\nUID:");
	memcpy(uid, strstr(text, "\r\nUID:") + 6, 36);
	uid[36] = '\0';
	return uid;
}

static void the_uid_never_changes_and_is_unique(void **state)
{
	(void)state;
	char first[64], second[64];
	struct page_maintenance row = row_of(PHASE_SCHEDULED);
	uid_of(calendar_of(&row, 1, false), first);
	row.status = PHASE_CANCELLED;
	row.title = "Other";
	row.starts_at.s += 60;
	row.updated_at.s += 60;
	row.sequence++;
	assert_string_equal(uid_of(calendar_of(&row, 1, false), second), first);
	row.id++;
	assert_string_not_equal(uid_of(calendar_of(&row, 1, false), second), first);
	row = row_of(PHASE_SCHEDULED);
	row.window_id++;
	assert_string_not_equal(uid_of(calendar_of(&row, 1, false), second), first);
}

static void what_does_not_take_place_is_cancelled(void **state)
{
	(void)state;
	struct page_maintenance row = row_of(PHASE_CANCELLED);
	assert_has(calendar_of(&row, 1, false), "\r\nSTATUS:CANCELLED\r\n");
	row = row_of(PHASE_COMPLETED);
	assert_has(calendar_of(&row, 1, false), "\r\nSTATUS:CONFIRMED\r\n");
	row.is_withdrawn = true;
	assert_has(calendar_of(&row, 1, true), "\r\nSTATUS:CANCELLED\r\n");
	/* An event must not end when it begins. */
	row.ends_at = row.starts_at;
	assert_null(strstr(calendar_of(&row, 1, true), "DTEND"));
}

static void texts_are_escaped(void **state)
{
	(void)state;
	struct page_maintenance row = row_of(PHASE_SCHEDULED);
	row.title = "a\\b;c,d\ne\r\nBEGIN:VEVENT\x01";
	row.body = "Line 1\nLine 2";
	row.updates = updates;
	row.update_count = 2;
	const char *text = calendar_of(&row, 1, false);
	assert_has(text, "\r\nSUMMARY:a\\\\b\\;c\\,d\\ne\\nBEGIN:VEVENT\r\n");
	assert_has(text, "\r\nDESCRIPTION:Shop\\, EU\\n\\nLine 1\\nLine 2\\n\\nNewest\r\n");
	const char *first = strstr(text, "BEGIN:VEVENT\r\n");
	assert_non_null(first);
	assert_null(strstr(first + 1, "\r\nBEGIN:VEVENT"));
}

/* Lines of each length around the limit, of characters of one to four bytes. */
static void long_lines_are_folded_between_characters(void **state)
{
	(void)state;
	static const char *const characters[] = { "a", "\xc3\xbc", "\xe2\x82\xac",
						  "\xf0\x9f\x9a\xa7" };
	for (size_t kind = 0; kind < ARRAY_LEN(characters); kind++)
		for (size_t count = 1; count < 200; count++) {
			char *title = arena_alloc(&arena, 1000), *whole = arena_alloc(&arena, 1000);
			struct page_maintenance row = row_of(PHASE_SCHEDULED);
			for (size_t i = 0; i < count; i++)
				strncat(title, characters[kind], 5);
			row.title = title;
			const char *line = strstr(calendar_of(&row, 1, false), "SUMMARY:");
			for (bool goes_on = true; goes_on;) {
				size_t len = strcspn(line, "\r");
				assert_true(len <= 75);
				assert_true(len > 1);
				/* A continuation does not begin inside a character. */
				assert_true(((unsigned char)line[line[0] == ' '] & 0xc0) != 0x80);
				strncat(whole, line + (line[0] == ' '), len - (line[0] == ' '));
				line += len + 2;
				goes_on = line[0] == ' ';
			}
			assert_string_equal(whole + strlen("SUMMARY:"), title);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_has_its_lines),
		cmocka_unit_test(the_uid_never_changes_and_is_unique),
		cmocka_unit_test(what_does_not_take_place_is_cancelled),
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(long_lines_are_folded_between_characters),
	};
	return RUN_WITH_ARENA(tests);
}
