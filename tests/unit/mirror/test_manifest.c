/* The bodies of the protocol between an origin and its mirror. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "mirror/manifest.h"
#include "mirror/protocol.h"
#include "mirror/protocol_part.h"
#include "mirror/shared_data.h"
#include "publish/page/page_state.h"

static struct error error;

#define HASH  "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define FILE_ "file " HASH " "
#define INDEX FILE_ "5 index.html\n"
#define PAGE  "page 7 0a1b public acme -\n"
#define END   "end\n"

static enum result parse(const char *body, struct manifest *manifest)
{
	error = (struct error){ 0 };
	return manifest_parse(str_from(body), &arena, manifest, &error);
}

static void what_is_printed_is_parsed(void **state)
{
	(void)state;
	struct manifest manifest;
	static const char body[] = "page 7 0a1b noindex acme www.acme.example\n" FILE_
				   "0 page-0123456789ab.css.gz\n" FILE_ "12 systems.badges\n" FILE_
				   "3 2026-11.incidents\n" FILE_ "6 index.html.gz\n" INDEX END
				   "gone 9\n"
				   "page 8 ff private b_-1 -\n" FILE_ "9 gate\n" INDEX END;
	struct buf out CLEANUP(buf_done) = BUF_INIT(4096);
	assert_int_equal(OK, parse(body, &manifest));
	assert_int_equal(3, manifest.count);
	assert_int_equal(7, manifest.pages[0].page_id);
	assert_string_equal("0a1b", manifest.pages[0].version);
	assert_int_equal(PAGES_NOINDEX, manifest.pages[0].place);
	assert_string_equal("acme", manifest.pages[0].slug);
	assert_string_equal("www.acme.example", manifest.pages[0].domain);
	assert_int_equal(5, manifest.pages[0].file_count);
	assert_int_equal(0x11, manifest.pages[0].files[0].sha256[1]);
	assert_int_equal(12, manifest.pages[0].files[1].size);
	assert_int_equal(-1, manifest.pages[0].files[1].fd);
	assert_true(manifest.pages[1].is_gone);
	assert_null(manifest.pages[2].domain);
	for (size_t i = 0; i < manifest.count; i++)
		manifest_print(&out, &manifest.pages[i]);
	assert_string_equal(body, out.data);
	assert_int_equal(OK, parse("", &manifest));
	assert_int_equal(0, manifest.count);
}

static void a_wrong_manifest_is_refused_by_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		const char *wanted;
	} rows[] = {
		{ "page", "Line 1: it has no end." },
		{ "pages\n", "Line 1: it is no page." },
		{ PAGE INDEX, "Line 3: the page has no end." },
		{ PAGE INDEX "end", "Line 3: the page has no end." },
		{ PAGE END, "Line 2: index.html is not the last file." },
		{ PAGE INDEX "what\n", "Line 3: it is no file, and not the end of the page." },
		{ "page 0 0a public acme -\n" INDEX END, "Line 1: it is no page." },
		{ "page -7 0a public acme -\n" INDEX END, "Line 1: it is no page." },
		{ "page 7 0a public acme\n" INDEX END, "Line 1: it is no page." },
		{ "page 7 0a public acme - \n" INDEX END, "Line 1: it is no page." },
		{ "page 7 0A public acme -\n" INDEX END, "the version is not hexadecimal" },
		{ "page 7 " HASH "0 public acme -\n" INDEX END, "the version is not hexadecimal" },
		{ "page 7 0a state acme -\n" INDEX END, "the place is not" },
		{ "page 7 0a public .. -\n" INDEX END, "the slug is not allowed" },
		{ "page 7 0a public a/b -\n" INDEX END, "the slug is not allowed" },
		{ "page 7 0a public Acme -\n" INDEX END, "the slug is not allowed" },
		{ "page 7 0a public acme localhost\n" INDEX END, "the domain is not allowed" },
		{ "page 7 0a public acme ../x.example\n" INDEX END, "the domain is not allowed" },
		{ "page 7 0a public acme WWW.acme.example\n" INDEX END,
		  "the domain is not allowed" },
		{ PAGE FILE_ "5\n" INDEX END, "Line 2: it is no file." },
		{ PAGE "file 0011 5 a.txt\n" INDEX END, "Line 2: it is no file." },
		{ PAGE FILE_ "-1 a.txt\n" INDEX END, "the size is not allowed" },
		{ PAGE FILE_ "16777217 a.txt\n" INDEX END, "the size is not allowed" },
		{ PAGE FILE_ "5 ../a.txt\n" INDEX END, "the name of the file is not allowed" },
		{ PAGE FILE_ "5 .htaccess\n" INDEX END, "the name of the file is not allowed" },
		{ PAGE FILE_ "5 a.php\n" INDEX END, "the name of the file is not allowed" },
		{ PAGE FILE_ "5 a.php.gz\n" INDEX END, "the name of the file is not allowed" },
		{ PAGE FILE_ "5 noextension\n" INDEX END, "the name of the file is not allowed" },
		{ PAGE FILE_ "5 a b.txt\n" INDEX END, "Line 2: it is no file." },
		{ PAGE FILE_ "5 a%2f.txt\n" INDEX END, "the name of the file is not allowed" },
		{ PAGE FILE_ "5 a.txt\n" FILE_ "5 a.txt\n" INDEX END, "a file is named twice" },
		{ PAGE INDEX FILE_ "5 a.txt\n" END, "index.html is not the last file" },
		{ PAGE FILE_ "5 index.html.gz\n" FILE_ "5 a.txt\n" INDEX END,
		  "index.html.gz is not before index.html" },
		{ PAGE FILE_ "5 gate\n" INDEX END, "only private pages have an access record" },
		{ "page 7 0a private acme -\n" INDEX END,
		  "only private pages have an access record" },
		{ "gone\n", "it is no page" },
		{ "gone x\n", "it is no page that is gone" },
		{ "gone 7 8\n", "it is no page that is gone" },
		{ PAGE INDEX END "gone 7\n", "A page is named twice." },
		{ PAGE INDEX END "page 8 0a private acme -\n" FILE_ "5 gate\n" INDEX END,
		  "Two pages have one address." },
		{ "page 7 0a public a x.example\n" INDEX END
		  "page 8 0a public b x.example\n" INDEX END,
		  "Two pages have one address." },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct manifest manifest;
		assert_int_equal(E_INVALID, parse(rows[i].body, &manifest));
		if (!strstr(error.client, rows[i].wanted))
			fail_msg("%s: not in: %s", rows[i].wanted, error.client);
	}
}

static void the_sizes_are_bounded(void **state)
{
	(void)state;
	struct manifest manifest;
	struct buf body CLEANUP(buf_done) = BUF_INIT(1 << 20);
	for (int i = 1; i <= MANIFEST_PAGES_MAX; i++)
		buf_printf(&body, "gone %d\n", i);
	assert_int_equal(OK, parse(body.data, &manifest));
	buf_puts(&body, "gone 9999\n");
	assert_int_equal(E_INVALID, parse(body.data, &manifest));
	buf_clear(&body);
	buf_puts(&body, PAGE);
	for (int i = 1; i < PAGE_FILES_MAX; i++)
		buf_printf(&body, FILE_ "5 a%d.txt\n", i);
	size_t len = body.len;
	buf_puts(&body, INDEX END);
	assert_int_equal(OK, parse(body.data, &manifest));
	body.len = len;
	buf_puts(&body, FILE_ "5 b.txt\n" INDEX END);
	assert_int_equal(E_INVALID, parse(body.data, &manifest));
	assert_non_null(strstr(error.client, "the page has too many files"));
}

static void parts_follow_each_other(void **state)
{
	(void)state;
	struct buf body CLEANUP(buf_done) = BUF_INIT(4096);
	struct protocol_part part = { .size = 10, .data = STR("hello") }, read;
	secret_hash(STR("helloworld"), part.sha256);
	protocol_part_print(&body, &part, &arena);
	part.offset = 5;
	part.data = STR("world");
	protocol_part_print(&body, &part, &arena);
	struct str rest = { body.data, body.len };
	assert_int_equal(OK, protocol_part_next(&rest, &read, &error));
	assert_int_equal(0, read.offset);
	assert_true(str_eq(STR("hello"), read.data));
	assert_int_equal(OK, protocol_part_next(&rest, &read, &error));
	assert_int_equal(5, read.offset);
	assert_int_equal(10, read.size);
	assert_memory_equal(part.sha256, read.sha256, sizeof(read.sha256));
	assert_true(str_eq(STR("world"), read.data));
	assert_int_equal(E_NOT_FOUND, protocol_part_next(&rest, &read, &error));
	rest = STR(HASH " 0 0 0\n");
	assert_int_equal(OK, protocol_part_next(&rest, &read, &error));
}

static void a_wrong_part_is_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		"x",
		HASH " 5 0 5\nhell",
		HASH " 5 0 6\nhello!",
		HASH " 5 1 5\nhello",
		HASH " 5 0 0\n",
		HASH " 16777217 0 5\nhello",
		HASH " 5 0 5 \nhello",
		HASH " 5 0\nhello",
		HASH " -5 0 5\nhello",
		HASH " 5 9223372036854775807 5\nhello",
		"0011 5 0 5\nhello",
	};
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct str rest = str_from(wrong[i]);
		struct protocol_part part;
		assert_int_equal(E_INVALID, protocol_part_next(&rest, &part, &error));
		assert_true(error.client[0] != '\0');
	}
}

static void the_shared_data_is_printed_and_parsed(void **state)
{
	(void)state;
	static const char body[] = "secret " HASH "\nlist 00 " HASH " 0\nlist ff " HASH " 71\n";
	static const char *const wrong[] = {
		"",
		"list 00 " HASH " 0\n",
		"secret " HASH,
		"secret 0011\n",
		"secret " HASH "\nsecret " HASH "\n",
		"secret " HASH "\nlist 0 " HASH " 0\n",
		"secret " HASH "\nlist 100 " HASH " 0\n",
		"secret " HASH "\nlist 00 0011 0\n",
		"secret " HASH "\nlist 00 " HASH "\n",
		"secret " HASH "\nlist 00 " HASH " -1\n",
		"secret " HASH "\nlist 00 " HASH " 16777217\n",
		"secret " HASH "\nlist 00 " HASH " 7 \n",
		"secret " HASH "\nformer old 0\n",
		"secret " HASH "\nformer-host no_host 7\n",
		"secret " HASH "\n\n",
	};
	struct shared_data data;
	struct buf out CLEANUP(buf_done) = BUF_INIT(4096);
	assert_int_equal(OK, shared_data_parse(str_from(body), &arena, &data, &error));
	assert_int_equal(2, data.count);
	assert_int_equal(0xff, data.lists[1].number);
	assert_int_equal(71, data.lists[1].size);
	shared_data_print(&out, &data, &arena);
	assert_string_equal(body, out.data);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		error = (struct error){ 0 };
		assert_int_equal(E_INVALID,
				 shared_data_parse(str_from(wrong[i]), &arena, &data, &error));
		assert_null(strstr(error.client, "0011"));
	}
}

static void a_list_has_only_its_own_addresses(void **state)
{
	(void)state;
	static const char *const wrong[] = { "former ../x 7\n",
					     "former old 0\n",
					     "former old 7 \n",
					     "former-host old 7\n",
					     "former-host A.test 7\n",
					     "former old 7",
					     "\n",
					     "former old\n" };
	struct arena lines CLEANUP(arena_done);
	unsigned number = former_list_of(PAGES_FORMER, "old");
	arena_init(&lines, 64 << 10);
	assert_true(shared_data_is_list(STR(""), 7, &lines));
	assert_true(shared_data_is_list(STR("former old 7\n"), number, &lines));
	assert_false(shared_data_is_list(STR("former old 7\n"), number ^ 1, &lines));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		for (unsigned list = 0; list < FORMER_LISTS; list++)
			assert_false(shared_data_is_list(str_from(wrong[i]), list, &lines));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_printed_is_parsed),
		cmocka_unit_test(a_wrong_manifest_is_refused_by_its_line),
		cmocka_unit_test(the_sizes_are_bounded),
		cmocka_unit_test(parts_follow_each_other),
		cmocka_unit_test(a_wrong_part_is_refused),
		cmocka_unit_test(the_shared_data_is_printed_and_parsed),
		cmocka_unit_test(a_list_has_only_its_own_addresses),
	};
	return RUN_WITH_ARENA(tests);
}
