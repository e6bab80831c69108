#include "unit/mirror/bucket_world.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "publish/page/page_state.h"

bool has_server;
struct mirror mirror;
struct config config;
struct target target;
struct error error;

static struct test_server server;
static struct http_client *client;
static int port;
static int fds[4096];
static size_t fd_count;

enum { FILES_MAX = 9 }; /* of a page, with the access record */

int world_start(void **state)
{
	static const char *const argv[] = { TESTS_DIR "/lib/s3-server", NULL };
	secret_init();
	if (folder_start(state) != 0 || http_client_open(&client, NULL, &error) != OK)
		return 1;
	has_server = server_start(&server, argv) && sscanf(server.line, "%d", &port) == 1;
	mirror = (struct mirror){
		.kind = MIRROR_BUCKET,
		.name = "bucket",
		.url = arena_printf(&arena, "http://127.0.0.1:%d/bucket/" BUCKET_PREFIX, port),
		.region = "test-region-1",
		.access_key = "AKIDEXAMPLE",
		.secret_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
	};
	config = (struct config){
		.pages_dir = arena_printf(&arena, "%s/pages", test_folder),
		.base_url = "https://status.example",
	};
	return 0;
}

int world_end(void **state)
{
	http_client_close(client);
	if (has_server)
		server_stop(&server);
	return folder_end(state);
}

static void open_target(void)
{
	target = (struct target){ .kind = &target_bucket, .mirror = &mirror, .config = &config };
	assert_int_equal(OK, target_bucket.open(&target, &mirror, &config, &error));
}

static const char *records_folder(void)
{
	return arena_printf(&arena, "%s/mirror/bucket", config.pages_dir);
}

void world_forget_records(void)
{
	DIR *stream = opendir(records_folder());
	struct dirent *entry;
	while (stream && (entry = readdir(stream)))
		if (entry->d_name[1] == '.' && entry->d_name[0] != '.')
			unlinkat(dirfd(stream), entry->d_name, 0);
	if (stream)
		closedir(stream);
}

int world_open(void **state)
{
	struct target_pages pages;
	(void)state;
	if (!has_server)
		return 0;
	error = (struct error){ 0 };
	control("reset");
	world_forget_records();
	open_target();
	return target_bucket.list(&target, &arena, &pages, &error) != OK || pages.count > 0;
}

int world_close(void **state)
{
	(void)state;
	if (has_server)
		target_bucket.close(&target);
	while (fd_count > 0)
		close(fds[--fd_count]);
	return 0;
}

void world_restart(void)
{
	target_bucket.close(&target);
	open_target();
}

const char *control(const char *path)
{
	struct http_client_response response;
	struct http_client_request request = {
		.method = "GET",
		.url = arena_printf(&arena, "http://127.0.0.1:%d/-/%s", port, path),
		.timeout_s = 30,
		.response_max = 4 << 20,
	};
	assert_int_equal(OK, http_client_send(client, &request, &arena, &response, &error));
	assert_int_equal(200, response.status);
	return response.body.data;
}

bool has_line(const char *text, const char *line)
{
	struct str rest = str_from(text), item;
	while (str_split(&rest, '\n', &item))
		if (str_eq(item, str_from(line)))
			return true;
	return false;
}

size_t count_lines(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void expect_object(const char *keys, const char *folder, const char *name,
			  const struct page_copy_file *file, size_t *expected)
{
	const char *hash = secret_to_hex(&arena, file->sha256, sizeof(file->sha256));
	const char *line = arena_printf(&arena, BUCKET_PREFIX "/%s/%s %s", folder, name, hash);
	if (!has_line(keys, line))
		fail_msg("missing: %s\nin\n%s", line, keys);
	(*expected)++;
}

static void expect_folder(const char *keys, const char *folder, const struct page_copy *page,
			  size_t *expected)
{
	for (size_t i = 0; i < page->file_count; i++) {
		const struct page_copy_file *file = &page->files[i];
		if (!bucket_may_have_file(file->name))
			continue;
		expect_object(keys, folder, file->name, file, expected);
		if (strcmp(file->name, "status.json") == 0)
			expect_object(keys, folder, "api/v2/status.json", file, expected);
		if (strcmp(file->name, "unresolved.json") == 0)
			expect_object(keys, folder, "api/v2/incidents/unresolved.json", file,
				      expected);
	}
}

void bucket_has_exactly(struct page_copy *const *pages, size_t count)
{
	const char *keys = control("keys");
	size_t expected = 1; /* the marker */
	for (size_t i = 0; i < count; i++) {
		const struct page_copy *page = pages[i];
		expect_folder(keys, arena_printf(&arena, "s/%s", page->slug), page, &expected);
		if (page->domain)
			expect_folder(keys, arena_printf(&arena, "d/%s", page->domain), page,
				      &expected);
	}
	if (count_lines(keys) != expected)
		fail_msg("%zu objects are expected:\n%s", expected, keys);
}

void no_reader_saw_a_gap(void)
{
	assert_string_equal("", control("broken"));
}

static void add_file(struct page_copy *page, const char *name, const char *text)
{
	struct page_copy_file *file = &page->files[page->file_count++];
	size_t len = strlen(text);
	*file = (struct page_copy_file){ .name = name, .size = len };
	file->fd = fds[fd_count++] = memfd_create("file", MFD_CLOEXEC);
	assert_int_equal(len, write(file->fd, text, len));
	secret_hash(str_from(text), file->sha256);
}

struct page_copy *make_page(int64_t id, const char *slug, const char *domain, int version)
{
	struct page_copy *page = ARENA_NEW(&arena, struct page_copy);
	const char *style = arena_printf(&arena, "style-%012d.css", version);
	const char *month = arena_printf(&arena, "month-%d.html", version % 3);
	*page = (struct page_copy){ .page_id = id, .slug = slug, .domain = domain };
	page->files = ARENA_ARRAY(&arena, FILES_MAX, struct page_copy_file);
	snprintf(page->version, sizeof(page->version), "%064d", version);
	add_file(page, "robots.txt", "User-agent: *\n");
	add_file(page, style, arena_printf(&arena, "body { z-index: %d }\n", version));
	add_file(page, month, "<p>A month</p>\n");
	add_file(page, "status.json.gz", "compressed");
	add_file(page, "status.json", arena_printf(&arena, "{\"version\": %d}\n", version));
	add_file(page, "page.incidents", "for the program only");
	add_file(page, "index.html.gz", "compressed");
	add_file(page, "index.html",
		 arena_printf(&arena, "<link href=\"%s\"><a href=\"%s\">%s %d</a>\n", style, month,
			      slug, version));
	return page;
}

struct page_copy *make_gone(int64_t id)
{
	struct page_copy *page = ARENA_NEW(&arena, struct page_copy);
	*page = (struct page_copy){ .page_id = id, .is_gone = true };
	return page;
}

void set_place(struct page_copy *page, enum pages_place place)
{
	page->place = place;
	if (place == PAGES_PRIVATE)
		add_file(page, "gate", "who may see the page");
}

enum result send_one(struct page_copy *page)
{
	return target_bucket.send(&target, &page, 1, &error);
}

const char *listed_version(int64_t page_id)
{
	struct target_pages pages;
	assert_int_equal(OK, target_bucket.list(&target, &arena, &pages, &error));
	for (size_t i = 0; i < pages.count; i++)
		if (pages.rows[i].page_id == page_id)
			return pages.rows[i].version;
	return NULL;
}
