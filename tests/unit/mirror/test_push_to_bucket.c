/*
 * Pages on a disk, a pusher, and a bucket that is read as visitors read it: on the server that
 * verifies signatures, and on s3rver, if its package is there.
 */
#include "unit/lib/unit.h"
#include "unit/mirror/pages.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mirror/push/pusher.h"
#include "unit/lib/server.h"
#include "wire/http_client.h"

enum { PUBLIC_PAGES = 5, NOINDEX = 6, PRIVATE = 7 };

/* A kind of server: its program below tests/, and a key for its bucket "bucket". */
struct store {
	const char *program;
	const char *region;
	const char *access_key;
	const char *secret_key;
};

static const struct store strict = { "lib/s3-server", "test-region-1", "AKIDEXAMPLE",
				     "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
static const struct store s3rver = { "lib/s3rver", "us-east-1", "S3RVER", "S3RVER" };

static struct mirror mirror;
static struct http_client *visitor;

static void push(void)
{
	const struct config config = { .pages_dir = test_folder };
	struct pusher pusher;
	bool is_free;
	pusher_init(&pusher, &config, &mirror);
	assert_int_equal(OK, pusher_open(&pusher, &is_free, &error));
	assert_true(is_free);
	if (pusher_once(&pusher, &error) != OK)
		fail_msg("%s", error.log);
	pusher_done(&pusher);
}

static const char *slug_of(int64_t id)
{
	return arena_printf(&arena, "page-%lld", (long long)id);
}

static void publish(int64_t id, enum pages_place place, int version)
{
	publish_page_with(id, place, slug_of(id),
			  arena_printf(&arena, "<link href=\"style.css\">Page %lld, version %d\n",
				       (long long)id, version),
			  "access");
}

static struct http_client_response visit(int64_t id, const char *file)
{
	struct http_client_response response;
	const struct http_client_request request = {
		.method = "GET",
		.url = arena_printf(&arena, "%s/s/%s/%s", mirror.url, slug_of(id), file),
		.timeout_s = 30,
		.response_max = 1 << 20,
	};
	assert_int_equal(OK, http_client_send(visitor, &request, &arena, &response, &error));
	return response;
}

/* Version 0: visitors must not find the page. */
static void visitors_see(int64_t id, int version)
{
	const char *text = arena_printf(&arena, "<link href=\"style.css\">Page %lld, version %d\n",
					(long long)id, version);
	assert_int_equal(version > 0 ? 200 : 404, visit(id, "index.html").status);
	assert_int_equal(version > 0 ? 200 : 404, visit(id, "style.css").status);
	assert_int_equal(404, visit(id, "gate").status);
	assert_int_equal(404, visit(id, "index.html.gz").status);
	if (version == 0)
		return;
	assert_string_equal(text, visit(id, "index.html").body.data);
	assert_string_equal("body {}", visit(id, "style.css").body.data);
}

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *ftw)
{
	(void)status;
	(void)kind;
	(void)ftw;
	return remove(name);
}

static void push_to(void)
{
	for (int64_t id = 1; id <= PUBLIC_PAGES; id++)
		publish(id, PAGES_PUBLIC, 1);
	publish(NOINDEX, PAGES_NOINDEX, 1);
	publish(PRIVATE, PAGES_PRIVATE, 1);
	push();
	for (int64_t id = 1; id <= NOINDEX; id++)
		visitors_see(id, 1);
	visitors_see(PRIVATE, 0);
	/* Page 2 becomes private, page 3 vanishes, page 4 changes, page 7 becomes public. */
	publish(2, PAGES_PRIVATE, 2);
	remove_page(3);
	publish(4, PAGES_PUBLIC, 2);
	publish(PRIVATE, PAGES_PUBLIC, 2);
	push();
	static const int versions[PRIVATE + 1] = { 0, 1, 0, 0, 2, 1, 1, 2 };
	for (int64_t id = 1; id <= PRIVATE; id++)
		visitors_see(id, versions[id]);
	/* What is known of the bucket is lost, and one more page has vanished meanwhile. */
	remove_page(1);
	const char *records = arena_printf(&arena, "%s/mirror/bucket", test_folder);
	assert_int_equal(0, nftw(records, remove_one, 16, FTW_DEPTH | FTW_PHYS));
	push();
	visitors_see(1, 0);
	for (int64_t id = 2; id <= PRIVATE; id++)
		visitors_see(id, versions[id]);
	for (int64_t id = 2; id <= PRIVATE; id++)
		if (id != 3)
			remove_page(id);
	push();
	for (int64_t id = 1; id <= PRIVATE; id++)
		visitors_see(id, 0);
}

static void the_bucket_has_what_the_disk_has(void **state)
{
	const struct store *store = *state;
	struct test_server server;
	const char *data = arena_printf(&arena, "%s/data", test_folder);
	const char *const argv[] = { arena_printf(&arena, "%s/%s", TESTS_DIR, store->program), data,
				     NULL };
	int port;
	if (!server_start(&server, argv))
		skip();
	assert_int_equal(1, sscanf(server.line, "%d", &port));
	assert_int_equal(OK, http_client_open(&visitor, NULL, &error));
	mirror = (struct mirror){
		.kind = MIRROR_BUCKET,
		.name = "bucket",
		.url = arena_printf(&arena, "http://127.0.0.1:%d/bucket/status", port),
		.region = store->region,
		.access_key = store->access_key,
		.secret_key = store->secret_key,
	};
	push_to();
	http_client_close(visitor);
	server_stop(&server);
}

static int start(void **state)
{
	secret_init();
	return pages_start(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(the_bucket_has_what_the_disk_has,
					  (void *)(uintptr_t)&strict),
		cmocka_unit_test_prestate(the_bucket_has_what_the_disk_has,
					  (void *)(uintptr_t)&s3rver),
	};
	return cmocka_run_group_tests(tests, start, pages_end);
}
