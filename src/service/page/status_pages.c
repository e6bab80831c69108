#include "service/page/status_pages.h"

#include <string.h>

#include "base/log.h"
#include "service/page/page_write.h"
#include "service/passwords.h"
#include "store/account/usage.h"
#include "store/page/former_address.h"

static void check_upload(struct service *service, struct page_write *write, const char *kind,
			 const struct field_file *upload, bool is_removed)
{
	const char *name = NULL;
	if (upload && !status_page_check_image(kind, upload->data, upload->len, &name,
					       service->arena, service->violations))
		return;
	if (!upload && !is_removed)
		return;
	if (write->file_count == ARRAY_LEN(write->files))
		die("status_pages: more than %zu files", ARRAY_LEN(write->files));
	write->files[write->file_count++] = (struct page_file){ kind, name,
								upload ? upload->data : NULL,
								upload ? upload->len : 0 };
}

/* Removes the values that have violations from the change. The database is still asked for further
 * violations, and its columns cannot take every rejected text. */
static void drop_rejected(struct service *service, struct page_write *write)
{
	for (size_t i = 0; i < status_page_update_fields.count; i++) {
		const char *name = status_page_update_fields.rows[i].name;
		if (violations_has(service->violations, name))
			field_set_remove(&write->change->sent, status_page_place(name));
	}
}

void page_write_check(struct service *service, struct page_write *write)
{
	struct status_page_input *input = &write->change->input;
	status_page_check(input, service->site, service->arena, service->violations);
	check_upload(service, write, "logo", input->logo, input->remove_logo);
	check_upload(service, write, "logo_dark", input->logo_dark, input->remove_logo_dark);
	check_upload(service, write, "header_image", input->header_image,
		     input->remove_header_image);
	check_upload(service, write, "favicon", input->favicon, input->remove_favicon);
	drop_rejected(service, write);
}

/* Runs all checks that need no transaction. */
static enum result prepare_write(struct service *service, struct page_write *write)
{
	const struct status_page_input *input = &write->change->input;
	enum result result = OK;
	page_write_check(service, write);
	if (input->domain && !violations_has(service->violations, "domain"))
		result = page_domain_look_up(service, input->domain, write->id, &write->domain);
	/* Hashing is slow by design, so do not hash for a request that fails anyway. */
	if (result == OK && input->password && service->violations->count == 0)
		result = service_hash_password(service, input->password, &write->password_hash);
	return result;
}

void page_write_merge(struct service *service, struct page_write *write)
{
	struct status_page *page = write->page;
	const struct status_page before = *page;
	status_page_merge(page, &write->change->input, write->change->sent);
	page_domain_settle(service, &write->domain, before.domain, page);
	status_page_check_merged(page, &write->change->input, service->violations);
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		status_page_check_owner(&before, page, &write->change->input, write->change->sent,
					service->violations);
	page->password_hash = write->password_hash;
	page->updated_at = service->now;
	for (size_t i = 0; i < write->file_count; i++)
		*status_page_file(page, write->files[i].kind) = write->files[i].name;
	if (page->privacy == PRIVACY_PASSWORD && !page->has_password &&
	    !write->change->input.password && !violations_has(service->violations, "password"))
		violations_add(service->violations, "password",
			       "The password field is required when privacy is 2.");
}

/* Adds the violations that only the database can find, and returns E_INVALID. */
static enum result add_conflicts(struct service *service, const struct status_page *page)
{
	struct status_page_conflicts conflicts;
	enum result result = status_page_conflicts(service->db, page, service->arena, &conflicts,
						   service->error);
	if (result != OK)
		return result;
	if (conflicts.is_slug_taken)
		violations_add(service->violations, "slug", "The slug has already been taken.");
	if (conflicts.is_domain_taken)
		violations_add(service->violations, "domain", "The domain has already been taken.");
	for (size_t i = 0; i < page->monitor_ids.count; i++)
		for (size_t j = 0; j < conflicts.unknown.count; j++)
			if (page->monitor_ids.ids[i] == conflicts.unknown.ids[j])
				violations_add(service->violations,
					       arena_printf(service->arena, "monitor_ids.%zu", i),
					       "The selected monitor_ids.%zu is invalid.", i);
	if (service->violations->count == 0)
		return error_log(service->error, E_RETRY, "the conflict ended meanwhile");
	return E_INVALID;
}

/* Returns the result of a write. After E_CONFLICT or E_INVALID, also adds the violations that only
 * the database can find. */
static enum result conflicts_or(struct service *service, const struct status_page *page,
				enum result result)
{
	if (result != E_CONFLICT && result != E_INVALID)
		return result;
	return add_conflicts(service, page);
}

/* Replaces the result E_QUOTA_EXCEEDED by E_INVALID, with a violation at `quota`. */
static enum result within_quota(struct service *service, const char *quota, enum result result)
{
	if (result != E_QUOTA_EXCEEDED)
		return result;
	if (!violations_has(service->violations, quota))
		violations_add(service->violations, quota, "%s", service->error->client);
	*service->error = (struct error){ 0 };
	return E_INVALID;
}

static enum result put_files(struct service *service, const struct page_write *write)
{
	const struct usage_upload upload = { write->files, write->file_count };
	if (write->file_count == 0)
		return OK;
	enum result result = within_quota(service, "uploads",
					  usage_check_uploads(service->db, write->page, &upload,
							      service->config->most_upload_mb << 20,
							      service->error));
	return result == OK ? status_page_put_files(service->db, write->page->id, write->files,
						    write->file_count, service->error)
			    : result;
}

static void mark_page(struct service *service, const struct page_write *write, bool has_moved)
{
	const struct publish_order order = {
		.page_id = write->page->id,
		.at_hand = write->files,
		.at_hand_count = write->file_count,
		.has_moved = has_moved,
		.joins = true,
	};
	service_mark_page(service, &order);
}

static void add_event(struct service *service, const struct status_page *page, enum event_kind kind,
		      const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = page->account_id,
					   .object_id = page->id,
					   .detail = detail,
				   });
}

/* Returns the names of the fields that differ, without their values, which may be secret. */
static const char *changed_names(struct service *service, const struct page_write *write,
				 const struct status_page *before)
{
	const char *names = NULL;
	struct field_set changed = fields_differing(status_page_update_fields, write->change->sent,
						    status_page_resource_fields, before,
						    write->page);
	if (write->password_hash)
		field_set_add(&changed, STATUS_PAGE_FIELD_password);
	struct status_page former = *before;
	for (size_t i = 0; i < write->file_count; i++)
		if (write->files[i].name || *status_page_file(&former, write->files[i].kind))
			field_set_add(&changed, status_page_place(write->files[i].kind));
	for (size_t i = 0; i < status_page_update_fields.count; i++) {
		const char *name = status_page_update_fields.rows[i].name;
		if (field_set_has(changed, i))
			names = names ? arena_printf(service->arena, "%s, %s", names, name) : name;
	}
	return names;
}

static void add_domain_event(struct service *service, const struct page_write *write)
{
	const struct status_page *page = write->page;
	bool is_new = page->domain && write->domain.is_proven &&
		      page->domain_proof.proven_at.s == service->now.s;
	if (is_new)
		add_event(service, page, EVENT_DOMAIN_PROVEN, page->domain);
}

enum result page_write_create(struct service *service, struct page_write *write)
{
	struct status_page *page = write->page;
	enum result result = service->violations->count > 0 ? E_INVALID : OK;
	page->id = 0;
	if (result == OK)
		result = within_quota(service, "status_pages",
				      usage_check_pages(service->db, page->account_id,
							service->config->most_status_pages,
							service->error));
	if (result == OK)
		result = page_domain_take(service, &write->domain, page);
	if (result == OK)
		result = status_page_insert(service->db, page, service->error);
	if (result == OK)
		result =
			status_page_add_monitors(service->db, page, service->arena, service->error);
	if (result == OK)
		result = put_files(service, write);
	if (result != OK)
		return conflicts_or(service, page, result);
	mark_page(service, write, false);
	add_event(service, page, EVENT_STATUS_PAGE_CREATED, page->name);
	add_domain_event(service, write);
	return OK;
}

static enum result create_work(struct service *service, void *context)
{
	return page_write_create(service, context);
}

/* Drops removals such as remove_logo, because a new page has no files. */
static void drop_removals(struct page_write *write)
{
	size_t kept = 0;
	for (size_t i = 0; i < write->file_count; i++)
		if (write->files[i].name)
			write->files[kept++] = write->files[i];
	write->file_count = kept;
}

enum result service_create_status_page(struct service *service, struct status_page_change *change,
				       struct status_page *page)
{
	struct page_write write = { .change = change, .page = page };
	*page = status_page_new(service->principal.account_id, service->now);
	enum result result = prepare_write(service, &write);
	if (result == OK)
		result = service_admit(service, NULL);
	if (result != OK)
		return result;
	drop_removals(&write);
	page_write_merge(service, &write);
	return service_transact(service, PERMISSION_EDIT, create_work, &write, page);
}

static bool is_same_list(const struct id_list *a, const struct id_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 || memcmp(a->ids, b->ids, a->count * sizeof(*a->ids)) == 0);
}

/* Whether the page gives up a slug or a domain: `before` is the former value, `now` the new one. */
static bool gives_up(const char *before, const char *now)
{
	return before && (!now || strcmp(before, now) != 0);
}

/* Stores the addresses that the page gives up, for redirects. Leaves out a domain whose proof was
 * lost, because such a domain was no longer an address of the page. */
static enum result keep_former(struct service *service, const struct status_page *before,
			       const struct status_page *page)
{
	bool has_domain = before->domain_proof.lost_at.s == 0;
	const struct former_addresses addresses = {
		.account_id = page->account_id,
		.page_id = page->id,
		.slug = gives_up(before->slug, page->slug) ? before->slug : NULL,
		.domain = has_domain && gives_up(before->domain, page->domain) ? before->domain
									       : NULL,
		.now = service->now,
	};
	return former_addresses_put(service->db, &addresses, service->error);
}

static enum result save_page(struct service *service, struct page_write *write,
			     const struct status_page *before)
{
	struct status_page *page = write->page;
	enum result result = page_domain_take(service, &write->domain, page);
	if (result == OK)
		result = status_page_update(service->db, page, service->error);
	if (result == OK)
		result = keep_former(service, before, page);
	if (result == OK && !is_same_list(&before->monitor_ids, &page->monitor_ids)) {
		result = status_page_clear_monitors(service->db, page->id, service->error);
		if (result == OK)
			result = status_page_add_monitors(service->db, page, service->arena,
							  service->error);
	}
	return result == OK ? put_files(service, write) : result;
}

static bool has_moved(const struct status_page *before, const struct status_page *page)
{
	return gives_up(before->slug, page->slug) || gives_up(before->domain, page->domain);
}

/* Whether this write makes visitors lose the page, one of its addresses, or the access to it. */
static bool is_tightened(const struct page_write *write, const struct status_page *before)
{
	const struct status_page *page = write->page;
	bool has_less = page->privacy != PRIVACY_PUBLIC &&
			(before->privacy == PRIVACY_PUBLIC || page->privacy == PRIVACY_PRIVATE);
	return (has_less && before->privacy != page->privacy) || has_moved(before, page) ||
	       (page->privacy == PRIVACY_PASSWORD && write->password_hash);
}

static enum result find_page(struct service *service, int64_t id, struct status_page *page)
{
	enum result result = service_await_one(service, RUNNING_WRITES_PAGES, id);
	return result == OK ? status_page_find(service->db, service->principal.account_id, id, true,
					       service->arena, page, service->error)
			    : result;
}

enum result page_write_update(struct service *service, struct page_write *write,
			      const struct status_page *before)
{
	*write->page = *before;
	page_write_merge(service, write);
	enum result result = service->violations->count > 0 ? E_INVALID
							    : save_page(service, write, before);
	if (result != OK)
		return conflicts_or(service, write->page, result);
	mark_page(service, write, has_moved(before, write->page));
	if (is_tightened(write, before))
		service->publishing.tightened_page = write->page->id;
	if (before->privacy == write->page->privacy)
		service->publishing.updated_page = write->page->id;
	add_event(service, write->page, EVENT_STATUS_PAGE_UPDATED,
		  changed_names(service, write, before));
	add_domain_event(service, write);
	return OK;
}

static enum result update_work(struct service *service, void *context)
{
	struct page_write *write = context;
	struct status_page before;
	enum result result = find_page(service, write->id, &before);
	if (result == OK)
		result = service_admit(service, &before);
	if (result != OK)
		return result;
	return page_write_update(service, write, &before);
}

enum result service_update_status_page(struct service *service, int64_t id,
				       struct status_page_change *change, struct status_page *page)
{
	struct page_write write = { .change = change, .id = id, .page = page };
	enum result result = prepare_write(service, &write);
	return result == OK ? service_transact(service, PERMISSION_EDIT, update_work, &write, page)
			    : result;
}

enum result page_write_delete(struct service *service, const struct status_page *page)
{
	enum result result =
		status_page_delete(service->db, page->account_id, page->id, service->error);
	if (result == OK)
		add_event(service, page, EVENT_STATUS_PAGE_DELETED, page->name);
	return result;
}

struct deleting {
	int64_t id;
	struct status_page *page;
};

static enum result delete_work(struct service *service, void *context)
{
	const struct deleting *deleting = context;
	struct status_page *page = deleting->page;
	enum result result = find_page(service, deleting->id, page);
	if (result == OK)
		result = service_admit(service, page);
	return result == OK ? page_write_delete(service, page) : result;
}

enum result service_delete_status_page(struct service *service, int64_t id,
				       struct status_page *page)
{
	struct deleting deleting = { id, page };
	/* Mark the page before the transaction, so that a repeated request publishes it, too. The
	 * process that deleted the page may have died before it removed the files. */
	service_mark_page(service, &(struct publish_order){ .page_id = id, .has_moved = true });
	service->publishing.tightened_page = id;
	return service_transact(service, PERMISSION_MANAGE, delete_work, &deleting, page);
}
