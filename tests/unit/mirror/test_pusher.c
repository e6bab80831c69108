/* The pusher with a mirror in memory, which refuses and fails when it is told to. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mirror/push/pusher.h"
#include "mirror/push/unconfirmed.h"
#include "publish/folder/filled.h"
#include "unit/mirror/pages.h"

enum { PAGES_MAX = 400 };

static struct {
	struct target_page pages[PAGES_MAX];
	size_t count;
	int64_t sent[4 * PAGES_MAX]; /* in this order; below 0: as gone */
	size_t sent_count;
	size_t lists, sends, beats, parts;
	size_t batches[4 * PAGES_MAX]; /* the pages of each send */
	enum result list_result, send_result, shared_result;
	int64_t refused; /* a page */
	bool is_complete;
	void (*while_sending)(void);
} fake;

static struct config config;
static const struct mirror mirror = { .kind = MIRROR_HOST, .name = "fake", .url = "", .key = "" };
static struct pusher pusher;
static bool is_more;

static enum result fake_open(struct target *target, const struct mirror *its_mirror,
			     const struct config *its_config, struct error *its_error)
{
	(void)target, (void)its_mirror, (void)its_config, (void)its_error;
	return OK;
}

static void fake_close(struct target *target)
{
	(void)target;
}

static enum result fake_list(struct target *target, struct arena *to, struct target_pages *pages,
			     struct error *its_error)
{
	(void)target;
	fake.lists++;
	if (fake.list_result != OK)
		return error_log(its_error, fake.list_result, "the list fails");
	pages->rows = ARENA_ARRAY(to, PAGES_MAX, struct target_page);
	memcpy(pages->rows, fake.pages, sizeof(fake.pages));
	pages->count = fake.count;
	return OK;
}

static void fake_put(const struct page_copy *page)
{
	size_t i = 0;
	while (i < fake.count && fake.pages[i].page_id != page->page_id)
		i++;
	if (page->is_gone) {
		if (i < fake.count)
			fake.pages[i] = fake.pages[--fake.count];
		return;
	}
	fake.pages[i].page_id = page->page_id;
	memcpy(fake.pages[i].version, page->version, sizeof(page->version));
	fake.count += i == fake.count;
}

static enum result fake_send(struct target *target, struct page_copy *const *pages, size_t count,
			     struct error *its_error)
{
	(void)target;
	fake.batches[fake.sends++] = count;
	if (fake.while_sending)
		fake.while_sending();
	if (fake.send_result != OK)
		return error_log(its_error, fake.send_result, "sending fails");
	for (size_t i = 0; i < count; i++)
		if (fake.refused == pages[i]->page_id)
			return error_log(its_error, E_REFUSED, "a page is refused");
	for (size_t i = 0; i < count; i++) {
		fake_put(pages[i]);
		fake.sent[fake.sent_count++] = pages[i]->is_gone ? -pages[i]->page_id
								 : pages[i]->page_id;
	}
	return OK;
}

static enum result fake_beat(struct target *target, bool is_complete, struct error *its_error)
{
	(void)target, (void)its_error;
	fake.beats++;
	fake.is_complete = is_complete;
	return OK;
}

enum { PARTS = 3 };

static enum result fake_shared(struct target *target, bool is_new, bool *more,
			       struct error *its_error)
{
	(void)target;
	if (fake.shared_result != OK)
		return error_log(its_error, fake.shared_result, "the shared data fails");
	fake.parts = is_new ? 1 : fake.parts + 1;
	*more = fake.parts < PARTS;
	return OK;
}

static const struct target_kind fake_kind = { .open = fake_open,
					      .close = fake_close,
					      .list = fake_list,
					      .send = fake_send,
					      .send_shared = fake_shared,
					      .beat = fake_beat };
static const struct target_kind fake_public_kind = { .is_public_only = true,
						     .open = fake_open,
						     .close = fake_close,
						     .list = fake_list,
						     .send = fake_send,
						     .beat = fake_beat };

static void open_pusher(const struct target_kind *kind)
{
	bool is_free;
	config.pages_dir = test_folder;
	pusher_init(&pusher, &config, &mirror);
	pusher.target.kind = kind;
	assert_int_equal(OK, pusher_open(&pusher, &is_free, &error));
	assert_true(is_free);
}

static int start(void **state)
{
	memset(&fake, 0, sizeof(fake));
	if (pages_start(state) != 0)
		return -1;
	open_pusher(&fake_kind);
	return 0;
}

static int end(void **state)
{
	pusher_done(&pusher);
	return pages_end(state);
}

static enum result turn(void)
{
	fake.sent_count = 0;
	return pusher_turn(&pusher, &is_more, &error);
}

/* On a slow machine the pusher pauses between two searches for changed shared data. */
static bool pauses(void)
{
	bool is_owed = pusher.is_shared_due || pusher.is_shared_begun;
	return is_owed && pusher.shared.failures == 0 && clock_ms() < pusher.shared.until_ms;
}

static void settle(void)
{
	fake.sent_count = 0;
	do {
		while (pauses())
			usleep(1000);
		assert_int_equal(OK, pusher_turn(&pusher, &is_more, &error));
	} while (is_more || pauses());
}

static bool has(int64_t id)
{
	char version[PAGE_COPY_VERSION_CHARS + 1];
	assert_int_equal(OK, page_copy_version(&dir, id, &arena, version, &error));
	for (size_t i = 0; i < fake.count; i++)
		if (fake.pages[i].page_id == id)
			return strcmp(fake.pages[i].version, version) == 0;
	return false;
}

static bool lags(int64_t id)
{
	bool result;
	assert_int_equal(OK, mirror_lags(&dir, &mirror, id, &arena, &result, &error));
	return result;
}

static struct mirror_report report(void)
{
	struct mirror_report now;
	mirror_report(&dir, &mirror, &now);
	return now;
}

static void pages_from_before_the_start_and_changes_are_sent(void **state)
{
	(void)state;
	assert_int_equal(-1, report().age_s);
	publish_public(1, "one");
	publish_public(2, "two");
	settle();
	assert_true(has(1) && has(2));
	assert_true(fake.is_complete);
	assert_int_equal(1, fake.lists);
	assert_true(report().is_complete);
	assert_int_equal(0, report().age_s);
	publish_public(2, "more");
	assert_false(report().is_complete);
	assert_int_equal(1, report().status.waiting);
	settle();
	assert_int_equal(1, fake.lists);
	assert_true(has(1) && has(2));
	assert_true(report().is_complete);
	assert_int_equal(0, report().status.waiting);
}

static void what_has_not_changed_is_not_sent(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	size_t sends = fake.sends;
	journal_add(&dir, 1);
	journal_add_all(&dir);
	settle();
	assert_int_equal(sends, fake.sends);
	assert_int_equal(2, fake.lists);
	assert_true(report().is_complete);
}

static void removals_and_tightened_pages_go_first(void **state)
{
	(void)state;
	for (int64_t id = 1; id <= 6; id++)
		publish_public(id, "first");
	publish_page_with(7, PAGES_PRIVATE, "p7", "first", "old password");
	settle();
	publish_public(1, "second");
	publish_public(2, "second");
	publish_public(8, "new");
	publish_page_with(3, PAGES_PRIVATE, "p3", "second", "x");
	remove_page(4);
	publish_page_with(5, PAGES_PUBLIC, "moved", "second", NULL);
	publish_page_with(7, PAGES_PRIVATE, "p7", "first", "password");
	settle();
	static const int64_t order[] = { 3, -4, 5, 7, 1, 2, 8 };
	assert_int_equal(ARRAY_LEN(order), fake.sent_count);
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		assert_int_equal(order[i], fake.sent[i]);
}

static void urgent_pages_have_batches_of_their_own(void **state)
{
	(void)state;
	for (int64_t id = 1; id <= 40; id++)
		publish_public(id, "first");
	settle();
	size_t sends = fake.sends;
	for (int64_t id = 1; id <= 40; id++)
		publish_public(id, "second");
	remove_page(20);
	publish_page_with(30, PAGES_PRIVATE, "p30", "second", "x");
	assert_int_equal(OK, turn());
	assert_int_equal(2, fake.batches[sends]);
	assert_int_equal(-20, fake.sent[0]);
	assert_int_equal(30, fake.sent[1]);
	settle();
	assert_int_equal(38, fake.batches[sends + 1] + fake.batches[sends + 2]);
}

static bool gave_way;

static void make_urgent_and_ask(void)
{
	gave_way = pusher.target.gives_way && pusher.target.gives_way(pusher.target.context);
	if (fake.sends < 3)
		remove_page(1);
	gave_way = pusher.target.gives_way && pusher.target.gives_way(pusher.target.context);
	if (gave_way)
		fake.send_result = E_RETRY;
}

static void a_batch_gives_way_to_an_urgent_page(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	for (int64_t id = 2; id < 20; id++)
		publish_public(id, "page");
	fake.while_sending = make_urgent_and_ask;
	assert_int_equal(OK, turn());
	assert_true(gave_way);
	assert_int_equal(0, fake.sent_count);
	fake.send_result = OK;
	assert_int_equal(OK, turn());
	assert_int_equal(-1, fake.sent[0]);
	assert_false(gave_way);
	/* The mirror has not failed. */
	assert_string_equal("", report().status.error);
	settle();
	assert_int_equal(18, fake.count);
	assert_true(report().is_complete);
}

static void a_batch_is_halved_after_a_failure_and_grows_again(void **state)
{
	static const size_t wanted[] = { 32, 16, 8, 16, 32 };
	(void)state;
	for (int64_t id = 1; id <= 200; id++)
		publish_public(id, "page");
	fake.send_result = E_UNAVAILABLE;
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		if (i == 2)
			fake.send_result = OK;
		pusher.retry.until_ms = 0;
		assert_int_equal(fake.send_result, turn());
		assert_int_equal(wanted[i], fake.batches[i]);
	}
	/* Not below one page. */
	fake.send_result = E_UNAVAILABLE;
	for (int i = 0; i < 10; i++) {
		pusher.retry.until_ms = 0;
		assert_int_equal(E_UNAVAILABLE, turn());
	}
	assert_int_equal(1, fake.batches[fake.sends - 1]);
	fake.send_result = OK;
	pusher.retry.until_ms = 0;
	settle();
	assert_int_equal(200, fake.count);
}

static void a_page_that_visitors_are_to_lose_is_tried_each_second(void **state)
{
	(void)state;
	for (int64_t id = 1; id <= 40; id++)
		publish_public(id, "one");
	settle();
	fake.send_result = fake.list_result = E_UNAVAILABLE;
	publish_public(2, "more");
	for (int i = 0; i < 8; i++) {
		pusher.retry.until_ms = 0;
		assert_int_equal(E_UNAVAILABLE, turn());
	}
	int64_t retry_at_ms = pusher.retry.until_ms;
	size_t sends = fake.sends;
	remove_page(1);
	assert_int_equal(OK, turn());
	assert_int_equal(sends, fake.sends);
	/* A failure of this attempt does not delay the other pages. */
	pusher.urgent.until_ms = 0;
	assert_int_equal(E_UNAVAILABLE, turn());
	assert_int_equal(sends + 1, fake.sends);
	assert_int_equal(1, fake.batches[sends]);
	assert_int_equal(retry_at_ms, pusher.retry.until_ms);
	assert_true(pusher.urgent.until_ms <= clock_ms() + PUSHER_URGENT_MS);
	/* The page is sent before the mirror is asked for its list. */
	fake.send_result = OK;
	pusher.urgent.until_ms = 0;
	assert_int_equal(E_UNAVAILABLE, turn());
	assert_int_equal(-1, fake.sent[0]);
	assert_false(lags(1));
	fake.list_result = OK;
	pusher.retry.until_ms = 0;
	settle();
	assert_true(has(2) && !has(1));
}

/* Also one that the mirror has refused before: it stays urgent. */
static void a_refused_page_stays_urgent(void **state)
{
	(void)state;
	for (int64_t id = 1; id <= 4; id++)
		publish_public(id, "one");
	settle();
	fake.refused = 2;
	publish_page_with(2, PAGES_PRIVATE, "p2", "two", "x");
	settle();
	assert_int_equal(1, pusher.pending.urgent_count);
	assert_string_equal("page 2: a page is refused", report().status.error);
}

static void pages_do_not_wait_for_what_else_the_mirror_needs(void **state)
{
	(void)state;
	fake.shared_result = E_UNAVAILABLE;
	publish_public(1, "one");
	settle();
	assert_true(has(1));
	assert_false(fake.is_complete);
	assert_false(report().is_complete);
	assert_string_equal("the shared data fails", report().status.error);
	assert_true(pusher.shared.until_ms > clock_ms());
	/* All pages are confirmed, so that nobody waits for those. */
	struct journal_place place = journal_end(&dir);
	assert_true(mirror_has_confirmed(&dir, &mirror, &place));
	publish_page_with(1, PAGES_PRIVATE, "p1", "one", "x");
	settle();
	assert_true(has(1));
	assert_string_equal("the shared data fails", report().status.error);
	fake.shared_result = OK;
	pusher.shared.until_ms = pusher.beat_at_ms = 0;
	settle();
	assert_int_equal(PARTS, fake.parts);
	assert_true(fake.is_complete);
	assert_true(report().is_complete);
	assert_string_equal("", report().status.error);
}

/* A publisher writes the former addresses last, and the mirror may have got the page before. */
static void an_entry_of_a_page_that_the_mirror_has_is_a_reason_to_look_for_the_rest(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	assert_true(report().is_complete);
	size_t sent = pusher.sent;
	fake.parts = 0;
	pusher.shared.until_ms = 0;
	journal_add(&dir, 1);
	settle();
	assert_int_equal(sent, pusher.sent);
	assert_int_equal(PARTS, fake.parts);
	assert_true(report().is_complete);
}

static void a_mirror_that_fails_is_not_complete(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	assert_true(report().is_complete);
	fake.list_result = E_REFUSED;
	journal_add_all(&dir);
	assert_int_equal(E_REFUSED, turn());
	assert_false(report().is_complete);
	assert_true(report().age_s >= 0);
	fake.list_result = OK;
	pusher.retry.until_ms = 0;
	settle();
	assert_true(report().is_complete);
}

static void write_status(const char *complete)
{
	char path[128];
	snprintf(path, sizeof(path), "mirror/%s/status", mirror.name);
	folder_write_text(
		path, arena_printf(&arena, "complete %s\nstate incomplete\nwaiting 0\n", complete));
}

static void an_age_is_never_negative(void **state)
{
	(void)state;
	struct boot_moment moment = boot_moment_now();
	char text[BOOT_MOMENT_SIZE];
	settle();
	/* The clock was set back by a day. */
	moment.at.s += 86400;
	moment.up_s -= 7;
	write_status(boot_moment_format(&moment, text));
	assert_in_range(report().age_s, 7, 60);
	/* The same, and the machine was started again. */
	moment.boot[0] ^= 1;
	write_status(boot_moment_format(&moment, text));
	assert_int_equal(-1, report().age_s);
	moment.at.s -= 86400 + 30;
	write_status(boot_moment_format(&moment, text));
	assert_in_range(report().age_s, 30, 90);
	/* Damaged: no boot. */
	write_status("99999999999");
	assert_int_equal(-1, report().age_s);
}

static void add_urgent_page(void)
{
	fake.while_sending = NULL;
	remove_page(1);
}

static void a_removal_does_not_wait_for_many_pages(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	for (int64_t id = 2; id < 200; id++)
		publish_public(id, "page");
	fake.while_sending = add_urgent_page;
	assert_int_equal(OK, turn());
	assert_true(is_more);
	assert_false(fake.is_complete);
	assert_int_equal(OK, turn());
	assert_int_equal(-1, fake.sent[0]);
	settle();
	assert_int_equal(198, fake.count);
}

static void a_mirror_lags_until_it_has_confirmed(void **state)
{
	(void)state;
	assert_false(lags(1));
	publish_public(1, "one");
	assert_false(lags(1));
	settle();
	assert_false(lags(1));
	publish_page_with(1, PAGES_PRIVATE, "p1", "one", "x");
	assert_true(lags(1));
	settle();
	assert_false(lags(1));
	remove_page(1);
	assert_true(lags(1));
	fake.send_result = E_UNAVAILABLE;
	assert_int_equal(E_UNAVAILABLE, turn());
	assert_true(lags(1));
	fake.send_result = OK;
	pusher.retry.until_ms = 0;
	settle();
	assert_false(lags(1));
	/* A page that was sent without a response. */
	publish_public(2, "two");
	fake.send_result = E_UNAVAILABLE;
	assert_int_equal(E_UNAVAILABLE, turn());
	assert_true(lags(2));
}

static void an_unreachable_mirror_catches_up_by_comparison(void **state)
{
	(void)state;
	publish_public(1, "one");
	publish_public(2, "two");
	settle();
	fake.send_result = fake.list_result = E_UNAVAILABLE;
	publish_public(1, "more");
	assert_int_equal(E_UNAVAILABLE, turn());
	assert_string_equal("sending fails", report().status.error);
	assert_true(report().status.failed_at.s > 0);
	assert_int_equal(1, pusher.retry.failures);
	assert_true(pusher.retry.until_ms <= clock_ms() + PUSHER_RETRY_MS);
	/* Until the next attempt is due nothing is sent, and changes are counted. */
	remove_page(2);
	publish_public(3, "three");
	assert_int_equal(OK, turn());
	assert_int_equal(0, fake.sent_count);
	for (int i = 1; i <= 8; i++) {
		pusher.retry.until_ms = 0;
		assert_int_equal(E_UNAVAILABLE, turn());
	}
	assert_true(pusher.retry.until_ms > clock_ms() + PUSHER_RETRY_MAX_MS / 2);
	assert_int_equal(3, report().status.waiting);
	fake.send_result = fake.list_result = OK;
	pusher.retry.until_ms = 0;
	settle();
	assert_true(has(1) && has(3) && fake.count == 2);
	assert_int_equal(0, pusher.retry.failures);
	assert_string_equal("", report().status.error);
	assert_true(report().is_complete);
}

static void a_restart_compares_with_what_the_mirror_has(void **state)
{
	(void)state;
	for (int64_t id = 1; id <= 5; id++)
		publish_public(id, "one");
	settle();
	pusher_done(&pusher);
	publish_public(2, "more");
	remove_page(3);
	/* The mirror has lost a page, and has another one that this disk never had: it is the only
	 * one, so that it goes. */
	for (size_t i = 0; i < fake.count; i++)
		if (fake.pages[i].page_id == 5)
			fake.pages[i].page_id = 99;
	open_pusher(&fake_kind);
	settle();
	assert_int_equal(4, fake.sent_count);
	assert_true(has(1) && has(2) && has(4) && has(5));
	assert_int_equal(4, fake.count);
}

static void lose_note(int64_t id)
{
	assert_int_equal(OK, page_state_remove(&dir, id, &arena, &error));
	journal_add(&dir, id);
}

/* The mirror has `count` pages, and this disk has lost the notes of the first `lost`. */
static void lose_notes(int64_t count, int64_t lost)
{
	for (int64_t id = 1; id <= count; id++)
		publish_public(id, "one");
	settle();
	for (int64_t id = 1; id <= lost; id++)
		lose_note(id);
}

static void a_few_pages_that_the_database_does_not_have_are_removed(void **state)
{
	(void)state;
	/* Three, however many the mirror has. */
	lose_notes(5, 3);
	settle();
	assert_int_equal(2, fake.count);
	assert_true(report().is_complete);
	/* A tenth, when a comparison has missed nothing meanwhile: of 40 pages 4. */
	pusher.is_comparing = true;
	settle();
	lose_notes(40, 4);
	settle();
	assert_int_equal(36, fake.count);
	assert_true(report().is_complete);
}

/* As while somebody empties the folder, slower than the pusher compares. */
static void pages_that_are_missed_little_by_little_are_many(void **state)
{
	(void)state;
	lose_notes(20, 2);
	settle();
	assert_int_equal(18, fake.count);
	for (int64_t id = 3; id <= 8; id++) {
		lose_note(id);
		settle();
	}
	assert_int_equal(17, fake.count);
	assert_int_equal(MIRROR_NEED_CONFIRM, report().status.need);
}

static bool needs(enum mirror_need need)
{
	struct mirror_report now = report();
	return now.status.need == need && !now.is_complete && !fake.is_complete;
}

static void many_pages_wait_for_a_person_and_nothing_else_does(void **state)
{
	size_t count;
	(void)state;
	/* Four of 39: more than three, and more than a tenth. */
	lose_notes(39, 4);
	publish_page_with(5, PAGES_PRIVATE, "p5", "two", "x");
	publish_public(6, "two");
	remove_page(7);
	settle();
	assert_int_equal(38, fake.count);
	assert_true(has(5) && has(6));
	assert_true(needs(MIRROR_NEED_CONFIRM));
	assert_non_null(strstr(report().status.error, "4 pages"));
	/* It still does after a restart, and the next changes are sent. */
	pusher_done(&pusher);
	open_pusher(&fake_kind);
	publish_public(8, "two");
	settle();
	assert_true(has(8) && needs(MIRROR_NEED_CONFIRM));
	/* One page is back. The others are confirmed. */
	publish_public(1, "back");
	assert_int_equal(OK, unconfirmed_confirm(&dir, pusher.folder_fd, &arena, &count, &error));
	assert_int_equal(4, count);
	journal_add_all(&dir);
	settle();
	assert_true(has(1));
	assert_int_equal(35, fake.count);
	assert_true(report().is_complete);
	assert_int_equal(MIRROR_NEED_NONE, report().status.need);
}

/* However few they are: notes that are all missing were lost, and not deleted. */
static void without_any_note_nothing_is_removed(void **state)
{
	(void)state;
	lose_notes(2, 2);
	fake.is_complete = false;
	assert_int_equal(OK, turn());
	assert_false(filled_is(&dir));
	assert_int_equal(E_REFUSED, turn());
	assert_true(needs(MIRROR_NEED_FILL));
	/* The worker finds nothing in the database: that is for a person to judge. */
	assert_int_equal(OK, filled_mark(&dir, NULL, 0, &error));
	settle();
	assert_true(needs(MIRROR_NEED_CONFIRM) && filled_is(&dir));
	assert_int_equal(2, fake.count);
	publish_public(1, "back");
	journal_add_all(&dir);
	settle();
	assert_int_equal(1, fake.count);
	assert_true(has(1) && report().is_complete);
}

static void a_page_that_could_not_be_published_is_not_removed(void **state)
{
	static const int64_t failed[] = { 1 };
	(void)state;
	lose_notes(5, 2);
	assert_int_equal(OK, filled_mark(&dir, failed, 1, &error));
	settle();
	assert_int_equal(4, fake.count);
}

static void empty_folder(void)
{
	pages_dir_close(&dir);
	folder_remove();
	assert_int_equal(0, mkdir(test_folder, 0700));
	assert_int_equal(OK, pages_dir_open(&dir, test_folder, &error));
}

static void a_folder_that_is_not_filled_sends_nothing(void **state)
{
	size_t requests;
	(void)state;
	lose_notes(3, 0);
	empty_folder();
	requests = fake.lists + fake.sends;
	fake.is_complete = false;
	assert_int_equal(E_REFUSED, turn());
	publish_public(9, "new");
	assert_int_not_equal(E_FAILED, turn());
	assert_int_equal(requests, fake.lists + fake.sends);
	assert_int_equal(3, fake.count);
	assert_true(needs(MIRROR_NEED_FILL));
	assert_string_equal("this pages folder is not filled from the database yet",
			    mirror_need_text(report().status.need));
	/* The worker has filled it. */
	for (int64_t id = 1; id <= 3; id++)
		publish_public(id, "one");
	assert_int_equal(OK, filled_mark(&dir, NULL, 0, &error));
	settle();
	assert_int_equal(4, fake.count);
	assert_true(report().is_complete);
}

static void a_folder_that_comes_back_goes_on(void **state)
{
	const char *moved = arena_printf(&arena, "%s-away", test_folder);
	(void)state;
	lose_notes(5, 0);
	/* The disk is unmounted, and what is below it is an empty folder. */
	pages_dir_close(&dir);
	assert_int_equal(0, rename(test_folder, moved));
	fake.is_complete = false;
	assert_int_equal(E_REFUSED, turn());
	assert_int_equal(OK, pages_dir_open(&dir, test_folder, &error));
	assert_true(needs(MIRROR_NEED_FILL));
	pages_dir_close(&dir);
	folder_remove();
	assert_int_equal(0, rename(moved, test_folder));
	assert_int_equal(OK, pages_dir_open(&dir, test_folder, &error));
	publish_public(1, "two");
	settle();
	assert_true(has(1));
	assert_int_equal(5, fake.count);
	assert_true(report().is_complete);
}

static void a_mirror_that_somebody_changed_is_compared_at_once(void **state)
{
	(void)state;
	lose_notes(3, 0);
	fake.count = 2;
	pusher.target.is_changed = true;
	pusher.beat_at_ms = 0;
	size_t lists = fake.lists;
	assert_int_equal(OK, turn());
	assert_true(is_more);
	pusher.target.is_changed = false;
	settle();
	assert_int_equal(lists + 1, fake.lists);
	assert_int_equal(3, fake.count);
}

static void one_refused_page_does_not_stop_the_others(void **state)
{
	(void)state;
	fake.refused = 2;
	for (int64_t id = 1; id <= 3; id++)
		publish_public(id, "one");
	settle();
	assert_true(has(1) && !has(2) && has(3));
	assert_false(fake.is_complete);
	assert_string_equal("page 2: a page is refused", report().status.error);
	assert_int_equal(1, report().status.waiting);
	/* It is not tried again at once, and others go on. */
	publish_public(4, "one");
	settle();
	assert_true(has(4));
	fake.refused = 0;
	publish_public(2, "other");
	settle();
	assert_true(has(2));
	assert_true(report().is_complete);
	assert_string_equal("", report().status.error);
}

static void a_mirror_that_refuses_everything_is_tried_later(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	fake.send_result = E_REFUSED;
	publish_public(2, "one");
	publish_public(3, "one");
	assert_int_equal(E_REFUSED, turn());
	assert_true(pusher.retry.until_ms > clock_ms());
	assert_int_equal(2, report().status.waiting);
}

static void a_page_that_is_not_whole_waits_for_its_publisher(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	assert_int_equal(OK, page_state_unfinish(&dir, 1, &arena, &error));
	journal_add(&dir, 1);
	settle();
	assert_int_equal(1, fake.count);
	assert_int_equal(1, report().status.waiting);
	publish_public(1, "mended");
	settle();
	assert_true(has(1));
	assert_true(report().is_complete);
}

static void a_public_mirror_never_gets_what_is_not_public(void **state)
{
	(void)state;
	pusher_done(&pusher);
	open_pusher(&fake_public_kind);
	publish_public(1, "one");
	publish_page_with(2, PAGES_PRIVATE, "p2", "two", "x");
	settle();
	assert_true(has(1));
	assert_int_equal(1, fake.count);
	publish_page_with(1, PAGES_PRIVATE, "p1", "one", "x");
	settle();
	assert_int_equal(-1, fake.sent[0]);
	assert_int_equal(0, fake.count);
	assert_true(report().is_complete);
}

static void one_process_pushes_at_a_time(void **state)
{
	struct pusher second CLEANUP(pusher_done);
	bool is_free = true;
	(void)state;
	pusher_init(&second, &config, &mirror);
	second.target.kind = &fake_kind;
	assert_int_equal(OK, pusher_open(&second, &is_free, &error));
	assert_false(is_free);
	pusher_done(&pusher);
	assert_int_equal(OK, pusher_open(&second, &is_free, &error));
	assert_true(is_free);
}

static void a_lost_journal_is_made_again(void **state)
{
	(void)state;
	publish_public(1, "one");
	settle();
	journal_remove(&dir);
	assert_false(report().is_complete);
	publish_public(1, "more");
	publish_public(2, "two");
	settle();
	assert_true(has(1) && has(2));
	assert_true(report().is_complete);
}

static void what_was_published_before_is_confirmed(void **state)
{
	(void)state;
	settle();
	publish_public(1, "one");
	struct journal_place place = journal_end(&dir);
	assert_false(mirror_has_confirmed(&dir, &mirror, &place));
	settle();
	assert_true(mirror_has_confirmed(&dir, &mirror, &place));
	publish_public(2, "two");
	assert_true(mirror_has_confirmed(&dir, &mirror, &place));
	/* A journal that begins anew is opened for a comparison. */
	place = journal_end(&dir);
	journal_remove(&dir);
	assert_false(mirror_has_confirmed(&dir, &mirror, &place));
	settle();
	assert_true(mirror_has_confirmed(&dir, &mirror, &place));
}

static void mirrors_that_are_not_configured_leave_nothing(void **state)
{
	struct mirror configured = mirror;
	struct mirrors mirrors = { &configured, 1 };
	(void)state;
	settle();
	assert_int_equal(OK, mirrors_forget(&dir, &mirrors, &arena, &error));
	assert_int_equal(0, faccessat(test_folder_fd, "mirror/fake/status", F_OK, 0));
	mirrors.count = 0;
	assert_int_equal(OK, mirrors_forget(&dir, &mirrors, &arena, &error));
	assert_int_equal(-1, faccessat(test_folder_fd, "mirror/fake", F_OK, 0));
	assert_string_equal("", journal_end(&dir).generation);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pages_from_before_the_start_and_changes_are_sent),
		TEST(what_has_not_changed_is_not_sent),
		TEST(removals_and_tightened_pages_go_first),
		TEST(urgent_pages_have_batches_of_their_own),
		TEST(a_batch_gives_way_to_an_urgent_page),
		TEST(a_batch_is_halved_after_a_failure_and_grows_again),
		TEST(a_page_that_visitors_are_to_lose_is_tried_each_second),
		TEST(a_refused_page_stays_urgent),
		TEST(pages_do_not_wait_for_what_else_the_mirror_needs),
		TEST(a_mirror_that_fails_is_not_complete),
		TEST(an_entry_of_a_page_that_the_mirror_has_is_a_reason_to_look_for_the_rest),
		TEST(an_age_is_never_negative),
		TEST(a_removal_does_not_wait_for_many_pages),
		TEST(a_mirror_lags_until_it_has_confirmed),
		TEST(an_unreachable_mirror_catches_up_by_comparison),
		TEST(a_restart_compares_with_what_the_mirror_has),
		TEST(a_few_pages_that_the_database_does_not_have_are_removed),
		TEST(pages_that_are_missed_little_by_little_are_many),
		TEST(many_pages_wait_for_a_person_and_nothing_else_does),
		TEST(without_any_note_nothing_is_removed),
		TEST(a_page_that_could_not_be_published_is_not_removed),
		TEST(a_folder_that_is_not_filled_sends_nothing),
		TEST(a_folder_that_comes_back_goes_on),
		TEST(a_mirror_that_somebody_changed_is_compared_at_once),
		TEST(one_refused_page_does_not_stop_the_others),
		TEST(a_mirror_that_refuses_everything_is_tried_later),
		TEST(a_page_that_is_not_whole_waits_for_its_publisher),
		TEST(a_public_mirror_never_gets_what_is_not_public),
		TEST(one_process_pushes_at_a_time),
		TEST(a_lost_journal_is_made_again),
		TEST(what_was_published_before_is_confirmed),
		TEST(mirrors_that_are_not_configured_leave_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
