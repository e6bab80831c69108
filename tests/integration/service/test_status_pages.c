#include "integration/lib/service.h"

#include "service/page/status_pages.h"

#define INDEX "public/s/the-slug/index.html"

/* An image of one pixel. */
static const char gif[] = { 'G', 'I', 'F', '8', '9', 'a', 1,  0,    1, 0, (char)0x80, 0,
			    0,	 0,   0,   0,	-1,  -1,  -1, 0x2c, 0, 0, 0,	      0,
			    1,	 0,   1,   0,	0,   2,	  2,  0x44, 1, 0, 0x3b };
static struct field_file image = { .data = gif, .len = sizeof(gif) };
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0crc0"
			  "\0\0\0\x02IDATxxcrc1\0\0\0\0IENDcrc2";
static struct field_file png_image = { .data = png, .len = sizeof(png) - 1 };

static struct field_set sent_places(const char *const *names, size_t count)
{
	struct field_set places = FIELD_SET_NONE;
	for (size_t i = 0; i < count; i++)
		field_set_add(&places, status_page_place(names[i]));
	return places;
}
#define SENT(...) \
	sent_places((const char *const[]){ __VA_ARGS__ }, \
		    ARRAY_LEN(((const char *const[]){ __VA_ARGS__ })))

static int64_t key_account(void)
{
	int64_t account = add_account("one");
	act_as_key(account);
	return account;
}

/* A value of its own in each field. */
static struct status_page_change full_change(int64_t *ids, size_t count)
{
	return (struct status_page_change){
		.input = { .name = "The name",
			   .slug = "The-Slug",
			   .monitor_ids = { ids, count },
			   .password = "secret",
			   .domain = "page.test",
			   .logo = &image,
			   .logo_dark = &image,
			   .header_image = &png_image,
			   .favicon = &image,
			   .website_url = "https://website.test/",
			   .contact_url = "https://contact.test/",
			   .custom_css = "css{}",
			   .custom_js = "js()",
			   .meta_title = "The title",
			   .meta_description = "The description",
			   .noindex = true,
			   .time_zone = "Asia/Kathmandu",
			   .language = "de" },
		.sent = SENT("name", "slug", "monitor_ids", "password", "domain", "logo",
			     "logo_dark", "header_image", "favicon", "website_url", "contact_url",
			     "custom_css", "custom_js", "meta_title", "meta_description", "noindex",
			     "time_zone", "language"),
	};
}

#define ROW \
	"SELECT p.account_id, p.name, p.slug, p.domain, p.website_url, p.contact_url, " \
	"p.custom_css, p.custom_js, p.meta_title, p.meta_description, p.noindex, p.show_causes, " \
	"p.time_zone, p.language, " \
	"p.privacy, p.password_hash LIKE '$argon2%%', p.logo_file LIKE 'logo-%%', " \
	"p.favicon_file LIKE 'favicon-%%', p.created_at, p.updated_at, p.version, " \
	"r.unpublished_since IS NULL FROM " PAGES_AND_REVISIONS

static void a_page_is_created_with_an_event_and_published(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = key_account();
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail");
	int64_t ids[] = { mail, web };
	struct status_page_change change = full_change(ids, 2);
	assert_ok(service_create_status_page(&service, &change, &page));
	assert_rows(arena_printf(
			    &arena,
			    "%ld|The name|the-slug|page.test|https://website.test/|"
			    "https://contact.test/|css{}|js()|The title|The description|1|0|"
			    "Asia/Kathmandu|de|0|1|1|1|2026-03-05 10:00:00|2026-03-05 10:00:00|1|1",
			    (long)account),
		    ROW);
	assert_rows("mail\nweb", "SELECT m.name FROM status_page_monitors s "
				 "JOIN monitors m ON m.id = s.monitor_id ORDER BY s.position");
	assert_rows("favicon|1\nheader_image|1\nlogo|1\nlogo_dark|1",
		    "SELECT f.kind, f.name = CASE f.kind WHEN 'logo' THEN p.logo_file "
		    "WHEN 'logo_dark' THEN p.logo_dark_file "
		    "WHEN 'header_image' THEN p.header_image_file ELSE p.favicon_file END "
		    "FROM status_page_files f JOIN status_pages p ON p.id = f.status_page_id "
		    "ORDER BY f.kind");
	assert_one_event(account, "status_page.created", page.id, 0, "The name");
	assert_published("noindex/s/the-slug/index.html", "The title");
	assert_true(is_published(arena_printf(&arena, "noindex/s/the-slug/%s", page.logo_file)));
	assert_true(
		is_published(arena_printf(&arena, "noindex/s/the-slug/%s", page.logo_dark_file)));
	assert_published("noindex/s/the-slug/index.html", " width=\"1\" height=\"1\"");
}

static struct status_page_change named(const char *name, const char *slug)
{
	return (struct status_page_change){ .input = { .name = name, .slug = slug },
					    .sent = SENT("name", "slug") };
}

static int64_t created_page(void)
{
	struct status_page_change change = named("The name", "the-slug");
	struct status_page page;
	assert_ok(service_create_status_page(&service, &change, &page));
	forget_events();
	return page.id;
}

static void an_update_changes_what_was_sent_and_is_published(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = key_account(), id = created_page(),
		ids[] = { add_monitor(account, "web") };
	execute("UPDATE status_pages SET contact_url = 'https://kept.test/'");
	service.now = at(6, 0);
	struct status_page_change change = {
		.input = { .name = "New name", .monitor_ids = { ids, 1 }, .logo = &image },
		.sent = SENT("name", "monitor_ids", "logo"),
	};
	assert_ok(service_update_status_page(&service, id, &change, &page));
	assert_rows("New name|the-slug|https://kept.test/|1|2026-03-05 10:00:00|"
		    "2026-03-06 00:00:00|2|2|-",
		    "SELECT p.name, p.slug, p.contact_url, p.logo_file LIKE 'logo-%%', "
		    "p.created_at, p.updated_at, p.version, r.revision, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS);
	assert_rows(event_text("status_page.updated", id, 0, "name, monitor_ids, logo"),
		    "SELECT CONCAT_WS(' ', kind, object_id, '-', detail) FROM events");
	assert_rows(arena_printf(&arena, "%ld|%s|2026-03-06 00:00:00", (long)account,
				 EVENT_SOURCE_TEXT),
		    "SELECT account_id, " EVENT_SOURCE_SHOWN ", at FROM events");
	assert_published(INDEX, "New name");
	assert_published(INDEX, "web");
	assert_true(is_published(arena_printf(&arena, "public/s/the-slug/%s", page.logo_file)));
}

static void a_page_that_moves_leaves_nothing_behind(void **state)
{
	struct status_page page;
	(void)state;
	key_account();
	int64_t id = created_page();
	assert_true(is_published(INDEX));
	struct status_page_change change = { .input = { .slug = "new-slug" },
					     .sent = SENT("slug") };
	assert_ok(service_update_status_page(&service, id, &change, &page));
	assert_true(is_published("public/s/new-slug/index.html"));
	assert_false(is_published("public/s/the-slug"));
}

static void removed_images_are_gone(void **state)
{
	struct status_page page;
	(void)state;
	key_account();
	struct status_page_change change = full_change(NULL, 0);
	assert_ok(service_create_status_page(&service, &change, &page));
	const char *logo = arena_printf(&arena, "noindex/s/the-slug/%s", page.logo_file);
	change = (struct status_page_change){ .input = { .remove_logo = true },
					      .sent = SENT("remove_logo") };
	assert_ok(service_update_status_page(&service, page.id, &change, &page));
	assert_rows("-|1", "SELECT logo_file, favicon_file IS NOT NULL FROM status_pages");
	assert_rows("favicon\nheader_image\nlogo_dark",
		    "SELECT kind FROM status_page_files WHERE bytes IS NOT NULL "
		    "AND LENGTH(bytes) > 0");
	assert_false(is_published(logo));
}

static void a_deleted_page_is_gone_from_disk(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = key_account(), id = created_page();
	add_page(account, "kept");
	assert_true(is_published(INDEX));
	assert_ok(service_delete_status_page(&service, id, &page));
	assert_string_equal(page.name, "The name");
	assert_rows("kept", "SELECT slug FROM status_pages");
	assert_rows("1", "SELECT deleted_at IS NOT NULL FROM page_revisions WHERE page_id = %ld",
		    (long)id);
	assert_one_event(account, "status_page.deleted", id, 0, "The name");
	assert_false(is_published("public/s/the-slug"));
	assert_result(E_NOT_FOUND, service_delete_status_page(&service, id, &page));
	assert_rows("1", "SELECT COUNT(*) FROM events");
}

static void pages_of_other_accounts_are_unknown(void **state)
{
	struct status_page page;
	(void)state;
	key_account();
	int64_t id = created_page();
	act_as_key(add_account("two"));
	struct status_page_change change = named("Stolen", "stolen");
	assert_result(E_NOT_FOUND, service_update_status_page(&service, id, &change, &page));
	assert_result(E_NOT_FOUND, service_delete_status_page(&service, id, &page));
	assert_rows("The name|1", "SELECT name, version FROM status_pages");
	assert_string_equal(events(), "");
}

static void conflicts_are_violations_and_store_nothing(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = key_account();
	created_page();
	int64_t ids[] = { add_monitor(account, "web"), add_monitor(add_account("two"), "theirs") };
	execute("UPDATE status_pages SET domain = 'page.test'");
	struct status_page_change change = full_change(ids, 2);
	assert_result(E_INVALID, service_create_status_page(&service, &change, &page));
	assert_true(violations_has(&violations, "slug"));
	assert_true(violations_has(&violations, "domain"));
	assert_true(violations_has(&violations, "monitor_ids.1"));
	assert_false(violations_has(&violations, "monitor_ids.0"));
	assert_rows("1|1|0|0", "SELECT (SELECT COUNT(*) FROM status_pages), "
			       "(SELECT COUNT(*) FROM page_revisions), "
			       "(SELECT COUNT(*) FROM status_page_files), "
			       "(SELECT COUNT(*) FROM events)");
}

static void quotas_are_violations(void **state)
{
	struct status_page page;
	(void)state;
	key_account();
	created_page();
	config.most_status_pages = 1;
	struct status_page_change change = named("Another", "another");
	assert_result(E_INVALID, service_create_status_page(&service, &change, &page));
	assert_true(violations_has(&violations, "status_pages"));
	assert_rows("1|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM status_pages");
}

static void a_password_page_needs_a_password(void **state)
{
	struct status_page page;
	(void)state;
	key_account();
	struct status_page_change change = named("N", "n");
	change.input.privacy = PRIVACY_PASSWORD;
	field_set_add(&change.sent, status_page_place("privacy"));
	assert_result(E_INVALID, service_create_status_page(&service, &change, &page));
	assert_true(violations_has(&violations, "password"));
	assert_rows("0", "SELECT COUNT(*) FROM status_pages");
}

static void an_operation_whose_event_fails_changes_nothing(void **state)
{
	struct status_page page;
	(void)state;
	key_account();
	int64_t id = created_page();
	unpublish("the-slug");
	break_events();
	struct status_page_change change = named("New", "new");
	assert_result(E_FAILED, service_create_status_page(&service, &change, &page));
	assert_result(E_FAILED, service_update_status_page(&service, id, &change, &page));
	assert_result(E_FAILED, service_delete_status_page(&service, id, &page));
	assert_rows("The name|the-slug|1|2|-",
		    "SELECT p.name, p.slug, p.version, r.revision, r.deleted_at "
		    "FROM " PAGES_AND_REVISIONS);
	assert_false(is_published("public/s/new"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_page_is_created_with_an_event_and_published),
		SERVICE_TEST(an_update_changes_what_was_sent_and_is_published),
		SERVICE_TEST(a_page_that_moves_leaves_nothing_behind),
		SERVICE_TEST(removed_images_are_gone),
		SERVICE_TEST(a_deleted_page_is_gone_from_disk),
		SERVICE_TEST(pages_of_other_accounts_are_unknown),
		SERVICE_TEST(conflicts_are_violations_and_store_nothing),
		SERVICE_TEST(quotas_are_violations),
		SERVICE_TEST(a_password_page_needs_a_password),
		SERVICE_TEST(an_operation_whose_event_fails_changes_nothing),
	};
	return RUN_ON_DATABASE(tests);
}
