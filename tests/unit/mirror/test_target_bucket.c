/* A bucket as a mirror, on a server that verifies signatures. */
#include "unit/mirror/bucket_world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "publish/page/page_state.h"

#define KEY(path) BUCKET_PREFIX "/" path

static void needs_server(void)
{
	if (!has_server)
		skip();
}

static void a_page_is_sent_with_the_headers_of_its_files(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *page = make_page(7, "acme", "status.acme.example", 1);
	assert_int_equal(OK, send_one(page));
	bucket_has_exactly(&page, 1);
	const char *headers = control("headers/" KEY("s/acme/index.html"));
	assert_true(has_line(headers, "Content-Type: text/html; charset=utf-8"));
	assert_true(has_line(headers, "Cache-Control: public, max-age=0, s-maxage=5, "
				      "stale-while-revalidate=30, stale-if-error=86400"));
	headers = control("headers/" KEY("d/status.acme.example/style-000000000001.css"));
	assert_true(has_line(headers, "Content-Type: text/css; charset=utf-8"));
	assert_true(has_line(headers, "Cache-Control: public, max-age=31536000, immutable"));
	assert_true(has_line(headers, arena_printf(&arena, "x-amz-meta-sha256: %s",
						   secret_to_hex(&arena, page->files[1].sha256,
								 SECRET_HASH_BYTES))));
	assert_string_equal(page->version, listed_version(7));
	no_reader_saw_a_gap();
}

/* The changes since the last reset, without the prefix. */
static const char *changes(void)
{
	const char *log = control("log"), *at;
	char *text = arena_strdup(&arena, "");
	static const char prefix[] = BUCKET_PREFIX "/";
	while ((at = strstr(log, prefix))) {
		text = arena_printf(&arena, "%s%.*s", text, (int)(at - log), log);
		log = at + sizeof(prefix) - 1;
	}
	return arena_printf(&arena, "%s%s", text, log);
}

static void only_files_that_differ_are_sent_and_the_first_one_last(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *first = make_page(7, "acme", NULL, 1);
	struct page_copy *second = make_page(7, "acme", NULL, 2);
	assert_int_equal(OK, send_one(first));
	const char *before = changes();
	assert_int_equal(OK, send_one(second));
	const char *after = changes() + strlen(before);
	static const char index[] = "PUT s/acme/index.html\n";
	const char *at = strstr(after, index);
	assert_non_null(at);
	const char *puts = arena_strndup(&arena, after, (size_t)(at - after));
	assert_true(has_line(puts, "PUT s/acme/style-000000000002.css"));
	assert_true(has_line(puts, "PUT s/acme/month-2.html"));
	assert_true(has_line(puts, "PUT s/acme/status.json"));
	assert_true(has_line(puts, "PUT s/acme/api/v2/status.json"));
	assert_int_equal(4, count_lines(puts));
	const char *deletes = at + sizeof(index) - 1;
	assert_true(has_line(deletes, "DELETE s/acme/style-000000000001.css"));
	assert_true(has_line(deletes, "DELETE s/acme/month-1.html"));
	assert_int_equal(2, count_lines(deletes));
	bucket_has_exactly(&second, 1);
	/* The same again. */
	before = changes();
	assert_int_equal(OK, send_one(second));
	assert_string_equal(before, changes());
	no_reader_saw_a_gap();
}

static void only_public_places_may_be_in_a_bucket(void **state)
{
	(void)state;
	for (int place = 0; place <= PAGES_PLACES; place++) {
		struct page_copy page = { .place = (enum pages_place)place };
		assert_int_equal(place == PAGES_PUBLIC || place == PAGES_NOINDEX,
				 bucket_may_have(&page));
		page.is_gone = true;
		assert_false(bucket_may_have(&page));
	}
	assert_true(bucket_may_have_file("index.html"));
	assert_false(bucket_may_have_file("index.html.gz"));
	assert_false(bucket_may_have_file("gate"));
	assert_false(bucket_may_have_file("page.incidents"));
}

static void a_page_that_is_not_public_is_never_sent(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *private = make_page(7, "acme", "a.example", 1);
	set_place(private, PAGES_PRIVATE);
	assert_int_equal(OK, send_one(private));
	assert_string_equal("PUT daymark-mirror\n", changes());
	assert_null(listed_version(7));
}

static void what_is_hidden_goes_first(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *pages[2] = { make_page(1, "one", NULL, 1),
				       make_page(2, "two", "two.example", 1) };
	assert_int_equal(OK, target_bucket.send(&target, pages, 2, &error));
	const char *before = changes();
	pages[0] = make_page(1, "one", NULL, 2);
	pages[1] = make_page(2, "two", "two.example", 2);
	set_place(pages[1], PAGES_PRIVATE);
	assert_int_equal(OK, target_bucket.send(&target, pages, 2, &error));
	const char *after = changes() + strlen(before);
	assert_true(strncmp(after, "DELETE s/two/index.html\n", 24) == 0);
	assert_true(strstr(after, "DELETE d/two.example/index.html") < strstr(after, "PUT "));
	bucket_has_exactly(pages, 1);
	assert_null(listed_version(2));
	no_reader_saw_a_gap();
}

static void what_is_gone_is_deleted(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *pages[2] = { make_page(1, "one", "one.example", 1),
				       make_page(2, "two", NULL, 1) };
	assert_int_equal(OK, target_bucket.send(&target, pages, 2, &error));
	assert_int_equal(OK, send_one(make_gone(1)));
	bucket_has_exactly(pages + 1, 1);
	assert_null(listed_version(1));
	assert_int_equal(OK, send_one(make_gone(1)));
	assert_int_equal(OK, send_one(make_gone(99)));
	no_reader_saw_a_gap();
}

static void addresses_that_a_page_gives_up_are_deleted(void **state)
{
	(void)state;
	needs_server();
	assert_int_equal(OK, send_one(make_page(1, "one", "one.example", 1)));
	struct page_copy *page = make_page(1, "other", "other.example", 1);
	assert_int_equal(OK, send_one(page));
	bucket_has_exactly(&page, 1);
	page = make_page(1, "other", NULL, 1);
	assert_int_equal(OK, send_one(page));
	bucket_has_exactly(&page, 1);
	assert_string_equal(page->version, listed_version(1));
	no_reader_saw_a_gap();
}

/* Page 1 gives its address to page 2, in one batch or in two, in either order. */
static void addresses_change_hands(void **state)
{
	(void)state;
	needs_server();
	for (int way = 0; way < 4; way++) {
		struct page_copy *before[2] = { make_page(1, "one", NULL, 1),
						make_page(2, "two", NULL, 2) };
		struct page_copy *after[2] = { make_page(1, "new", NULL, 1),
					       make_page(2, "one", NULL, 2) };
		struct page_copy *turned[2] = { after[1], after[0] };
		assert_int_equal(OK, target_bucket.send(&target, before, 2, &error));
		struct page_copy **order = way % 2 ? turned : after;
		if (way < 2) {
			assert_int_equal(OK, target_bucket.send(&target, order, 2, &error));
		} else {
			assert_int_equal(OK, send_one(order[0]));
			assert_int_equal(OK, send_one(order[1]));
		}
		bucket_has_exactly(after, 2);
		assert_string_equal(after[0]->version, listed_version(1));
		assert_string_equal(after[1]->version, listed_version(2));
	}
	/* The taker of an address comes in the batch in which its owner is hidden. */
	struct page_copy *last[2] = { make_page(5, "one", NULL, 3), make_page(2, "one", NULL, 4) };
	set_place(last[1], PAGES_PRIVATE);
	assert_int_equal(OK, target_bucket.send(&target, last, 2, &error));
	last[1] = make_page(1, "new", NULL, 1);
	bucket_has_exactly(last, 2);
	no_reader_saw_a_gap();
}

static void another_process_goes_on(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *page = make_page(1, "one", "one.example", 1);
	assert_int_equal(OK, send_one(page));
	world_restart();
	assert_string_equal(page->version, listed_version(1));
	const char *before = changes();
	assert_int_equal(OK, send_one(page));
	assert_string_equal(before, changes());
}

static void a_lost_record_is_made_again(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *pages[3] = { make_page(1, "one", "one.example", 1),
				       make_page(2, "two", NULL, 2), make_page(3, "old", NULL, 3) };
	assert_int_equal(OK, target_bucket.send(&target, pages, 3, &error));
	world_forget_records();
	world_restart();
	/* Writes the marker. */
	assert_int_equal(OK, target_bucket.beat(&target, false, &error));
	const char *keys = control("keys");
	/* Whose the objects are is not known, and readers still have them. */
	assert_null(listed_version(1));
	assert_int_equal(OK, target_bucket.beat(&target, false, &error));
	assert_string_equal(keys, control("keys"));
	assert_int_equal(OK, target_bucket.send(&target, pages, 2, &error));
	assert_int_equal(OK, target_bucket.beat(&target, true, &error));
	bucket_has_exactly(pages, 2);
	assert_string_equal(pages[0]->version, listed_version(1));
	assert_string_equal(pages[1]->version, listed_version(2));
	no_reader_saw_a_gap();
}

static void what_others_change_in_the_bucket_is_repaired(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *page = make_page(1, "one", NULL, 1);
	static const char *const faults[] = { "lose/" KEY("s/one/status.json"),
					      "put/" KEY("s/one/strange.txt"),
					      "put/" KEY("s/one/status.json") };
	assert_int_equal(OK, send_one(page));
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		control(faults[i]);
		assert_string_equal(BUCKET_UNKNOWN, listed_version(1));
		assert_int_equal(OK, send_one(page));
		assert_string_equal(page->version, listed_version(1));
		bucket_has_exactly(&page, 1);
	}
	/* Everything is lost. */
	control("reset");
	assert_null(listed_version(1));
	assert_int_equal(OK, send_one(page));
	bucket_has_exactly(&page, 1);
}

static void refuses_with(enum result expected, const char *reason)
{
	struct target_pages pages;
	error = (struct error){ 0 };
	assert_int_equal(expected, target_bucket.list(&target, &arena, &pages, &error));
	if (!strstr(error.log, reason))
		assert_string_equal(reason, error.log);
	assert_null(strstr(error.log, mirror.secret_key));
}

static void objects_of_others_are_not_touched(void **state)
{
	(void)state;
	needs_server();
	control("reset");
	control("put/" KEY("s/acme/index.html"));
	refuses_with(E_REFUSED, "no object daymark-mirror");
	assert_true(count_lines(control("keys")) == 1);
	control("reset");
	/* Beside our folders there may be anything. */
	control("put/s/acme/index.html");
	control("put/" KEY("backup/s/acme/index.html"));
	control("put/" KEY("s/acme/deeper/index.html"));
	assert_null(listed_version(1));
	assert_int_equal(OK, target_bucket.beat(&target, true, &error));
	assert_int_equal(4, count_lines(control("keys")));
}

static void a_bucket_has_one_installation(void **state)
{
	(void)state;
	needs_server();
	assert_int_equal(OK, send_one(make_page(1, "one", NULL, 1)));
	config.base_url = "https://other.example";
	world_restart();
	refuses_with(E_REFUSED, "another installation");
	config.base_url = "https://status.example";
	world_restart();
	assert_non_null(listed_version(1));
}

static void a_refusal_has_its_reason_and_no_secret(void **state)
{
	(void)state;
	needs_server();
	control("fault/403/AccessDenied/0");
	refuses_with(E_REFUSED, "the bucket responds 403 AccessDenied to GET daymark-mirror");
	control("fault/503/SlowDown/1");
	refuses_with(E_UNAVAILABLE, "503 SlowDown to a list of s/");
	assert_int_equal(9, error.retry_after_s);
	control("fault/400/RequestTimeout/0");
	refuses_with(E_UNAVAILABLE, "400 RequestTimeout");
	control("fault/500/%3C/0");
	refuses_with(E_UNAVAILABLE, "the bucket responds 500 to");
	control("fault/404/NoSuchBucket/0");
	refuses_with(E_REFUSED, "404 NoSuchBucket");
	control("fault/403/QuotaExceeded/2");
	assert_int_equal(E_REFUSED, send_one(make_page(1, "one", NULL, 1)));
	assert_non_null(strstr(error.log, "403 QuotaExceeded to PUT s/one/"));
	assert_non_null(listed_version(1));
	assert_string_equal(BUCKET_UNKNOWN, listed_version(1));
}

static void wrong_keys_are_refused(void **state)
{
	(void)state;
	needs_server();
	const struct mirror right = mirror;
	mirror.secret_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEZ";
	world_restart();
	refuses_with(E_REFUSED, "403 SignatureDoesNotMatch");
	mirror = right;
	mirror.access_key = "AKIDOTHER";
	world_restart();
	refuses_with(E_REFUSED, "403 InvalidAccessKeyId");
	mirror = right;
	mirror.region = "elsewhere";
	world_restart();
	refuses_with(E_REFUSED, "400 AuthorizationHeaderMalformed");
	mirror = right;
	mirror.url = "http://127.0.0.1:1/bucket";
	world_restart();
	refuses_with(E_UNAVAILABLE, "port 1");
	mirror = right;
}

static void a_file_that_cannot_be_read_changes_no_page(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *page = make_page(1, "one", NULL, 1);
	struct page_copy *next = make_page(1, "one", NULL, 2);
	assert_int_equal(OK, send_one(page));
	int fd = next->files[1].fd;
	next->files[1].fd = -1;
	assert_int_equal(E_FAILED, send_one(next));
	assert_string_equal(BUCKET_UNKNOWN, listed_version(1));
	no_reader_saw_a_gap();
	next->files[1].fd = fd;
	/* A file with another content than its hash: the server refuses it. */
	next->files[1].sha256[0] ^= 1;
	assert_int_equal(E_REFUSED, send_one(next));
	assert_non_null(strstr(error.log, "XAmzContentSHA256Mismatch"));
	next->files[1].sha256[0] ^= 1;
	assert_int_equal(OK, send_one(next));
	bucket_has_exactly(&next, 1);
	no_reader_saw_a_gap();
}

enum { MANY = 40 };

static void many_pages_fit_into_a_batch(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *pages[MANY];
	for (int i = 0; i < MANY; i++)
		pages[i] = make_page(i + 1, arena_printf(&arena, "page-%d", i),
				     i % 4 ? NULL : arena_printf(&arena, "%d.example", i), i);
	assert_int_equal(OK, target_bucket.send(&target, pages, MANY, &error));
	bucket_has_exactly(pages, MANY);
	struct target_pages listed;
	assert_int_equal(OK, target_bucket.list(&target, &arena, &listed, &error));
	assert_int_equal(MANY, listed.count);
	for (size_t i = 0; i < MANY; i++)
		assert_string_equal(pages[listed.rows[i].page_id - 1]->version,
				    listed.rows[i].version);
	no_reader_saw_a_gap();
}

static void two_copies_with_one_address_are_sent_alone(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *pages[2] = { make_page(1, "one", NULL, 1), make_page(2, "one", NULL, 2) };
	assert_int_equal(E_REFUSED, target_bucket.send(&target, pages, 2, &error));
	assert_int_equal(OK, send_one(pages[0]));
	assert_int_equal(OK, send_one(pages[1]));
	bucket_has_exactly(pages + 1, 1);
	assert_null(listed_version(1));
	no_reader_saw_a_gap();
}

enum { PAGES = 4, VERSIONS = 6 };

/* What a process does that is killed at some moment. */
static void push_until_killed(struct page_copy *pages[VERSIONS][PAGES], unsigned seed)
{
	struct target_pages listed;
	world_restart();
	if (target_bucket.list(&target, &arena, &listed, &error) != OK)
		_exit(1);
	for (;;) {
		struct page_copy *batch[PAGES];
		size_t count = 0;
		for (size_t i = 0; i < PAGES; i++)
			if (rand_r(&seed) % 2)
				batch[count++] = pages[rand_r(&seed) % VERSIONS][i];
		enum result result = target_bucket.send(&target, batch, count, &error);
		for (size_t i = 0; result == E_REFUSED && i < count; i++)
			if (send_one(batch[i]) != OK)
				_exit(1);
		if (result != OK && result != E_REFUSED)
			_exit(1);
	}
}

/* DAYMARK_KILLS says how often. */
static void no_kill_shows_a_page_without_its_files(void **state)
{
	(void)state;
	needs_server();
	struct page_copy *pages[VERSIONS][PAGES];
	const char *given = getenv("DAYMARK_KILLS");
	int64_t kills = 20;
	if (given)
		assert_true(str_to_int64(str_from(given), &kills));
	for (int i = 0; i < VERSIONS; i++) {
		for (int j = 0; j < PAGES; j++)
			pages[i][j] = make_page(j + 1, arena_printf(&arena, "page-%d", (i + j) % 5),
						NULL, 10 * i + j);
		pages[i][i % PAGES] = i % 2 ? make_gone(i % PAGES + 1) : pages[i][i % PAGES];
	}
	unsigned seed = 1;
	for (int64_t i = 0; i < kills; i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0)
			push_until_killed(pages, (unsigned)i);
		const struct timespec wait = { .tv_nsec = 1000000 * (5 + rand_r(&seed) % 60) };
		nanosleep(&wait, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(pid, waitpid(pid, &status, 0));
		assert_true(WIFSIGNALED(status));
		no_reader_saw_a_gap();
	}
	world_restart();
	struct target_pages listed;
	assert_int_equal(OK, target_bucket.list(&target, &arena, &listed, &error));
	assert_int_equal(OK, target_bucket.send(&target, pages[0], PAGES, &error));
	assert_int_equal(OK, target_bucket.beat(&target, true, &error));
	bucket_has_exactly(pages[0], PAGES);
	no_reader_saw_a_gap();
}

#define ONE(test) cmocka_unit_test_setup_teardown(test, world_open, world_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(a_page_is_sent_with_the_headers_of_its_files),
		ONE(only_files_that_differ_are_sent_and_the_first_one_last),
		ONE(only_public_places_may_be_in_a_bucket),
		ONE(a_page_that_is_not_public_is_never_sent),
		ONE(what_is_hidden_goes_first),
		ONE(what_is_gone_is_deleted),
		ONE(addresses_that_a_page_gives_up_are_deleted),
		ONE(addresses_change_hands),
		ONE(another_process_goes_on),
		ONE(a_lost_record_is_made_again),
		ONE(what_others_change_in_the_bucket_is_repaired),
		ONE(objects_of_others_are_not_touched),
		ONE(a_bucket_has_one_installation),
		ONE(a_refusal_has_its_reason_and_no_secret),
		ONE(wrong_keys_are_refused),
		ONE(a_file_that_cannot_be_read_changes_no_page),
		ONE(many_pages_fit_into_a_batch),
		ONE(two_copies_with_one_address_are_sent_alone),
		ONE(no_kill_shows_a_page_without_its_files),
	};
	return cmocka_run_group_tests(tests, world_start, world_end);
}
