#include "app/status_pages.h"

#include <string.h>

#include "app/page_domain.h"
#include "app/password.h"
#include "app/publishing.h"
#include "base/log.h"
#include "store/status_page.h"
#include "wire/json.h"

/* GET / */

struct list_input {
	const char *search;
	int search_by;
	int64_t monitor_id;
	int sort_by;
	int sort;
	int per_page;
	int64_t page;
};

static const char *const search_by_choices[] = { "name", NULL };
static const char *const sort_by_choices[] = { "id", "name", NULL };

#define QUERY(member, ...) FIELD(struct list_input, member, __VA_ARGS__)
static const struct field query_rows[] = {
	QUERY(search, .max_chars = 255),
	QUERY(search_by, .choices = search_by_choices),
	QUERY(monitor_id, .min = 1, .max = INT64_MAX),
	QUERY(sort_by, .choices = sort_by_choices),
	QUERY(sort, .choices = exchange_sort_choices),
	QUERY(per_page, .choices = exchange_per_page_choices),
	QUERY(page, .min = 1, .max = EXCHANGE_PAGE_MAX),
};
const struct fields status_pages_query_fields = { query_rows, ARRAY_LEN(query_rows) };

/*
 * Where the page and its files are seen. The files' addresses are the
 * installation's own, which whoever asks has reached; a page's domain may not
 * lead here yet.
 */
static void locate(const struct exchange *exchange, struct status_page *page, struct arena *arena)
{
	const char *base_url = exchange->request.base_url;
	const char *shared = status_page_shared_url(page, base_url, arena);
	page->url = status_page_is_at_domain(page, &exchange->site)
			    ? status_page_url(page, base_url, arena)
			    : shared;
	page->logo_url = page->logo_file ? arena_printf(arena, "%s%s", shared, page->logo_file)
					 : NULL;
	page->favicon_url =
		page->favicon_file ? arena_printf(arena, "%s%s", shared, page->favicon_file) : NULL;
}

static struct json_object *tree_of(struct exchange *exchange, struct status_page *page,
				   struct fields fields)
{
	struct json_object *tree = json_object_tree();
	locate(exchange, page, &exchange->arena);
	json_put_fields(tree, fields, page);
	return tree;
}

static struct json_object *page_tree(struct exchange *exchange, struct status_page *page)
{
	return tree_of(exchange, page, status_page_resource_fields);
}

struct listing {
	struct status_page_query query;
	struct status_page_list list;
};

static enum result list_transaction(struct exchange *exchange, void *context)
{
	struct listing *listing = context;
	return status_page_list(exchange->db, &listing->query, &exchange->arena, &listing->list,
				&exchange->error);
}

enum result status_pages_list(struct exchange *exchange)
{
	struct list_input input = { .page = 1, .per_page = exchange_per_page_default(exchange) };
	enum result result = exchange_query(exchange, &input);
	if (result != OK)
		return result;
	int64_t per_page = exchange_per_page(input.per_page);
	struct listing listing = {
		.query = {
			.account_id = exchange->key.account_id,
			.search = input.search,
			.monitor_id = input.monitor_id,
			.sort_by = input.sort_by,
			.is_ascending = input.sort == 1,
			.limit = per_page,
			.offset = (input.page - 1) * per_page,
		},
	};
	result = exchange_transact(exchange, DB_READ, list_transaction, &listing);
	if (result != OK)
		return result;
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < listing.list.count; i++)
		json_append(array, tree_of(exchange, &listing.list.rows[i],
					   status_page_listed_fields));
	struct list_page page = { input.page, per_page, listing.list.total, listing.list.count };
	exchange_answer_list(exchange, array, &page);
	return OK;
}

/* GET /{id} */

enum result status_pages_show(struct exchange *exchange)
{
	struct status_page page;
	enum result result =
		status_page_find(exchange->db, exchange->key.account_id, exchange->match.id, false,
				 &exchange->arena, &page, &exchange->error);
	if (result != OK)
		return result;
	exchange_set_etag(exchange, page.id, page.version);
	if (!exchange_is_unchanged(exchange, page.id, page.version))
		exchange_answer(exchange, 200, page_tree(exchange, &page));
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
	struct status_page page;   /* the outcome */
	bool has_moved;		   /* it has given up a slug, or a domain */
};

static void check_upload(struct exchange *exchange, struct page_write *write, const char *kind,
			 const struct upload *upload, bool is_removed)
{
	const char *name = NULL;
	if (upload && !status_page_check_image(kind, upload->data, upload->len, &name,
					       &exchange->arena, &exchange->faults))
		return;
	if (!upload && !is_removed)
		return;
	if (write->file_count == ARRAY_LEN(write->files))
		die("status_pages: more than %zu files", ARRAY_LEN(write->files));
	write->files[write->file_count++] =
		(struct page_file){ kind, name, upload ? upload->data : NULL,
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
		if (faults_has(&exchange->faults, name))
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
	status_page_check(input, &exchange->site, &exchange->arena, &exchange->faults);
	check_upload(exchange, write, "logo", input->logo, input->remove_logo);
	check_upload(exchange, write, "favicon", input->favicon, input->remove_favicon);
	drop_rejected(exchange, write);
	if (input->domain && !faults_has(&exchange->faults, "domain"))
		result = page_domain_look_up(exchange, input->domain, exchange->match.id,
					     &write->domain);
	if (result != OK)
		return result;
	/* Hashing is slow by design: not for a request that fails anyway. */
	if (input->password && exchange->faults.count == 0)
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
	    !faults_has(&exchange->faults, "password"))
		faults_add(&exchange->faults, "password",
			   "The password field is required when privacy is 2.");
}

/* Adds what only the database knows to the faults. */
static enum result add_conflicts(struct exchange *exchange, const struct status_page *page)
{
	struct status_page_conflicts conflicts;
	enum result result = status_page_conflicts(exchange->db, page, &exchange->arena, &conflicts,
						   &exchange->error);
	if (result != OK)
		return result;
	if (conflicts.is_slug_taken)
		faults_add(&exchange->faults, "slug", "The slug has already been taken.");
	if (conflicts.is_domain_taken)
		faults_add(&exchange->faults, "domain", "The domain has already been taken.");
	for (size_t i = 0; i < page->monitor_ids.count; i++)
		for (size_t j = 0; j < conflicts.unknown.count; j++)
			if (page->monitor_ids.ids[i] == conflicts.unknown.ids[j])
				faults_add(&exchange->faults,
					   arena_printf(&exchange->arena, "monitor_ids.%zu", i),
					   "The selected monitor_ids.%zu is invalid.", i);
	if (exchange->faults.count == 0)
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
	if (result != E_TAKEN && result != E_INVALID)
		return result;
	return add_conflicts(exchange, page);
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

static void answer_write(struct exchange *exchange, struct page_write *write, int status)
{
	exchange_set_etag(exchange, write->page.id, write->page.version);
	exchange_answer(exchange, status, page_tree(exchange, &write->page));
}

/* POST / */

static enum result store_transaction(struct exchange *exchange, void *context)
{
	struct page_write *write = context;
	struct status_page *page = &write->page;
	enum result result = exchange->faults.count > 0 ? E_INVALID : OK;
	page->id = 0;
	if (result == OK)
		result = page_domain_take(exchange, &write->domain, page);
	if (result == OK)
		result = status_page_insert(exchange->db, page, &exchange->error);
	if (result == OK)
		result = status_page_add_monitors(exchange->db, page, &exchange->arena,
						  &exchange->error);
	if (result == OK && write->file_count > 0)
		result = status_page_put_files(exchange->db, page->id, write->files,
					       write->file_count, &exchange->error);
	if (result == OK) {
		response_header(&exchange->response, "Location", "%s%s/%lld",
				exchange->request.base_url, exchange->match.pattern,
				(long long)page->id);
		answer_write(exchange, write, 201);
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

enum result status_pages_store(struct exchange *exchange)
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
	result = exchange_transact(exchange, DB_WRITE, store_transaction, &write);
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
	if (result == OK && write->file_count > 0)
		result = status_page_put_files(exchange->db, page->id, write->files,
					       write->file_count, &exchange->error);
	return result;
}

static enum result update_transaction(struct exchange *exchange, void *context)
{
	struct page_write *write = context;
	struct status_page before;
	enum result result =
		status_page_find(exchange->db, exchange->key.account_id, exchange->match.id, true,
				 &exchange->arena, &before, &exchange->error);
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
	result = exchange->faults.count > 0 ? E_INVALID : save_page(exchange, write, &before);
	if (result == OK)
		answer_write(exchange, write, 200);
	return conflicts_or(exchange, &write->page, result);
}

enum result status_pages_update(struct exchange *exchange)
{
	struct page_write write = { 0 };
	enum result result = read_input(exchange, &write);
	if (result == OK)
		result = exchange_transact(exchange, DB_WRITE, update_transaction, &write);
	if (result != OK)
		return result;
	publish_write(exchange, &write);
	return OK;
}

/* DELETE /{id} */

static enum result delete_transaction(struct exchange *exchange, void *context)
{
	struct status_page *page = context;
	enum result result =
		status_page_find(exchange->db, exchange->key.account_id, exchange->match.id, true,
				 &exchange->arena, page, &exchange->error);
	if (result == OK)
		result = exchange_check_etag(exchange, page->id, page->version);
	if (result == OK)
		result = status_page_delete(exchange->db, page->account_id, page->id,
					    &exchange->error);
	if (result == OK)
		exchange_answer_deleted(exchange, "status_page", page->id);
	return result;
}

enum result status_pages_delete(struct exchange *exchange)
{
	struct status_page page;
	enum result result = exchange_transact(exchange, DB_WRITE, delete_transaction, &page);
	/* Whoever deleted it may have ended before the files were taken away. */
	if (result == OK || result == E_REPLAYED)
		exchange_publish_page(exchange, &(struct publish_order){
							.page_id = exchange->match.id,
							.has_moved = true });
	return result;
}
