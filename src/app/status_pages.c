#include "app/status_pages.h"

#include <string.h>

#include "app/page_domain.h"
#include "app/password.h"
#include "app/operation.h"
#include "app/respond.h"
#include "base/log.h"
#include "store/status_page.h"
#include "store/usage.h"
#include "wire/json.h"

static struct json_object *page_tree(struct exchange *exchange, struct status_page *page)
{
	return status_page_tree(exchange, page, status_page_resource_fields);
}

/* GET /{id} */

enum result status_pages_show(struct exchange *exchange)
{
	struct status_page page;
	enum result result = status_page_find(exchange->db, exchange->key.account_id,
					      exchange->match.id, false, &exchange->arena, &page,
					      &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, page.id, page.version);
	if (!exchange_is_unchanged(exchange, page.id, page.version))
		exchange_respond(exchange, 200, page_tree(exchange, &page));
	return OK;
}

/* POST /, PUT /{id}: what they share */

/* A write of a page, from the checked input to the committed row. */
struct page_write {
	struct status_page_input input;
	uint64_t sent;
	const char *password_hash;
	struct page_domain domain;
	struct page_file files[2]; /* new ones, and removals as files without a name */
	size_t file_count;
	struct status_page page; /* the outcome */
	bool has_moved;		 /* it has given up a slug, or a domain */
};

static void check_upload(struct exchange *exchange, struct page_write *write, const char *kind,
			 const struct upload *upload, bool is_removed)
{
	const char *name = NULL;
	if (upload && !status_page_check_image(kind, upload->data, upload->len, &name,
					       &exchange->arena, &exchange->violations))
		return;
	if (!upload && !is_removed)
		return;
	if (write->file_count == ARRAY_LEN(write->files))
		die("status_pages: more than %zu files", ARRAY_LEN(write->files));
	write->files[write->file_count++] = (struct page_file){ kind, name,
								upload ? upload->data : NULL,
								upload ? upload->len : 0 };
}

/*
 * A rejected value goes no further. The database would be asked whether it is taken, in
 * columns that cannot hold every text.
 */
static void drop_rejected(struct exchange *exchange, struct page_write *write)
{
	for (size_t i = 0; i < status_page_update_fields.count; i++) {
		const char *name = status_page_update_fields.rows[i].name;
		if (violations_has(&exchange->violations, name))
			write->sent &= ~status_page_sent_bit(name);
	}
}

/* Reads and checks all that can be known before the transaction. */
static enum result read_input(struct exchange *exchange, struct page_write *write)
{
	struct status_page_input *input = &write->input;
	enum result result = exchange_body(exchange, input, &write->sent);
	if (result != OK)
		return result;
	status_page_check(input, &exchange->site, &exchange->arena, &exchange->violations);
	check_upload(exchange, write, "logo", input->logo, input->remove_logo);
	check_upload(exchange, write, "favicon", input->favicon, input->remove_favicon);
	drop_rejected(exchange, write);
	if (input->domain && !violations_has(&exchange->violations, "domain"))
		result = page_domain_look_up(exchange, input->domain, exchange->match.id,
					     &write->domain);
	if (result != OK)
		return result;
	/* Hashing is slow by design: not for a request that fails anyway. */
	if (input->password && exchange->violations.count == 0)
		result = password_hash(exchange, input->password, &write->password_hash);
	return result;
}

/* Puts what was sent on the page; the rule that needs both old and new is checked here. */
static void apply_input(struct exchange *exchange, struct page_write *write)
{
	struct status_page *page = &write->page;
	const char *domain_before = page->domain;
	status_page_merge(page, &write->input, write->sent);
	page_domain_settle(exchange, &write->domain, domain_before, page);
	page->password_hash = write->password_hash;
	page->updated_at = exchange->now;
	for (size_t i = 0; i < write->file_count; i++) {
		bool is_logo = strcmp(write->files[i].kind, "logo") == 0;
		*(is_logo ? &page->logo_file : &page->favicon_file) = write->files[i].name;
	}
	if (page->privacy == PRIVACY_PASSWORD && !page->has_password && !write->input.password &&
	    !violations_has(&exchange->violations, "password"))
		violations_add(&exchange->violations, "password",
			       "The password field is required when privacy is 2.");
}

/* Adds what only the database knows to the violations. */
static enum result add_conflicts(struct exchange *exchange, const struct status_page *page)
{
	struct status_page_conflicts conflicts;
	enum result result = status_page_conflicts(exchange->db, page, &exchange->arena, &conflicts,
						   &exchange->error);
	if (result != OK)
		return result;
	if (conflicts.is_slug_taken)
		violations_add(&exchange->violations, "slug", "The slug has already been taken.");
	if (conflicts.is_domain_taken)
		violations_add(&exchange->violations, "domain",
			       "The domain has already been taken.");
	for (size_t i = 0; i < page->monitor_ids.count; i++)
		for (size_t j = 0; j < conflicts.unknown.count; j++)
			if (page->monitor_ids.ids[i] == conflicts.unknown.ids[j])
				violations_add(&exchange->violations,
					       arena_printf(&exchange->arena, "monitor_ids.%zu", i),
					       "The selected monitor_ids.%zu is invalid.", i);
	if (exchange->violations.count == 0)
		return error_log(&exchange->error, E_RETRY, "a conflict went away meanwhile");
	return E_INVALID;
}

/*
 * Success asks the database nothing beyond the writes themselves. Only when
 * they fail, or the input was faulty, is it asked what else is wrong.
 */
static enum result conflicts_or(struct exchange *exchange, const struct status_page *page,
				enum result result)
{
	if (result != E_CONFLICT && result != E_INVALID)
		return result;
	return add_conflicts(exchange, page);
}

/* A quota that is used up is a fault under the quota's name. */
static enum result within_quota(struct exchange *exchange, const char *quota, enum result result)
{
	if (result != E_QUOTA_EXCEEDED)
		return result;
	if (!violations_has(&exchange->violations, quota))
		violations_add(&exchange->violations, quota, "%s", exchange->error.client);
	exchange->error = (struct error){ 0 };
	return E_INVALID;
}

static enum result put_files(struct exchange *exchange, const struct page_write *write)
{
	const struct usage_upload upload = { write->files, write->file_count };
	if (write->file_count == 0)
		return OK;
	enum result result = within_quota(
		exchange, "uploads",
		usage_check_uploads(exchange->db, &write->page, &upload,
				    exchange->config->most_upload_mb << 20, &exchange->error));
	return result == OK ? status_page_put_files(exchange->db, write->page.id, write->files,
						    write->file_count, &exchange->error)
			    : result;
}

static void publish_write(struct exchange *exchange, const struct page_write *write)
{
	struct publish_order order = {
		.page_id = write->page.id,
		.at_hand = write->files,
		.at_hand_count = write->file_count,
		.has_moved = write->has_moved,
	};
	exchange_publish_page(exchange, &order);
}

static void respond_to_write(struct exchange *exchange, struct page_write *write, int status)
{
	exchange_set_etag(exchange, write->page.id, write->page.version);
	exchange_respond(exchange, status, page_tree(exchange, &write->page));
}

/* POST / */

static enum result create_transaction(struct exchange *exchange, void *context)
{
	struct page_write *write = context;
	struct status_page *page = &write->page;
	enum result result = exchange->violations.count > 0 ? E_INVALID : OK;
	page->id = 0;
	if (result == OK)
		result = within_quota(exchange, "status_pages",
				      usage_check_pages(exchange->db, page->account_id,
							exchange->config->most_status_pages,
							&exchange->error));
	if (result == OK)
		result = page_domain_take(exchange, &write->domain, page);
	if (result == OK)
		result = status_page_insert(exchange->db, page, &exchange->error);
	if (result == OK)
		result = status_page_add_monitors(exchange->db, page, &exchange->arena,
						  &exchange->error);
	if (result == OK)
		result = put_files(exchange, write);
	if (result == OK) {
		response_header(&exchange->response, "Location", "%s%s/%lld",
				exchange->request.base_url, exchange->match.pattern,
				(long long)page->id);
		respond_to_write(exchange, write, 201);
	}
	return conflicts_or(exchange, page, result);
}

/* remove_logo on a page that is being made removes nothing. */
static void drop_removals(struct page_write *write)
{
	size_t kept = 0;
	for (size_t i = 0; i < write->file_count; i++)
		if (write->files[i].name)
			write->files[kept++] = write->files[i];
	write->file_count = kept;
}

enum result status_pages_create(struct exchange *exchange)
{
	struct page_write write = { 0 };
	enum result result = read_input(exchange, &write);
	if (result != OK)
		return result;
	exchange_check_read_only(exchange, NULL, NULL);
	drop_removals(&write);
	write.page.account_id = exchange->key.account_id;
	write.page.created_at = exchange->now;
	apply_input(exchange, &write);
	result = exchange_transact(exchange, create_transaction, &write);
	if (result != OK)
		return result;
	publish_write(exchange, &write);
	return OK;
}

/* PUT /{id} */

static bool is_same_list(const struct id_list *a, const struct id_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 || memcmp(a->ids, b->ids, a->count * sizeof(*a->ids)) == 0);
}

static enum result save_page(struct exchange *exchange, struct page_write *write,
			     const struct status_page *before)
{
	struct status_page *page = &write->page;
	enum result result = page_domain_take(exchange, &write->domain, page);
	if (result == OK)
		result = status_page_update(exchange->db, page, &exchange->error);
	if (result == OK && !is_same_list(&before->monitor_ids, &page->monitor_ids)) {
		result = status_page_clear_monitors(exchange->db, page->id, &exchange->error);
		if (result == OK)
			result = status_page_add_monitors(exchange->db, page, &exchange->arena,
							  &exchange->error);
	}
	return result == OK ? put_files(exchange, write) : result;
}

static enum result update_transaction(struct exchange *exchange, void *context)
{
	struct page_write *write = context;
	struct status_page before;
	enum result result = status_page_find(exchange->db, exchange->key.account_id,
					      exchange->match.id, true, &exchange->arena, &before,
					      &exchange->error);
	if (result == OK)
		result = exchange_check_etag(exchange, before.id, before.version);
	if (result != OK)
		return result;
	exchange_check_read_only(exchange, page_tree(exchange, &before), NULL);
	write->page = before;
	apply_input(exchange, write);
	write->has_moved = strcmp(before.slug, write->page.slug) != 0 ||
			   (before.domain && (!write->page.domain ||
					      strcmp(before.domain, write->page.domain) != 0));
	result = exchange->violations.count > 0 ? E_INVALID : save_page(exchange, write, &before);
	if (result == OK)
		respond_to_write(exchange, write, 200);
	return conflicts_or(exchange, &write->page, result);
}

enum result status_pages_update(struct exchange *exchange)
{
	struct page_write write = { 0 };
	enum result result = read_input(exchange, &write);
	if (result == OK)
		result = exchange_transact(exchange, update_transaction, &write);
	if (result != OK)
		return result;
	publish_write(exchange, &write);
	return OK;
}

/* DELETE /{id} */

static enum result delete_transaction(struct exchange *exchange, void *context)
{
	struct status_page *page = context;
	enum result result = status_page_find(exchange->db, exchange->key.account_id,
					      exchange->match.id, true, &exchange->arena, page,
					      &exchange->error);
	if (result == OK)
		result = exchange_check_etag(exchange, page->id, page->version);
	if (result == OK)
		result = status_page_delete(exchange->db, page->account_id, page->id,
					    &exchange->error);
	if (result == OK)
		exchange_respond_deleted(exchange, "status_page", page->id);
	return result;
}

enum result status_pages_delete(struct exchange *exchange)
{
	struct status_page page;
	enum result result = exchange_transact(exchange, delete_transaction, &page);
	/* Whoever deleted it may have ended before the files were taken away. */
	if (result == OK || result == E_REPLAYED)
		exchange_publish_page(exchange,
				      &(struct publish_order){ .page_id = exchange->match.id,
							       .has_moved = true });
	return result;
}
